import type { Ref } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import {
  controlStyle,
  FieldFrame,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from './field-frame.tsx';

export interface TextAreaFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  rows?: number;
  maxLength?: number;
  dir?: 'ltr' | 'rtl' | 'auto';
  lang?: string;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A multiline text field; it shows the remaining characters near the limit. */
export function TextAreaField({
  value,
  onChange,
  onBlur,
  name,
  rows = 4,
  maxLength,
  dir = 'auto',
  lang,
  ref,
  isDisabled,
  focusIds,
  ...field
}: TextAreaFieldProps) {
  const { t } = useTranslation('shell');
  const ids = useFieldIds(field);
  const left = maxLength === undefined ? Infinity : maxLength - value.length;
  return (
    <FieldFrame {...field} ids={ids}>
      <textarea
        id={ids.control}
        ref={ref}
        name={name}
        rows={rows}
        value={value}
        maxLength={maxLength}
        dir={value === '' ? undefined : dir}
        lang={lang}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        aria-required={field.isOptional ? undefined : true}
        aria-invalid={field.error ? true : undefined}
        aria-describedby={ids.describedBy}
        data-focus-id={focusIdOf(name, focusIds)}
        // One line grows with its text, which would be cut off in a narrow column.
        className={`${controlStyle} block resize-y ${rows === 1 ? 'max-h-60 field-sizing-content' : ''}`}
      />
      <p aria-live="polite" className="mt-1 text-sm text-ink-500">
        {maxLength !== undefined && left <= maxLength / 5
          ? t('kit.charactersLeft', { count: left })
          : null}
      </p>
    </FieldFrame>
  );
}
