// Many listeners of a hub beside a bare `ws` server that sends the same frames: npm run bench -- hubs.
// CLIENTS (10,000) connect to each server; then each of ROUNDS (20) events goes to all of them, in
// turns. Fails when a connection is refused, when an event is missing, or when the p99 of the product,
// of connecting or from the change to a client, is above 1.5 times that of the bare server.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket, WebSocketServer } from 'ws';
import { receiveRequest, releaseRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { requestHub } from '@diwan/contract/wire/hubs';
import { readConfig } from '../api/src/config.ts';
import { openSessions } from '../api/src/platform/auth/sessions/sessions.ts';
import { frames } from '../api/src/platform/hubs/signalr-frames.ts';
import {
  endPrograms,
  newDataDir,
  openDataDir,
  startProgram,
  type RunningProgram,
} from '../api/src/testing/programs/running-program.ts';

const clients = Number(process.env.CLIENTS ?? 10_000);
const rounds = Number(process.env.ROUNDS ?? 20);
const connectionsPerUser = 20;
const connectingAtOnce = 200;
const limit = 1.5;
const waitMs = 30_000;
const ping = '{"type":6}\u001e';
// Receiving a request takes it from the new ones to those in work; releasing does the opposite.
const eventsOfChange = ['requestDetails', 'requestProcessing'];
const handshake = '{"protocol":"json","version":1}\u001e';

const now = () => performance.timeOrigin + performance.now();

/** What a process of listeners is asked, and what it answers. */
type Question = { connect: { url: string; tokens: readonly string[] } } | { expect: number };
interface Connected {
  refused: number;
  times: number[];
}
/** When each client received the event, in milliseconds since 1970. */
type Arrivals = number[];

// Answers the handshake, and sends a frame to all when POST / asks for it.
async function serveBare(): Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  let sequence = 0;
  const server = createServer((_request, reply) => {
    sequence += 1;
    const sent = eventsOfChange.map((event) => frames.event(event, { sequence }));
    for (const socket of sockets.clients) for (const frame of sent) socket.send(frame);
    reply.end();
  });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      accepted.once('message', () => accepted.send(frames.handshakeDone));
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

function serveListeners(): void {
  let arrivals: Arrivals = [];

  async function connect(url: string): Promise<number> {
    const start = now();
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const failed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.once('open', () => socket.send(handshake));
    await Promise.race([
      once(socket, 'message'),
      failed.then(() => Promise.reject(new Error('closed'))),
    ]);
    socket.on('message', (data) => {
      // The server may put both events of a change into one message.
      for (const record of String(data).split('\u001e'))
        if (record.startsWith('{"type":1')) arrivals.push(now());
    });
    // As clients do; the server ends a connection that is silent for 30 s.
    setInterval(() => socket.send(ping), 15_000);
    return now() - start;
  }

  async function connectAll({ url, tokens }: { url: string; tokens: readonly string[] }) {
    const answer: Connected = { refused: 0, times: [] };
    let next = 0;
    const worker = async () => {
      while (next < tokens.length) {
        const token = tokens[next++];
        await connect(`${url}?access_token=${token}`).then(
          (time) => answer.times.push(time),
          () => (answer.refused += 1),
        );
      }
    };
    await Promise.all(Array.from({ length: connectingAtOnce }, worker));
    process.send?.(answer);
  }

  process.on('message', (question: Question) => {
    if ('connect' in question) return void connectAll(question.connect);
    const until = now() + waitMs;
    const poll = setInterval(() => {
      if (arrivals.length < question.expect && now() < until) return;
      clearInterval(poll);
      process.send?.(arrivals);
      arrivals = [];
    }, 5);
  });
  process.send?.('ready');
}

async function start(role: 'bare' | 'listeners') {
  const child = fork(fileURLToPath(import.meta.url), [role], { execArgv: ['--import', 'tsx'] });
  const [first] = await once(child, 'message');
  const ask = async (question: Question) => {
    const answer = once(child, 'message');
    child.send(question);
    return (await answer)[0];
  };
  return { child, pid: child.pid ?? 0, first, ask };
}

const megabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

// Staff with as many sessions as a user may have connections.
async function makeTokens(dataDir: string, port: number): Promise<string[]> {
  const database = openDataDir(dataDir);
  const employee = await database
    .selectFrom('users')
    .selectAll()
    .where('username', '=', 'employee')
    .executeTakeFirstOrThrow();
  const { id: _, search_text: __, ...columns } = employee;
  const users = await database
    .insertInto('users')
    .values(
      Array.from({ length: Math.ceil(clients / connectionsPerUser) }, (_value, index) => ({
        ...columns,
        username: `listener-${index}`,
        email: `listener-${index}@example.com`,
        phone_number: `+97150${String(1_000_000 + index)}`,
        emirates_id: null,
        uaepass_id: null,
      })),
    )
    .returning('id')
    .execute();
  const sessions = await openSessions(database, readConfig({}), `http://localhost:${port}`);
  const tokens: string[] = [];
  for (const { id } of users) tokens.push(await sessions.create(id));
  await database.destroy();
  return Array.from({ length: clients }, (_value, index) => tokens[index % tokens.length] ?? '');
}

// Each call receives or releases a request.
async function openChanges(program: RunningProgram, token: string): Promise<() => Promise<void>> {
  const list = await program.call(getRequestsByStatusId, {
    token,
    query: { Take: '100' } as never,
  });
  const receive = (requestId: number) =>
    program.call(receiveRequest, { token, params: { requestId } as never });
  for (const { requestId } of list.body.items) {
    let received = await receive(requestId);
    if (received.status !== 200) continue;
    let isReceived = true;
    return async () => {
      if (isReceived) {
        const body = { requestId, version: received.body.version };
        const { status } = await program.call(releaseRequest, { token, body });
        if (status !== 200) throw new Error(`releasing failed with ${status}`);
      } else {
        received = await receive(requestId);
        if (received.status !== 200) throw new Error(`receiving failed with ${received.status}`);
      }
      isReceived = !isReceived;
    };
  }
  throw new Error('no request can be received');
}

/** Whether the p99 of the product is within the limit. */
function compareP99(what: string, product: readonly number[], other: readonly number[]): boolean {
  const times = percentile(product, 0.99) / percentile(other, 0.99);
  console.log(`${what} p99: ${times.toFixed(2)} times that of bare ws (limit ${limit})`);
  return times <= limit;
}

async function main(): Promise<void> {
  const dataDir = await newDataDir();
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'error', SEED: 'demo' });
  await program.waitUntilReady();
  const tokens = await makeTokens(dataDir, program.port);
  const change = await openChanges(program, tokens[0] ?? '');
  const bare = await start('bare');
  const servers = [
    {
      name: 'product',
      pid: program.pid,
      url: `ws://127.0.0.1:${program.port}${requestHub}`,
      trigger: change,
    },
    {
      name: 'bare ws',
      pid: bare.pid,
      url: `ws://127.0.0.1:${bare.first}/`,
      async trigger() {
        await (await fetch(`http://127.0.0.1:${bare.first}/`, { method: 'POST' })).text();
      },
    },
  ].map((server) => ({
    ...server,
    connecting: [] as number[],
    delays: [] as number[],
    missing: 0,
  }));
  const listeners = [];
  const rows: Record<string, Record<string, string>> = {};
  let hasFailed = false;
  for (const server of servers) {
    const before = megabytes(server.pid);
    const listener = await start('listeners');
    const connected = (await listener.ask({ connect: { url: server.url, tokens } })) as Connected;
    listeners.push(listener);
    await sleep(1000);
    server.connecting = connected.times;
    hasFailed ||= connected.refused > 0;
    rows[server.name] = {
      connected: String(connected.times.length),
      refused: String(connected.refused),
      'connect p50 ms': percentile(connected.times, 0.5).toFixed(0),
      'connect p99 ms': percentile(connected.times, 0.99).toFixed(0),
      'kB for each': (((megabytes(server.pid) - before) * 1024) / clients).toFixed(1),
      'MB in all': megabytes(server.pid).toFixed(0),
    };
  }
  const expected = clients * eventsOfChange.length;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, server] of servers.entries()) {
      const listener = listeners[index];
      const start = now();
      await server.trigger();
      const arrivals = (await listener?.ask({ expect: expected })) as Arrivals;
      server.missing += expected - arrivals.length;
      server.delays.push(...arrivals.map((time) => time - start));
    }
  }
  for (const server of servers) {
    const row = rows[server.name] ?? {};
    row['event p50 ms'] = percentile(server.delays, 0.5).toFixed(0);
    row['event p99 ms'] = percentile(server.delays, 0.99).toFixed(0);
    row['events missing'] = String(server.missing);
    hasFailed ||= server.missing !== 0;
  }
  console.table(rows);
  const [product, bareWs] = servers as [(typeof servers)[number], (typeof servers)[number]];
  const isWithin = [
    compareP99('connect', product.connecting, bareWs.connecting),
    compareP99('event', product.delays, bareWs.delays),
  ];
  if (hasFailed || isWithin.includes(false)) process.exitCode = 1;
  for (const { child } of [...listeners, bare]) child.disconnect();
}

process.once('disconnect', () => process.exit());
if (process.argv[2] === 'bare') await serveBare();
else if (process.argv[2] === 'listeners') serveListeners();
else await main().finally(endPrograms);
