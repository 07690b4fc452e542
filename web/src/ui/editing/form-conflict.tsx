import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { ConflictChoice } from './conflict-choice.tsx';
import { useConflictFields, type ConflictValue } from './conflict-fields.ts';

/**
 * The choice in a FormDialog after `RecordHasChanged`. `theirs` are the saved values, `labels` the
 * fields to compare, in words. `onKeepMine` saves the own values over the new version;
 * `onTakeTheirs` is called when the form has the saved values.
 */
export function FormConflict<
  Values extends FieldValues & { [Field in keyof Values]: ConflictValue },
>({
  form,
  save,
  theirs,
  labels,
  onKeepMine,
  onTakeTheirs,
}: {
  form: UseFormReturn<Values>;
  save: { isPending: boolean; reset: () => void };
  theirs: Values;
  labels: Readonly<Record<keyof Values & string, string>>;
  onKeepMine: (mine: Values) => void;
  onTakeTheirs: () => void;
}) {
  const conflictFields = useConflictFields();
  return (
    <ConflictChoice
      fields={conflictFields(form.getValues(), theirs, labels)}
      isPending={save.isPending}
      onKeepMine={() => onKeepMine(form.getValues())}
      onTakeTheirs={() => {
        form.reset(theirs);
        save.reset();
        onTakeTheirs();
      }}
    />
  );
}
