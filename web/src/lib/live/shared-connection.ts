import type { HubState } from './hub-connection.ts';

/** What a connection tells a tab: its state, or an event of a hub. */
export type LiveMessage =
  | { kind: 'state'; state: HubState }
  | { kind: 'event'; name: string; sequence: number };

export interface LiveConnection {
  /** Connects again at once, also after the last attempt. */
  retryNow(): void;
  stop(): void;
}

/** What the tabs of a browser tell each other. `alive` is the answer to `ask`. */
type TabMessage =
  | { kind: 'message'; message: LiveMessage }
  | { kind: 'ask' }
  | { kind: 'alive'; state: HubState }
  | { kind: 'retry' };

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
 * locks, as on an address without TLS, each tab has a connection of its own. Decision 0009.
 */
export function openSharedConnection(options: SharedConnectionOptions): LiveConnection {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks || !('BroadcastChannel' in window)) return options.open(options.onMessage);
  return new SharedConnection(options, locks);
}

class SharedConnection implements LiveConnection {
  #options: SharedConnectionOptions;
  #locks: LockManager;
  #name: string;
  #channel: BroadcastChannel;
  #state: HubState | undefined;
  /** Of the tab that leads. */
  #lead: { connection: LiveConnection; end: () => void } | undefined;
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
    this.#timers = [setInterval(() => this.#askForLife(), askMs)];
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

  stop(): void {
    this.#isStopped = true;
    this.#listeners.abort();
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#leave();
    this.#channel.close();
  }

  #send(message: TabMessage): void {
    // A channel has no target origin: its messages stay within the origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (!this.#isStopped) this.#channel.postMessage(message);
  }

  #deliver(message: LiveMessage): void {
    if (message.kind === 'state') this.#state = message.state;
    this.#options.onMessage(message);
  }

  #receive(message: TabMessage): void {
    if (this.#isAway) return;
    if (message.kind === 'ask' || message.kind === 'retry') {
      if (!this.#lead) return;
      if (message.kind === 'retry') this.#lead.connection.retryNow();
      else this.#send({ kind: 'alive', state: this.#state ?? 'connecting' });
      return;
    }
    // This tab was deposed while it was frozen; it will learn that in a moment.
    if (this.#lead) return;
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
      this.#lead = { connection, end };
    });
  }

  /** Hands the connection over. */
  #leave(): void {
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
  }

  #askForLife(): void {
    if (this.#lead || this.#isAway || document.hidden) return;
    this.#isAnswered = false;
    this.#send({ kind: 'ask' });
    this.#timers[1] = setTimeout(() => {
      if (!this.#isAnswered && !document.hidden) this.#join(true);
    }, answerMs);
  }
}
