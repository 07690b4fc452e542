import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitSlowBodies } from './slow-bodies.ts';

let server: FastifyInstance;
let port: number;
const warnings: Error[] = [];
const hear = (warning: Error) => void warnings.push(warning);
beforeAll(async () => {
  process.on('warning', hear);
  server = fastify({
    http: { headersTimeout: 400, connectionsCheckingInterval: 100, requestTimeout: 0 },
  });
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  );
  limitSlowBodies(server, { bodyMs: 400, windowMs: 400, windowBytes: 1000, afterAnswerMs: 200 });
  server.post('/json', () => ({ status: 'ok' }));
  server.put('/bytes', async (request) => ({
    length: (await text(request.body as Readable)).length,
  }));
  server.post('/thinks', async () => {
    await sleep(900);
    return { status: 'ok' };
  });
  server.put('/waits', async (request) => {
    await sleep(900);
    return { length: (await text(request.body as Readable)).length };
  });
  server.put('/refused', (_request, reply) => reply.status(400).send({}));
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => {
  process.off('warning', hear);
  return server.close();
});

const head = (line: string, type: string, length: number, more = '') =>
  `${line} HTTP/1.1\r\nhost: x\r\n${more}content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
const patience = 10_000;
const [bytes, close] = ['application/octet-stream', 'connection: close\r\n'];
const bytesHead = (length: number, path = '/bytes') => head(`PUT ${path}`, bytes, length);

/**
 * Sends a beginning, then a drop again and again. Answers what came back and after how long the
 * connection was ended; after `patience` it gives up.
 */
function drip(
  beginning: string,
  drop: string,
  everyMs: number,
): Promise<{ answer: string; ms: number }> {
  return new Promise((resolve) => {
    const began = Date.now();
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(beginning));
    const timer = setInterval(() => socket.write(drop), everyMs);
    const giveUp = setTimeout(() => socket.destroy(), patience);
    socket
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(timer);
        clearTimeout(giveUp);
        resolve({ answer, ms: Date.now() - began });
      });
  });
}

it('ends headers that never end', async () => {
  expect((await drip('GET / HTTP/1.1\r\n', 'x: y\r\n', 50)).ms).toBeLessThan(patience);
});

it('ends a JSON body that dribbles in', async () => {
  expect((await drip(head('POST /json', 'application/json', 5000), ' ', 50)).ms).toBeLessThan(
    patience,
  );
});

it('ends an upload that is silent, and one that dribbles in', async () => {
  expect((await drip(bytesHead(5000), '', 5000)).ms).toBeLessThan(patience);
  expect((await drip(bytesHead(5000), 'x', 50)).ms).toBeLessThan(patience);
});

it('lets an upload take longer than any other body while it comes steadily', async () => {
  // Each piece is enough for a whole window, as a busy machine may lose some of them.
  const { answer, ms } = await drip(bytesHead(20_000), 'x'.repeat(1000), 50);
  expect(answer).toContain('{"length":20000}');
  expect(ms).toBeGreaterThan(900);
});

it.each([
  [
    'a call whose body came whole',
    head('POST /thinks', 'application/json', 2, close) + '{}',
    '"ok"',
  ],
  [
    'a call whose body is said to be empty',
    `POST /thinks HTTP/1.1\r\nhost: x\r\n${close}content-length: 0\r\n\r\n`,
    '"ok"',
  ],
  [
    'an upload that is there and not read yet',
    head('PUT /waits', bytes, 5, close) + 'whole',
    '"length":5',
  ],
  [
    'a large upload that is not read yet',
    head('PUT /waits', bytes, 300_000, close) + 'x'.repeat(300_000),
    '"length":300000',
  ],
])('waits for ourselves as long as it takes: %s', async (_, sent, answer) => {
  expect((await drip(sent, '', 5000)).answer).toContain(answer);
});

it('hangs up on a body that goes on after its answer', async () => {
  const { answer, ms } = await drip(bytesHead(1_000_000_000, '/refused'), 'x'.repeat(10_000), 10);
  expect(answer).toContain('400 Bad Request');
  expect(ms).toBeLessThan(patience);
});

it('leaves no listeners on a connection that brings many uploads', async () => {
  const { answer } = await drip(
    `${bytesHead(2)}ab`.repeat(29) + `${head('PUT /bytes', bytes, 2, close)}ab`,
    '',
    5000,
  );
  expect(answer.match(/"length":2/g)).toHaveLength(30);
  expect(warnings).toEqual([]);
});
