import { ApiError } from '#lib/api/api-error.ts';
import { createStore, type Store } from '#lib/browser/create-store.ts';
import { isSameDraft, mergeDrafts, type DraftConflict } from './draft-merge.ts';
import type { StoredDraft } from './draft-storage.ts';
import { emptyDraft, type Draft } from './draft.ts';

/** The server's version of a draft; revision 0 when it is not saved yet. */
export interface ServerDraft {
  draftId: string;
  revision: number;
  content: Draft;
  savedAt: string;
}

/**
 * `waiting`: until typing pauses; `device`: stored locally until the server is reachable; `unkept`:
 * not stored at all; `refused`: the server rejects the content; `conflict`: the user must decide;
 * `sent`: submitted as a request, perhaps elsewhere.
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

/**
 * The state for the page, a new object after each change. `merges` counts content changes from
 * elsewhere.
 */
export interface DraftView {
  draft: Draft;
  draftId: string;
  state: SavingState;
  savedAt: string;
  problem: ApiError | null;
  conflicts: readonly DraftConflict[];
  merges: number;
}

export interface DraftBackend {
  save: (draft: {
    draftId: string;
    revision: number;
    content: Draft;
    isLeaving: boolean;
  }) => Promise<{ revision: number; savedAt: string }>;
  load: () => Promise<ServerDraft | undefined>;
  store: (draft: StoredDraft) => boolean;
  /** Removes the local copy: the server has everything, including drafts of other windows. */
  clear: () => void;
  onSessionEnd: () => void;
}

/** The number of unanswered versions to remember; more would fill the storage. */
const maximumUnanswered = 10;
const pauseMs = 1000;
const longestPauseMs = 5000;
const retryMs = [2000, 5000, 15_000, 30_000, 60_000];

/**
 * Saves one draft locally and on the server. One save runs at a time; later changes are saved next.
 */
export class DraftSaver {
  /** What components show; `useStore` reads it. */
  readonly store: Store<DraftView>;
  private readonly backend: DraftBackend;
  private base: Draft;
  private readonly blank: Draft;
  private revision: number;
  private sent: readonly Draft[] = [];
  private timer: number | undefined;
  private dirtySince = 0;
  private failures = 0;
  private isBusy = false;
  private isStopped = false;
  private isStored = true;

  /** `blank` is the content before any input. */
  constructor(backend: DraftBackend, start: ServerDraft, blank: Draft = emptyDraft) {
    this.backend = backend;
    this.blank = blank;
    this.base = start.content;
    this.revision = start.revision;
    this.store = createStore<DraftView>({
      draft: start.content,
      draftId: start.draftId,
      state: start.savedAt ? 'saved' : 'none',
      savedAt: start.savedAt,
      problem: null,
      conflicts: [],
      merges: 0,
    });
  }

  private get view(): DraftView {
    return this.store.get();
  }

  /** Merges drafts that other windows of this device left, and saves the result. */
  takeOver(left: readonly StoredDraft[]): void {
    const conflicts: DraftConflict[] = [];
    let draft = this.view.draft;
    for (const stored of left) {
      const base = stored.sent.find((one) => isSameDraft(one, this.base)) ?? stored.base;
      const found = mergeDrafts(base, stored.content, draft);
      draft = found.merged;
      conflicts.push(
        ...found.conflicts.filter((one) =>
          conflicts.every(({ part, name }) => part !== one.part || name !== one.name),
        ),
      );
    }
    if (conflicts.length === 0 && isSameDraft(draft, this.base)) return this.backend.clear();
    this.updateView({ draft, conflicts, state: conflicts.length > 0 ? 'conflict' : 'waiting' });
    this.storeLocally();
    if (conflicts.length === 0) void this.save(false);
  }

  change(part: (before: Draft) => Partial<Draft>): void {
    const { draft, state } = this.view;
    if (this.isStopped) return;
    const next = { ...draft, ...part(draft) };
    if (isSameDraft(next, draft)) return this.updateView({ draft: next });
    this.updateView({
      draft: next,
      state:
        state === 'saving' || state === 'device' || state === 'unkept' || state === 'conflict'
          ? state
          : 'waiting',
      problem: null,
    });
    this.storeLocally();
    this.failures = 0;
    this.dirtySince ||= Date.now();
    if (state !== 'conflict')
      this.saveAfter(Math.max(0, Math.min(pauseMs, this.dirtySince + longestPauseMs - Date.now())));
  }

  /** Saves pending changes now; `isLeaving` when the page may close before the reply. */
  flush(isLeaving = false): void {
    if (this.timer !== undefined && !this.isBusy) void this.save(isLeaving);
  }

  /** Resolves the conflicts with the user's choices. */
  choose({ answers, explanations }: Pick<Draft, 'answers' | 'explanations'>): void {
    const { draft } = this.view;
    this.updateView({
      draft: {
        ...draft,
        answers: { ...draft.answers, ...answers },
        explanations: { ...draft.explanations, ...explanations },
      },
      conflicts: [],
      state: 'waiting',
      merges: this.view.merges + 1,
    });
    this.storeLocally();
    void this.save(false);
  }

  /** Stops saving after submission, including pending replies. */
  finish(): void {
    this.isStopped = true;
    window.clearTimeout(this.timer);
    this.backend.clear();
  }

  /** The draft has become a request. */
  markSent(): void {
    this.finish();
    this.updateView({ state: 'sent' });
  }

  private updateView(part: Partial<DraftView>): void {
    this.store.set({ ...this.view, ...part });
  }

  private storeLocally(): void {
    this.isStored = this.backend.store({
      draftId: this.view.draftId,
      revision: this.revision,
      base: this.base,
      content: this.view.draft,
      sent: this.sent,
      at: new Date().toISOString(),
    });
  }

  private saveAfter(milliseconds: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(false), milliseconds);
  }

  private async save(isLeaving: boolean): Promise<void> {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isStopped || this.isBusy) return;
    this.isBusy = true;
    this.dirtySince = 0;
    const content = this.view.draft;
    if (!this.sent.some((one) => isSameDraft(one, content)))
      this.sent = [...this.sent, content].slice(-maximumUnanswered);
    this.storeLocally();
    if (this.view.state !== 'device') this.updateView({ state: 'saving' });
    try {
      const { revision, savedAt } = await this.backend.save({
        draftId: this.view.draftId,
        revision: this.revision,
        content,
        isLeaving,
      });
      this.isBusy = false;
      this.handleSaved(content, revision, savedAt);
    } catch (error) {
      this.isBusy = false;
      if (!this.isStopped) await this.handleSaveError(error);
    }
  }

  private handleSaved(content: Draft, revision: number, savedAt: string): void {
    if (this.isStopped) return;
    this.base = content;
    this.revision = revision;
    this.sent = [];
    this.failures = 0;
    if (isSameDraft(this.view.draft, content)) {
      this.backend.clear();
      return this.updateView({ state: 'saved', savedAt, problem: null });
    }
    this.storeLocally();
    this.updateView({ state: 'waiting', savedAt, problem: null });
    if (this.timer === undefined) this.saveAfter(pauseMs);
  }

  private async handleSaveError(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error;
    const localState = this.isStored ? 'device' : 'unkept';
    if (error.name === 'DraftHasChanged') return this.mergeServerVersion();
    if (error.name === 'DraftNotFound') return this.recreate();
    if (error.name === 'DraftAlreadySent') return this.markSent();
    if (error.status === 401) {
      this.updateView({ state: localState });
      return this.backend.onSessionEnd();
    }
    if (error.name === 'DraftLimitReached')
      return this.updateView({ state: localState, problem: error });
    if (error.status >= 400 && error.status < 500 && error.status !== 429)
      return this.updateView({ state: 'refused', problem: error });
    this.updateView({ state: localState });
    const wait = retryMs[Math.min(this.failures, retryMs.length - 1)] ?? 0;
    this.failures += 1;
    this.saveAfter(Math.max(wait, (error.retryAfter ?? 0) * 1000));
  }

  /** The server has another revision, possibly from a save whose reply was lost. */
  private async mergeServerVersion(): Promise<void> {
    try {
      const theirs = await this.backend.load();
      if (this.isStopped) return;
      if (!theirs) return await this.recreate();
      const wasMine = this.sent.some((one) => isSameDraft(one, theirs.content));
      const { merged, conflicts } = mergeDrafts(
        wasMine ? theirs.content : this.base,
        this.view.draft,
        theirs.content,
      );
      const isNew = !isSameDraft(merged, this.view.draft);
      this.base = theirs.content;
      this.revision = theirs.revision;
      this.sent = [];
      this.updateView({
        draft: merged,
        draftId: theirs.draftId,
        savedAt: theirs.savedAt,
        conflicts,
        merges: this.view.merges + (isNew ? 1 : 0),
        state: conflicts.length > 0 ? 'conflict' : 'waiting',
      });
      this.storeLocally();
      if (conflicts.length > 0) return;
      if (isSameDraft(merged, theirs.content))
        return this.handleSaved(theirs.content, theirs.revision, theirs.savedAt);
      await this.save(false);
    } catch (error) {
      await this.handleSaveError(error);
    }
  }

  /**
   * The draft was discarded or expired on the server; the current content is saved as a new one.
   */
  private async recreate(): Promise<void> {
    this.base = this.blank;
    this.revision = 0;
    this.sent = [];
    this.updateView({ draftId: crypto.randomUUID() });
    this.storeLocally();
    await this.save(false);
  }
}
