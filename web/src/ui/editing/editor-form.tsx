import type { ReactNode } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { ErrorAlert } from '../feedback/alert.tsx';
import { ConflictChoice, type ConflictField } from './conflict-choice.tsx';

/** What somebody else saved meanwhile, beside what was typed, and the two ways out. */
export interface EditConflict {
  fields: readonly ConflictField[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/**
 * The form of a page that edits one record. Above its fields: the choice after a conflict, else an
 * error that belongs to no field. A second submit waits for the first.
 */
export function EditorForm({
  conflict,
  error,
  isPending,
  onSubmit,
  children,
}: {
  conflict: EditConflict | undefined;
  error: ApiError | undefined;
  isPending: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) {
  return (
    <>
      {conflict ? (
        <ConflictChoice {...conflict} isPending={isPending} />
      ) : error && Object.keys(error.fieldErrors).length === 0 ? (
        <ErrorAlert error={error} />
      ) : null}
      <form
        noValidate
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSubmit();
        }}
      >
        {children}
      </form>
    </>
  );
}
