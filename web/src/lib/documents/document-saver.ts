import { ApiError, type ApiErrorName } from '../api/api-error.ts';
import { addOpenWork } from '../auth/open-work.ts';
import { createStore, type Store } from '../browser/create-store.ts';
import type { StoredDocument } from './document-storage.ts';
import type { DocumentKind, DocumentView, SavedDocument, SavingState } from './saved-document.ts';

interface DocumentBackend<Content, Saved> {
  /** Gives the new version, with the content as it was sent. */
  save: (document: {
    draftId: string;
    revision: number;
    content: Content;
    isLeaving: boolean;
  }) => Promise<Saved>;
  /** Undefined where the server has none and what was typed becomes a new one. */
  load: () => Promise<Saved | undefined>;
  /** False where this device cannot store it. */
  store: (document: StoredDocument<Content>) => boolean;
  /** Removes the copy of this window: the server has everything. */
  clear: () => void;
  /** Removes a copy that another window left, unless that window has changed it since. */
  drop: (left: StoredDocument<Content>) => void;
  onSessionEnd: () => void;
  /** The content before any input. */
  blank: Content;
}

type AfterRefusal = 'merge' | 'recreate' | 'sent' | 'device';

/** What the saver does after a refusal. Any other one waits for a change of the content. */
const afterRefusal: Partial<Record<ApiErrorName, AfterRefusal>> = {
  DraftHasChanged: 'merge',
  RecordHasChanged: 'merge',
  DraftNotFound: 'recreate',
  DraftAlreadySent: 'sent',
  DraftLimitReached: 'device',
};

/** The number of unanswered versions to remember; more would fill the storage. */
const maximumUnanswered = 10;
const pauseMs = 1000;
const longestPauseMs = 5000;
const retryMs = [2000, 5000, 15_000, 30_000, 60_000];
/** Merges in a row before the saver waits: the version that it reads is not the one that is there. */
const maximumMerges = 5;

/**
 * Saves one document on this device and on the server. One call runs at a time; later changes are
 * saved next. Decision 0109.
 */
export class DocumentSaver<Content, Conflict, Saved extends SavedDocument<Content>> {
  /** What components show; `useStore` reads it. */
  readonly store: Store<DocumentView<Content, Conflict, Saved>>;
  private readonly kind: DocumentKind<Content, Conflict>;
  private readonly backend: DocumentBackend<Content, Saved>;
  /** What other windows of this device left and is not merged yet. */
  private left: readonly StoredDocument<Content>[];
  /** What is merged into the content, and stays on the device until the result is stored. */
  private taken: readonly StoredDocument<Content>[] = [];
  private sent: readonly Content[] = [];
  /** The base of the conflicts, so that a later visit finds them again. */
  private conflictBase: Content | undefined;
  private timer: number | undefined;
  private dirtySince = 0;
  private failures = 0;
  private running: Promise<unknown> | undefined;
  private isStopped = false;
  private isStored = true;
  private isOnPage = true;

  /** `left` are the copies of this device, oldest first. Nothing is saved before `openOnPage`. */
  constructor(
    kind: DocumentKind<Content, Conflict>,
    backend: DocumentBackend<Content, Saved>,
    start: Saved,
    left: readonly StoredDocument<Content>[] = [],
  ) {
    this.kind = kind;
    this.backend = backend;
    this.left = left;
    this.store = createStore<DocumentView<Content, Conflict, Saved>>({
      content: start.content,
      saved: start,
      state: start.revision > 0 ? 'saved' : 'none',
      problem: null,
      conflicts: [],
      merges: 0,
      isRestored: false,
    });
    this.takeOver();
    this.updateView({ isRestored: this.isUnsaved });
  }

  private get view(): DocumentView<Content, Conflict, Saved> {
    return this.store.get();
  }

  private get isUnsaved(): boolean {
    return !this.kind.isSame(this.view.content, this.view.saved.content);
  }

  /**
   * Connects the saver with the page that shows it: saves what earlier visits left, saves when the
   * page is hidden, left, or connected again. Gives the function that disconnects it.
   */
  openOnPage(): () => void {
    this.isOnPage = true;
    const removeWork = addOpenWork({
      settle: () => (this.isStopped ? Promise.resolve(true) : this.settle()),
      discard: () => this.finish(),
    });
    if (this.view.isRestored) {
      if (this.view.state === 'waiting') void this.save(false);
    } else this.dropTaken();
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') this.flush(true);
    };
    const onPageHide = () => this.flush(true);
    const onOnline = () => this.flush();
    // What is neither on the server nor on this device is lost with the page.
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (this.isUnsaved && !this.isStored && !this.isStopped) event.preventDefault();
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    window.addEventListener('pagehide', onPageHide);
    window.addEventListener('online', onOnline);
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => {
      this.flush();
      if (this.running) void this.running.finally(removeWork);
      else removeWork();
      this.isOnPage = false;
      document.removeEventListener('visibilitychange', onVisibilityChange);
      window.removeEventListener('pagehide', onPageHide);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('beforeunload', onBeforeUnload);
    };
  }

  change(edit: (before: Content) => Content): void {
    const { content, state } = this.view;
    if (this.isStopped) return;
    const next = edit(content);
    if (this.kind.isSame(next, content)) return this.updateView({ content: next });
    const keepsState =
      state === 'saving' || state === 'device' || state === 'unkept' || state === 'conflict';
    this.updateView({ content: next, state: keepsState ? state : 'waiting', problem: null });
    this.storeLocally();
    this.failures = 0;
    this.dirtySince ||= Date.now();
    if (state !== 'conflict')
      this.saveAfter(Math.max(0, Math.min(pauseMs, this.dirtySince + longestPauseMs - Date.now())));
  }

  /** Saves pending changes now; `isLeaving` when the page may close before the reply. */
  flush(isLeaving = false): void {
    if (this.timer !== undefined && !this.running) void this.save(isLeaving);
  }

  /** Resolves the conflicts with the user's choices. */
  resolve(choose: (before: Content) => Content): void {
    this.conflictBase = undefined;
    this.updateView({
      content: choose(this.view.content),
      conflicts: [],
      state: 'waiting',
      merges: this.view.merges + 1,
    });
    this.storeLocally();
    void this.save(false);
  }

  /** Saves what is pending, after the call that runs. Resolves to whether the server has it. */
  async settle(): Promise<boolean> {
    while (this.running) await this.running;
    const { content, state } = this.view;
    if (this.isUnsaved && state !== 'conflict') await this.save(false);
    return this.kind.isSame(content, this.view.saved.content);
  }

  /**
   * Runs an action on the saved document, such as its publication, and shows the version that it
   * gives. No save runs meanwhile. Resolves to whether it succeeded; `problem` says why not.
   */
  async run(
    action: (saved: Saved) => Promise<Saved>,
    { savesFirst = true }: { savesFirst?: boolean } = {},
  ): Promise<boolean> {
    if (savesFirst && !(await this.settle())) return false;
    while (this.running) await this.running;
    const wasPending = this.timer !== undefined;
    window.clearTimeout(this.timer);
    this.timer = undefined;
    const result = this.perform(action, this.view.content);
    await this.runAlone(result);
    if (wasPending && this.isUnsaved && this.timer === undefined) this.saveAfter(pauseMs);
    return result;
  }

  /** Stops saving after submission, including pending replies. */
  finish(): void {
    this.isStopped = true;
    window.clearTimeout(this.timer);
    this.taken = [...this.taken, ...this.left];
    this.left = [];
    this.dropTaken();
    this.backend.clear();
  }

  /** The draft has become a request. */
  markSent(): void {
    this.finish();
    this.updateView({ state: 'sent' });
  }

  private updateView(part: Partial<DocumentView<Content, Conflict, Saved>>): void {
    this.store.set({ ...this.view, ...part });
  }

  /**
   * Merges what other windows left, one after the other. A conflict waits until the server has the
   * content: then the other version is there, whatever happens to this page.
   */
  private takeOver(): void {
    while (this.left[0] && this.view.conflicts.length === 0) {
      const [stored, ...later] = this.left;
      const { saved, content } = this.view;
      const base = stored.sent.find((one) => this.kind.isSame(one, saved.content)) ?? stored.base;
      const { merged, conflicts } = this.kind.merge(base, stored.content, content);
      if (conflicts.length > 0 && this.isUnsaved) return;
      this.left = later;
      this.taken = [...this.taken, stored];
      if (conflicts.length > 0) this.conflictBase = base;
      if (conflicts.length > 0 || !this.kind.isSame(merged, content))
        this.updateView({
          content: merged,
          conflicts,
          state: conflicts.length > 0 ? 'conflict' : 'waiting',
        });
    }
  }

  private storeLocally(): void {
    const { content, saved } = this.view;
    this.isStored = this.backend.store({
      draftId: saved.draftId,
      revision: saved.revision,
      base: this.conflictBase ?? saved.content,
      content,
      sent: this.sent,
      at: new Date().toISOString(),
    });
    if (this.isStored) this.dropTaken();
  }

  private dropTaken(): void {
    for (const stored of this.taken) this.backend.drop(stored);
    this.taken = [];
  }

  private saveAfter(milliseconds: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(false), milliseconds);
  }

  /** Remembers the call that runs, and saves what was changed meanwhile. */
  private async runAlone(work: Promise<unknown>): Promise<void> {
    const running = work.finally(() => {
      this.running = undefined;
      if (this.timer === undefined && !this.isStopped && this.view.state === 'waiting')
        this.saveAfter(pauseMs);
    });
    this.running = running;
    await running;
  }

  private async save(isLeaving: boolean): Promise<void> {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isStopped || this.running || this.view.state === 'conflict') return;
    await this.runAlone(this.saveAndMerge(isLeaving));
  }

  /** Saves, and again after each merge with a version that somebody else saved. */
  private async saveAndMerge(isLeaving: boolean): Promise<void> {
    for (let merges = 0; await this.trySave(isLeaving); merges += 1)
      if (merges === maximumMerges) return this.retryLater(0);
  }

  /** Resolves to whether there is a merged version to save. */
  private async trySave(isLeaving: boolean): Promise<boolean> {
    this.dirtySince = 0;
    const { content, saved, state } = this.view;
    if (this.sent.length === 0 && !this.isUnsaved) {
      this.showSaved();
      return false;
    }
    if (!this.sent.some((one) => this.kind.isSame(one, content)))
      this.sent = [...this.sent, content].slice(-maximumUnanswered);
    this.storeLocally();
    if (state !== 'device') this.updateView({ state: 'saving' });
    try {
      const { draftId, revision } = saved;
      const reply = await this.backend.save({ draftId, revision, content, isLeaving });
      if (!this.isStopped) this.adopt(reply);
      return false;
    } catch (error) {
      return !this.isStopped && (await this.handleError(error));
    }
  }

  /** The server has this version now. */
  private adopt(saved: Saved): void {
    this.sent = [];
    this.failures = 0;
    this.updateView({ saved, problem: null });
    if (!this.isUnsaved) return this.showSaved();
    this.storeLocally();
    this.updateView({ state: 'waiting' });
  }

  private showSaved(): void {
    this.dropTaken();
    this.backend.clear();
    this.updateView({ state: this.view.saved.revision > 0 ? 'saved' : 'none', problem: null });
    if (this.left.length === 0) return;
    const { merges, content } = this.view;
    this.takeOver();
    if (!this.kind.isSame(this.view.content, content)) this.updateView({ merges: merges + 1 });
  }

  /** Resolves to whether there is a merged version to save. */
  private async handleError(error: unknown): Promise<boolean> {
    if (!(error instanceof ApiError)) throw error;
    const answer = afterRefusal[error.name];
    if (answer === 'merge') return this.mergeServerVersion();
    if (answer === 'recreate') return this.recreate();
    if (answer === 'sent') this.markSent();
    else if (error.status === 401) {
      this.updateView({ state: this.localState });
      if (this.isOnPage) this.backend.onSessionEnd();
    } else if (answer === 'device') this.updateView({ state: this.localState, problem: error });
    else if (error.status >= 400 && error.status < 500 && error.status !== 429)
      this.updateView({ state: 'refused', problem: error });
    else this.retryLater((error.retryAfter ?? 0) * 1000);
    return false;
  }

  private get localState(): SavingState {
    return this.isStored ? 'device' : 'unkept';
  }

  private retryLater(least: number): void {
    this.updateView({ state: this.localState });
    const wait = retryMs[Math.min(this.failures, retryMs.length - 1)] ?? 0;
    this.failures += 1;
    this.saveAfter(Math.max(wait, least));
  }

  /** The server has another version, possibly from a save whose reply was lost. */
  private async mergeServerVersion(): Promise<boolean> {
    try {
      const theirs = await this.backend.load();
      if (this.isStopped) return false;
      if (!theirs) return this.recreate();
      const wasMine = this.sent.some((one) => this.kind.isSame(one, theirs.content));
      return this.mergeWith(theirs, wasMine ? theirs.content : this.view.saved.content);
    } catch (error) {
      return this.handleError(error);
    }
  }

  /** Gives whether there is a merged version to save. */
  private mergeWith(theirs: Saved, base: Content): boolean {
    const { content, merges } = this.view;
    const { merged, conflicts } = this.kind.merge(base, content, theirs.content);
    this.conflictBase = conflicts.length > 0 ? base : undefined;
    this.sent = [];
    this.updateView({
      content: merged,
      saved: theirs,
      conflicts,
      merges: merges + (this.kind.isSame(merged, content) ? 0 : 1),
      state: conflicts.length > 0 ? 'conflict' : 'waiting',
    });
    this.storeLocally();
    if (conflicts.length > 0) return false;
    if (this.isUnsaved) return true;
    this.adopt(theirs);
    return false;
  }

  /** The server no longer has the document. Gives that the content is to be saved as a new one. */
  private recreate(): boolean {
    this.sent = [];
    this.updateView({
      saved: {
        ...this.view.saved,
        draftId: crypto.randomUUID(),
        revision: 0,
        content: this.backend.blank,
      },
    });
    this.storeLocally();
    return true;
  }

  /** `before` is the content on which the action was asked for. */
  private async perform(
    action: (saved: Saved) => Promise<Saved>,
    before: Content,
  ): Promise<boolean> {
    this.updateView({ problem: null });
    try {
      const saved = await action(this.view.saved);
      if (!this.isStopped && this.mergeWith(saved, before)) this.updateView({ state: 'waiting' });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (afterRefusal[error.name] === 'merge') await this.mergeServerVersion();
      if (error.status === 401 && this.isOnPage) this.backend.onSessionEnd();
      this.updateView({ problem: error });
      return false;
    }
  }
}
