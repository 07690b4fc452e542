import type { ApiError } from '../api/api-error.ts';

/** The server's version of a document. `revision` 0 and an empty `savedAt`: it is not saved yet. */
export interface SavedDocument<Content> {
  draftId: string;
  revision: number;
  content: Content;
  savedAt: string;
}

/** How the contents of one kind of document are compared and merged. */
export interface DocumentKind<Content, Conflict> {
  isSame: (one: Content, other: Content) => boolean;
  /**
   * Merges two versions since `base`. What both changed is a conflict and keeps `mine` until the
   * user decides.
   */
  merge: (
    base: Content,
    mine: Content,
    theirs: Content,
  ) => { merged: Content; conflicts: readonly Conflict[] };
}

/**
 * `waiting`: until typing pauses; `device`: stored on this device until the server is reachable;
 * `unkept`: not stored at all; `refused`: the server rejects the content; `conflict`: the user must
 * decide; `sent`: submitted as a request, perhaps elsewhere.
 */
export type SavingState =
  | 'none'
  | 'waiting'
  | 'saving'
  | 'saved'
  | 'device'
  | 'unkept'
  | 'refused'
  | 'conflict'
  | 'sent';

/** The state for the page, a new object after each change. */
export interface DocumentView<Content, Conflict, Saved> {
  content: Content;
  /** The newest version of the server that this device knows. */
  saved: Saved;
  state: SavingState;
  /** Why the server refused the last save or action. */
  problem: ApiError | null;
  conflicts: readonly Conflict[];
  /** Counts changes of the content that come from elsewhere. */
  merges: number;
  /** Whether the content holds what an earlier visit could not save. */
  isRestored: boolean;
}
