import type { HubEvent } from '@diwan/contract/wire/hubs';
import { getFreshToken } from '../api/token-refresh.ts';
import { configuration } from '../browser/configuration.ts';

/** An open connection to a hub. */
export interface OpenHub {
  end(): Promise<void>;
  /** Calls a method of the hub. Never throws. */
  call(method: string, ...args: unknown[]): Promise<unknown>;
}

/**
 * Opens one connection to a hub by Microsoft's client, which loads on demand. Only one transport is
 * possible, so there is no negotiation. Times: specification §9. Throws when the hub refuses or
 * cannot be reached, or when `signal` gives the attempt up.
 */
export async function connectHub(
  path: string,
  handlers: Readonly<Record<string, (news: HubEvent) => void>>,
  onClosed: () => void,
  signal: AbortSignal,
): Promise<OpenHub> {
  const { HttpTransportType, HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
  const url = new URL(path, configuration().apiBaseUrl || window.location.origin).href;
  // The client cannot give up a connection that is being opened, and browsers open one connection to
  // an address at a time: one that nothing answers would hold up all others.
  class OwnWebSocket extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      super(address, protocols);
      signal.addEventListener('abort', () => this.close());
    }
  }
  // The types of the client do not show its option `WebSocket`.
  const options = {
    WebSocket: OwnWebSocket,
    accessTokenFactory: async () => (await getFreshToken()) ?? '',
    skipNegotiation: true,
    transport: HttpTransportType.WebSockets,
  };
  const connection = new HubConnectionBuilder()
    .withUrl(url, options)
    .configureLogging(LogLevel.None)
    .build();
  connection.serverTimeoutInMilliseconds = 30_000;
  connection.keepAliveIntervalInMilliseconds = 15_000;
  for (const [event, handler] of Object.entries(handlers)) connection.on(event, handler);
  signal.throwIfAborted();
  await connection.start();
  let isEnded = false;
  connection.onclose(() => isEnded || onClosed());
  return {
    end() {
      isEnded = true;
      return connection.stop();
    },
    // A call that fails is repeated by the next connection.
    call: (method, ...args) => connection.invoke(method, ...args).catch(() => undefined),
  };
}
