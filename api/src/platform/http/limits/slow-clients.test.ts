import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitSlowBodies, limitSlowReaders } from './slow-clients.ts';

let server: FastifyInstance;
let port: number;
const warnings: Error[] = [];
const record = (warning: Error) => void warnings.push(warning);
beforeAll(async () => {
  process.on('warning', record);
  server = fastify({
    http: { headersTimeout: 400, connectionsCheckingInterval: 100, requestTimeout: 0 },
  });
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  );
  limitSlowBodies(server, { bodyMs: 400, windowMs: 400, windowBytes: 1000, afterAnswerMs: 200 });
  limitSlowReaders(server, readerMs);
  server.get('/large', (_request, reply) => reply.send(largeReply));
  server.post('/json', () => ({ status: 'ok' }));
  server.put('/bytes', async (request) => ({
    length: (await text(request.body as Readable)).length,
  }));
  server.post('/slow', async () => {
    await sleep(900);
    return { status: 'ok' };
  });
  server.put('/delayed', async (request) => {
    await sleep(900);
    return { length: (await text(request.body as Readable)).length };
  });
  server.put('/refused', (_request, reply) => reply.status(400).send({}));
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => {
  process.off('warning', record);
  return server.close();
});

const readerMs = 2000;
// More than the network buffers of both sides hold.
const largeReply = Buffer.alloc(64 * 1024 * 1024, 'x');
const head = (line: string, type: string, length: number, more = '') =>
  `${line} HTTP/1.1\r\nhost: x\r\n${more}content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
const timeoutMs = 10_000;
const [bytes, close] = ['application/octet-stream', 'connection: close\r\n'];
const bytesHead = (length: number, path = '/bytes') => head(`PUT ${path}`, bytes, length);

// Sends a beginning, then the same piece again and again. Resolves with the reply and the time until
// the connection closed, after `timeoutMs` at the latest.
function sendSlowly(
  beginning: string,
  piece: string,
  everyMs: number,
): Promise<{ answer: string; ms: number }> {
  return new Promise((resolve) => {
    const startedAt = Date.now();
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(beginning));
    const timer = setInterval(() => socket.write(piece), everyMs);
    const timeout = setTimeout(() => socket.destroy(), timeoutMs);
    socket
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(timer);
        clearTimeout(timeout);
        resolve({ answer, ms: Date.now() - startedAt });
      });
  });
}

it('disconnects a request whose headers never end', async () => {
  expect((await sendSlowly('GET / HTTP/1.1\r\n', 'x: y\r\n', 50)).ms).toBeLessThan(timeoutMs);
});

it('disconnects a JSON body that arrives slowly', async () => {
  expect((await sendSlowly(head('POST /json', 'application/json', 5000), ' ', 50)).ms).toBeLessThan(
    timeoutMs,
  );
});

it('disconnects an upload that stops, and one that arrives slowly', async () => {
  expect((await sendSlowly(bytesHead(5000), '', 5000)).ms).toBeLessThan(timeoutMs);
  expect((await sendSlowly(bytesHead(5000), 'x', 50)).ms).toBeLessThan(timeoutMs);
});

it('lets an upload take longer than any other body while it arrives steadily', async () => {
  // Each piece is enough for a whole window, because a busy machine may delay some of them.
  const { answer, ms } = await sendSlowly(bytesHead(20_000), 'x'.repeat(1000), 50);
  expect(answer).toContain('{"length":20000}');
  expect(ms).toBeGreaterThan(900);
});

it.each([
  ['a call with a complete body', head('POST /slow', 'application/json', 2, close) + '{}', '"ok"'],
  [
    'a call with an empty body',
    `POST /slow HTTP/1.1\r\nhost: x\r\n${close}content-length: 0\r\n\r\n`,
    '"ok"',
  ],
  [
    'an upload that is complete and not read yet',
    head('PUT /delayed', bytes, 5, close) + 'whole',
    '"length":5',
  ],
  [
    'a large upload that is complete and not read yet',
    head('PUT /delayed', bytes, 300_000, close) + 'x'.repeat(300_000),
    '"length":300000',
  ],
])('does not limit the time of the server: %s', async (_, sent, answer) => {
  expect((await sendSlowly(sent, '', 5000)).answer).toContain(answer);
});

it('disconnects a body that continues after the reply', async () => {
  const { answer, ms } = await sendSlowly(
    bytesHead(1_000_000_000, '/refused'),
    'x'.repeat(10_000),
    10,
  );
  expect(answer).toContain('400 Bad Request');
  expect(ms).toBeLessThan(timeoutMs);
});

it('leaves no listeners on a connection with many uploads', async () => {
  const { answer } = await sendSlowly(
    `${bytesHead(2)}ab`.repeat(29) + `${head('PUT /bytes', bytes, 2, close)}ab`,
    '',
    5000,
  );
  expect(answer.match(/"length":2/g)).toHaveLength(30);
  expect(warnings).toEqual([]);
});

const connectionCount = () =>
  new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));

it('disconnects a client that does not read its reply', async () => {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n'),
  );
  socket.on('error', () => undefined).pause();
  const connected = new Promise((resolve) => server.server.once('connection', resolve));
  await connected;
  await expect.poll(connectionCount).toBe(0);
  socket.destroy();
});

it('lets a slow download take longer while it progresses', async () => {
  const startedAt = Date.now();
  let received = 0;
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /large HTTP/1.1\r\nhost: x\r\n${close}\r\n`),
    );
    socket
      .on('data', (chunk) => {
        received += chunk.length;
        if (Date.now() - startedAt < readerMs + 500) {
          socket.pause();
          setTimeout(() => socket.resume(), 10);
        }
      })
      .on('error', reject)
      .on('close', () => resolve());
  });
  expect(received).toBeGreaterThan(largeReply.length);
  expect(Date.now() - startedAt).toBeGreaterThan(readerMs);
});
