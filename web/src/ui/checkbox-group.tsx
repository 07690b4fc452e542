import type { ReactNode, Ref } from 'react';
import { ChoiceRow } from './choice-row.tsx';
import { FieldError, FieldHint, OptionalMark, useFieldIds, type FieldProps } from './field-frame.tsx';
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
export function CheckboxGroup({ label, description, error, isOptional, isDisabled, focusIds, value, onChange, onBlur, name, choices, ref }: CheckboxGroupProps) {
  const ids = useFieldIds({ description, error });
  const focusId = [name, ...(focusIds ?? [])].filter(Boolean).join(' ') || undefined;
  const toggle = (choice: string) => onChange(choices.map((each) => each.value).filter((each) => (each === choice ? !value.includes(each) : value.includes(each))));
  return (
    <fieldset aria-describedby={ids.describedBy} className={error ? 'border-s-4 border-red-700 ps-3' : undefined}>
      <legend className="mb-1 font-semibold text-ink-900">{label}{isOptional ? <OptionalMark /> : null}</legend>
      <div className="flex flex-col gap-1">
        <FieldHint id={ids.hint}>{description}</FieldHint>
        <FieldError id={ids.error}>{error}</FieldError>
        <div className="mt-1 flex flex-col gap-2">
          {choices.map((choice, index) => (
            <ChoiceRow
              key={choice.value} ref={index === 0 ? ref : undefined} type="checkbox" name={name ?? choice.value} value={choice.value} isChecked={value.includes(choice.value)} onChange={() => toggle(choice.value)} onBlur={onBlur}
              label={choice.label} hint={choice.hint} isDisabled={isDisabled} isInvalid={Boolean(error)} focusId={index === 0 ? focusId : undefined}
            />
          ))}
        </div>
      </div>
    </fieldset>
  );
}
