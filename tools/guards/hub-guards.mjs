// Who may connect to the hubs, which events each connection gets, and that none is lost or sent twice.
import { at } from './guard.mjs';

const hubs = at('platform/hubs');
const auth = at('platform/auth');
const requests = at('features/requests');
const hubsTest = 'platform/hubs/hubs';

export const hubGuards = [
  hubs(
    'origin of a hub connection',
    'hubs.ts',
    hubsTest,
    'if (!isOriginAllowed(request.headers, origins)) return 403;',
  ),
  hubs(
    'audience of a hub',
    'hubs.ts',
    hubsTest,
    'return hub.audienceOf(caller) === undefined ? 403 : { hub, caller, token };',
    'return { hub, caller, token };',
  ),
  hubs(
    'copy of a notification to the hubs',
    'hub-events.ts',
    'platform/hubs/redis-transport',
    'received && receipt.receive(received.number)',
    'received',
  ),
  hubs(
    'what is not a notification to the hubs',
    'hub-events.ts',
    hubsTest,
    'return notification.safeParse(JSON.parse(payload)).data;',
    'return JSON.parse(payload) as Notification;',
  ),
  hubs(
    'hub connections of all users',
    'hubs.ts',
    hubsTest,
    '>= limits.connectionsInAll',
    '>= Infinity',
  ),
  hubs(
    'client of a hub that does not read',
    'hub-connection.ts',
    hubsTest,
    'socket.bufferedAmount > limits.bufferedBytes',
    'socket.bufferedAmount > Infinity',
  ),
  requests(
    'following a request in a hub',
    'record/viewers.store.ts',
    'features/requests/record/viewers',
    `      and \${visible}`,
  ),
  requests(
    'notifications of others',
    'notices/notices.store.ts',
    'features/requests/notices/notices',
    `    where user_id = \${userId}
      and (read_at is null)`,
    `    where (read_at is null)`,
  ),
  hubs(
    'hub connections of a user',
    'hubs.ts',
    hubsTest,
    '>= limits.connectionsPerUser',
    '>= Infinity',
  ),
  hubs(
    'size of a hub message',
    'hubs.ts',
    hubsTest,
    'maxPayload: limits.messageBytes,',
    'maxPayload: 0,',
  ),
  hubs(
    'size of a hub record in pieces',
    'hub-connection.ts',
    hubsTest,
    'rest.length > this.#options.limits.messageBytes',
    'rest.length > Infinity',
  ),
  hubs(
    'time of a hub handshake',
    'hub-connection.ts',
    hubsTest,
    "() => this.#isReady() || this.end('Handshake was not sent in time.', false)",
    '() => undefined',
  ),
  hubs(
    'silent client of a hub',
    'hub-connection.ts',
    hubsTest,
    'if (Date.now() - this.#receivedAt > limits.timeoutMs) return socket.terminate();',
  ),
  hubs(
    'flood of records to a hub',
    'hub-connection.ts',
    hubsTest,
    'this.#records > this.#options.limits.recordsPerPing',
    'this.#records > Infinity',
  ),
  hubs(
    'bytes to a hub that are not text',
    'hub-connection.ts',
    hubsTest,
    "if (isBinary) throw new FrameError('Only text is supported.');",
  ),
  hubs(
    'record to a hub that is no object',
    'signalr-frames.ts',
    hubsTest,
    'if (isObject(value)) return value;',
    'return value as Record<string, unknown>;',
  ),
  hubs(
    'role or service provider of a hub connection that changed without a word',
    'hub-connection.ts',
    hubsTest,
    'this.send(frames.ping); await this.check();',
    'this.send(frames.ping);',
  ),
  hubs(
    'token of a hub connection that has expired',
    'hubs.ts',
    hubsTest,
    'for (const connection of set) connection.endIfExpired(now);',
    'for (const connection of set) if (now < 0) connection.endIfExpired(now);',
  ),
  hubs(
    'session of a hub connection that was ended',
    'hubs.ts',
    hubsTest,
    `for (const connection of allConnections())
       if (userId === undefined || connection.isOf(userId)) void connection.check();`,
  ),
  hubs(
    'restricted caller of a hub',
    'hubs.ts',
    hubsTest,
    'audienceOf: (caller) => (caller.restriction ? undefined : hub.audienceOf(caller)),',
    'audienceOf: (caller) => hub.audienceOf(caller),',
  ),
  hubs(
    'hub events of another audience',
    'hubs.ts',
    hubsTest,
    "const message = messages.get(connection.audience ?? '');",
    'const [message] = messages.values();',
  ),
  hubs(
    'topics of a hub that the caller does not hear',
    'hubs.ts',
    'features/requests/notices/notices',
    'const own = ofTopics.get(topic); if (own) connection.send(own);',
    'for (const own of ofTopics.values()) if (topic) connection.send(own);',
  ),
  hubs(
    'group of a service provider in a hub',
    '../../features/requests/actions/request-hubs.ts',
    hubsTest,
    '? partnerAudience(caller.partnerId) : undefined;',
    '? partnerAudience(1) : undefined;',
  ),
  hubs(
    'hub events while Redis is dead',
    'redis-transport.ts',
    'platform/hubs/redis-transport',
    'await notifyProcesses(database, payloads).catch(() => undefined);',
  ),
  hubs(
    'hub events missed while Redis was away',
    'redis-transport.ts',
    'platform/hubs/redis-transport',
    'if (wasConnected) listener?.onGap();',
  ),
  hubs(
    'notification of the hubs that was lost',
    'hub-events.ts',
    hubsTest,
    'if (!receipt.isMissing(sent) && !isGapOpen) return;',
    'receipt.isMissing(sent); if (!isGapOpen) return;',
  ),
  auth(
    'hub connections of a session that signs out',
    'sessions.ts',
    hubsTest,
    'if (ended) await announceAccessChange(database, ended.user_id);',
  ),
  auth(
    'hub connections of a session whose old token is used again',
    'sessions.ts',
    hubsTest,
    'await announceAccessChange(database, claims.sub);',
  ),
  at('features/users/account')(
    'hub connections of other sessions after a change of the password',
    'change-password.actions.ts',
    hubsTest,
    'await announceAccessChange(database, caller.userId);',
  ),
];
