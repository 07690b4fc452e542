import {
  HttpTransportType,
  HubConnectionBuilder,
  LogLevel,
  type HubConnection,
} from '@microsoft/signalr';
import {
  groupUpdated,
  eventsMissed,
  listsChanged,
  notificationsChanged,
  requestChanged,
  requestEvents,
  viewersChanged,
} from '@diwan/contract/wire/hubs';

/** The events that the official client receives, in order. */
export interface Listener {
  connection: HubConnection;
  received: { event: string; sequence: number }[];
  events(): string[];
  closed: Promise<Error | undefined>;
}

interface ListenOptions {
  url: string;
  token?: string;
  skipNegotiation?: boolean;
  delays?: number[];
  /** Also the events of topics, which are our own. */
  hearsTopics?: boolean;
}

/** Connects Microsoft's own client to a hub; the token is in the header. */
export async function listenTo({
  url,
  token,
  skipNegotiation = false,
  delays,
  hearsTopics = false,
}: ListenOptions): Promise<Listener> {
  const builder = new HubConnectionBuilder().configureLogging(LogLevel.None);
  builder.withUrl(url, {
    transport: HttpTransportType.WebSockets,
    skipNegotiation,
    ...(token === undefined ? {} : { accessTokenFactory: () => token }),
  });
  if (delays) builder.withAutomaticReconnect(delays);
  const connection = builder.build();
  connection.keepAliveIntervalInMilliseconds = 300;
  const heard: Listener['received'] = [];
  const topics = hearsTopics
    ? [listsChanged, notificationsChanged, requestChanged, viewersChanged]
    : [];
  for (const event of [...requestEvents, groupUpdated, eventsMissed, ...topics])
    connection.on(event, ({ sequence }: { sequence: number }) => heard.push({ event, sequence }));
  const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve));
  await connection.start();
  return { connection, received: heard, events: () => heard.map(({ event }) => event), closed };
}
