import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { newsMissed } from '@diwan/contract/wire/hubs';
import type { AppContext } from '../http/context.ts';
import { Refusal } from '../core/refusals.ts';
import type { Caller } from '../auth/session.ts';
import { HubConnection, hubLimits, type HubLimits } from './hub-connection.ts';
import type { ToldNews } from './hub-news.ts';
import { openRelay } from './hub-relay.ts';
import { frames } from './signalr-frames.ts';
import { declineUpgrade, isOriginAllowed, pathOf, refuseUpgrade, tokenOf } from './hub-upgrade.ts';

/**
 * A hub by its path, and which of its audiences a caller belongs to; `undefined` for none, who is
 * refused.
 */
export interface Hub {
  path: string;
  audienceOf: (caller: Caller) => string | undefined;
}

/** The hubs of a server. */
export interface Hubs {
  /**
   * Tells what transactions wrote down with `writeNews`; to be called after their commit. Never
   * throws.
   */
  announce(): void;
}

/**
 * Puts hubs on the server: the SignalR protocol as JSON over websockets (decision 0009). They end
 * with the server.
 */
export async function openHubs(
  context: AppContext,
  given: readonly Hub[],
  limits: HubLimits = hubLimits,
): Promise<Hubs> {
  // A restricted caller hears nothing.
  const hubs = given.map((hub): Hub => ({
    ...hub,
    audienceOf: (caller) => (caller.restriction ? undefined : hub.audienceOf(caller)),
  }));
  const { server, sessions, config } = context;
  const connections = new Map<string, Set<HubConnection>>(
    hubs.map(({ path }) => [path, new Set()]),
  );
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  const origins = [new URL(context.publicUrl).origin, ...config.PORTAL_ORIGINS];
  const everybody = () => [...connections.values()].flatMap((set) => [...set]);

  function tell(news: readonly ToldNews[]): void {
    for (const { hub, event, audience, sequence } of news) {
      const frame = frames.event(event, { sequence });
      for (const connection of connections.get(hub) ?? [])
        if (connection.audience === audience) connection.say(frame);
    }
  }

  function tellOfGap(): void {
    for (const connection of everybody())
      if (connection.audience !== undefined)
        connection.say(frames.event(newsMissed, { sequence: 0 }));
  }

  async function judge(
    request: IncomingMessage,
  ): Promise<{ hub: Hub; caller: Caller; token: string } | number> {
    const path = pathOf(request.url);
    const hub = hubs.find((each) => each.path === path);
    if (!hub) return 404;
    if (!isOriginAllowed(request.headers, origins)) return 403;
    const token = tokenOf(request);
    const caller = token === undefined ? undefined : await sessions.findCaller(token);
    if (!caller || token === undefined) return 401;
    return hub.audienceOf(caller) === undefined ? 403 : { hub, caller, token };
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const judged = await judge(request).catch(() => 503);
    if (typeof judged === 'number') return refuseUpgrade(socket, judged);
    const { hub, caller, token } = judged;
    // Counted and taken in one go, so that many at once do not slip through.
    if (
      everybody().filter(({ userId }) => userId === caller.userId).length >=
      limits.connectionsPerUser
    )
      return refuseUpgrade(socket, 429);
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const connection = new HubConnection({
        socket: accepted,
        limits,
        caller,
        audienceOf: hub.audienceOf,
        findCaller: () => sessions.findCaller(token),
      });
      const set = connections.get(hub.path);
      set?.add(connection);
      accepted.once('close', () => set?.delete(connection));
    });
  }

  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') void upgrade(request, socket, head);
    else declineUpgrade(server.server, request, socket, head);
  });

  for (const { path, audienceOf } of hubs) {
    // The connection's id means nothing here: any process takes the websocket, and its token says
    // whose it is.
    server.post(`${path}/negotiate`, async (request, reply) => {
      const token = tokenOf({ url: undefined, headers: request.headers });
      const caller = token === undefined ? undefined : await sessions.findCaller(token);
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

  const relay = await openRelay({
    database: context.database,
    onNews: tell,
    onGap: tellOfGap,
    strayMs: limits.strayMs,
    warn: (message) => server.log.warn(message),
  });
  // Before the server waits for its connections to end.
  server.addHook('preClose', async () =>
    everybody().forEach((connection) => connection.end(undefined, true)),
  );
  server.addHook('onClose', () => relay.close());
  return { announce: relay.announce };
}
