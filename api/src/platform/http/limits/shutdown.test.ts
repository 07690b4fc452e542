import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestApp } from '#testing/test-app.ts';
import { getReadiness } from '@diwan/contract/wire/health';
import { prepareShutdown } from './shutdown.ts';

// The delay of the last test ends when the test says so.
const delaySeconds = 300;
let server: FastifyInstance;
let base: string;
let agent: Agent;
let answerSlowCall: () => void;
let slowCallArrived: Promise<void>;

beforeEach(async () => {
  server = fastify({ return503OnClosing: false });
  prepareShutdown(server, 0);
  let arrived: () => void;
  slowCallArrived = new Promise((resolve) => (arrived = resolve));
  server.get('/quick', () => ({ status: 'ok' }));
  server.get('/slow', (_request, reply) => {
    answerSlowCall = () => void reply.send({ status: 'ok' });
    arrived();
    return reply;
  });
  base = await server.listen({ port: 0, host: '127.0.0.1' });
  agent = new Agent({ keepAlive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  agent.destroy();
  return server.close();
});

async function ask(url: string): Promise<{ connection: string | undefined; body: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { agent }, resolve).on('error', reject),
  );
  return { connection: answer.headers.connection, body: await text(answer) };
}

function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

// Without the module, node waits for as long as an idle connection may stay open: 72 seconds.
it('ends after the last reply, which closes its connection', async () => {
  const slow = ask(`${base}/slow`);
  await slowCallArrived;
  const closed = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  answerSlowCall();
  expect(await slow).toEqual({ connection: 'close', body: '{"status":"ok"}' });
  await closed;
});

it('closes connections that have sent no complete call', async () => {
  const [fresh, incomplete] = [await open(), await open()];
  incomplete.write('GET /quick HTTP/1.1\r\nhost: x\r\n');
  await expect
    .poll(() => new Promise((resolve) => server.server.getConnections((_, n) => resolve(n))))
    .toBe(2);
  const closed = Promise.all(
    [fresh, incomplete].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
  );
  for (const socket of [fresh, incomplete]) socket.resume();
  await server.close();
  await closed;
});

it('serves new connections during the delay, while the readiness check answers 503', async () => {
  const app = await openTestApp({ SHUTDOWN_DELAY_SECONDS: String(delaySeconds) });
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const statusOf = async (path: string) => (await fetch(`${address}${path}`)).status;
  expect(await statusOf(getReadiness.path)).toBe(200);
  let endDelay = (): void => undefined;
  const { setTimeout: setRealTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
    if (ms !== delaySeconds * 1000) return setRealTimeout(run, ms);
    endDelay = run;
    return undefined;
  }) as typeof setTimeout);
  const closed = app.close();
  await expect.poll(() => statusOf(getReadiness.path)).toBe(503);
  const call = await fetch(`${address}/api/AccountType/GetAllAccountTypes`);
  expect([call.status, call.headers.get('connection')]).toEqual([200, 'close']);
  expect(await statusOf('/health/live')).toBe(200);
  endDelay();
  await closed;
});
