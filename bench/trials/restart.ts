// Rolling restarts without a lost call: npm run trial -- restart. Two processes on one database behind a
// proxy that asks /health/ready and sends a call again only when it could not connect. Under load one
// process after the other is stopped by SIGTERM and started again, ROUNDS (5) times. Fails when a
// call is lost, or when a process takes longer to end than the delay and two seconds.
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getServices } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getReadiness } from '@diwan/contract/wire/health';
import { freePort } from '../../api/src/platform/embedded-postgres/free-port.ts';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  startProgram,
  type RunningProgram,
} from '../../api/src/testing/programs/running-program.ts';
import type { Load, LoadGenerator, LoadResult } from '../load/load-generator.ts';
import { withTwoProcessDatabase } from '../load/two-process-database.ts';

const rounds = Number(process.env.ROUNDS ?? 5);
const delaySeconds = 2;
const probeMs = 200;
const allowedStopMs = delaySeconds * 1000 + 2000;

/** A process behind the proxy; `isReady` is what the last check said. */
interface Backend {
  port: number;
  isReady: boolean;
}

const agent = new Agent({ keepAlive: true });

/** Sends a call to the first ready process, and to the next one only if there was no connection. */
function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  backends: readonly Backend[],
): void {
  const [backend, ...others] = backends;
  if (!backend) return void outgoing.writeHead(502).end();
  const { method, url, headers } = incoming;
  const sent = request({
    agent,
    host: '127.0.0.1',
    port: backend.port,
    method,
    path: url,
    headers,
  });
  sent.once('response', (answer) => {
    const { connection: _, ...rest } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(outgoing);
  });
  sent.once('error', (error: Error & { code?: string }) => {
    if (error.code === 'ECONNREFUSED') forward(incoming, outgoing, others);
    else if (!outgoing.headersSent) outgoing.writeHead(502).end();
    else outgoing.destroy();
  });
  sent.end();
}

async function probe(backend: Backend): Promise<void> {
  backend.isReady = await fetch(`http://127.0.0.1:${backend.port}${getReadiness.path}`).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  );
}

async function openProxy(backends: readonly Backend[]): Promise<{ port: number; close(): void }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const ready = backends.filter(({ isReady }) => isReady);
    const first = turn % Math.max(1, ready.length);
    forward(incoming, outgoing, [...ready.slice(first), ...ready.slice(0, first)]);
  });
  const timer = setInterval(() => void Promise.all(backends.map(probe)), probeMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

async function untilReady(backend: Backend): Promise<void> {
  while (!backend.isReady) await sleep(probeMs);
}

async function restartInTurns(
  shared: Record<string, string>,
  generator: LoadGenerator,
): Promise<boolean> {
  const settings = { ...shared, SHUTDOWN_DELAY_SECONDS: String(delaySeconds) };
  const backends: Backend[] = [];
  const programs: RunningProgram[] = [];
  for (let index = 0; index < 2; index += 1) {
    const port = await freePort();
    const program = await startProgram({ ...settings, PORT: String(port) });
    await program.waitUntilReady();
    programs.push(program);
    backends.push({ port, isReady: true });
  }
  const proxy = await openProxy(backends);
  const [first] = programs;
  const { token } = (
    await (first as RunningProgram).call(login, {
      body: { username: 'individual', password: demoPassword },
    })
  ).body;

  const stops: number[] = [];
  let isOver = false;
  const results: LoadResult[] = [];
  const load: Load = {
    port: proxy.port,
    seconds: 5,
    workers: 8,
    calls: [
      { group: 'calls', path: `${getServices.path}?PageNumber=1&Take=10`, weight: 2 },
      {
        group: 'calls',
        path: `${getRequestsByStatusId.path}?PageNumber=1&Take=10`,
        token,
        weight: 1,
      },
    ],
  };
  const loading = (async () => {
    while (!isOver) {
      results.push(await generator.run(load));
    }
  })();
  for (let round = 0; round < rounds; round += 1)
    for (const [index, backend] of backends.entries()) {
      const program = programs[index] as RunningProgram;
      const startedAt = performance.now();
      program.signal('SIGTERM');
      await program.ended;
      stops.push(performance.now() - startedAt);
      const next = await startProgram({ ...settings, PORT: String(backend.port) });
      programs[index] = next;
      await next.waitUntilReady();
      await untilReady(backend);
    }
  isOver = true;
  await loading;
  proxy.close();
  for (const program of programs) program.signal('SIGTERM');
  await Promise.all(programs.map(({ ended }) => ended));

  const groups = results.flatMap((result) => Object.values(result));
  const sum = (numberOf: (group: (typeof groups)[number]) => number) =>
    groups.reduce((total, group) => total + numberOf(group), 0);
  const lost = sum(({ failed, refused }) => failed + refused.length);
  const reasons = groups.filter(({ failed }) => failed > 0).map((group) => group.reasons);
  const slowest = Math.max(...stops);
  console.log(
    `${rounds} rolling restarts of two processes: ${sum(({ served }) => served.length)} calls served, ` +
      `${lost} lost ${lost > 0 ? JSON.stringify(reasons) : ''}; SIGTERM took ` +
      `${Math.round(Math.min(...stops))} to ${Math.round(slowest)} ms, ` +
      `of which ${delaySeconds * 1000} ms are SHUTDOWN_DELAY_SECONDS`,
  );
  return lost === 0 && slowest < allowedStopMs;
}

await withTwoProcessDatabase(restartInTurns);
