import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as calls from '@diwan/contract/requests/requests';
import { login, logout } from '@diwan/contract/people/users';
import { buildApp } from '../../app.ts';
import { demoPassword } from '../../seed/seed.ts';
import { listenTo, type Listener } from '../../testing/hub-client.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  type RequestStage,
} from '../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { freePort } from '../embedded-postgres/free-port.ts';
import { httpPaymentProvider } from '../integrations/payment-provider.ts';
import { httpMailGateway } from '../messages/mail.ts';
import { httpSmsGateway } from '../messages/sms.ts';
import { hubLimits } from './hub-connection.ts';

let app: TestApp;
let stage: RequestStage;
let base: string;
const open: { stop(): Promise<void> }[] = [];
const separator = '\u001e';
// What is waited for comes at once unless the machine is busy.
const patience = 20_000;

beforeAll(async () => {
  // The clock of pings is the product's own; a test makes it quick.
  Object.assign(hubLimits, { pingMs: 100, strayMs: 200 });
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

/** Another process over the same database, as far as hubs can tell. */
function secondProcess() {
  return buildApp(app.config, app.database, 'http://localhost:3000', {
    paymentProvider: httpPaymentProvider(app.sandboxUrl, 'x'.repeat(16)),
    sms: httpSmsGateway(app.sandboxUrl, 'x'.repeat(16)),
    mail: httpMailGateway(app.sandboxUrl, 'x'.repeat(16)),
  });
}

/** The status that an upgrade is answered with; 101 when it comes about. */
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

/** A client that says what it likes. */
async function rawClient(
  token: string,
): Promise<{ socket: WebSocket; said: () => string; closed: Promise<number> }> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/hubs/request?access_token=${token}`);
  let said = '';
  socket.on('message', (data) => (said += String(data)));
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  return { socket, said: () => said, closed };
}

describe('the hubs', () => {
  it('tell staff of every request and a supervisor of what their partner has to do, each with numbers that follow', async () => {
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
    await stage.act('employee', calls.releaseRequest, { requestId: free.requestId });
    await stage.receive('employee', free.requestId);
    await stage.act('employee', calls.rejectRequest, {
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
    await vi.waitFor(() => expect(employee.events()).toEqual(expected), patience);
    // The free service is one of supervisor2's partner, whose counts it never came into.
    await vi.waitFor(
      () => expect(otherGroup.events()).toEqual(Array.from({ length: 5 }, () => 'groupUpdated')),
      patience,
    );
    expect(other.events()).toEqual([]);
    const passed = await stage.send('individual', freeService);
    await stage.receive('employee', passed.requestId);
    await stage.act('employee', calls.approveRequest, { requestId: passed.requestId });
    await vi.waitFor(() => expect(other.events()).toEqual(['requestCreated']), patience);
    await stage.act('supervisor2', calls.acceptRequest, { requestId: passed.requestId });
    await stage.act('supervisor2', calls.submittedRequest, { requestId: passed.requestId });
    const oneEach = ['requestCreated', 'requestDetails', 'requestProcessing', 'requestSubmitted'];
    await vi.waitFor(() => expect(other.events()).toEqual(oneEach), patience);
    await vi.waitFor(() => expect(employee.events()).toEqual([...expected, ...oneEach]), patience);
    await vi.waitFor(() => expect(otherGroup.heard).toHaveLength(10), patience);
    await vi.waitFor(() => expect(admin.heard).toEqual(employee.heard), patience);
    for (const { heard } of [employee, other, otherGroup])
      expect(heard.map(({ sequence }) => sequence - heard[0]!.sequence)).toEqual(
        heard.map((_, index) => index),
      );

    // A request that waits for money is in no count; its payment makes it new.
    const paid = await stage.send('individual', paidService);
    await vi.waitFor(() => expect(group.events()).toEqual(['groupUpdated']), patience);
    expect(supervisor.events()).toEqual([]);
    await stage.pay(paid.requestId);
    await vi.waitFor(
      () =>
        expect(employee.events().slice(expected.length + oneEach.length)).toEqual([
          'requestCreated',
        ]),
      patience,
    );
    await vi.waitFor(() => expect(group.heard).toHaveLength(2), patience);
    expect([supervisor.events(), other.events()]).toEqual([[], oneEach]);
    expect(otherGroup.heard).toHaveLength(10);
  });

  it('tell nothing of work that was rolled back, and all of work that nobody announced', async () => {
    const employee = await listen('employee');
    const paid = await stage.send('individual', paidService);
    const { bookDue } = await import('../../testing/book-payment.ts');
    await expect(
      app.database.transaction().execute(async (transaction) => {
        await bookDue(transaction, paid.requestId);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(
      (await sql<{ count: number }>`select count(*) as count from hub_news`.execute(app.database))
        .rows[0]?.count,
    ).toBe(0);
    await stage.pay(paid.requestId);
    await vi.waitFor(() => expect(employee.events()).toEqual(['requestCreated']), patience);
  });

  it('reach the listeners of another process over the same database, also after their connection to it was cut', async () => {
    const server = await secondProcess();
    try {
      const there = await listen('employee', 'request', {
        at: await server.listen({ port: 0, host: '127.0.0.1' }),
      });
      const here = await listen('employee2');
      await stage.send('individual', freeService);
      await vi.waitFor(() => expect(there.events()).toEqual(['requestCreated']), patience);
      await vi.waitFor(() => expect(here.heard).toEqual(there.heard), patience);

      // What a listening connection asked last: to listen, or the heartbeat since.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~* '^(listen |select 1$)'`.execute(
        app.database,
      );
      await vi.waitFor(
        () =>
          expect([here.events().at(-1), there.events().at(-1)]).toEqual([
            'newsMissed',
            'newsMissed',
          ]),
        patience,
      );
      await stage.send('individual', freeService);
      await vi.waitFor(
        () =>
          expect([here.events().at(-1), there.events().at(-1)]).toEqual([
            'requestCreated',
            'requestCreated',
          ]),
        patience,
      );
    } finally {
      await server.close();
    }
  });

  it('are found again by the official client when the server was restarted', async () => {
    const first = await secondProcess();
    // A port that no connection is given by chance while nobody listens there.
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
      await vi.waitFor(() => expect(listener.events()).toEqual(['requestCreated']), patience);
    } finally {
      await second.close();
    }
  });
});

describe('who is let in', () => {
  it('needs a token, of a session that lives, of somebody whom the hub concerns', async () => {
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

  it('refuses pages of sites that it does not know', async () => {
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

  it('takes a limited number of connections of one person', async () => {
    const tried = await Promise.allSettled(
      Array.from({ length: hubLimits.connectionsPerUser + 5 }, () =>
        listen('employee2', 'request', { skipNegotiation: true }),
      ),
    );
    expect(tried.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    await open[0]!.stop();
    await vi.waitFor(() => listen('employee2'), patience);
  });
});

describe('a connection', () => {
  it('ends when its session ends', async () => {
    const token = await newToken('employee');
    const listener = await listenTo({ url: `${base}/hubs/request`, token });
    await app.call(logout, { token });
    expect(await listener.closed).toBeUndefined();
  });

  it('ends when the role is taken away', async () => {
    const listener = await listen('supervisor2', 'presence');
    await app.database
      .updateTable('users')
      .set({ roles: [] })
      .where('username', '=', 'supervisor2')
      .execute();
    await listener.closed;
    await app.database
      .updateTable('users')
      .set({ roles: ['ServiceProvider'] })
      .where('username', '=', 'supervisor2')
      .execute();
  });

  it('is kept by pings, and ended when the client is silent or never shakes hands', async () => {
    const token = await app.signIn('employee');
    // For these three alone: a busy machine may keep others as long.
    const usual = { ...hubLimits };
    Object.assign(hubLimits, { handshakeMs: 600, silenceMs: 1500 });
    const [silent, mute, steady] = await Promise.all([
      rawClient(token),
      rawClient(token),
      rawClient(token),
    ]);
    for (const { socket } of [silent, steady])
      socket.send(`{"protocol":"json","version":1}${separator}`);
    const pinging = setInterval(() => steady.socket.send(`{"type":6}${separator}`), 200);
    expect(await mute.closed).toBe(1008);
    expect(mute.said()).toContain('Handshake');
    expect(await silent.closed).toBe(1006);
    expect(silent.said()).toContain(`{}${separator}{"type":6}${separator}`);
    expect(steady.socket.readyState).toBe(WebSocket.OPEN);
    clearInterval(pinging);
    Object.assign(hubLimits, usual);
    steady.socket.terminate();
  });

  it('survives no garbage, and garbage harms nobody else', async () => {
    const neighbour = await listen('employee');
    const token = await app.signIn('employee');
    const shaken = `{"protocol":"json","version":1}${separator}`;
    const hostile: [string | Buffer, number][] = [
      [separator, 1008],
      [`{"protocol":"messagepack","version":1}${separator}`, 1008],
      [`{"protocol":"json","version":99}${separator}`, 1008],
      [`null${separator}`, 1008],
      [`${shaken}not json${separator}`, 1008],
      [`${shaken}[]${separator}`, 1008],
      [`${shaken}{"target":"x"}${separator}`, 1008],
      [Buffer.from(shaken), 1008],
      ['x'.repeat(hubLimits.messageBytes + 1), 1009],
      [shaken + `{"type":6}${separator}`.repeat(hubLimits.recordsPerPing + 1), 1008],
    ];
    for (const [message, code] of hostile) {
      const { socket, closed } = await rawClient(token);
      socket.send(message, { binary: Buffer.isBuffer(message) });
      expect(await closed, String(message).slice(0, 60)).toBe(code);
    }
    // A record that never ends, in pieces that are small enough.
    const endless = await rawClient(token);
    for (let count = 0; count < 5; count += 1) endless.socket.send('y'.repeat(10_000));
    expect(await endless.closed).toBe(1008);
    await stage.send('individual', freeService);
    await vi.waitFor(() => expect(neighbour.events()).toEqual(['requestCreated']), patience);
  });

  it('takes a handshake in pieces, answers calls with an error and lets go of who says goodbye', async () => {
    const { connection } = await listen('employee');
    await expect(connection.invoke('Anything', 1)).rejects.toThrow("Unknown hub method 'Anything'");
    await expect(
      new Promise((_, reject) =>
        connection
          .stream('Numbers')
          .subscribe({ next: () => undefined, complete: () => undefined, error: reject }),
      ),
    ).rejects.toThrow('Unknown hub method');
    const { socket, said, closed } = await rawClient(await app.signIn('employee'));
    for (const piece of ['{"protocol":', '"json","version":1}', separator]) socket.send(piece);
    await vi.waitFor(() => expect(said()).toContain(`{}${separator}`), patience);
    socket.send(`{"type":7}${separator}`);
    expect(await closed).toBe(1001);
  });
});

describe('an upgrade to something else', () => {
  it('is not taken, and the request is answered as any other', async () => {
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

  it('that breaks off half way harms nothing', async () => {
    const port = Number(new URL(base).port);
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET /hubs/request?access_token=${await app.signIn('employee')} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    await sleep(5);
    socket.resetAndDestroy();
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });
});
