import { useState, type ReactNode } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { useAction } from '#lib/api/use-call.ts';
import type { BodyOf, Call, ReplyOf } from '@diwan/contract/wire/call';
import { Button } from '../actions/button.tsx';
import { FormDialog, type FormDialogProps } from '../forms/form-dialog.tsx';
import type { ConflictValue } from './conflict-fields.ts';
import { FormConflict } from './form-conflict.tsx';

type Shown<Values extends FieldValues> = Pick<
  FormDialogProps<Values>,
  | 'form'
  | 'title'
  | 'kind'
  | 'submitLabel'
  | 'cancelLabel'
  | 'errorTitle'
  | 'submitsOnEnter'
  | 'onClose'
>;

interface RecordDialogProps<
  Saved,
  Values extends FieldValues,
  C extends Call,
> extends Shown<Values> {
  /** The record as the page shows it; undefined for a new one. */
  record: Saved | undefined;
  valuesOf: (record: Saved) => Values;
  call: C;
  /** The body that saves values over a version of the record. */
  bodyOf: (values: Values, over: Saved | undefined) => BodyOf<C>;
  /** Reads the record again, after somebody else saved it. */
  readAgain: () => Promise<Saved | undefined>;
  /** The fields that two people may give differently, in words. */
  labels: Readonly<Record<keyof Values & string, string>>;
  /** The field of an error; without it, the one that has its own messages or those of its languages. */
  fieldOfError?: (error: ApiError) => FieldPath<Values> | undefined;
  onSaved: (reply: ReplyOf<C>) => unknown;
  /** A button that deletes the record. */
  remove?: { label: string; bodyOf: (record: Saved) => BodyOf<C> };
  children: (error: ApiError | null) => ReactNode;
}

/** The text of a form whose languages have messages, such as `name` for `name.ar-EG`. */
const findText = <Values extends FieldValues>(
  { fieldErrors }: ApiError,
  values: Values,
): FieldPath<Values> | undefined =>
  Object.keys(values).find((name) =>
    Object.keys(fieldErrors).some((field) => field.startsWith(`${name}.`)),
  ) as FieldPath<Values> | undefined;

/**
 * A dialog that adds or changes a record. Where somebody else was faster, it shows both versions and
 * the person chooses.
 */
export function RecordDialog<
  Saved,
  Values extends FieldValues & { [Field in keyof Values]: ConflictValue },
  C extends Call,
>({
  record,
  valuesOf,
  call,
  bodyOf,
  readAgain,
  labels,
  fieldOfError,
  onSaved,
  remove,
  children,
  ...dialog
}: RecordDialogProps<Saved, Values, C>) {
  const { form, onClose } = dialog;
  /** The version that the person has seen: the server refuses to save over another one. */
  const [seen, setSeen] = useState(record);
  const [theirs, setTheirs] = useState<Saved>();
  const save = useAction<Call>(call, {
    skipErrorHandling: true,
    onSuccess: (reply) => {
      void onSaved(reply as ReplyOf<C>);
      onClose();
    },
    onError: async (error) => {
      if (error.name === 'RecordHasChanged') setTheirs(await readAgain());
    },
  });
  const send = (body: BodyOf<C>) => save.mutate({ body } as never);
  const isConflict = save.error?.name === 'RecordHasChanged' && theirs !== undefined;
  return (
    <FormDialog
      submitsOnEnter={false}
      {...dialog}
      isPending={save.isPending}
      error={save.error}
      errorPosition={isConflict ? 'none' : 'bottom'}
      fieldOfError={(error) => fieldOfError?.(error) ?? findText(error, form.getValues())}
      onResetError={save.reset}
      onSubmit={(values) => send(bodyOf(values, seen))}
      otherAction={
        remove && seen !== undefined ? (
          <Button variant="quiet" onPress={() => send(remove.bodyOf(seen))}>
            {remove.label}
          </Button>
        ) : null
      }
    >
      {children(save.error)}
      {isConflict ? (
        <FormConflict
          form={form}
          save={save}
          theirs={valuesOf(theirs)}
          labels={labels}
          onKeepMine={(mine) => send(bodyOf(mine, theirs))}
          onTakeTheirs={() => setSeen(theirs)}
        />
      ) : null}
    </FormDialog>
  );
}
