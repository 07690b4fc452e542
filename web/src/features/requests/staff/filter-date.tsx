import { controlStyle, FieldFrame, useFieldIds } from '../../../ui/field-frame.tsx';

interface FilterDateProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  min?: string;
  max?: string;
  error?: string;
}

/** A day to filter by. In a filter nothing is required, so nothing is marked as optional either. */
export function FilterDate({ label, value, onChange, min, max, error }: FilterDateProps) {
  const ids = useFieldIds({ error });
  return (
    <FieldFrame ids={ids} label={label} error={error}>
      <input
        id={ids.control} type="date" value={value} min={min} max={max} aria-invalid={error ? true : undefined} aria-describedby={ids.describedBy} onChange={(event) => onChange(event.target.value)}
        className={controlStyle}
      />
    </FieldFrame>
  );
}
