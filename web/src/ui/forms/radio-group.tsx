import { useId, type ReactNode, type Ref } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
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
  /** For up to ten choices of one or two words: two columns on a phone, then as many as fit. */
  isGrid?: boolean;
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
  isGrid,
  ref,
  ...field
}: RadioGroupProps) {
  const ids = useFieldIds(field);
  const groupName = useId();
  const focusId = focusIdOf(name, focusIds);
  return (
    <FieldsetFrame {...field} ids={ids}>
      <div
        className={classNames(
          'mt-1 gap-2',
          isInline
            ? 'grid grid-cols-1 sm:grid-cols-2'
            : isGrid
              ? 'grid grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]'
              : 'flex flex-col',
        )}
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
