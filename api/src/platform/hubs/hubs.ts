import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { eventsMissed } from '@diwan/contract/wire/hubs';
import { listenToAccessChanges } from '../auth/access-changes.ts';
import type { Caller } from '../auth/caller.ts';
import { getOrCreateSecret } from '../auth/secrets.store.ts';
import { endOfToken } from '../auth/sessions/session-tokens.ts';
import { Refusal } from '../core/refusals.ts';
import type { AppContext } from '../http/context.ts';
import { postgresTransport, type EventTransport } from './event-transport.ts';
import { HubConnection, hubLimits, type HubLimits } from './hub-connection.ts';
import { everyHub, openRelay, type AudienceReader, type NumberedHubEvent } from './hub-events.ts';
import { frames } from './signalr-frames.ts';

/**
 * A hub by its path. `audienceOf` returns the audience of a caller; `undefined` for a caller who is
 * refused.
 */
export interface Hub {
  path: string;
  audienceOf: (caller: Caller) => string | undefined;
  /** Which audiences hear events of these; is asked as events are published. */
  listenersOf?: AudienceReader;
  /** The topics of `everyHub` that a caller hears without asking. */
  topicsOf?: (caller: Caller) => readonly string[];
  /** What a client asks to follow; without it nothing can be followed. */
  following?: Following;
}

/** Follows things by their ids, such as the requests that a user has open. */
export interface Following {
  /**
   * Stores that a connection follows the things with these ids, and no others, and returns their
   * topics: only those that the caller may follow.
   */
  follow(connectionId: string, caller: Caller, ids: readonly number[]): Promise<readonly string[]>;
  /** Is called when a connection that has followed something is closed. */
  end(connectionId: string): Promise<void>;
}

/** The hubs of a server. */
interface Hubs {
  /** Publishes the events of `insertHubEvents`. Is called after the commit. Never throws. */
  announce(): void;
  /** Publishes the stored events that no other process is publishing, and waits for that. */
  publish(): Promise<void>;
}

// Browsers can send the token of an upgrade only in the address. Other clients send the header. The
// log contains neither.
function tokenOf(request: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme === 'Bearer' && token) return token;
  return (
    new URL(request.url ?? '/', 'http://localhost').searchParams.get('access_token') ?? undefined
  );
}

// `undefined` for an address that cannot be parsed.
function pathOf(url: string | undefined): string | undefined {
  return URL.canParse(url ?? '', 'http://localhost')
    ? new URL(url ?? '', 'http://localhost').pathname
    : undefined;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

// Browsers send the origin of the page. Unknown origins are refused. Other clients send none and
// have no cookies that could be misused.
function isOriginAllowed(
  { origin, host }: IncomingMessage['headers'],
  allowed: readonly string[],
): boolean {
  return (
    origin === undefined ||
    allowed.includes(origin) ||
    (host !== undefined && hostOf(origin) === host)
  );
}

function refuseUpgrade(socket: Duplex, status: number): void {
  const headers = 'Connection: close\r\nContent-Length: 0';
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers}\r\n\r\n`);
  socket.once('finish', () => socket.destroy());
}

// Some HTTP clients offer another protocol (`h2c`) with an ordinary request, and node then passes the
// raw connection to the listener of upgrades. It goes back to HTTP with the bytes that were read,
// without the offer.
function declineUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { rawHeaders, method, url } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!/^(upgrade|connection|http2-settings)$/i.test(rawHeaders[at] ?? ''))
      lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

async function openTransport({
  config,
  database,
  notifications,
  server,
}: AppContext): Promise<EventTransport> {
  const postgres = postgresTransport(notifications);
  if (!config.REDIS_URL) return postgres;
  const { redisTransport } = await import('./redis-transport.ts');
  return redisTransport({
    url: config.REDIS_URL,
    channel: `diwan:hubs:${await getOrCreateSecret(database, 'hub-channel')}`,
    database,
    postgres,
    warn: (message) => server.log.warn(message),
  });
}

// An audience receives the events of a hub as one message, which is made once.
function messagesOf(events: readonly NumberedHubEvent[], path: string): Map<string, Buffer> {
  const texts = new Map<string, string>();
  for (const { hub, event, audience, sequence } of events)
    if (hub === path)
      texts.set(audience, (texts.get(audience) ?? '') + frames.event(event, { sequence }));
  return new Map([...texts].map(([name, text]) => [name, Buffer.from(text)]));
}

/** The open connections of each hub. */
class OpenConnections {
  private readonly ofHub: ReadonlyMap<string, Set<HubConnection>>;
  private readonly countOfUser = new Map<string, number>();

  constructor(paths: readonly string[]) {
    this.ofHub = new Map(paths.map((path) => [path, new Set()]));
  }

  all(): HubConnection[] {
    return [...this.ofHub.values()].flatMap((set) => [...set]);
  }

  count(): number {
    return [...this.ofHub.values()].reduce((total, { size }) => total + size, 0);
  }

  countOf(userId: string): number {
    return this.countOfUser.get(userId) ?? 0;
  }

  add(path: string, userId: string, connection: HubConnection): void {
    this.ofHub.get(path)?.add(connection);
    this.countOfUser.set(userId, this.countOf(userId) + 1);
  }

  remove(path: string, userId: string, connection: HubConnection): void {
    this.ofHub.get(path)?.delete(connection);
    const left = this.countOf(userId) - 1;
    if (left > 0) this.countOfUser.set(userId, left);
    else this.countOfUser.delete(userId);
  }

  sendEvents(events: readonly NumberedHubEvent[]): void {
    const ofTopics = messagesOf(events, everyHub);
    for (const [path, listeners] of this.ofHub) {
      const messages = messagesOf(events, path);
      if (messages.size + ofTopics.size === 0) continue;
      for (const connection of listeners) {
        // guard: hub events of another audience => [...messages.values()][0]
        const message = messages.get(connection.audience ?? '');
        if (message) connection.send(message);
        if (ofTopics.size > 0)
          for (const topic of connection.topics) {
            // guard: topics of a hub that the caller does not hear (notices) => [...ofTopics.values()][0]
            const own = ofTopics.get(topic);
            if (own) connection.send(own);
          }
      }
    }
  }

  sendGap(): void {
    for (const connection of this.all())
      if (connection.audience !== undefined)
        connection.send(frames.event(eventsMissed, { sequence: 0 }));
  }

  endExpired(now: number): void {
    // A list of all of them would be made each second, which costs 40 times as much.
    // guard: token of a hub connection that has expired
    for (const set of this.ofHub.values())
      for (const connection of set) connection.endIfExpired(now);
  }
}

// Returns the status of the answer to a caller who is refused.
async function authorize(
  { sessions }: Pick<AppContext, 'sessions'>,
  hubs: readonly Hub[],
  origins: readonly string[],
  request: IncomingMessage,
): Promise<{ hub: Hub; caller: Caller; token: string } | number> {
  const path = pathOf(request.url);
  const hub = hubs.find((each) => each.path === path);
  if (!hub) return 404;
  // guard: origin of a hub connection
  if (!isOriginAllowed(request.headers, origins)) return 403;
  const token = tokenOf(request);
  const caller = token === undefined ? undefined : await sessions.findCaller(token);
  if (!caller || token === undefined) return 401;
  // guard: audience of a hub
  if (hub.audienceOf(caller) === undefined) return 403;
  return { hub, caller, token };
}

/** What the upgrades of connections need. */
interface UpgradeOptions {
  hubs: readonly Hub[];
  connections: OpenConnections;
  limits: HubLimits;
  /** Publishes stored events. */
  announce: () => void;
}

/** Accepts websockets; returns what ends after the close of connections. */
function acceptConnections(
  context: AppContext,
  { hubs, connections, limits, announce }: UpgradeOptions,
): ReadonlySet<Promise<void>> {
  const { server, config } = context;
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // guard: size of a hub message
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  const origins = [new URL(context.publicUrl).origin, ...config.PORTAL_ORIGINS];
  // The last call of a client may still be under way when its connection closes.
  const ending = new Set<Promise<void>>();
  async function endFollowing(hub: Hub, id: string, connection: HubConnection): Promise<void> {
    await connection.settled();
    // Without the database the rows of this process expire.
    await hub.following?.end(id).catch(() => undefined);
    announce();
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const authorized = await authorize(context, hubs, origins, request).catch(() => 503);
    if (typeof authorized === 'number') return refuseUpgrade(socket, authorized);
    const { hub, caller, token } = authorized;
    // The check and the upgrade run without a pause, so that parallel upgrades cannot exceed the limit.
    const count = connections.countOf(caller.userId);
    // guard: hub connections of a user
    if (count >= limits.connectionsPerUser) return refuseUpgrade(socket, 429);
    // guard: hub connections of all users
    if (connections.count() >= limits.connectionsInAll) return refuseUpgrade(socket, 503);
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const connectionId = randomUUID();
      let hasFollowed = false;
      const connection = new HubConnection({
        socket: accepted,
        limits,
        caller,
        audienceOf: hub.audienceOf,
        topicsOf: (now) => hub.topicsOf?.(now) ?? [],
        findCaller: () => context.sessions.findCaller(token),
        expiresAt: endOfToken(token),
        async follow(now, ids) {
          if (!hub.following) return [];
          hasFollowed = true;
          const topics = await hub.following.follow(connectionId, now, ids);
          announce();
          return topics;
        },
      });
      connections.add(hub.path, caller.userId, connection);
      accepted.once('close', () => {
        connections.remove(hub.path, caller.userId, connection);
        if (!hasFollowed) return;
        const end = endFollowing(hub, connectionId, connection);
        ending.add(end);
        void end.finally(() => ending.delete(end));
      });
    });
  }

  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') void upgrade(request, socket, head);
    else declineUpgrade(server.server, request, socket, head);
  });
  return ending;
}

function serveNegotiation(context: AppContext, hubs: readonly Hub[]): void {
  for (const { path, audienceOf } of hubs) {
    // The ids have no meaning here: any process accepts the websocket, and its token identifies the
    // caller.
    context.server.post(`${path}/negotiate`, async (request, reply) => {
      const token = tokenOf({ url: undefined, headers: request.headers });
      const caller = token === undefined ? undefined : await context.sessions.findCaller(token);
      if (!caller) throw new Refusal('YouHaveToLoginFirst');
      if (audienceOf(caller) === undefined) throw new Refusal('YouAreUnauthorized');
      const transports = [{ transport: 'WebSockets', transferFormats: ['Text'] }];
      return reply.header('cache-control', 'no-store').send({
        negotiateVersion: 1,
        connectionId: randomUUID(),
        connectionToken: randomUUID(),
        availableTransports: transports,
      });
    });
  }
}

/**
 * Puts hubs on the server. They speak the SignalR protocol as JSON over websockets (decision 0009)
 * and close with the server.
 */
export async function openHubs(
  context: AppContext,
  given: readonly Hub[],
  limits: HubLimits = hubLimits,
): Promise<Hubs> {
  // A restricted caller receives no events.
  const hubs = given.map((hub): Hub => ({
    ...hub,
    // guard: restricted caller of a hub
    audienceOf: (caller) => (caller.restriction ? undefined : hub.audienceOf(caller)),
  }));
  const { server } = context;
  const connections = new OpenConnections(hubs.map(({ path }) => path));
  const announce = () => relay.announce();
  const ending = acceptConnections(context, { hubs, connections, limits, announce });
  serveNegotiation(context, hubs);
  const relay = await openRelay({
    database: context.database,
    transport: await openTransport(context),
    onEvents: (events) => connections.sendEvents(events),
    listenersOf: new Map(hubs.flatMap(({ path, listenersOf: of }) => (of ? [[path, of]] : []))),
    onGap: () => connections.sendGap(),
    recoveryPollMs: limits.recoveryPollMs,
    warn: (message) => server.log.warn(message),
  });
  await listenToAccessChanges(context.notifications, (userId) => {
    // guard: session of a hub connection that was ended
    for (const connection of connections.all())
      if (userId === undefined || connection.isOf(userId)) void connection.check();
  });
  // One timer for all: a timer for each of 10,000 connections would have to be kept and moved.
  const expiry = setInterval(() => connections.endExpired(Date.now()), limits.expiryPollMs);
  // Runs before the server waits for its connections to close.
  server.addHook('preClose', async () => {
    clearInterval(expiry);
    connections.all().forEach((connection) => connection.end(undefined, true));
  });
  server.addHook('onClose', async () => {
    await Promise.all(ending);
    await relay.close();
  });
  return { announce: relay.announce, publish: relay.publish };
}
