import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HubState } from './hub-connection.ts';
import { openSharedConnection, type LiveMessage } from './shared-connection.ts';

interface Waiting {
  grant: () => void;
}

/** The locks of a browser: https://w3c.github.io/web-locks. Frozen tabs keep theirs. */
class FakeLocks {
  #held = new Map<string, { reject: (error: Error) => void }>();
  #queues = new Map<string, Waiting[]>();

  request = (
    name: string,
    { steal = false, signal }: { steal?: boolean; signal?: AbortSignal },
    work: () => Promise<void>,
  ) =>
    new Promise<void>((resolve, reject) => {
      const queue = this.#queues.get(name) ?? [];
      this.#queues.set(name, queue);
      const holder = { reject };
      const release = () => {
        if (this.#held.get(name) !== holder) return;
        this.#held.delete(name);
        queue.shift()?.grant();
      };
      const grant = () => {
        this.#held.set(name, holder);
        void work().then(resolve).then(release);
      };
      if (steal) {
        this.#held.get(name)?.reject(new DOMException('stolen', 'AbortError'));
        return grant();
      }
      if (!this.#held.has(name)) return grant();
      const waiting = { grant };
      queue.push(waiting);
      signal?.addEventListener('abort', () => {
        const at = queue.indexOf(waiting);
        if (at !== -1) queue.splice(at, 1);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
}

let channels: Map<string, Set<FakeChannel>>;
/** The tab whose code runs at the moment. */
let current: Tab | undefined;

class FakeChannel {
  onmessage?: (event: { data: unknown }) => void;
  readonly name: string;
  readonly tab = current;
  constructor(name: string) {
    this.name = name;
    channels.set(name, (channels.get(name) ?? new Set()).add(this));
  }
  postMessage(data: unknown) {
    for (const other of channels.get(this.name) ?? [])
      if (other !== this)
        queueMicrotask(
          () => other.tab?.isFrozen || other.onmessage?.({ data: structuredClone(data) }),
        );
  }
  close() {
    channels.get(this.name)?.delete(this);
  }
}

interface Tab {
  isFrozen: boolean;
  received: LiveMessage[];
  emit: (message: LiveMessage) => void;
  document: EventTarget & { hidden: boolean };
  window: EventTarget;
  retries: number;
  stop: () => void;
  retryNow: () => void;
  follow: (...ids: number[]) => void;
}
/** What the connection follows. */
let followed: number[];
/** The tabs that have a connection open. */
let connected: Tab[];

function openTab(): Tab {
  const tab: Tab = {
    isFrozen: false,
    received: [],
    emit: () => undefined,
    document: Object.assign(new EventTarget(), { hidden: false }),
    window: Object.assign(new EventTarget(), { BroadcastChannel: FakeChannel }),
    retries: 0,
    stop: () => undefined,
    retryNow: () => undefined,
    follow: () => undefined,
  };
  current = tab;
  vi.stubGlobal('document', tab.document);
  vi.stubGlobal('window', tab.window);
  return Object.assign(tab, openSharedConnectionOf(tab));
}

function openSharedConnectionOf(tab: Tab) {
  const connection = openSharedConnection({
    name: 'user',
    open(emit) {
      connected.push(tab);
      tab.emit = emit;
      emit({ kind: 'state', state: 'connecting' });
      return {
        retryNow: () => void (tab.retries += 1),
        follow: (ids) => void (followed = [...ids]),
        stop: () => {
          connected = connected.filter((each) => each !== tab);
          emit({ kind: 'state', state: 'disconnected' });
        },
      };
    },
    onMessage: (message) => tab.received.push(message),
  });
  return {
    stop: () => connection.stop(),
    retryNow: () => connection.retryNow(),
    follow: (...ids: number[]) => connection.follow(ids),
  };
}

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const state = (value: HubState) => ({ kind: 'state', state: value });
const event = (sequence: number): LiveMessage => ({
  kind: 'event',
  name: 'requestCreated',
  sequence,
});
const seen = ({ received }: Tab) =>
  received.map((each) => (each.kind === 'state' ? each.state : each.sequence));

beforeEach(() => {
  vi.useFakeTimers();
  channels = new Map();
  connected = [];
  followed = [];
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('one of ten tabs connects, and all receive its events and know its state', async () => {
  const tabs = Array.from({ length: 9 }, openTab);
  await settle();
  expect(connected).toEqual([tabs[0]]);
  tabs[0]!.emit({ kind: 'state', state: 'connected' });
  tabs[0]!.emit(event(1));
  await settle();
  const late = openTab();
  await settle();
  expect(late.received).toEqual([state('connected')]);
  tabs[0]!.emit(event(2));
  await settle();
  for (const tab of tabs) expect(seen(tab)).toEqual(['connecting', 'connected', 1, 2]);
  expect(seen(late)).toEqual(['connected', 2]);
  tabs[4]!.retryNow();
  await settle(60_000);
  expect(tabs.map(({ retries }) => retries)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  // The question whether it answers changed nothing.
  for (const tab of tabs) expect(seen(tab)).toEqual(['connecting', 'connected', 1, 2]);
  for (const tab of [...tabs, late]) tab.stop();
  await settle();
  expect(connected).toEqual([]);
});

it.each([
  ['closes', (tab: Tab) => tab.stop()],
  ['is left', (tab: Tab) => void tab.window.dispatchEvent(new Event('pagehide'))],
  ['is frozen', (tab: Tab) => void tab.document.dispatchEvent(new Event('freeze'))],
])('another tab takes over immediately when the first one %s', async (_name, end) => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await settle();
  first.emit({ kind: 'state', state: 'connected' });
  await settle();
  end(first);
  await settle();
  expect(connected).toEqual([second]);
  second.emit({ kind: 'state', state: 'connected' });
  second.emit(event(7));
  await settle();
  expect(seen(third)).toEqual(['connecting', 'connected', 'connecting', 'connected', 7]);
  expect(seen(first)).toEqual(['connecting', 'connected']);
});

it('a tab that comes back learns the state anew, so that it fetches what it missed', async () => {
  const [first, second] = [openTab(), openTab()];
  await settle();
  first.document.dispatchEvent(new Event('freeze'));
  await settle();
  second.emit({ kind: 'state', state: 'connected' });
  await settle();
  first.document.dispatchEvent(new Event('resume'));
  await settle();
  expect(seen(first)).toEqual(['connecting', 'connected']);
  expect(connected).toEqual([second]);
});

it('takes the lock from a tab that does not answer, and that tab waits when it wakes up', async () => {
  const [first, second] = [openTab(), openTab()];
  second.document.hidden = true;
  await settle();
  first.isFrozen = true;
  await settle(60_000);
  // Nobody looks at the second tab.
  expect(connected).toEqual([first]);
  second.document.hidden = false;
  vi.stubGlobal('document', second.document);
  await settle(7500);
  expect(connected).toEqual([second]);
  first.isFrozen = false;
  second.emit(event(3));
  await settle();
  expect(seen(first).at(-1)).toBe(3);
  second.stop();
  await settle();
  expect(connected).toEqual([first]);
});

it('follows what all tabs have open, also after the first one closes or another one is lost', async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await settle();
  first.follow(1);
  second.follow(2, 1);
  third.follow(3);
  await settle();
  expect(followed).toEqual([1, 2, 3]);
  second.follow(2);
  first.follow();
  await settle();
  expect(followed).toEqual([2, 3]);
  first.stop();
  await settle();
  expect([connected, followed]).toEqual([[second], [2, 3]]);
  // A frozen tab runs no timers either.
  third.isFrozen = true;
  third.document.hidden = true;
  await settle(20_000);
  expect(followed).toEqual([2, 3]);
  await settle(20_000);
  expect(followed).toEqual([2]);
  third.isFrozen = false;
  await settle(10_000);
  expect(followed).toEqual([2, 3]);
  third.stop();
  await settle();
  expect(followed).toEqual([2]);
});

it('each tab connects for itself where the browser has no locks', () => {
  vi.stubGlobal('navigator', {});
  const tabs = [openTab(), openTab()];
  expect(connected).toEqual(tabs);
  tabs[0]!.emit(event(1));
  expect(seen(tabs[1]!)).toEqual(['connecting']);
});
