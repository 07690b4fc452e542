import type { HubNews } from '@diwan/contract/wire/hubs';
import { configuration } from '../browser/configuration.ts';
import { freshToken } from '../api/fresh-token.ts';

/**
 * One connection to a hub by Microsoft's client, which comes when it is needed. Negotiation has one
 * answer, so it is skipped. Times: specification §9.
 * Throws when the hub cannot be reached or refuses.
 */
export async function connectHub(
  path: string,
  handlers: Readonly<Record<string, (news: HubNews) => void>>,
  onClosed: () => void,
): Promise<() => Promise<void>> {
  const { HttpTransportType, HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
  const url = new URL(path, configuration().apiBaseUrl || window.location.origin).href;
  const connection = new HubConnectionBuilder()
    .withUrl(url, {
      accessTokenFactory: async () => (await freshToken()) ?? '',
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
