import { useId, type ReactNode, type Ref } from 'react';
import { ChoiceRow } from './choice-row.tsx';
import { FieldError, focusIdOf } from './field-frame.tsx';

interface CheckboxProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  value: boolean;
  onChange: (value: boolean) => void;
  onBlur?: () => void;
  name?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  focusIds?: string[];
  /** Without the box around it. */
  isPlain?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** One statement to agree with. */
export function Checkbox({
  value,
  onChange,
  error,
  name,
  focusIds,
  isRequired,
  ...rest
}: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <ChoiceRow
        {...rest}
        type="checkbox"
        name={name ?? id}
        isChecked={value}
        onChange={(event) => onChange(event.target.checked)}
        isInvalid={Boolean(error)}
        isRequired={isRequired}
        describedBy={error ? `${id}-error` : undefined}
        focusId={focusIdOf(name, focusIds)}
      />
    </div>
  );
}
