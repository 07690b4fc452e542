import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, type ApiErrorName } from '../api/api-error.ts';
import { DocumentSaver } from './document-saver.ts';
import type { StoredDocument } from './document-storage.ts';
import type { DocumentKind, SavedDocument } from './saved-document.ts';
import { wholeDocument } from './whole-document.ts';

type Content = Record<string, string>;
type Saved = SavedDocument<Content>;
interface Conflict {
  mine: Content;
  theirs: Content;
}

/** Merges part by part, as drafts of requests do. */
const byPart: DocumentKind<Content, Conflict> = {
  isSame: wholeDocument<Content>().isSame,
  merge: (base, mine, theirs) => {
    const merged: Content = {};
    const conflict: Conflict = { mine: {}, theirs: {} };
    for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      const [before, here = '', there = ''] = [base[name], mine[name], theirs[name]];
      merged[name] = here === (before ?? '') ? there : here;
      if (here === (before ?? '') || there === (before ?? '') || here === there) continue;
      conflict.mine[name] = here;
      conflict.theirs[name] = there;
    }
    return { merged, conflicts: Object.keys(conflict.mine).length > 0 ? [conflict] : [] };
  },
};

type Saver = DocumentSaver<Content, Conflict, Saved>;
const refusal = (status: number, name: ApiErrorName) => new ApiError(status, name, '');
const faults = {
  offline: () => refusal(0, 'ServerNotConnected'),
  refuses: () => refusal(422, 'ValidationFailed'),
  fails: () => refusal(500, 'InternalServerError'),
  /** It saves, and the reply does not arrive. */
  losesReply: () => refusal(0, 'ServerNotConnected'),
};
type Network = keyof typeof faults | 'works' | 'slow';

/** A server with one document, and a device whose windows show it. */
class World {
  network: Network = 'works';
  server: Saved = { draftId: 'one', revision: 0, content: {}, savedAt: '' };
  readonly device = new Map<number, StoredDocument<Content>>();
  readonly windows: { saver: Saver; close: () => void }[] = [];
  /** What somebody decided to replace, after seeing it. */
  readonly replaced = new Set<string>();
  private opened = 0;
  private readonly kind: DocumentKind<Content, Conflict>;
  constructor(kind: DocumentKind<Content, Conflict>) {
    this.kind = kind;
  }

  private async answer<Reply>(reply: () => Reply): Promise<Reply> {
    const { network } = this;
    if (network === 'slow') await new Promise((resolve) => setTimeout(resolve, 3000));
    if (network in faults && network !== 'losesReply') throw faults[network as 'offline']();
    const given = reply();
    if (network === 'losesReply') throw faults.losesReply();
    return given;
  }

  open(): { saver: Saver; close: () => void } {
    const key = (this.opened += 1);
    const found = [...this.device];
    const saver: Saver = new DocumentSaver(
      this.kind,
      {
        save: ({ draftId, revision, content }) =>
          this.answer(() => {
            if (revision !== this.server.revision) throw refusal(409, 'RecordHasChanged');
            this.server = { draftId, revision: revision + 1, content, savedAt: 'now' };
            return this.server;
          }),
        load: () => this.answer(() => this.server),
        store: (document) => this.device.set(key, document).size > 0,
        clear: () => void this.device.delete(key),
        drop: (left) => {
          for (const [other, stored] of found)
            if (stored === left && this.device.get(other)?.at === left.at)
              this.device.delete(other);
        },
        onSessionEnd: () => undefined,
        blank: {},
      },
      this.server,
      found.map(([, stored]) => stored),
    );
    const shown = { saver, close: saver.openOnPage() };
    this.windows.push(shown);
    return shown;
  }

  type(index: number, name: string, text: string): void {
    const window = this.windows[index % Math.max(1, this.windows.length)];
    window?.saver.change((before) => {
      if (before[name]) this.replaced.add(before[name]);
      return { ...before, [name]: text };
    });
  }

  /** Every window decides its conflicts: `mine` or `theirs`. */
  decide(side: keyof Conflict): void {
    for (const { saver } of this.windows) {
      const [conflict] = saver.store.get().conflicts;
      if (!conflict) continue;
      saver.resolve((before) => {
        const next = { ...before, ...(side === 'theirs' ? conflict.theirs : {}) };
        for (const content of [before, conflict.theirs, conflict.mine])
          for (const [name, text] of Object.entries(content))
            if (next[name] !== text) this.replaced.add(text);
        return next;
      });
    }
  }

  /** A reload: the page does not wait for replies, and a call under way may end later. */
  reload(index: number): void {
    const [window] = this.windows.splice(index % Math.max(1, this.windows.length), 1);
    window?.close();
    this.open();
  }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();

  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const at = fc.nat(2);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('type' as const), at, part: fc.constantFrom('a', 'b') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      for: fc.constantFrom(1, 900, 1100, 20_000),
    }),
  },
  fc.record({
    do: fc.constant('network' as const),
    is: fc.constantFrom('works', 'slow', 'offline', 'refuses', 'fails', 'losesReply'),
  }),
  fc.record({ do: fc.constant('reload' as const), at }),
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('decide' as const), side: fc.constantFrom('mine', 'theirs') }),
);

it.each([
  ['part by part', byPart],
  ['whole', wholeDocument<Content>()],
])(
  'loses nothing that was typed, whatever network, windows and people do: %s',
  async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = new World(kind);
        world.open();
        const typed: string[] = [];
        for (const each of steps) {
          if (each.do === 'type') {
            typed.push(`text ${typed.length}`);
            world.type(each.at, each.part, typed.at(-1) ?? '');
          } else if (each.do === 'wait') await pass(each.for);
          else if (each.do === 'network') world.network = each.is as Network;
          else if (each.do === 'reload') world.reload(each.at);
          else if (each.do === 'decide') world.decide(each.side as keyof Conflict);
          else if (world.windows.length < 3) world.open();
        }
        world.network = 'works';
        // Everything is closed and opened again, until nothing is left to decide or to save.
        for (let round = 0; round < 12; round += 1) {
          await pass(70_000);
          world.decide('mine');
          await pass(70_000);
          world.reload(0);
          if (world.windows.length > 1) world.windows.splice(0, 1)[0]?.close();
        }
        await pass(70_000);
        const kept = Object.values(world.server.content);
        expect(typed.filter((text) => !kept.includes(text) && !world.replaced.has(text))).toEqual(
          [],
        );
        expect(world.device.size).toBe(0);
        expect(world.windows[0]?.saver.store.get().content).toEqual(world.server.content);
        vi.clearAllTimers();
      }),
      { numRuns: 150 },
    );
  },
  60_000,
);

it('saves nothing over a version that the user has not decided about', async () => {
  const world = new World(wholeDocument<Content>());
  const [one, other] = [world.open(), world.open()];
  world.type(0, 'a', 'first');
  await pass(1000);
  world.network = 'slow';
  world.type(1, 'a', 'second');
  await pass(1000);
  // Typed while the save runs that meets the conflict: its own pause ends after it.
  world.type(1, 'b', 'third');
  await pass(60_000);
  expect(other.saver.store.get().state).toBe('conflict');
  expect(world.server.content).toEqual({ a: 'first' });
  other.saver.resolve(() => ({ a: 'first' }));
  await pass(10_000);
  expect([other.saver.store.get().state, world.server.revision]).toEqual(['saved', 1]);
  one.close();
});

it('runs an action on what is saved, and keeps what is typed meanwhile', async () => {
  const world = new World(wholeDocument<Content>());
  const { saver } = world.open();
  world.type(0, 'a', 'typed');
  const published: Saved[] = [];
  const done = saver.run(async (saved) => {
    published.push(saved);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    world.server = { ...world.server, revision: 0, savedAt: '' };
    return world.server;
  });
  await pass(1500);
  world.type(0, 'b', 'later');
  await pass(10_000);
  expect(await done).toBe(true);
  expect(published).toMatchObject([{ revision: 1, content: { a: 'typed' } }]);
  expect(world.server).toMatchObject({ revision: 1, content: { a: 'typed', b: 'later' } });
});

it('does not run an action when the document cannot be saved, and gives the reason of its refusal', async () => {
  const world = new World(wholeDocument<Content>());
  const { saver } = world.open();
  world.type(0, 'a', 'typed');
  world.network = 'offline';
  let calls = 0;
  const refuse = (): Promise<Saved> => {
    calls += 1;
    throw refusal(400, 'ValidationFailed');
  };
  expect(await saver.run(refuse)).toBe(false);
  expect([calls, saver.store.get().state]).toEqual([0, 'device']);
  world.network = 'works';
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(await saver.run(refuse)).toBe(false);
  expect([calls, saver.store.get().problem?.name]).toEqual([1, 'ValidationFailed']);
});

it('warns before a page closes only when the text is neither on the server nor on the device', async () => {
  const world = new World(wholeDocument<Content>());
  world.network = 'offline';
  const { saver } = world.open();
  const asks = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  world.type(0, 'a', 'typed');
  await pass(1000);
  expect([saver.store.get().state, asks()]).toEqual(['device', false]);
  vi.spyOn(world.device, 'set').mockReturnValue(new Map());
  world.type(0, 'a', 'more');
  await pass(1000);
  expect(asks()).toBe(true);
});
