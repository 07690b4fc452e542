import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenClaims } from '#platform/auth/sessions/session-tokens.ts';
import { openTestApp } from '#testing/test-app.ts';
import { getServices } from '@diwan/contract/catalogue/services';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getLiveness } from '@diwan/contract/wire/health';
import { installErrorReplies } from '../error-replies.ts';
import { openFrontDoor } from '../front-door.ts';
import type { CachedReplies } from '../replies/cached-replies.ts';
import { openReplyCache, replyKey } from '../replies/response-cache.ts';
import { CallPlaces, type CallLimits } from './call-limit.ts';
import { prepareShutdown } from './shutdown.ts';

const replies = openReplyCache();
let server: FastifyInstance;
let base: string;
let port: number;
let loopDelayMs: number;
let refused: () => number;
let cachedReplies: CachedReplies;
/** The names of the calls whose handler has started, in order, and how each is ended. */
let started: string[];
let endings: Map<string, () => void>;
const sockets: Socket[] = [];

const verified: string[] = [];
async function claimsOf(token: string): Promise<TokenClaims | undefined> {
  verified.push(token);
  return token === 'forged' ? undefined : ({ role: token } as unknown as TokenClaims);
}

const openDoor = (
  instance: FastifyInstance,
  limits: Pick<CallLimits, 'callsAtOnce' | 'waitMs' | 'eventLoopDelay'>,
) =>
  openFrontDoor(instance, {
    limits: { ...limits, eventLoopDelayMs: 500, verifyToken: claimsOf },
    cachedReplies: {
      replies,
      securityHeaders: () => ({}),
      isShuttingDown: () => false,
      varies: '',
    },
  });

// Two places, so four calls of each priority wait.
beforeEach(async () => {
  [started, endings, loopDelayMs] = [[], new Map(), 0];
  server = fastify({ return503OnClosing: false });
  prepareShutdown(server, 0);
  ({ refusedCalls: refused, cachedReplies } = openDoor(server, {
    callsAtOnce: 2,
    waitMs: 600_000,
    eventLoopDelay: () => loopDelayMs,
  }));
  installErrorReplies(server);
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  );
  const run = (request: { query: unknown }) =>
    new Promise((resolve) => {
      const { name } = request.query as { name: string };
      started.push(name);
      endings.set(name, () => resolve({ name }));
    });
  for (const url of ['/api/call', '/api/Payment/call', '/health/call'])
    server.route({ method: ['GET', 'POST', 'PUT'], url, handler: run });
  server.get('/api/elsewhere', { config: { waitsElsewhere: true } }, run);
  base = await server.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(base).port);
});
afterEach(async () => {
  const ending = setInterval(() => endings.forEach((end) => end()), 10);
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  clearInterval(ending);
});

function ask(name: string, { path = '/api/call', token = '', method = 'GET', ln = 'en-US' } = {}) {
  return fetch(`${base}${path}?name=${name}&ln=${ln}`, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
}
const hasStarted = (name: string) => expect.poll(() => started).toContain(name);
const end = (name: string) => endings.get(name)?.();

/** Fills both places. */
async function occupy(): Promise<Promise<Response>[]> {
  const calls = [ask('first'), ask('second')];
  await hasStarted('first');
  await hasStarted('second');
  return calls;
}

/** Fills the queue of anonymous reads: four wait and two are refused. */
async function fillQueue(): Promise<void> {
  for (let count = 0; count < 6; count += 1) void ask(`waiting ${count}`);
  await expect.poll(() => refused()).toBe(2);
}

describe('when all places are taken', () => {
  it('refuses anonymous reads that cannot wait, in the form and language of other errors', async () => {
    await occupy();
    await fillQueue();
    const byEarlyReply = await ask('x', { ln: 'ar-EG' });
    expect([byEarlyReply.status, byEarlyReply.headers.get('retry-after')]).toEqual([503, '3']);
    const body = await byEarlyReply.json();
    const byErrorHandler = await server.inject({ url: '/api/call?name=x&ln=ar-EG' });
    expect([byErrorHandler.statusCode, byErrorHandler.json()]).toEqual([503, body]);
    expect(byErrorHandler.headers['retry-after']).toBe('3');
    expect(body).toMatchObject({ error: 'ServerBusy', message: expect.stringMatching(/[ء-ي]/) });
    expect(refused()).toBe(4);
    expect(started).toEqual(['first', 'second']);
  });

  it('answers everything that is no call of the API', async () => {
    await occupy();
    await fillQueue();
    const health = ask('health', { path: '/health/call' });
    await hasStarted('health');
    end('health');
    expect((await health).status).toBe(200);
  });

  it('gives a free place to staff and payments first, then to users, then to anonymous reads', async () => {
    await occupy();
    await fillQueue();
    const before = started.length;
    const waiting = [
      ask('payment', { path: '/api/Payment/call' }),
      ask('forged', { token: 'forged', method: 'POST' }),
      ask('user', { token: 'Client' }),
      ask('staff', { token: 'Employee' }),
    ];
    await expect.poll(() => verified.slice(-3).sort()).toEqual(['Client', 'Employee', 'forged']);
    await expect
      .poll(() => {
        end('first');
        end('second');
        for (const name of started.slice(before)) end(name);
        return started.length - before;
      })
      .toBeGreaterThanOrEqual(5);
    const order = started.slice(before);
    expect(order.slice(0, 2).sort()).toEqual(['payment', 'staff']);
    expect(order.slice(2, 4).sort()).toEqual(['forged', 'user']);
    expect(order[4]).toMatch(/^waiting/);
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  });

  it('drops a waiting call whose client has disconnected', async () => {
    await occupy();
    const aborting = new AbortController();
    const gone = fetch(`${base}/api/call?name=gone`, {
      method: 'POST',
      signal: aborting.signal,
    }).catch(() => 'aborted');
    const after = ask('after', { method: 'POST' });
    const openCount = () =>
      new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
    await expect.poll(openCount).toBe(4);
    aborting.abort();
    expect(await gone).toBe('aborted');
    await expect.poll(openCount).toBe(3);
    end('first');
    await hasStarted('after');
    end('after');
    expect((await after).status).toBe(200);
    expect(started).not.toContain('gone');
  });
});

it('still sends cached replies while it refuses anonymous reads', async () => {
  const url = '/api/cached?ln=en-US';
  const key = replyKey(1, 'en-US', url);
  cachedReplies.add('/api/cached', () => 1);
  // The cache keeps what is made twice.
  replies.store(key, '{"from":"cache"}');
  replies.store(key, '{"from":"cache"}');
  loopDelayMs = 501;
  expect((await ask('read')).status).toBe(503);
  const reply = await fetch(base + url);
  expect([reply.status, await reply.text()]).toEqual([200, '{"from":"cache"}']);
  expect(refused()).toBe(1);
});

it('refuses a call that has waited for too long', async () => {
  const impatient = fastify();
  openDoor(impatient, { callsAtOnce: 1, waitMs: 1, eventLoopDelay: () => 0 });
  installErrorReplies(impatient);
  let endFirst: (() => void) | undefined;
  impatient.get('/api/call', () => new Promise((resolve) => (endFirst = () => resolve('done'))));
  // `inject` begins with `then`.
  const first = impatient.inject('/api/call').then(({ statusCode }) => statusCode);
  await expect.poll(() => endFirst).toBeDefined();
  expect((await impatient.inject('/api/call')).statusCode).toBe(503);
  endFirst?.();
  expect(await first).toBe(200);
  await impatient.close();
});

describe('a call holds no place', () => {
  it.each([
    ['while its body arrives', 'application/json', 2],
    ['while it uploads a file', 'application/octet-stream', 5],
  ])('%s', async (_, type, count) => {
    for (let index = 0; index < count; index += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(
        `PUT /api/call?name=slow${index} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 10\r\n\r\n{`,
      );
    }
    const answer = ask('quick');
    await hasStarted('quick');
    end('quick');
    expect((await answer).status).toBe(200);
  });

  it('while it waits for another system', async () => {
    for (let index = 0; index < 5; index += 1) {
      void ask(`elsewhere${index}`, { path: '/api/elsewhere' });
      await hasStarted(`elsewhere${index}`);
    }
    await occupy();
  });
});

it('frees the places of refused, failed and unknown calls', async () => {
  for (let index = 0; index < 5; index += 1) {
    expect((await ask('x', { path: '/api/unknown' })).status).toBe(404);
    const malformed = await fetch(`${base}/api/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(malformed.status).toBe(400);
  }
  await occupy();
});

it('refuses anonymous reads while the event loop is slow, users while it is slower, staff never', async () => {
  const statusOf = async (token: string) => {
    const answer = ask('x', { token });
    const ending = setInterval(() => end('x'), 10);
    return (await answer.finally(() => clearInterval(ending))).status;
  };
  const statuses = [];
  for (loopDelayMs of [400, 600, 1100])
    statuses.push([await statusOf(''), await statusOf('Client'), await statusOf('Employee')]);
  expect(statuses).toEqual([
    [200, 200, 200],
    [503, 200, 200],
    [503, 503, 200],
  ]);
});

// In how many turns twenty calls start, each of which takes so long.
async function countTurns(places: CallPlaces, callMs = 0): Promise<number> {
  let [turn, started] = [0, 0];
  const turns = new Set<number>();
  for (let index = 0; index < 20; index += 1)
    places.wait(2, () => {
      const endsAt = performance.now() + callMs;
      while (performance.now() < endsAt);
      turns.add(turn);
      started += 1;
      setImmediate(() => places.release());
    });
  places.release();
  while (started < 20) {
    await new Promise((resolve) => setImmediate(resolve));
    turn += 1;
  }
  return turns.size;
}

it('starts few calls in a turn of the event loop, and none after a long one', async () => {
  const places = new CallPlaces(100);
  let count = 0;
  while (places.take()) count += 1;
  expect(count).toBeLessThan(40);
  expect(await countTurns(new CallPlaces(100))).toBeLessThan(5);
  expect(await countTurns(new CallPlaces(100), 3)).toBeGreaterThan(15);
});

it('starts one call in a turn while more wait than there are places', async () => {
  expect(await countTurns(new CallPlaces(10))).toBeGreaterThan(8);
});

it('the product counts refused calls and serves staff and health checks', async () => {
  const app = await openTestApp({ EVENT_LOOP_DELAY_MS: '10', CALLS_AT_ONCE: '1' });
  // A busy machine refuses the sign-in too.
  await expect.poll(() => app.signIn('employee')).toEqual(expect.any(String));
  const employee = await app.signIn('employee');
  expect((await app.call(getRequestsCount, { token: employee })).status).toBe(200);
  expect((await app.call(getLiveness)).status).toBe(200);
  expect([200, 503]).toContain((await app.call(getServices, { query: {} })).status);
  const metrics = await app.server.inject('/metrics');
  expect(metrics.body).toMatch(/^diwan_calls_refused_total \d+$/m);
  await app.close();
});
