import type { HTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import {
  controlStyle,
  FieldFrame,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from './field-frame.tsx';

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  type?: 'text' | 'email' | 'tel' | 'password' | 'date' | 'datetime-local';
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoComplete?: string;
  placeholder?: string;
  maxLength?: number;
  min?: string;
  max?: string;
  /** `ltr` for phones, references, e-mails and codes. */
  dir?: 'ltr' | 'auto';
  isLabelHidden?: boolean;
  /** The expected length of the input. */
  width?: 'full' | 'medium' | 'short';
  prefix?: ReactNode;
  suffix?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

const widths = { full: '', medium: 'min-[480px]:max-w-80', short: 'min-[480px]:max-w-48' };

export function TextField({
  value,
  onChange,
  onBlur,
  width = 'full',
  prefix,
  suffix,
  isDisabled,
  focusIds,
  name,
  type = 'text',
  dir,
  ref,
  inputMode,
  autoComplete,
  placeholder,
  maxLength,
  min,
  max,
  ...field
}: TextFieldProps) {
  const ids = useFieldIds(field);
  const { direction } = useLanguage();
  // The corners beside a prefix or suffix follow the direction of the page; those of an input with
  // its own direction follow the input.
  const isCrossed = dir === 'ltr' && direction === 'rtl';
  // Left-to-right values are codes, numbers or addresses, which auto-correction would change.
  const verbatimProps =
    dir === 'ltr'
      ? ({ autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const)
      : {};
  const [startCorner, endCorner] = isCrossed
    ? ['rounded-e-none', 'rounded-s-none']
    : ['rounded-s-none', 'rounded-e-none'];
  return (
    <FieldFrame {...field} ids={ids}>
      <div className={classNames('relative flex items-stretch', widths[width])}>
        {prefix ? (
          <span className="flex items-center rounded-s-md border border-e-0 border-ink-400 bg-ink-50 px-3 text-ink-600">
            {prefix}
          </span>
        ) : null}
        <input
          id={ids.control}
          ref={ref}
          name={name}
          type={type}
          dir={dir}
          value={value}
          disabled={isDisabled}
          inputMode={inputMode}
          autoComplete={autoComplete}
          placeholder={placeholder}
          maxLength={maxLength}
          min={min}
          max={max}
          {...verbatimProps}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          aria-required={field.isOptional ? undefined : true}
          aria-invalid={field.error ? true : undefined}
          aria-describedby={ids.describedBy}
          data-focus-id={focusIdOf(name, focusIds)}
          className={classNames(
            controlStyle,
            Boolean(prefix) && startCorner,
            Boolean(suffix) && endCorner,
          )}
        />
        {suffix ? (
          <span className="flex items-center rounded-e-md border border-s-0 border-ink-400 bg-ink-50 px-3 text-ink-600">
            {suffix}
          </span>
        ) : null}
      </div>
    </FieldFrame>
  );
}
