import { useId, type ReactNode, type Ref } from 'react';
import { ChoiceRow } from './choice-row.tsx';
import {
  FieldError,
  focusIdOf,
  FieldsetFrame,
  useFieldIds,
  type FieldProps,
} from './field-frame.tsx';
import type { Choice } from './select-field.tsx';

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
  /** Without a border. */
  isPlain?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A single checkbox. */
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

interface CheckboxGroupProps extends FieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  name?: string;
  choices: readonly (Choice & { hint?: ReactNode })[];
  ref?: Ref<HTMLInputElement>;
}

/** Several choices; the value is in the order of `choices`. */
export function CheckboxGroup({
  isDisabled,
  focusIds,
  value,
  onChange,
  onBlur,
  name,
  choices,
  ref,
  ...field
}: CheckboxGroupProps) {
  const ids = useFieldIds(field);
  const focusId = focusIdOf(name, focusIds);
  const toggle = (choice: string) =>
    onChange(
      choices
        .map((each) => each.value)
        .filter((each) => (each === choice ? !value.includes(each) : value.includes(each))),
    );
  return (
    <FieldsetFrame {...field} ids={ids}>
      <div className="mt-1 flex flex-col gap-2">
        {choices.map((choice, index) => (
          <ChoiceRow
            key={choice.value}
            ref={index === 0 ? ref : undefined}
            type="checkbox"
            name={name ?? choice.value}
            value={choice.value}
            isChecked={value.includes(choice.value)}
            onChange={() => toggle(choice.value)}
            onBlur={onBlur}
            label={choice.label}
            hint={choice.hint}
            isDisabled={isDisabled}
            isInvalid={Boolean(field.error)}
            focusId={index === 0 ? focusId : undefined}
          />
        ))}
      </div>
    </FieldsetFrame>
  );
}
