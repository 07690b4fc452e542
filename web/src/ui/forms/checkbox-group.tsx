import type { ReactNode, Ref } from 'react';
import { ChoiceRow } from './choice-row.tsx';
import { FieldsetFrame, focusIdOf, useFieldIds, type FieldProps } from './field-frame.tsx';
import type { Choice } from './select-field.tsx';

interface CheckboxGroupProps extends FieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  name?: string;
  choices: readonly (Choice & { hint?: ReactNode })[];
  ref?: Ref<HTMLInputElement>;
}

/** Several choices; the answer keeps the order of the list. */
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
