import type { HubEvent } from '@diwan/contract/wire/hubs';
import { configuration } from '../browser/configuration.ts';
import { getFreshToken } from '../api/token-refresh.ts';

/**
 * Opens one connection to a hub by Microsoft's client, which loads on demand. Only one transport is
 * possible, so there is no negotiation. Times: specification §9. Returns what ends the connection;
 * throws when the hub refuses or cannot be reached.
 */
export async function connectHub(
  path: string,
  handlers: Readonly<Record<string, (news: HubEvent) => void>>,
  onClosed: () => void,
): Promise<() => Promise<void>> {
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
  return () => {
    isEnded = true;
    return connection.stop();
  };
}
