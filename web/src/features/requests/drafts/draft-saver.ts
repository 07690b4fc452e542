import { SendError } from '../../../lib/api/send-error.ts';
import type { KeptDraft } from './draft-device.ts';
import { isSameDraft, mergeDrafts, type DraftConflict } from './draft-merge.ts';
import { emptyDraft, type Draft } from './draft.ts';

/** A draft as the server has it; revision 0 for one that it does not have yet. */
export interface ServerDraft {
  draftId: string;
  revision: number;
  content: Draft;
  savedAt: string;
}

/**
 * `waiting` for a pause in the typing; `device`: kept here until the server can be reached;
 * `unkept`: not even that; `refused`: the server will not have it as it is;
 * `conflict`: the person has to choose; `sent`: it has become a request, perhaps elsewhere.
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
 * What a page shows. A new object after each change. `merges` counts how often the content came
 * from elsewhere.
 */
export interface DraftView {
  draft: Draft;
  draftId: string;
  state: SavingState;
  savedAt: string;
  problem: SendError | null;
  conflicts: readonly DraftConflict[];
  merges: number;
}

export interface DraftWires {
  save: (draft: {
    draftId: string;
    revision: number;
    content: Draft;
    isLeaving: boolean;
  }) => Promise<{ revision: number; savedAt: string }>;
  load: () => Promise<ServerDraft | undefined>;
  keep: (kept: KeptDraft) => boolean;
  /** The server has everything: also what was taken over from other windows. */
  forget: () => void;
  onSessionEnd: () => void;
}

/** Sends without an answer that are remembered; more only cost room on the device. */
const mostUnanswered = 10;
const pauseMs = 1000;
const longestPauseMs = 5000;
const retryMs = [2000, 5000, 15_000, 30_000, 60_000];

/**
 * Keeps one draft on this device and on the server. One save at a time; what is typed meanwhile
 * goes with the next one.
 */
export class DraftSaver {
  private view: DraftView;
  private readonly listeners = new Set<() => void>();
  private readonly wires: DraftWires;
  private base: Draft;
  private readonly blank: Draft;
  private revision: number;
  private sent: readonly Draft[] = [];
  private timer: number | undefined;
  private dirtySince = 0;
  private failures = 0;
  private isBusy = false;
  private isStopped = false;
  private isKept = true;

  /** `blank` is what there was before anything was written. */
  constructor(wires: DraftWires, start: ServerDraft, blank: Draft = emptyDraft) {
    this.wires = wires;
    this.blank = blank;
    this.base = start.content;
    this.revision = start.revision;
    this.view = {
      draft: start.content,
      draftId: start.draftId,
      state: start.savedAt ? 'saved' : 'none',
      savedAt: start.savedAt,
      problem: null,
      conflicts: [],
      merges: 0,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): DraftView => this.view;

  /** Takes over what another window of this device left, and saves it. */
  takeOver(left: readonly KeptDraft[]): void {
    const conflicts: DraftConflict[] = [];
    let draft = this.view.draft;
    for (const kept of left) {
      const base = kept.sent.find((one) => isSameDraft(one, this.base)) ?? kept.base;
      const found = mergeDrafts(base, kept.content, draft);
      draft = found.merged;
      conflicts.push(
        ...found.conflicts.filter((one) =>
          conflicts.every(({ part, name }) => part !== one.part || name !== one.name),
        ),
      );
    }
    if (conflicts.length === 0 && isSameDraft(draft, this.base)) return this.wires.forget();
    this.show({ draft, conflicts, state: conflicts.length > 0 ? 'conflict' : 'waiting' });
    this.keepHere();
    if (conflicts.length === 0) void this.save(false);
  }

  change(part: (before: Draft) => Partial<Draft>): void {
    const { draft, state } = this.view;
    if (this.isStopped) return;
    const next = { ...draft, ...part(draft) };
    if (isSameDraft(next, draft)) return this.show({ draft: next });
    this.show({
      draft: next,
      state:
        state === 'saving' || state === 'device' || state === 'unkept' || state === 'conflict'
          ? state
          : 'waiting',
      problem: null,
    });
    this.keepHere();
    this.failures = 0;
    this.dirtySince ||= Date.now();
    if (state !== 'conflict')
      this.saveAfter(Math.max(0, Math.min(pauseMs, this.dirtySince + longestPauseMs - Date.now())));
  }

  /** Saves now what waits; `isLeaving` when the page may be gone before the answer comes. */
  flush(isLeaving = false): void {
    if (this.timer !== undefined && !this.isBusy) void this.save(isLeaving);
  }

  /** The person has chosen, field by field. */
  choose({ answers, explanations }: Pick<Draft, 'answers' | 'explanations'>): void {
    const { draft } = this.view;
    this.show({
      draft: {
        ...draft,
        answers: { ...draft.answers, ...answers },
        explanations: { ...draft.explanations, ...explanations },
      },
      conflicts: [],
      state: 'waiting',
      merges: this.view.merges + 1,
    });
    this.keepHere();
    void this.save(false);
  }

  /** It has become a request: nothing is kept any more, also not what still arrives. */
  finish(): void {
    this.isStopped = true;
    window.clearTimeout(this.timer);
    this.wires.forget();
  }

  private show(part: Partial<DraftView>): void {
    this.view = { ...this.view, ...part };
    for (const listener of this.listeners) listener();
  }

  private keepHere(): void {
    this.isKept = this.wires.keep({
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
      this.sent = [...this.sent, content].slice(-mostUnanswered);
    this.keepHere();
    if (this.view.state !== 'device') this.show({ state: 'saving' });
    try {
      const { revision, savedAt } = await this.wires.save({
        draftId: this.view.draftId,
        revision: this.revision,
        content,
        isLeaving,
      });
      this.isBusy = false;
      this.arrived(content, revision, savedAt);
    } catch (error) {
      this.isBusy = false;
      if (!this.isStopped) await this.settle(error);
    }
  }

  private arrived(content: Draft, revision: number, savedAt: string): void {
    if (this.isStopped) return;
    this.base = content;
    this.revision = revision;
    this.sent = [];
    this.failures = 0;
    if (isSameDraft(this.view.draft, content)) {
      this.wires.forget();
      return this.show({ state: 'saved', savedAt, problem: null });
    }
    this.keepHere();
    this.show({ state: 'waiting', savedAt, problem: null });
    if (this.timer === undefined) this.saveAfter(pauseMs);
  }

  private async settle(error: unknown): Promise<void> {
    if (!(error instanceof SendError)) throw error;
    const kept = this.isKept ? 'device' : 'unkept';
    if (error.name === 'DraftHasChanged') return this.meet();
    if (error.name === 'DraftNotFound') return this.beginAnew();
    if (error.name === 'DraftAlreadySent') {
      this.finish();
      return this.show({ state: 'sent' });
    }
    if (error.status === 401) {
      this.show({ state: kept });
      return this.wires.onSessionEnd();
    }
    if (error.name === 'DraftLimitReached') return this.show({ state: kept, problem: error });
    if (error.status >= 400 && error.status < 500 && error.status !== 429)
      return this.show({ state: 'refused', problem: error });
    this.show({ state: kept });
    const wait = retryMs[Math.min(this.failures, retryMs.length - 1)] ?? 0;
    this.failures += 1;
    this.saveAfter(Math.max(wait, (error.retryAfter ?? 0) * 1000));
  }

  /** Somebody was faster, perhaps ourselves: an answer may have been lost. */
  private async meet(): Promise<void> {
    try {
      const theirs = await this.wires.load();
      if (this.isStopped) return;
      if (!theirs) return await this.beginAnew();
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
      this.show({
        draft: merged,
        draftId: theirs.draftId,
        savedAt: theirs.savedAt,
        conflicts,
        merges: this.view.merges + (isNew ? 1 : 0),
        state: conflicts.length > 0 ? 'conflict' : 'waiting',
      });
      this.keepHere();
      if (conflicts.length > 0) return;
      if (isSameDraft(merged, theirs.content))
        return this.arrived(theirs.content, theirs.revision, theirs.savedAt);
      await this.save(false);
    } catch (error) {
      await this.settle(error);
    }
  }

  /** It was thrown away elsewhere, or is too old; what is typed here is still wanted. */
  private async beginAnew(): Promise<void> {
    this.base = this.blank;
    this.revision = 0;
    this.sent = [];
    this.show({ draftId: crypto.randomUUID() });
    this.keepHere();
    await this.save(false);
  }
}
