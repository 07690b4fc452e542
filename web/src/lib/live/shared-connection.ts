import { isSharedComputer } from '../browser/storage.ts';
import type { HubState } from './hub-connection.ts';

/** What a connection tells a tab: its state, or an event of a hub. */
export type LiveMessage =
  | { kind: 'state'; state: HubState }
  | { kind: 'event'; name: string; sequence: number };

export interface LiveConnection {
  /** Connects again immediately, also after the last attempt. */
  retryNow(): void;
  /** The requests that the user has open, instead of those before. */
  follow(ids: readonly number[]): void;
  stop(): void;
}

/** What the tabs of a browser tell each other. `alive` is the answer to `ask`. */
type TabMessage =
  | { kind: 'message'; message: LiveMessage }
  | { kind: 'ask' }
  | { kind: 'alive'; state: HubState }
  | { kind: 'retry' }
  | { kind: 'gather' }
  | { kind: 'follow'; tab: string; ids: readonly number[] };

// A tab that does not say twice what it has open is gone.
const gatherMs = 10_000;
// A tab that the browser has frozen does not answer, and keeps its lock.
const askMs = 5000;
const answerMs = 2500;

interface SharedConnectionOptions {
  /** The tabs with the same name share one connection. */
  name: string;
  /** Opens the connection, in the elected tab only. */
  open: (emit: (message: LiveMessage) => void) => LiveConnection;
  /** Receives the messages of the connection, in every tab. */
  onMessage: (message: LiveMessage) => void;
}

/**
 * One connection for all tabs of a browser: the tab that holds the lock opens it and passes its
 * messages on. Another tab takes over when that one closes, is frozen or does not answer. Without
 * locks, as on an address without TLS, and on a shared computer each tab has its own connection.
 * Decision 0009.
 */
export function openSharedConnection(options: SharedConnectionOptions): LiveConnection {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks || !('BroadcastChannel' in window) || isSharedComputer())
    return options.open(options.onMessage);
  return new SharedConnection(options, locks);
}

interface Followed {
  ids: readonly number[];
  at: number;
}

class SharedConnection implements LiveConnection {
  #options: SharedConnectionOptions;
  #locks: LockManager;
  #name: string;
  #channel: BroadcastChannel;
  #state: HubState | undefined;
  /** Of the tab that leads. `followed`: what each tab has open, and when it said so. */
  #lead:
    | { connection: LiveConnection; end: () => void; followed: Map<string, Followed> }
    | undefined;
  readonly #tab = crypto.randomUUID();
  #ids: readonly number[] = [];
  #queue: AbortController | undefined;
  #isAway = false;
  #isStopped = false;
  #isAnswered = false;
  #timers: ReturnType<typeof setTimeout>[];
  #listeners = new AbortController();

  constructor(options: SharedConnectionOptions, locks: LockManager) {
    this.#options = options;
    this.#locks = locks;
    this.#name = `live ${options.name}`;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data);
    this.#timers = [
      setInterval(() => this.#askForLife(), askMs),
      setInterval(() => this.#gather(), gatherMs),
    ];
    const { signal } = this.#listeners;
    // A frozen tab, or one that the browser keeps for the way back, cannot serve the others.
    document.addEventListener('freeze', () => this.#leave(), { signal });
    document.addEventListener('resume', () => this.#return(), { signal });
    window.addEventListener('pagehide', () => this.#leave(), { signal });
    window.addEventListener('pageshow', () => this.#return(), { signal });
    this.#join();
  }

  retryNow(): void {
    if (this.#lead) this.#lead.connection.retryNow();
    else this.#send({ kind: 'retry' });
  }

  follow(ids: readonly number[]): void {
    this.#ids = ids;
    if (this.#lead) this.#store(this.#tab, ids);
    else this.#sendFollowed();
  }

  stop(): void {
    this.follow([]);
    this.#isStopped = true;
    this.#listeners.abort();
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#leave();
    this.#channel.close();
  }

  #send(message: TabMessage): void {
    if (!this.#isStopped) this.#channel.postMessage(message);
  }

  #deliver(message: LiveMessage): void {
    if (message.kind === 'state') this.#state = message.state;
    this.#options.onMessage(message);
  }

  #sendFollowed(): void {
    this.#send({ kind: 'follow', tab: this.#tab, ids: this.#ids });
  }

  #gather(): void {
    if (!this.#lead) return;
    for (const [tab, { at }] of this.#lead.followed)
      if (tab !== this.#tab && Date.now() - at > 2.5 * gatherMs) this.#store(tab, []);
    this.#send({ kind: 'gather' });
  }

  /** Stores what a tab has open, and follows what all of them have. */
  #store(tab: string, ids: readonly number[]): void {
    if (!this.#lead) return;
    const { connection, followed } = this.#lead;
    const union = () =>
      [...new Set([...followed.values()].flatMap((each) => each.ids))].toSorted((a, b) => a - b);
    const before = union().join(' ');
    if (ids.length > 0) followed.set(tab, { ids, at: Date.now() });
    else followed.delete(tab);
    if (union().join(' ') !== before) connection.follow(union());
  }

  #receiveAsLead(message: TabMessage): void {
    if (message.kind === 'retry') this.#lead?.connection.retryNow();
    else if (message.kind === 'ask')
      this.#send({ kind: 'alive', state: this.#state ?? 'connecting' });
    else if (message.kind === 'follow') this.#store(message.tab, message.ids);
  }

  #receive(message: TabMessage): void {
    if (this.#isAway) return;
    if (this.#lead) return this.#receiveAsLead(message);
    if (message.kind === 'gather') return this.#sendFollowed();
    if (message.kind !== 'message' && message.kind !== 'alive') return;
    this.#isAnswered = true;
    if (message.kind === 'message') this.#deliver(message.message);
    else if (message.state !== this.#state) this.#deliver({ kind: 'state', state: message.state });
  }

  #join(steal = false): void {
    if (this.#isStopped || this.#isAway || this.#lead) return;
    this.#queue?.abort();
    const queue = new AbortController();
    this.#queue = queue;
    void this.#locks
      .request(this.#name, steal ? { steal } : { signal: queue.signal }, () => this.#takeLead())
      // Another tab took the lock, or this one waits no longer.
      .catch(() => undefined)
      .then(() => {
        if (this.#queue !== queue) return;
        this.#lead?.end();
        this.#join();
      });
    this.#send({ kind: 'ask' });
  }

  #takeLead(): Promise<void> {
    if (this.#isStopped || this.#isAway) return Promise.resolve();
    return new Promise((resolve) => {
      let isEnded = false;
      const connection = this.#options.open((message) => {
        if (isEnded) return;
        this.#deliver(message);
        this.#send({ kind: 'message', message });
      });
      const end = () => {
        isEnded = true;
        this.#lead = undefined;
        connection.stop();
        resolve();
      };
      this.#lead = { connection, end, followed: new Map() };
      this.#store(this.#tab, this.#ids);
      this.#send({ kind: 'gather' });
    });
  }

  /** Hands the connection over. */
  #leave(): void {
    if (!this.#lead) this.#send({ kind: 'follow', tab: this.#tab, ids: [] });
    this.#isAway = true;
    const queue = this.#queue;
    this.#queue = undefined;
    queue?.abort();
    this.#lead?.end();
  }

  #return(): void {
    if (!this.#isAway || this.#isStopped) return;
    this.#isAway = false;
    // The next state is taken for news, so that the tab fetches what it has missed.
    this.#state = undefined;
    this.#join();
    if (!this.#lead) this.#sendFollowed();
  }

  #askForLife(): void {
    if (this.#lead || this.#isAway || document.hidden) return;
    this.#isAnswered = false;
    this.#send({ kind: 'ask' });
    this.#timers[2] = setTimeout(() => {
      if (!this.#isAnswered && !document.hidden) this.#join(true);
    }, answerMs);
  }
}
