import { useId, type ReactNode, type Ref } from 'react';
import { ChoiceRow } from './choice-row.tsx';
import { FieldsetFrame, focusIdOf, useFieldIds, type FieldProps } from './field-frame.tsx';
import type { Choice } from './select-field.tsx';

interface RadioGroupProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  choices: readonly (Choice & { hint?: ReactNode })[];
  /** Side by side where the width allows; for two or three short choices. */
  isInline?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function RadioGroup({
  isDisabled,
  focusIds,
  value,
  onChange,
  onBlur,
  name,
  choices,
  isInline,
  ref,
  ...field
}: RadioGroupProps) {
  const ids = useFieldIds(field);
  const groupName = useId();
  const focusId = focusIdOf(name, focusIds);
  return (
    <FieldsetFrame {...field} ids={ids}>
      <div
        className={
          isInline ? 'mt-1 grid grid-cols-1 gap-2 sm:grid-cols-2' : 'mt-1 flex flex-col gap-2'
        }
      >
        {choices.map((choice, index) => (
          <ChoiceRow
            key={choice.value}
            ref={index === 0 ? ref : undefined}
            type="radio"
            name={groupName}
            value={choice.value}
            isChecked={choice.value === value}
            onChange={() => onChange(choice.value)}
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
