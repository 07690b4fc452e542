/** Source: specification §4. */
export type HubState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting';

/** The delays before each further attempt, in milliseconds. Source: specification §9. */
export const requestHubDelays: readonly number[] = [0, 2000, 10_000, 30_000];
export const presenceHubDelays: readonly number[] = [
  ...requestHubDelays,
  ...Array.from({ length: 12 }, () => 300_000),
];

// A shorter connection does not reset the delays: a server that accepts and closes immediately
// would get calls without a pause.
const stableMs = 5000;
// A network that swallows everything answers no attempt. The next one may come through.
const attemptMs = 10_000;
// `retryNow` replaces an attempt that is older.
const patientMs = 2000;

interface HubConnectionOptions {
  /**
   * One attempt, which `signal` gives up. Returns what ends the connection; calls `onClosed` when it
   * ends otherwise.
   */
  connect: (onClosed: () => void, signal: AbortSignal) => Promise<() => unknown>;
  delays: readonly number[];
  onState: (state: HubState) => void;
}

interface HubConnection {
  /**
   * Starts the next attempt immediately, also after the last one: the network or the user is back.
   */
  retryNow(): void;
  stop(): void;
}

/** Maintains one connection to a hub until `stop` is called. */
export function openHubConnection({
  connect,
  delays,
  onState,
}: HubConnectionOptions): HubConnection {
  let [isStopped, wasConnected, attempts] = [false, false, 0];
  /** The attempt that is under way. */
  let current: { since: number; abort: () => void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (() => unknown) | undefined;

  function scheduleAttempt(): void {
    if (isStopped) return;
    const delay = delays[attempts];
    if (delay === undefined) return onState('disconnected');
    attempts += 1;
    onState(wasConnected ? 'reconnecting' : 'connecting');
    timer = setTimeout(() => void attempt(), delay);
  }

  async function attempt(): Promise<void> {
    const abort = new AbortController();
    const own = { since: Date.now(), abort: () => abort.abort() };
    current?.abort();
    current = own;
    const giveUp = setTimeout(() => {
      own.abort();
      if (current !== own) return;
      current = undefined;
      scheduleAttempt();
    }, attemptMs);
    let since = Number.POSITIVE_INFINITY;
    const onClosed = () => {
      end = undefined;
      if (Date.now() - since >= stableMs) attempts = 0;
      scheduleAttempt();
    };
    try {
      const endConnection = await connect(onClosed, abort.signal);
      if (isStopped || current !== own) return void endConnection();
      since = Date.now();
      end = endConnection;
      wasConnected = true;
      onState('connected');
    } catch {
      if (current === own) scheduleAttempt();
    } finally {
      clearTimeout(giveUp);
      if (current === own) current = undefined;
    }
  }

  onState('connecting');
  void attempt();
  return {
    retryNow() {
      if (isStopped || end || (current && Date.now() - current.since < patientMs)) return;
      clearTimeout(timer);
      attempts = 0;
      onState(wasConnected ? 'reconnecting' : 'connecting');
      void attempt();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      current?.abort();
      void end?.();
      end = undefined;
      onState('disconnected');
    },
  };
}
