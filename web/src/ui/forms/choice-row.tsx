import type { ChangeEventHandler, ReactNode, Ref } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useKeptFocus } from '../actions/kept-focus.ts';

interface ChoiceRowProps {
  type: 'radio' | 'checkbox';
  name: string;
  value?: string;
  isChecked: boolean;
  onChange: ChangeEventHandler<HTMLInputElement>;
  onBlur?: () => void;
  label: ReactNode;
  hint?: ReactNode;
  isDisabled?: boolean;
  isInvalid?: boolean;
  isRequired?: boolean;
  describedBy?: string;
  focusId?: string;
  isPlain?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/**
 * A row with a radio button or checkbox; the whole row is the click target. The control is native,
 * so that it works everywhere.
 */
export function ChoiceRow({
  type,
  name,
  value,
  isChecked,
  onChange,
  onBlur,
  label,
  hint,
  isDisabled,
  isInvalid,
  isRequired,
  describedBy,
  focusId,
  isPlain,
  ref,
}: ChoiceRowProps) {
  const { isIgnoring, props } = useKeptFocus<HTMLInputElement>(isDisabled, { onBlur });
  return (
    <label
      className={classNames(
        'flex min-h-12 items-start gap-3 transition-colors duration-150',
        !isPlain &&
          'rounded-md border px-4 py-2.5 has-checked:border-gold-600 has-checked:bg-gold-50 hover:border-ink-600',
        !isPlain && (isInvalid ? 'border-red-700' : 'border-ink-200'),
        isPlain && 'py-2.5',
      )}
    >
      <span className="flex h-[1lh] items-center">
        <input
          ref={ref}
          type={type}
          name={name}
          value={value}
          checked={isChecked}
          {...props}
          onChange={isIgnoring ? undefined : onChange}
          aria-invalid={isInvalid || undefined}
          aria-required={isRequired || undefined}
          aria-describedby={describedBy}
          data-focus-id={focusId}
          className="size-5 shrink-0 cursor-pointer accent-gold-600"
        />
      </span>
      <span className="min-w-0">
        {label}
        {hint ? <span className="block text-sm text-ink-500">{hint}</span> : null}
      </span>
    </label>
  );
}
