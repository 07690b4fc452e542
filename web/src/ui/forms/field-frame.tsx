import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { isQuestion, titleInSentence } from '#lib/i18n/title-in-sentence.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

/** The props that all fields share. */
export interface FieldProps {
  label: string;
  /** The language of the label, where it is not the language of the page. */
  labelLanguage?: string;
  /** The hint under the label. */
  description?: ReactNode;
  /** The error message, shown between the hint and the control. */
  error?: string;
  /** Optional fields are marked, required ones are not. */
  isOptional?: boolean;
  isDisabled?: boolean;
  /** The error names and field names whose message this control shows (specification §8). */
  focusIds?: string[];
}

/** The `data-focus-id` of a control: all names by which `focusOn` finds it. */
export function focusIdOf(
  name: string | undefined,
  focusIds: readonly string[] = [],
): string | undefined {
  return [name, ...focusIds].filter(Boolean).join(' ') || undefined;
}

interface FieldIds {
  control: string;
  label: string;
  hint: string;
  error: string;
  describedBy: string | undefined;
}

export function useFieldIds({
  description,
  error,
}: Pick<FieldProps, 'description' | 'error'>): FieldIds {
  const id = useId();
  const described = [description ? `${id}-hint` : '', error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return {
    control: `${id}-control`,
    label: `${id}-label`,
    hint: `${id}-hint`,
    error: `${id}-error`,
    describedBy: described || undefined,
  };
}

export function OptionalMark() {
  const { t } = useTranslation('shell');
  return <span className="ms-2 text-sm font-normal text-ink-500">({t('kit.optional')})</span>;
}

/**
 * The error of a field. The text for a missing value, which also the server sends, does not know the
 * label: the field names itself.
 */
function useNamedError({
  label,
  error,
  isChoice,
}: Pick<FieldFrameProps, 'label' | 'error' | 'isChoice'>): string | undefined {
  const { t } = useTranslation(['shell', 'errors']);
  const { language } = useLanguage();
  if (error === undefined || error !== t('errors:validation.required')) return error;
  if (isQuestion(label)) return t('kit.answer');
  const field = titleInSentence(label, language);
  return t(isChoice ? 'kit.chooseField' : 'kit.enter', { field });
}

export function FieldHint({ id, children }: { id: string; children?: ReactNode }) {
  return children ? (
    <div id={id} className="text-sm text-ink-500">
      {children}
    </div>
  ) : null;
}

export function FieldError({ id, children }: { id: string; children?: string }) {
  return (
    <div id={id} aria-live="polite" className="contents">
      {children ? (
        <p className="flex items-start gap-2 text-sm font-medium text-red-700">
          <CircleAlert aria-hidden size={18} className="mt-[calc((1lh-18px)/2)] shrink-0" />
          <span>{children}</span>
        </p>
      ) : null}
    </div>
  );
}

interface FieldFrameProps extends FieldProps {
  ids: FieldIds;
  labelAs?: 'label' | 'span';
  isLabelHidden?: boolean;
  /** The value is chosen from a list. */
  isChoice?: boolean;
  children: ReactNode;
}

/** Label, hint, error and control in reading order. */
export function FieldFrame({
  ids,
  label,
  labelLanguage,
  description,
  error,
  isOptional,
  labelAs = 'label',
  isLabelHidden,
  isChoice,
  children,
}: FieldFrameProps) {
  const Label = labelAs;
  const named = useNamedError({ label, error, isChoice });
  return (
    <div className={error ? 'border-s-4 border-red-700 ps-3' : undefined}>
      <div className="flex flex-col gap-1">
        <Label
          id={ids.label}
          htmlFor={labelAs === 'label' ? ids.control : undefined}
          className={isLabelHidden ? 'sr-only' : 'font-semibold text-ink-900'}
        >
          <span>{labelLanguage ? <span lang={labelLanguage}>{label}</span> : label}</span>
          {isOptional ? <OptionalMark /> : null}
        </Label>
        <FieldHint id={ids.hint}>{description}</FieldHint>
        <FieldError id={ids.error}>{named}</FieldError>
        <div className="mt-1">{children}</div>
      </div>
    </div>
  );
}

/** The same frame for several controls that answer one question. */
export function FieldsetFrame({
  ids,
  label,
  description,
  error,
  isOptional,
  children,
}: FieldProps & { ids: FieldIds; children: ReactNode }) {
  return (
    <fieldset
      aria-describedby={ids.describedBy}
      className={error ? 'border-s-4 border-red-700 ps-3' : undefined}
    >
      <legend className="mb-1 font-semibold text-ink-900">
        <span>{label}</span>
        {isOptional ? <OptionalMark /> : null}
      </legend>
      <div className="flex flex-col gap-1">
        <FieldHint id={ids.hint}>{description}</FieldHint>
        <FieldError id={ids.error}>{error}</FieldError>
        {children}
      </div>
    </fieldset>
  );
}

/** The classes of the box, the same for all controls; lower in a toolbar, inside `data-toolbar`. */
export const controlStyle =
  'w-full min-h-12 rounded-md border border-ink-400 bg-white px-3 py-2 ' +
  'md:in-data-toolbar:h-11 md:in-data-toolbar:min-h-0 md:in-data-toolbar:px-2 md:in-data-toolbar:py-0! ' +
  'md:in-data-toolbar:text-sm ' +
  'text-base leading-(--leading-control) text-ink-900 text-ellipsis transition-colors ' +
  'duration-150 placeholder:text-ink-500 hover:border-ink-600 ' +
  'aria-invalid:border-red-700 aria-invalid:border-2 disabled:bg-ink-50 disabled:text-ink-500 disabled:border-ink-200';
