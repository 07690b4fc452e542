/** Source: specification §4. */
export type HubState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting';

/** How long is waited before each further attempt, in milliseconds. Source: specification §9. */
export const requestHubDelays: readonly number[] = [0, 2000, 10_000, 30_000];
export const presenceHubDelays: readonly number[] = [
  ...requestHubDelays,
  ...Array.from({ length: 12 }, () => 300_000),
];

// A connection that breaks sooner is no success: a server that accepts and hangs up would be asked
// without a pause.
const steadyMs = 5000;

interface LiveHubOptions {
  /** One attempt. Answers how to end the connection; `onClosed` when it ended otherwise. */
  connect: (onClosed: () => void) => Promise<() => unknown>;
  delays: readonly number[];
  onState: (state: HubState) => void;
}

export interface LiveHub {
  /**
   * Tries at once what waits for its next attempt or has given up; for when the network is back or
   * the person is.
   */
  retryNow(): void;
  stop(): void;
}

/** Keeps one connection to a hub as long as it is wanted. */
export function openLiveHub({ connect, delays, onState }: LiveHubOptions): LiveHub {
  let [isStopped, isTrying, wasConnected, attempts] = [false, false, false, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (() => unknown) | undefined;

  function waitOrGiveUp(): void {
    if (isStopped) return;
    const delay = delays[attempts];
    if (delay === undefined) return onState('disconnected');
    attempts += 1;
    onState(wasConnected ? 'reconnecting' : 'connecting');
    timer = setTimeout(() => void attempt(), delay);
  }

  async function attempt(): Promise<void> {
    isTrying = true;
    let since = Number.POSITIVE_INFINITY;
    const onClosed = () => {
      end = undefined;
      if (Date.now() - since >= steadyMs) attempts = 0;
      waitOrGiveUp();
    };
    try {
      const endConnection = await connect(onClosed);
      isTrying = false;
      if (isStopped) return void endConnection();
      since = Date.now();
      end = endConnection;
      wasConnected = true;
      onState('connected');
    } catch {
      isTrying = false;
      waitOrGiveUp();
    }
  }

  onState('connecting');
  void attempt();
  return {
    retryNow() {
      if (isStopped || isTrying || end) return;
      clearTimeout(timer);
      attempts = 0;
      onState(wasConnected ? 'reconnecting' : 'connecting');
      void attempt();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      void end?.();
      end = undefined;
      onState('disconnected');
    },
  };
}
