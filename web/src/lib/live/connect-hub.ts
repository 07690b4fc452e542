import type { HubEvent } from '@diwan/contract/wire/hubs';
import { configuration } from '../browser/configuration.ts';
import { getFreshToken } from '../api/token-refresh.ts';

/** An open connection to a hub. */
export interface OpenHub {
  end(): Promise<void>;
  /** Calls a method of the hub. Never throws. */
  call(method: string, ...args: unknown[]): Promise<unknown>;
}

/**
 * Opens one connection to a hub by Microsoft's client, which loads on demand. Only one transport is
 * possible, so there is no negotiation. Times: specification §9. Throws when the hub refuses or cannot be reached.
 */
export async function connectHub(
  path: string,
  handlers: Readonly<Record<string, (news: HubEvent) => void>>,
  onClosed: () => void,
): Promise<OpenHub> {
  const { HttpTransportType, HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
  const url = new URL(path, configuration().apiBaseUrl || window.location.origin).href;
  const connection = new HubConnectionBuilder()
    .withUrl(url, {
      accessTokenFactory: async () => (await getFreshToken()) ?? '',
      skipNegotiation: true,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build();
  connection.serverTimeoutInMilliseconds = 30_000;
  connection.keepAliveIntervalInMilliseconds = 15_000;
  for (const [event, handler] of Object.entries(handlers)) connection.on(event, handler);
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
