// Requests are sent and received over HTTP: npm run bench:create. Beside them a bare
// server writes the same rows of a request in one statement. PROGRAMS names folders with a clone of
// the repository, separated by commas, whose servers are compared in turns.
import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { getService, getServices, type Service } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { createRequest, receiveRequest } from '@diwan/contract/requests/request-actions';
import { startEmbeddedPostgres } from '../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { freePort } from '../api/src/platform/embedded-postgres/free-port.ts';
import { demoPassword } from '../api/src/seed/seed.ts';
import { findPostgres } from '../api/src/testing/programs/running-program.ts';
import { makeAnswers } from '../api/src/testing/requests/demo-request.ts';
import type { Load, LoadCall, LoadResult } from './load-generator.ts';

const seconds = Number(process.env.SECONDS ?? 5);
const rounds = Number(process.env.ROUNDS ?? 3);
const people = 64;
const roots = process.env.PROGRAMS?.split(',') ?? [fileURLToPath(new URL('../', import.meta.url))];
const closers: (() => unknown)[] = [];

interface Program {
  name: string;
  port: number;
  barePort: number;
  create: LoadCall[];
  /** A token of an employee. */
  employee: string;
  database: pg.Client;
  /** The processes of the server and of PostgreSQL. */
  server: () => number[];
  postgres: () => number[];
}

async function send<Reply>(
  port: number,
  path: string,
  { body, token = '' }: { body?: unknown; token?: string } = {},
): Promise<Reply> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Reply;
}

/** The processor time of each process, in milliseconds. */
const readCpu = (pids: readonly number[]): Map<number, number> =>
  new Map(
    pids.map((pid) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [pid, (Number(fields[11]) + Number(fields[12])) * 10];
    }),
  );

async function startServer(root: string, folder: string, databaseUrl: string) {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const { ensureServerBuilt } = (await import(join(root, 'scripts/install.mjs'))) as {
    ensureServerBuilt(): void;
  };
  ensureServerBuilt();
  const child: ChildProcess = spawn(process.execPath, ['api/dist/main.js'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      SANDBOX: 'on',
      SEED: 'demo',
      REQUESTS_PER_DAY: '1000000',
      SIGN_IN_FREE_TRIES: '10000',
      LOGIN_ATTEMPTS_PER_MINUTE: '10000',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let [output, isOver] = ['', false];
  void ended.then(() => (isOver = true));
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!output.includes('Ctrl-C')) {
    if (isOver) throw new Error(`the server has ended: ${output}`);
    await sleep(50);
  }
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { port, pid: child.pid ?? 0, stop };
}

async function addPeople(database: pg.Client): Promise<void> {
  await database.query(
    `insert into users (username, full_name, phone_number, email, password_hash, roles)
    select 'bench' || n, 'Bench Person ' || n, '+97150' || lpad(n::text, 7, '0'),
      'bench' || n || '@example.com', password_hash, roles
    from users
    cross join generate_series(1, $1::int) as n
    where username = 'individual'`,
    [people],
  );
}

async function findFreeService(port: number): Promise<Service> {
  const { items } = await send<{ items: { id: number; total: number }[] }>(
    port,
    `${getServices.path}?PageSize=100`,
  );
  for (const { id } of items.filter(({ total }) => total === 0)) {
    const service = await send<Service>(port, `${getService.path}?serviceId=${id}`);
    if (service.attachments.every(({ required }) => !required)) return service;
  }
  throw new Error('Every free service needs documents');
}

async function openProgram(root: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-bench-'));
  const database = await startEmbeddedPostgres(folder);
  closers.unshift(async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const { port, pid, stop } = await startServer(root, folder, database.connectionString);
  closers.unshift(stop);
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  closers.unshift(() => client.end());
  await addPeople(client);
  const sign = async (username: string) => {
    const body = { username, password: demoPassword };
    return (await send<{ token: string }>(port, login.path, { body })).token;
  };
  const service = await findFreeService(port);
  const body = {
    serviceId: service.id,
    answers: makeAnswers(service.form),
    attachmentIds: [],
    agreeToTermsAndConditions: true,
  };
  const create: LoadCall[] = [];
  let template = 0;
  for (let n = 1; n <= people; n += 1) {
    const token = await sign(`bench${n}`);
    create.push({
      group: 'all',
      path: createRequest.path,
      token,
      weight: 1,
      body: JSON.stringify(body),
    });
    const sent = await send<{ requestId: number }>(port, createRequest.path, { body, token });
    template = sent.requestId;
  }
  const barePort = await freePort();
  const bare = fork(fileURLToPath(new URL('bare-create.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      PORT: String(barePort),
      DATABASE_URL: database.connectionString,
      REQUEST_ID: String(template),
    },
  });
  closers.unshift(() => bare.kill());
  await new Promise((resolve) => bare.once('message', resolve));
  const postmaster = findPostgres(folder)?.pid ?? 0;
  return {
    name: root,
    port,
    barePort,
    create,
    employee: await sign('employee'),
    database: client,
    server: () => [pid],
    postgres: () =>
      execFileSync('pgrep', ['-P', String(postmaster)])
        .toString()
        .split('\n')
        .filter(Boolean)
        .map(Number),
  };
}

/** The durations of the calls, in milliseconds. */
function create(port: number, calls: readonly LoadCall[], workers: number): Promise<number[]> {
  const work: Load = { port, seconds, workers, calls };
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    });
    child.once('message', (result: LoadResult) => {
      child.disconnect();
      const all = result['all'];
      if (!all || all.failed > 0 || all.refused.length > 0)
        reject(new Error(JSON.stringify(all?.reasons)));
      resolve(all?.served ?? []);
    });
    child.send(work);
  });
}

/** Workers receive new requests, each once. */
async function receive({ port, employee: token, database }: Program, workers: number) {
  const { rows } = await database.query<{ id: string }>(
    `select id
    from requests
    where user_id in (select id from users where username like 'bench%')
      and version = 1
      and number like 'DW%'
    order by id desc`,
  );
  const durations: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < endsAt) {
        const id = rows.pop()?.id;
        if (id === undefined) return;
        const startedAt = performance.now();
        await send(port, receiveRequest.path.replace('{requestId}', id), { body: {}, token });
        durations.push(performance.now() - startedAt);
      }
    }),
  );
  return durations;
}

async function measure(name: string, program: Program, work: () => Promise<number[]>) {
  const before = [readCpu(program.server()), readCpu(program.postgres())];
  const durations = (await work()).sort((one, other) => one - other);
  const after = [readCpu(program.server()), readCpu(program.postgres())];
  if (durations.length === 0) return;
  const [server, postgres] = after.map((times, index) =>
    [...times].reduce((sum, [pid, cpu]) => sum + cpu - (before[index]?.get(pid) ?? 0), 0),
  );
  const at = (share: number) => durations[Math.floor(durations.length * share)]?.toFixed(0);
  const each = (cpu = 0) => (cpu / durations.length).toFixed(2);
  console.log(
    `${name}: ${(durations.length / seconds).toFixed(0)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms,`,
    `CPU of server ${each(server)} ms, of PostgreSQL ${each(postgres)} ms`,
  );
}

try {
  const programs: Program[] = [];
  for (const root of roots) programs.push(await openProgram(root));
  for (let round = 0; round <= rounds; round += 1) {
    console.log(round === 0 ? 'Warming up' : `Round ${round}`);
    for (const workers of [8, 32])
      for (const program of programs) {
        const { name, port, barePort, create: calls } = program;
        await measure(`${name} create x${workers}`, program, () => create(port, calls, workers));
        await measure(`${name} receive x${workers}`, program, () => receive(program, workers));
        await measure(`${name} bare x${workers}`, program, () => create(barePort, calls, workers));
      }
  }
} finally {
  for (const close of closers) await close();
}
