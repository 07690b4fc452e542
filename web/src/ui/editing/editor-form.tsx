import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { currentSession } from '#lib/api/session.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useLeaveWarning } from '#lib/browser/interaction.ts';
import { loadJson, removeItem, storeItem } from '#lib/browser/storage.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { Call } from '@diwan/contract/wire/call';
import { Button } from '../actions/button.tsx';
import { Alert, ErrorAlert } from '../feedback/alert.tsx';
import { ConflictChoice, type ConflictField } from './conflict-choice.tsx';
import { SavedFields } from './permitted.tsx';

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
  /** Begins again with a version of the record. */
  restart: (record: Saved | undefined) => void;
  /** The server has `sent` as `record`, and the page stays: what was typed meanwhile is not saved. */
  continueWith: (record: Saved, sent: Draft) => void;
  /** The draft is saved, and the page leaves the editor. */
  finish: () => void;
  /** Begins again with the saved record, while the draft is one of an earlier visit. */
  discard: (() => void) | undefined;
}

/** What was typed, over the record as it was then. */
interface Typed<Saved, Draft> {
  base: Saved | undefined;
  /** The draft before the first change. */
  untouched: Draft;
  draft: Draft;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The fields of a draft that differ from what was sent. */
const typedSince = <Draft extends object>(draft: Draft, sent: Draft): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isSame(value, sent[name as keyof Draft])),
  ) as Partial<Draft>;

// By the user and not by the session: it may expire before the draft is saved.
const keyOf = (name: string) => `editor.${currentSession()?.displayName ?? ''}.${name}` as const;

/**
 * The state of a page that edits one record. What is typed and not saved stays in the tab, also when
 * it is loaded again, and returns when the editor opens again. `name` is that of the record among all
 * records that are edited so.
 */
export function useRecordEditor<Saved, Draft extends object>(
  name: string,
  record: Saved | undefined,
  draftOf: (record: Saved | undefined) => Draft,
): RecordEditor<Saved, Draft> {
  const { t } = useTranslation('changes');
  const [key] = useState(() => keyOf(name));
  const startWith = (base: Saved | undefined): Typed<Saved, Draft> => {
    const untouched = draftOf(base);
    return { base, untouched, draft: untouched };
  };
  const [stored] = useState(() => loadJson('session', key) as Typed<Saved, Draft> | undefined);
  const [typed, setTyped] = useState(() => stored ?? startWith(record));
  const [isRestored, setIsRestored] = useState(stored !== undefined);
  const [error, setError] = useState<ApiError>();
  const [theirs, setTheirs] = useState<Saved>();
  const isSaved = useRef(false);
  const { base, draft } = typed;
  const isEdited = !isSame(draft, typed.untouched);
  useEffect(() => {
    if (isEdited) storeItem('session', key, JSON.stringify(typed));
    else removeItem('session', key);
  }, [key, isEdited, typed]);
  useLeaveWarning(isEdited);
  const leave = useEffectEvent(() => {
    if (isEdited && !isSaved.current) showToast(t('unsaved.kept'));
  });
  useEffect(() => () => leave(), []);
  const forgetProblems = () => {
    setIsRestored(false);
    setTheirs(undefined);
    setError(undefined);
  };
  const restart = (from: Saved | undefined) => {
    setTyped(startWith(from));
    forgetProblems();
  };
  return {
    base,
    draft,
    error,
    theirs,
    change: (changed) => {
      setTyped((known) => ({ ...known, draft: { ...known.draft, ...changed } }));
      setError(undefined);
    },
    fail: (failure, latest) => {
      setTheirs(latest);
      setError(failure);
      const [first] = Object.keys(failure.fieldErrors);
      if (first) focusOn(first);
    },
    takeTheirs: () => restart(theirs),
    restart,
    continueWith: (saved, sent) => {
      // The page may be left meanwhile: then no effect removes what is saved now.
      if (Object.keys(typedSince(draft, sent)).length === 0) removeItem('session', key);
      setTyped((known) => {
        const next = startWith(saved);
        return { ...next, draft: { ...next.draft, ...typedSince(known.draft, sent) } };
      });
      forgetProblems();
    },
    finish: () => {
      isSaved.current = true;
      removeItem('session', key);
    },
    discard: isRestored && isEdited ? () => restart(record) : undefined,
  };
}

/**
 * The form of a page that edits one record. Above its fields: the choice after a conflict, else an
 * error that belongs to no field; and whether an earlier visit typed what they hold. A second submit
 * waits for the first. A user who may not save reads the fields only.
 */
export function EditorForm<Saved, Draft>({
  editor: { base, draft, error, theirs, takeTheirs, discard },
  draftOf,
  conflictsOf,
  isPending,
  call,
  onSubmit,
  children,
}: {
  editor: RecordEditor<Saved, Draft>;
  draftOf: (record: Saved | undefined) => Draft;
  /** The values that two people gave differently. */
  conflictsOf: (mine: Draft, theirs: Draft) => readonly ConflictField[];
  isPending: boolean;
  /** The call that saves. */
  call: Pick<Call, 'who'>;
  /** Saves the draft over a version of the record. */
  onSubmit: (over: Saved | undefined) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('changes');
  return (
    <>
      {discard ? (
        <Alert
          action={
            <Button variant="secondary" size="sm" onPress={discard}>
              {t('unsaved.discard')}
            </Button>
          }
        >
          {t('unsaved.restored')}
        </Alert>
      ) : null}
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
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSubmit(base);
        }}
      >
        <SavedFields call={call}>{children}</SavedFields>
      </form>
    </>
  );
}
