import { EventEmitter, once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { buildApp } from '#app.ts';
import { demoPassword } from '#seed/seed.ts';
import { listenTo, type Listener } from '#testing/hub-client.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  type RequestStage,
} from '#testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { endSessions } from '@diwan/contract/people/accounts';
import { changeUserPassword, login, logout, refreshToken } from '@diwan/contract/people/users';
import * as calls from '@diwan/contract/requests/request-actions';
import { clockSkewSeconds } from '../auth/sessions/session-tokens.ts';
import { sql } from '../database/sql.ts';
import { inTransaction } from '../database/unit-of-work.ts';
import { freePort } from '../embedded-postgres/free-port.ts';
import { payPro } from '../integrations/paypro.ts';
import { httpMailGateway } from '../messages/mail.ts';
import { httpSmsGateway } from '../messages/sms.ts';
import { HubConnection, hubLimits } from './hub-connection.ts';
import { openReceipt, openRelay } from './hub-events.ts';

let app: TestApp;
let stage: RequestStage;
let base: string;
const open: { stop(): Promise<void> }[] = [];
const separator = '\u001e';
// Events arrive immediately unless the machine is busy.
const waitMs = 20_000;

beforeAll(async () => {
  // The tests shorten the intervals of the product.
  Object.assign(hubLimits, { pingMs: 100 });
  app = await openTestApp({ PORTAL_ORIGINS: 'https://portal.example' });
  stage = openRequestStage(app);
  base = await app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});

async function listen(
  username: string,
  hub: 'request' | 'presence' = 'request',
  options: { at?: string; skipNegotiation?: boolean; delays?: number[] } = {},
): Promise<Listener> {
  const { at = base, ...rest } = options;
  const listener = await listenTo({
    url: `${at}/hubs/${hub}`,
    token: await app.signIn(username),
    ...rest,
  });
  open.push(listener.connection);
  return listener;
}

const newToken = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;

/** A second application on the same database, like another process. */
function secondProcess() {
  return buildApp(app.config, app.database, 'http://localhost:3000', {
    paymentProviders: new Map([['paypro', payPro({ url: app.sandboxUrl, key: 'x'.repeat(16) })]]),
    sms: httpSmsGateway(app.sandboxUrl, 'x'.repeat(16)),
    mail: httpMailGateway(app.sandboxUrl, 'x'.repeat(16)),
  });
}

/** The HTTP status of an upgrade; 101 when it is accepted. */
function upgrade(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, { headers });
    socket.on('open', () => resolve((socket.terminate(), 101)));
    socket.on('unexpected-response', (_request, response) =>
      resolve((response.destroy(), response.statusCode ?? 0)),
    );
    socket.on('error', reject);
  });
}

/** Waits until the connection of a listener has ended. */
const hasEnded = ({ connection }: Listener) =>
  vi.waitFor(() => expect(connection.state).toBe('Disconnected'), waitMs);

/** A client that can send any frames. `closed` has the code, or `open` when nothing ends it. */
async function rawClient(token: string, at = base) {
  const socket = new WebSocket(`${at.replace('http', 'ws')}/hubs/request?access_token=${token}`);
  let received = '';
  socket.on('message', (data) => (received += String(data)));
  socket.on('error', () => undefined);
  let reason = '';
  socket.on('close', (_code, text) => (reason = String(text)));
  const closed = new Promise<number | 'open'>((resolve) => {
    socket.on('close', resolve);
    setTimeout(resolve, waitMs, 'open').unref();
  });
  await new Promise((resolve) => socket.once('open', resolve));
  return { socket, received: () => received, closed, reason: () => reason };
}

describe('the hubs', () => {
  it('send staff the events of all requests and supervisors those of their partner, without gaps', async () => {
    const [employee, admin, supervisor, other] = await Promise.all([
      listen('employee'),
      listen('admin', 'request', { skipNegotiation: true }),
      listen('supervisor'),
      listen('supervisor2'),
    ]);
    const [group, otherGroup] = await Promise.all([
      listen('supervisor', 'presence'),
      listen('supervisor2', 'presence'),
    ]);

    const free = await stage.send('individual', freeService);
    await stage.receive('employee', free.requestId);
    await stage.performAction('employee', calls.releaseRequest, { requestId: free.requestId });
    await stage.receive('employee', free.requestId);
    await stage.performAction('employee', calls.rejectRequest, {
      requestId: free.requestId,
      requestHistoryRejectionReasonId: 1,
      messageAr: 'سبب',
      messageEn: 'A reason',
      messageUr: 'وجہ',
    });
    const expected = [
      'requestCreated',
      'requestDetails',
      'requestProcessing',
      'requestSubmitted',
      'requestCreated',
      'requestDetails',
      'requestProcessing',
      'requestSubmitted',
    ];
    await vi.waitFor(() => expect(employee.events()).toEqual(expected), waitMs);
    // The free service belongs to supervisor2's partner, whose counts did not change.
    await vi.waitFor(
      () => expect(otherGroup.events()).toEqual(Array.from({ length: 5 }, () => 'groupUpdated')),
      waitMs,
    );
    expect(other.events()).toEqual([]);
    const passed = await stage.send('individual', freeService);
    await stage.receive('employee', passed.requestId);
    await stage.performAction('employee', calls.approveRequest, { requestId: passed.requestId });
    await vi.waitFor(() => expect(other.events()).toEqual(['requestCreated']), waitMs);
    await stage.performAction('supervisor2', calls.acceptRequest, { requestId: passed.requestId });
    await stage.performAction('supervisor2', calls.submittedRequest, {
      requestId: passed.requestId,
    });
    const oneEach = ['requestCreated', 'requestDetails', 'requestProcessing', 'requestSubmitted'];
    await vi.waitFor(() => expect(other.events()).toEqual(oneEach), waitMs);
    await vi.waitFor(() => expect(employee.events()).toEqual([...expected, ...oneEach]), waitMs);
    await vi.waitFor(() => expect(otherGroup.received).toHaveLength(10), waitMs);
    await vi.waitFor(() => expect(admin.received).toEqual(employee.received), waitMs);
    for (const { received } of [employee, other, otherGroup])
      expect(received.map(({ sequence }) => sequence - received[0]!.sequence)).toEqual(
        received.map((_, index) => index),
      );

    // A request that waits for payment is not counted. After the payment it counts as new.
    const paid = await stage.send('individual', paidService);
    await vi.waitFor(() => expect(group.events()).toEqual(['groupUpdated']), waitMs);
    expect(supervisor.events()).toEqual([]);
    await stage.pay(paid.requestId);
    await vi.waitFor(
      () =>
        expect(employee.events().slice(expected.length + oneEach.length)).toEqual([
          'requestCreated',
        ]),
      waitMs,
    );
    await vi.waitFor(() => expect(group.received).toHaveLength(2), waitMs);
    expect([supervisor.events(), other.events()]).toEqual([[], oneEach]);
    expect(otherGroup.received).toHaveLength(10);
  });

  it('send no events of a transaction that was rolled back, and all events that were not announced', async () => {
    const employee = await listen('employee');
    const paid = await stage.send('individual', paidService);
    const { bookDueAmount: bookDue } = await import('#testing/requests/book-payment.ts');
    await expect(
      inTransaction(app.database, async (transaction) => {
        await bookDue(transaction, paid.requestId);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(
      (await sql<{ count: number }>`select count(*) as count from hub_news`.execute(app.database))
        .rows[0]?.count,
    ).toBe(0);
    await stage.pay(paid.requestId);
    await vi.waitFor(() => expect(employee.events()).toEqual(['requestCreated']), waitMs);
  });

  it('reach the listeners of another process, also after its connection to the database was lost', async () => {
    const server = await secondProcess();
    try {
      const there = await listen('employee', 'request', {
        at: await server.listen({ port: 0, host: '127.0.0.1' }),
      });
      const here = await listen('employee2');
      await stage.send('individual', freeService);
      await vi.waitFor(() => expect(there.events()).toEqual(['requestCreated']), waitMs);
      await vi.waitFor(() => expect(here.received).toEqual(there.received), waitMs);

      // The last query of a listening connection is `listen` or the heartbeat.
      await sql`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database()
          and query ~* '^(listen |select 1$)'`.execute(app.database);
      await vi.waitFor(
        () =>
          expect([here.events().at(-1), there.events().at(-1)]).toEqual([
            'eventsMissed',
            'eventsMissed',
          ]),
        waitMs,
      );
      await stage.send('individual', freeService);
      await vi.waitFor(
        () =>
          expect([here.events().at(-1), there.events().at(-1)]).toEqual([
            'requestCreated',
            'requestCreated',
          ]),
        waitMs,
      );
    } finally {
      await server.close();
    }
  });

  it('tell their listeners within a second that a notification was lost', async () => {
    const listener = await listen('employee');
    const other = await listen('supervisor', 'presence');
    await stage.send('individual', freeService);
    await vi.waitFor(() => expect(listener.events()).toEqual(['requestCreated']), waitMs);
    // As if the notification had been sent and had not arrived.
    const lostAt = Date.now();
    await sql`
      update hub_positions
      set position = position + 1
      where hub in ('', '/hubs/request')`.execute(app.database);
    await vi.waitFor(
      () =>
        expect([listener.events().at(-1), other.events().at(-1)]).toEqual([
          'eventsMissed',
          'eventsMissed',
        ]),
      { timeout: waitMs, interval: 10 },
    );
    expect(Date.now() - lostAt).toBeLessThan(1000);
    await stage.send('individual', freeService);
    await vi.waitFor(() => expect(listener.events().at(-1)).toBe('requestCreated'), waitMs);
    expect(listener.events()).toEqual(['requestCreated', 'eventsMissed', 'requestCreated']);
  });

  it('are reconnected by the official client after a restart of the server', async () => {
    const first = await secondProcess();
    // A port that the system does not give to an outgoing connection meanwhile.
    const at = await first.listen({ port: await freePort(), host: '127.0.0.1' });
    const listener = await listen('employee', 'request', {
      at,
      delays: Array.from({ length: 100 }, () => 50),
    });
    const lost = new Promise((resolve) => listener.connection.onreconnecting(resolve));
    const back = new Promise((resolve) => listener.connection.onreconnected(resolve));
    await first.close();
    await lost;
    const second = await secondProcess();
    try {
      await second.listen({ port: Number(new URL(at).port), host: '127.0.0.1' });
      await back;
      await stage.send('individual', freeService);
      await vi.waitFor(() => expect(listener.events()).toEqual(['requestCreated']), waitMs);
    } finally {
      await second.close();
    }
  });
});

describe('the receipt of notifications', () => {
  it('finds one that is missing, not one that is late, doubled or early', () => {
    const receipt = openReceipt();
    receipt.receive(6);
    expect(receipt.isMissing(7)).toBe(false);
    for (const number of [7, 9, 8, 8, 10]) receipt.receive(number);
    expect([10, 12, 12].map(receipt.isMissing)).toEqual([false, false, true]);
    // What was missed is not reported again.
    expect([12, 13].map(receipt.isMissing)).toEqual([false, false]);
    receipt.receive(13);
    expect(receipt.isMissing(14)).toBe(false);
    receipt.receive(15);
    expect([15, 15].map(receipt.isMissing)).toEqual([true, false]);
    receipt.reset();
    expect([20, 20].map(receipt.isMissing)).toEqual([false, false]);
  });

  it('waits for one that is late before it counts as missing, and ignores what is none', async () => {
    let number = 0;
    let isLost = false;
    let settled = 0;
    const onGap = vi.fn<() => void>();
    const onEvents = vi.fn<() => void>();
    let deliver: (payload: string) => void = () => undefined;
    const relay = await openRelay({
      database: app.database,
      transport: {
        send: () => Promise.resolve(undefined),
        listen: (onMessage) => ((deliver = onMessage), Promise.resolve()),
        settle() {
          settled += 1;
          if (!isLost) deliver(JSON.stringify({ number, events: [] }));
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
      },
      onEvents,
      onGap,
      warn: () => undefined,
      recoveryPollMs: 20,
    });
    const sendAnother = async () => {
      const { rows } = await sql<{ position: number }>`
        update hub_positions
        set position = position + 1
        where hub = ''
        returning position`.execute(app.database);
      number = Number(rows[0]?.position);
    };
    try {
      for (const payload of ['nonsense', '{}', '{"number":1,"events":[null]}']) deliver(payload);
      expect(onEvents).not.toHaveBeenCalled();
      await sendAnother();
      await vi.waitFor(() => expect(settled).toBe(1), waitMs);
      isLost = true;
      expect(onGap).not.toHaveBeenCalled();
      await sendAnother();
      await vi.waitFor(() => expect(onGap).toHaveBeenCalledOnce(), waitMs);
    } finally {
      await relay.close();
    }
  });
});

describe('access', () => {
  it('requires a token of a live session and a role of the hub', async () => {
    const bearer = async (username: string) => ({
      authorization: `Bearer ${await app.signIn(username)}`,
    });
    expect(await upgrade('/hubs/request')).toBe(401);
    expect(await upgrade('/hubs/request?access_token=not-a-token')).toBe(401);
    expect(await upgrade(`/hubs/request?access_token=${await app.signIn('employee')}`)).toBe(101);
    expect(await upgrade('/hubs/request', await bearer('employee'))).toBe(101);
    expect(await upgrade('/hubs/nothing', await bearer('employee'))).toBe(404);
    expect(await upgrade('/api/Request/GetRequestsCount', await bearer('employee'))).toBe(404);
    for (const username of ['individual', 'company'])
      expect(await upgrade('/hubs/request', await bearer(username))).toBe(403);
    for (const username of ['employee', 'admin', 'individual'])
      expect(await upgrade('/hubs/presence', await bearer(username))).toBe(403);
    await expect(listenTo({ url: `${base}/hubs/request` })).rejects.toThrow('401');
    await expect(
      listenTo({ url: `${base}/hubs/presence`, token: await app.signIn('employee') }),
    ).rejects.toThrow('403');
    const ended = await newToken('employee');
    await app.call(logout, { token: ended });
    expect(await upgrade(`/hubs/request?access_token=${ended}`)).toBe(401);
  });

  it('refuses pages of unknown origins', async () => {
    const from = async (origin: string) =>
      upgrade('/hubs/request', {
        authorization: `Bearer ${await app.signIn('employee')}`,
        origin,
      });
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    for (const origin of ['http://localhost:3000', 'https://portal.example', base])
      expect(await from(origin)).toBe(101);
  });

  it('limits the connections of one user', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: hubLimits.connectionsPerUser + 5 }, () =>
        listen('employee2', 'request', { skipNegotiation: true }),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    await open[0]!.stop();
    await vi.waitFor(() => listen('employee2'), waitMs);
  });
});

it('limits the connections of all users, who are asked to come back later', async () => {
  const usual = hubLimits.connectionsInAll;
  const one = await listen('employee');
  try {
    hubLimits.connectionsInAll = 1;
    const token = await app.signIn('employee2');
    expect(await upgrade(`/hubs/request?access_token=${token}`)).toBe(503);
    await one.connection.stop();
    await vi.waitFor(
      async () => expect(await upgrade(`/hubs/request?access_token=${token}`)).toBe(101),
      waitMs,
    );
  } finally {
    hubLimits.connectionsInAll = usual;
  }
});

describe('a connection', () => {
  function connectionTo(socket: object, expiresAt = Infinity): HubConnection {
    return new HubConnection({
      socket: socket as never,
      limits: hubLimits,
      caller: {} as never,
      findCaller: () => Promise.resolve(undefined),
      expiresAt,
      audienceOf: () => 'staff',
      topicsOf: () => [],
      follow: () => Promise.resolve([]),
    });
  }
  const fakeSocket = () =>
    Object.assign(new EventEmitter(), {
      readyState: WebSocket.OPEN as number,
      bufferedAmount: hubLimits.bufferedBytes,
      send: vi.fn<() => void>(),
      terminate: vi.fn<() => void>(),
      close: vi.fn<(code: number, reason: string) => void>(),
    });

  it('whose client does not read is ended, before its events fill the memory', async () => {
    const socket = fakeSocket();
    const connection = connectionTo(socket);
    connection.send('an event');
    expect([socket.send.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([1, 0]);
    socket.bufferedAmount += 1;
    connection.send('another event');
    expect([socket.send.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([1, 1]);
    socket.emit('close');
  });

  it('ends once at the moment when its token expires, also before its handshake', () => {
    const socket = fakeSocket();
    const connection = connectionTo(socket, 5000);
    connection.endIfExpired(4999);
    expect(socket.close).not.toHaveBeenCalled();
    connection.endIfExpired(5000);
    socket.readyState = WebSocket.CLOSING;
    connection.endIfExpired(6000);
    expect(socket.close.mock.calls).toEqual([[1001, 'The token has expired.']]);
    socket.emit('close');
  });

  it.each([
    ['one tab signs out', (token: string) => app.call(logout, { token })],
    [
      'its token is used again after a refresh',
      async (token: string) => {
        await app.call(refreshToken, { body: { token } });
        await sql`update sessions set rotated_at = rotated_at - interval '1 hour'`.execute(
          app.database,
        );
        const { refused } = await app.call(refreshToken, { body: { token } });
        expect(refused.error).toBe('SessionEnded');
      },
    ],
    [
      'the password is changed in another session',
      async () => {
        const token = await newToken('supervisor');
        const newPassword = 'Another1Password!';
        const body = { oldPassword: demoPassword, newPassword, confirmNewPassword: newPassword };
        expect((await app.call(changeUserPassword, { token, body })).status).toBe(200);
        await sql`
          update users
          set password_hash = (select password_hash from users where username = 'employee2')
          where username = 'supervisor'`.execute(app.database);
      },
    ],
  ])('ends immediately in every process when %s, with the reason', async (_title, end) => {
    const usual = hubLimits.pingMs;
    hubLimits.pingMs = 600_000;
    const server = await secondProcess();
    try {
      const there = await server.listen({ port: 0, host: '127.0.0.1' });
      const token = await newToken('supervisor');
      const clients = [await rawClient(token), await rawClient(token, there)];
      for (const { socket, received } of clients) {
        socket.send(`{"protocol":"json","version":1}${separator}`);
        await vi.waitFor(() => expect(received()).toContain(`{}${separator}`), waitMs);
      }
      await end(token);
      for (const { closed, reason } of clients)
        expect([await closed, reason()]).toEqual([1001, 'The session has ended.']);
    } finally {
      hubLimits.pingMs = usual;
      await server.close();
    }
  });

  it('ends when somebody ends its session, without waiting for the next ping', async () => {
    const usual = hubLimits.pingMs;
    hubLimits.pingMs = 600_000;
    try {
      const token = await newToken('employee');
      const listener = await listenTo({ url: `${base}/hubs/request`, token });
      const { sid: sessionId } = JSON.parse(
        Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      ) as { sid: string };
      await app.callAs('employee', endSessions, { body: { sessionId } });
      await hasEnded(listener);
      expect(await listener.closed).toBeUndefined();
    } finally {
      hubLimits.pingMs = usual;
    }
  });

  it('ends within a second after its token has expired, with the reason, and one with a renewed token continues', async () => {
    const usual = hubLimits.pingMs;
    hubLimits.pingMs = 600_000;
    const clients: WebSocket[] = [];
    const connected = async (token: string) => {
      const { socket, ...client } = await rawClient(token);
      clients.push(socket);
      socket.send(`{"protocol":"json","version":1}${separator}`);
      await vi.waitFor(() => expect(client.received()).toContain(`{}${separator}`), waitMs);
      return client;
    };
    try {
      const begun = Date.now();
      const token = await newToken('employee');
      const expiring = await connected(token);
      // The clock of the product.
      vi.setSystemTime(begun + 30_000);
      const renewed = await connected((await app.call(refreshToken, { body: { token } })).body);
      vi.setSystemTime(begun + (app.config.TOKEN_SECONDS + clockSkewSeconds + 5) * 1000);
      const from = performance.now();
      expect([await expiring.closed, expiring.reason()]).toEqual([1001, 'The token has expired.']);
      expect(expiring.received()).toContain(`{"type":7,"allowReconnect":true}${separator}`);
      expect(performance.now() - from).toBeLessThan(3000);
      vi.useRealTimers();
      await stage.send('individual', freeService);
      await vi.waitFor(() => expect(renewed.received()).toContain('requestCreated'), waitMs);
    } finally {
      vi.useRealTimers();
      hubLimits.pingMs = usual;
      for (const socket of clients) socket.terminate();
    }
  });

  it('of a service provider that is suspended is refused, and one that is open ends', async () => {
    const listener = await listen('supervisor2', 'presence');
    const token = await app.signIn('supervisor2');
    const setState = (state: 'active' | 'suspended') =>
      sql`
        update partners
        set state = ${state}
        where id = (select partner_id from users where username = 'supervisor2')`.execute(
        app.database,
      );
    await setState('suspended');
    try {
      await hasEnded(listener);
      for (const hub of ['request', 'presence'])
        expect(await upgrade(`/hubs/${hub}?access_token=${token}`)).toBe(403);
    } finally {
      await setState('active');
    }
  });

  it('ends when the user loses the role', async () => {
    const listener = await listen('supervisor2', 'presence');
    await app.database
      .updateTable('users')
      .set({ roles: [] })
      .where('username', '=', 'supervisor2')
      .execute();
    await hasEnded(listener);
    await app.database
      .updateTable('users')
      .set({ roles: ['ServiceProvider'] })
      .where('username', '=', 'supervisor2')
      .execute();
  });

  it('stays open with pings, and is closed when the client is silent or sends no handshake', async () => {
    const token = await app.signIn('employee');
    // Only for these three connections: on a busy machine others may take as long.
    const usual = { ...hubLimits };
    Object.assign(hubLimits, { handshakeMs: 600, timeoutMs: 1500 });
    const [silent, mute, steady] = await Promise.all([
      rawClient(token),
      rawClient(token),
      rawClient(token),
    ]);
    for (const { socket } of [silent, steady])
      socket.send(`{"protocol":"json","version":1}${separator}`);
    const pinging = setInterval(() => steady.socket.send(`{"type":6}${separator}`), 200);
    expect(await mute.closed).toBe(1008);
    expect(mute.received()).toContain('Handshake');
    expect(await silent.closed).toBe(1006);
    expect(silent.received()).toContain(`{}${separator}{"type":6}${separator}`);
    expect(steady.socket.readyState).toBe(WebSocket.OPEN);
    clearInterval(pinging);
    Object.assign(hubLimits, usual);
    steady.socket.terminate();
  });

  it('is closed by malformed frames, which do not affect other connections', async () => {
    const otherListener = await listen('employee');
    const token = await app.signIn('employee');
    const handshake = `{"protocol":"json","version":1}${separator}`;
    const hostile: [string | Buffer, number][] = [
      [separator, 1008],
      [`{"protocol":"messagepack","version":1}${separator}`, 1008],
      [`{"protocol":"json","version":99}${separator}`, 1008],
      [`null${separator}`, 1008],
      [`${handshake}not json${separator}`, 1008],
      [`${handshake}[]${separator}`, 1008],
      [`${handshake}{"target":"x"}${separator}`, 1008],
      [Buffer.from(handshake), 1008],
      ['x'.repeat(hubLimits.messageBytes + 1), 1009],
      ['x'.repeat(10 * 1024 * 1024), 1009],
      [`${handshake}{"type":1,"target":"followRequests","arguments":{}}${separator}`, 1008],
      [handshake + `{"type":6}${separator}`.repeat(hubLimits.recordsPerPing + 1), 1008],
    ];
    for (const [message, code] of hostile) {
      const { socket, closed } = await rawClient(token);
      socket.send(message, { binary: Buffer.isBuffer(message) });
      expect(await closed, String(message).slice(0, 60)).toBe(code);
    }
    for (const record of ['null', '[]', '"text"']) {
      const { socket, closed, received } = await rawClient(token);
      socket.send(record + separator);
      expect(await closed).toBe(1008);
      expect(received(), record).toContain('A record is not a JSON object.');
    }
    // Pings of the protocol of websockets, each of which asks for an answer: `ws` ends it.
    const pinging = await rawClient(token);
    for (let count = 0; count < 500; count += 1) pinging.socket.ping();
    expect(await pinging.closed).toBe(1006);
    // A record that never ends, in pieces below the limit.
    const endless = await rawClient(token);
    for (let count = 0; count < 5; count += 1) endless.socket.send('y'.repeat(10_000));
    expect(await endless.closed).toBe(1008);
    expect(endless.received()).toContain('A record is too long.');
    await stage.send('individual', freeService);
    await vi.waitFor(() => expect(otherListener.events()).toEqual(['requestCreated']), waitMs);
  });

  it('accepts a handshake in pieces, answers calls with an error and closes when the client asks for it', async () => {
    const { connection } = await listen('employee');
    await expect(connection.invoke('Anything', 1)).rejects.toThrow("Unknown hub method 'Anything'");
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      await expect(connection.invoke(name, 1)).rejects.toThrow(`Unknown hub method '${name}'`);
    await expect(
      new Promise((_, reject) =>
        connection
          .stream('Numbers')
          .subscribe({ next: () => undefined, complete: () => undefined, error: reject }),
      ),
    ).rejects.toThrow('Unknown hub method');
    const { socket, received, closed } = await rawClient(await app.signIn('employee'));
    for (const piece of ['{"protocol":', '"json","version":1}', separator]) socket.send(piece);
    await vi.waitFor(() => expect(received()).toContain(`{}${separator}`), waitMs);
    socket.send(`{"type":7}${separator}`);
    expect(await closed).toBe(1001);
  });
});

describe('an upgrade to another protocol', () => {
  it('is ignored, and the request is answered like any other', async () => {
    const ask = (options: object, body?: string) =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>(
        (resolve, reject) => {
          const request = httpRequest(`${base}/api/User/Login`, options, async (response) => {
            let text = '';
            for await (const part of response) text += String(part);
            resolve({ status: response.statusCode, headers: response.headers, text });
          });
          request.on('error', reject).end(body);
        },
      );
    const offer = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    const body = JSON.stringify({ username: 'employee', password: demoPassword });
    const { status, text } = await ask(
      {
        method: 'POST',
        headers: {
          ...offer,
          'content-type': 'application/json',
          'content-length': String(body.length),
        },
      },
      body,
    );
    expect([status, Object.keys(JSON.parse(text) as object)]).toEqual([200, ['token']]);
    expect((await ask({ method: 'GET', headers: offer })).status).toBe(404);
  });

  it('that breaks off does not affect the server', async () => {
    const port = Number(new URL(base).port);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const lines = [
      `GET /hubs/request?access_token=${await app.signIn('employee')} HTTP/1.1`,
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.resetAndDestroy();
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });
});
