import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SendError } from '../../../lib/api/send-error.ts';
import type { KeptDraft } from './draft-device.ts';
import { DraftSaver, type DraftWires, type ServerDraft } from './draft-saver.ts';
import { emptyDraft, type Draft } from './draft.ts';

const typed = (answers: Record<string, unknown>): Draft => ({ ...emptyDraft, answers });
const refusal = (status: number, name: SendError['name']) => new SendError(status, name, '');

/** A server that holds one draft, and a device that holds one record. */
class Stage {
  server: (ServerDraft & { isSent?: boolean }) | undefined;
  kept: KeptDraft | undefined;
  fault: Error | undefined;
  saves = 0;
  hasEnded = false;
  /** The answer gets lost after the save. */
  losesAnswer = false;
  hasRoom = true;
  readonly wires: DraftWires = {
    save: async ({ draftId, revision, content }) => {
      this.saves += 1;
      if (this.fault) throw this.fault;
      if (this.server?.isSent) throw refusal(400, 'DraftAlreadySent');
      if (revision > 0 && this.server?.draftId !== draftId) throw refusal(404, 'DraftNotFound');
      if ((this.server?.revision ?? 0) !== revision) throw refusal(400, 'DraftHasChanged');
      this.server = { draftId, revision: revision + 1, content, savedAt: '2026-11-21T08:00:00Z' };
      if (this.losesAnswer) throw refusal(0, 'ServerNotConnected');
      return this.server;
    },
    load: async () => this.server,
    keep: (kept) => {
      if (this.hasRoom) this.kept = kept;
      return this.hasRoom;
    },
    forget: () => {
      this.kept = undefined;
    },
    onSessionEnd: () => {
      this.hasEnded = true;
    },
  };
  open(
    start: ServerDraft = this.server ?? {
      draftId: 'one',
      revision: 0,
      content: emptyDraft,
      savedAt: '',
    },
  ): DraftSaver {
    return new DraftSaver(this.wires, start);
  }
}

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  stage = new Stage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const type = (saver: DraftSaver, answers: Record<string, unknown>) =>
  saver.change((before) => ({ answers: { ...before.answers, ...answers } }));
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('what is typed', () => {
  it('is kept on the device at once, on the server after a pause, and then on the server alone', async () => {
    const saver = stage.open();
    for (const name of ['S', 'Sa', 'Sara']) type(saver, { name });
    expect([stage.kept?.content.answers, stage.saves]).toEqual([{ name: 'Sara' }, 0]);
    await pass(1000);
    expect([stage.server?.content.answers, stage.saves, stage.kept, saver.current().state]).toEqual(
      [{ name: 'Sara' }, 1, undefined, 'saved'],
    );
  });

  it('is saved at least every five seconds while somebody types on', async () => {
    const saver = stage.open();
    for (let letter = 0; letter < 12; letter += 1) {
      type(saver, { name: 'x'.repeat(letter + 1) });
      await pass(500);
    }
    expect(stage.saves).toBe(1);
  });

  it('is saved at once when a field is left, and not again when nothing changed', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    saver.flush();
    saver.flush();
    await pass(0);
    saver.flush();
    await pass(60_000);
    expect(stage.saves).toBe(1);
  });

  it('while a save is under way goes with the next one', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    saver.flush();
    type(saver, { name: 'Sara M' });
    await pass(2000);
    expect([stage.saves, stage.server?.content.answers, saver.current().state]).toEqual([
      2,
      { name: 'Sara M' },
      'saved',
    ]);
  });
});

describe('without a network', () => {
  it('stays on the device, says so, and is sent when the network is back', async () => {
    const saver = stage.open();
    stage.fault = refusal(0, 'ServerNotConnected');
    type(saver, { name: 'Sara' });
    await pass(1000);
    expect(saver.current().state).toBe('device');
    type(saver, { name: 'Sara M' });
    expect(saver.current().state).toBe('device');
    stage.fault = undefined;
    await pass(60_000);
    expect([stage.server?.content.answers, saver.current().state, stage.kept]).toEqual([
      { name: 'Sara M' },
      'saved',
      undefined,
    ]);
  });

  it('claims nothing where the device cannot keep it either', async () => {
    const saver = stage.open();
    stage.hasRoom = false;
    stage.fault = refusal(503, 'ServerNotConnected');
    type(saver, { name: 'Sara' });
    await pass(1000);
    expect(saver.current().state).toBe('unkept');
  });

  it('takes a save whose answer was lost for its own', async () => {
    const saver = stage.open();
    stage.losesAnswer = true;
    type(saver, { name: 'Sara' });
    await pass(1000);
    stage.losesAnswer = false;
    type(saver, { name: 'Sara M' });
    await pass(3000);
    expect([
      saver.current().state,
      saver.current().conflicts,
      stage.server?.content.answers,
    ]).toEqual(['saved', [], { name: 'Sara M' }]);
  });

  it('waits for as long as the server asks it to', async () => {
    const saver = stage.open();
    stage.fault = Object.assign(refusal(429, 'TooManyRequests'), { retryAfter: 40 });
    type(saver, { name: 'Sara' });
    await pass(1000);
    await pass(39_000);
    expect(stage.saves).toBe(1);
    await pass(2000);
    expect(stage.saves).toBe(2);
  });
});

describe('two places', () => {
  it('each keep what they typed in fields of their own', async () => {
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
      other.current().draftId,
      other.current().merges,
    ]).toEqual([{ name: 'Sara', email: 's@example.ae' }, 'one', 1]);
    type(one, { mobile: '05' });
    await pass(1000);
    expect(one.current().draft.answers).toEqual({
      name: 'Sara',
      email: 's@example.ae',
      mobile: '05',
    });
  });

  it('ask the person about a field that both wrote, and save nothing before', async () => {
    const [one, other] = [stage.open(), stage.open()];
    type(one, { name: 'Sara' });
    await pass(1000);
    type(other, { name: 'Noor' });
    await pass(1000);
    expect([other.current().state, other.current().conflicts]).toEqual([
      'conflict',
      [{ part: 'answers', name: 'name', mine: 'Noor', theirs: 'Sara' }],
    ]);
    type(other, { email: 'n' });
    await pass(10_000);
    expect(stage.server?.content.answers).toEqual({ name: 'Sara' });
    other.choose({ answers: { name: 'Sara' }, explanations: {} });
    await pass(0);
    expect([stage.server?.content.answers, other.current().state]).toEqual([
      { name: 'Sara', email: 'n' },
      'saved',
    ]);
  });

  it('do not bring back what has become a request', async () => {
    const saver = stage.open();
    type(saver, { name: 'Sara' });
    await pass(1000);
    if (stage.server) stage.server.isSent = true;
    type(saver, { name: 'Sara M' });
    await pass(1000);
    expect([saver.current().state, stage.kept]).toEqual(['sent', undefined]);
    const { saves } = stage;
    type(saver, { name: 'x' });
    await pass(60_000);
    expect(stage.saves).toBe(saves);
  });

  it('begin anew what was thrown away elsewhere while somebody types on', async () => {
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
    expect(saver.current().draftId).not.toBe('one');
  });
});

describe('what a window left on the device', () => {
  const left = (part: Partial<KeptDraft>): KeptDraft => ({
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
    const saver = stage.open();
    saver.takeOver([left({})]);
    await pass(0);
    expect([stage.server.content.answers, saver.current().state]).toEqual([
      { name: 'Sara M', email: 's' },
      'saved',
    ]);
  });

  it('is nothing when the server has it: the answer came after the window was gone', async () => {
    stage.server = {
      draftId: 'one',
      revision: 2,
      content: typed({ email: 's', name: 'Sara M' }),
      savedAt: '2026-11-21T08:00:00Z',
    };
    const saver = stage.open();
    stage.kept = left({});
    saver.takeOver([left({ sent: [typed({ name: 'Sara M', email: 's' })] })]);
    await pass(5000);
    expect([stage.saves, stage.kept, saver.current().state]).toEqual([0, undefined, 'saved']);
  });

  it('meets what another device wrote meanwhile', async () => {
    stage.server = {
      draftId: 'one',
      revision: 4,
      content: typed({ name: 'Noor', mobile: '05' }),
      savedAt: '2026-11-21T08:00:00Z',
    };
    const saver = stage.open();
    saver.takeOver([left({})]);
    expect([
      saver.current().state,
      saver.current().conflicts.map(({ name }) => name),
      saver.current().draft.answers,
    ]).toEqual(['conflict', ['name'], { name: 'Sara M', email: 's', mobile: '05' }]);
  });
});

it('leaves the end of a session to the page, and keeps everything', async () => {
  const saver = stage.open();
  stage.fault = refusal(401, 'YouHaveToLoginFirst');
  type(saver, { name: 'Sara' });
  await pass(1000);
  expect([stage.hasEnded, stage.kept?.content.answers]).toEqual([true, { name: 'Sara' }]);
});

it('does not send again what the server refused as it is, until it is changed', async () => {
  const saver = stage.open();
  stage.fault = new SendError(400, 'ValidationFailed', '', { 'answers.name': ['no'] });
  type(saver, { name: 'a\u0000' });
  await pass(60_000);
  expect([stage.saves, saver.current().state, saver.current().problem?.fieldErrors]).toEqual([
    1,
    'refused',
    { 'answers.name': ['no'] },
  ]);
  stage.fault = undefined;
  type(saver, { name: 'a' });
  await pass(1000);
  expect(saver.current().state).toBe('saved');
});

it('keeps nothing any more once it is sent, also not what still arrives', async () => {
  const saver = stage.open();
  type(saver, { name: 'Sara' });
  saver.flush();
  saver.finish();
  await pass(5000);
  expect([stage.kept, saver.current().state]).toEqual([undefined, 'saving']);
});
