import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#lib/api/api-error.ts';
import { DocumentSaver } from '#lib/documents/document-saver.ts';
import type { StoredDocument } from '#lib/documents/document-storage.ts';
import { isSameDraft, mergeDrafts, type DraftConflict } from './draft-merge.ts';
import type { ServerDraft } from './draft-server.ts';
import { emptyDraft, type Draft } from './draft.ts';

type StoredDraft = StoredDocument<Draft>;
type DraftSaver = DocumentSaver<Draft, DraftConflict, ServerDraft>;

const typed = (answers: Record<string, unknown>): Draft => ({ ...emptyDraft, answers });
const refusal = (status: number, name: ApiError['name']) => new ApiError(status, name, '');

/** A fake server with one draft and a fake local storage with one record. */
class Stage {
  server: (ServerDraft & { isSent?: boolean }) | undefined;
  stored: StoredDraft | undefined;
  error: Error | undefined;
  saves = 0;
  hasEnded = false;
  /** The reply is lost after the save. */
  losesAnswer = false;
  hasRoom = true;
  close: () => void = () => undefined;
  readonly wires = {
    save: async ({
      draftId,
      revision,
      content,
    }: Pick<ServerDraft, 'draftId' | 'revision' | 'content'>) => {
      this.saves += 1;
      if (this.error) throw this.error;
      if (this.server?.isSent) throw refusal(400, 'DraftAlreadySent');
      if (revision > 0 && this.server?.draftId !== draftId) throw refusal(404, 'DraftNotFound');
      if ((this.server?.revision ?? 0) !== revision) throw refusal(400, 'DraftHasChanged');
      this.server = { draftId, revision: revision + 1, content, savedAt: '2026-11-21T08:00:00Z' };
      if (this.losesAnswer) throw refusal(0, 'ServerNotConnected');
      return this.server;
    },
    load: async () => this.server,
    store: (draft: StoredDraft) => {
      if (this.hasRoom) this.stored = draft;
      return this.hasRoom;
    },
    clear: () => {
      this.stored = undefined;
    },
    onSessionEnd: () => {
      this.hasEnded = true;
    },
    drop: () => {
      this.stored = undefined;
    },
    blank: emptyDraft,
  };
  open(
    start: ServerDraft = this.server ?? {
      draftId: 'one',
      revision: 0,
      content: emptyDraft,
      savedAt: '',
    },
    left: readonly StoredDraft[] = [],
  ): DraftSaver {
    const kind = { isSame: isSameDraft, merge: mergeDrafts };
    const saver: DraftSaver = new DocumentSaver(kind, this.wires, start, left);
    this.close = saver.openOnPage();
    return saver;
  }
}

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  stage = new Stage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const type = (saver: DraftSaver, answers: Record<string, unknown>) =>
  saver.change((before) => ({ ...before, answers: { ...before.answers, ...answers } }));
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a change', () => {
  it('is stored locally immediately, saved after a pause, then removed locally', async () => {
    const saver = stage.open();
    for (const name of ['S', 'Sa', 'Sara']) type(saver, { name });
    expect([stage.stored?.content.answers, stage.saves]).toEqual([{ name: 'Sara' }, 0]);
    await pass(1000);
    expect([
      stage.server?.content.answers,
      stage.saves,
      stage.stored,
      saver.store.get().state,
    ]).toEqual([{ name: 'Sara' }, 1, undefined, 'saved']);
  });

  it('is saved at least every five seconds during continuous typing', async () => {
    const saver = stage.open();
    for (let letter = 0; letter < 12; letter += 1) {
      type(saver, { name: 'x'.repeat(letter + 1) });
      await pass(500);
    }
    expect(stage.saves).toBe(1);
  });

  it('is saved when a field loses the focus, and not again without changes', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    saver.flush();
    saver.flush();
    await pass(0);
    saver.flush();
    await pass(60_000);
    expect(stage.saves).toBe(1);
  });

  it('during a save is part of the next save', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    saver.flush();
    type(saver, { name: 'Sara M' });
    await pass(2000);
    expect([stage.saves, stage.server?.content.answers, saver.store.get().state]).toEqual([
      2,
      { name: 'Sara M' },
      'saved',
    ]);
  });
});

describe('without a network', () => {
  it('stores locally, reports it, and saves when the network returns', async () => {
    const saver = stage.open();
    stage.error = refusal(0, 'ServerNotConnected');
    type(saver, { name: 'Sara' });
    await pass(1000);
    expect(saver.store.get().state).toBe('device');
    type(saver, { name: 'Sara M' });
    expect(saver.store.get().state).toBe('device');
    stage.error = undefined;
    await pass(60_000);
    expect([stage.server?.content.answers, saver.store.get().state, stage.stored]).toEqual([
      { name: 'Sara M' },
      'saved',
      undefined,
    ]);
  });

  it('reports when local storage is full too', async () => {
    const saver = stage.open();
    stage.hasRoom = false;
    stage.error = refusal(503, 'ServerNotConnected');
    type(saver, { name: 'Sara' });
    await pass(1000);
    expect(saver.store.get().state).toBe('unkept');
  });

  it('recognizes its own save whose reply was lost', async () => {
    const saver = stage.open();
    stage.losesAnswer = true;
    type(saver, { name: 'Sara' });
    await pass(1000);
    stage.losesAnswer = false;
    type(saver, { name: 'Sara M' });
    await pass(3000);
    expect([
      saver.store.get().state,
      saver.store.get().conflicts,
      stage.server?.content.answers,
    ]).toEqual(['saved', [], { name: 'Sara M' }]);
  });

  it('waits for the time in Retry-After', async () => {
    const saver = stage.open();
    stage.error = Object.assign(refusal(429, 'TooManyRequests'), { retryAfter: 40 });
    type(saver, { name: 'Sara' });
    await pass(1000);
    await pass(39_000);
    expect(stage.saves).toBe(1);
    await pass(2000);
    expect(stage.saves).toBe(2);
  });
});

describe('two windows', () => {
  it('merge changes of different fields', async () => {
    const [one, other] = [
      stage.open(),
      stage.open({ draftId: 'two', revision: 0, content: emptyDraft, savedAt: '' }),
    ];
    type(one, { name: 'Sara' });
    await pass(1000);
    type(other, { email: 's@example.ae' });
    await pass(1000);
    expect([
      stage.server?.content.answers,
      other.store.get().saved.draftId,
      other.store.get().merges,
    ]).toEqual([{ name: 'Sara', email: 's@example.ae' }, 'one', 1]);
    type(one, { mobile: '05' });
    await pass(1000);
    expect(one.store.get().content.answers).toEqual({
      name: 'Sara',
      email: 's@example.ae',
      mobile: '05',
    });
  });

  it('report a conflict for the same field, and save nothing before it is resolved', async () => {
    const [one, other] = [stage.open(), stage.open()];
    type(one, { name: 'Sara' });
    await pass(1000);
    type(other, { name: 'Noor' });
    await pass(1000);
    expect([other.store.get().state, other.store.get().conflicts]).toEqual([
      'conflict',
      [{ part: 'answers', name: 'name', mine: 'Noor', theirs: 'Sara' }],
    ]);
    type(other, { email: 'n' });
    await pass(10_000);
    expect(stage.server?.content.answers).toEqual({ name: 'Sara' });
    other.resolve((before) => ({ ...before, answers: { ...before.answers, name: 'Sara' } }));
    await pass(0);
    expect([stage.server?.content.answers, other.store.get().state]).toEqual([
      { name: 'Sara', email: 'n' },
      'saved',
    ]);
  });

  it('do not restore a submitted draft', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    await pass(1000);
    if (stage.server) stage.server.isSent = true;
    type(saver, { name: 'Sara M' });
    await pass(1000);
    expect([saver.store.get().state, stage.stored]).toEqual(['sent', undefined]);
    const { saves } = stage;
    type(saver, { name: 'x' });
    await pass(60_000);
    expect(stage.saves).toBe(saves);
  });

  it('recreate a draft that was discarded elsewhere during typing', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    await pass(1000);
    stage.server = undefined;
    type(saver, { email: 's' });
    await pass(1000);
    expect(stage.server).toMatchObject({
      revision: 1,
      content: typed({ name: 'Sara', email: 's' }),
    });
    expect(saver.store.get().saved.draftId).not.toBe('one');
  });
});

describe('a draft that another window left', () => {
  const left = (part: Partial<StoredDraft>): StoredDraft => ({
    draftId: 'one',
    revision: 1,
    base: typed({ name: 'Sara' }),
    content: typed({ name: 'Sara M', email: 's' }),
    sent: [],
    at: '2026-11-21T08:00:00Z',
    ...part,
  });

  it('is taken over and saved', async () => {
    stage.server = {
      draftId: 'one',
      revision: 1,
      content: typed({ name: 'Sara' }),
      savedAt: '2026-11-21T08:00:00Z',
    };
    const saver = stage.open(stage.server, [left({})]);
    await pass(0);
    expect([stage.server.content.answers, saver.store.get().state]).toEqual([
      { name: 'Sara M', email: 's' },
      'saved',
    ]);
  });

  it('is removed when the server already has it', async () => {
    stage.server = {
      draftId: 'one',
      revision: 2,
      content: typed({ email: 's', name: 'Sara M' }),
      savedAt: '2026-11-21T08:00:00Z',
    };
    stage.stored = left({});
    const saver = stage.open(stage.server, [
      left({ sent: [typed({ name: 'Sara M', email: 's' })] }),
    ]);
    await pass(5000);
    expect([stage.saves, stage.stored, saver.store.get().state]).toEqual([0, undefined, 'saved']);
  });

  it('is merged with changes of another device', async () => {
    stage.server = {
      draftId: 'one',
      revision: 4,
      content: typed({ name: 'Noor', mobile: '05' }),
      savedAt: '2026-11-21T08:00:00Z',
    };
    const saver = stage.open(stage.server, [left({})]);
    expect([
      saver.store.get().state,
      saver.store.get().conflicts.map(({ name }) => name),
      saver.store.get().content.answers,
    ]).toEqual(['conflict', ['name'], { name: 'Sara M', email: 's', mobile: '05' }]);
  });
});

it('reports the end of the session and keeps the draft', async () => {
  const saver = stage.open();
  stage.error = refusal(401, 'YouHaveToLoginFirst');
  type(saver, { name: 'Sara' });
  await pass(1000);
  expect([stage.hasEnded, stage.stored?.content.answers]).toEqual([true, { name: 'Sara' }]);
});

it('does not resend refused content until it changes', async () => {
  const saver = stage.open();
  stage.error = new ApiError(400, 'ValidationFailed', '', {
    fieldErrors: { 'answers.name': ['no'] },
  });
  type(saver, { name: 'a\u0000' });
  await pass(60_000);
  expect([stage.saves, saver.store.get().state, saver.store.get().problem?.fieldErrors]).toEqual([
    1,
    'refused',
    { 'answers.name': ['no'] },
  ]);
  stage.error = undefined;
  type(saver, { name: 'a' });
  await pass(1000);
  expect(saver.store.get().state).toBe('saved');
});

it('stores nothing after submission, even when a reply arrives', async () => {
  const saver = stage.open();
  type(saver, { name: 'Sara' });
  saver.flush();
  saver.finish();
  await pass(5000);
  expect([stage.stored, saver.store.get().state]).toEqual([undefined, 'saving']);
});
