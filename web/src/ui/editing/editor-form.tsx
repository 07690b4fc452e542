import { useState, type ReactNode } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { focusOn } from '../../lib/browser/focus-on.ts';
import { ErrorAlert } from '../feedback/alert.tsx';
import { ConflictChoice, type ConflictField } from './conflict-choice.tsx';

/** What a person changes in a record, and what became of saving it. */
interface RecordEditor<Saved, Draft> {
  /** The record as it was when the person began; undefined for a new one. */
  base: Saved | undefined;
  draft: Draft;
  error: ApiError | undefined;
  /** The record as somebody else saved it meanwhile. */
  theirs: Saved | undefined;
  change: (changed: Partial<Draft>) => void;
  /** Shows an error and focuses its first field; `theirs` after RecordHasChanged. */
  fail: (error: ApiError, theirs?: Saved) => void;
  takeTheirs: () => void;
}

/** The state of a page that edits one record. */
export function useRecordEditor<Saved, Draft>(
  record: Saved | undefined,
  draftOf: (record: Saved | undefined) => Draft,
): RecordEditor<Saved, Draft> {
  const [base, setBase] = useState(record);
  const [draft, setDraft] = useState(() => draftOf(record));
  const [error, setError] = useState<ApiError>();
  const [theirs, setTheirs] = useState<Saved>();
  return {
    base,
    draft,
    error,
    theirs,
    change: (changed) => {
      setDraft((known) => ({ ...known, ...changed }));
      setError(undefined);
    },
    fail: (failure, latest) => {
      setTheirs(latest);
      setError(failure);
      const [first] = Object.keys(failure.fieldErrors);
      if (first) focusOn(first);
    },
    takeTheirs: () => {
      setBase(theirs);
      setDraft(draftOf(theirs));
      setTheirs(undefined);
      setError(undefined);
    },
  };
}

/**
 * The form of a page that edits one record. Above its fields: the choice after a conflict, else an
 * error that belongs to no field. A second submit waits for the first.
 */
export function EditorForm<Saved, Draft>({
  editor: { base, draft, error, theirs, takeTheirs },
  draftOf,
  conflictsOf,
  isPending,
  onSubmit,
  children,
}: {
  editor: RecordEditor<Saved, Draft>;
  draftOf: (record: Saved | undefined) => Draft;
  /** The values that two people gave differently. */
  conflictsOf: (mine: Draft, theirs: Draft) => readonly ConflictField[];
  isPending: boolean;
  /** Saves the draft over a version of the record. */
  onSubmit: (over: Saved | undefined) => void;
  children: ReactNode;
}) {
  return (
    <>
      {theirs !== undefined && error?.name === 'RecordHasChanged' ? (
        <ConflictChoice
          fields={conflictsOf(draft, draftOf(theirs))}
          isPending={isPending}
          onKeepMine={() => onSubmit(theirs)}
          onTakeTheirs={takeTheirs}
        />
      ) : error && Object.keys(error.fieldErrors).length === 0 ? (
        <ErrorAlert error={error} />
      ) : null}
      <form
        noValidate
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSubmit(base);
        }}
      >
        {children}
      </form>
    </>
  );
}
