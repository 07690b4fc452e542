// npm run bench: the product beside bare servers on one machine; docs/lab/performance.md explains it.
//   --size=S|M     150 services and 10 000 requests (the default), or 10 000 and a million
//   --quick        one short run of each, three minutes at size S
//   --only=TEXT    the cases whose name contains a text
//   --write        writes the table to docs/lab/performance.md
//   --plans        measures the questions of docs/lab/query-plans.md and writes that document
//   --prepare      makes the data of the size and ends
// The data are stored in .data/bench-S and .data/bench-M, or in such folders of the folder
// BENCH_DATA.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '../api/src/platform/database/database.ts';
import { sql } from '../api/src/platform/database/sql.ts';
import {
  endPrograms,
  findPostgres,
  openDataDir,
  startProgram,
  type RunningProgram,
} from '../api/src/testing/programs/running-program.ts';
import { HttpConnection } from './load/http-connection.ts';
import { openLoadGenerator } from './load/load-generator.ts';
import { startBareServer, type BareServer } from './speed/bare-server.ts';
import {
  catalogueCases,
  catalogueNames,
  signIn,
  staffCases,
  staffNames,
  writeCases,
  writeNames,
  type Case,
  type Cases,
  type Stage,
  type Target,
} from './speed/cases.ts';
import { clerkCases, clerkNames } from './speed/clerk-lists.ts';
import { measureHostile } from './speed/hostile.ts';
import { keepData, prepareData, sizes, type Size } from './speed/prepare-data.ts';
import { writeQueryPlans } from './speed/query-plans.ts';
import {
  machine,
  readDocument,
  replaceSection,
  tableOf,
  tableOfKinds,
  writeDocument,
  type Line,
  type Measured,
} from './speed/report.ts';

const millisecondsOfTick = 10;

function readStat(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may contain spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const ticks = (stat: readonly string[], fields: readonly number[]) =>
  fields.reduce((sum, field) => sum + Number(stat[field] ?? 0), 0) * millisecondsOfTick;

/** The processor time of a process, in milliseconds. */
const cpuOf = (pid: number): number => ticks(readStat(pid), [11, 12]);

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => Number(readStat(child)[1]) === pid);
}

/** The processor time of a process and its children, ended ones included, in milliseconds. */
const cpuOfFamily = (pid: number): number =>
  ticks(readStat(pid), [11, 12, 13, 14]) +
  childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), 0);

const megabytesOf = (pid: number, file: string, field: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'latin1');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** The memory of a process now and at most, in megabytes. */
function memoryOf(pid: number): { now: number; most: number } {
  return {
    now: megabytesOf(pid, 'status', 'VmRSS'),
    most: megabytesOf(pid, 'status', 'VmHWM'),
  };
}

/** The memory of a process and its children; what they share counts once. */
const memoryOfFamily = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + megabytesOf(one, 'smaps_rollup', 'Pss'), 0);

/** Prepares the cases of a text; those that write come last. */
async function openCases(stage: Stage, only: string): Promise<Cases> {
  const made: Cases = { cases: [], replies: {}, statements: {} };
  const isAsked = (name: string) => name.includes(only);
  // Their samples are in the lists that the others compare, so they are made first.
  const writes = writeNames.some(isAsked) ? await writeCases(stage, made) : [];
  const connection = new HttpConnection(stage.program.port);
  if (catalogueNames.some(isAsked))
    made.cases.push(...(await catalogueCases(stage, connection, made)));
  if (staffNames.some(isAsked)) made.cases.push(...(await staffCases(stage, connection, made)));
  if (clerkNames.some(isAsked)) made.cases.push(...(await clerkCases(stage, made)));
  made.cases.push(...writes);
  connection.close();
  return { ...made, cases: made.cases.filter(({ name }) => isAsked(name)) };
}

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: 'S' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    plans: { type: 'boolean', default: false },
    prepare: { type: 'boolean', default: false },
  },
});
if (!Object.hasOwn(sizes, options.size)) throw new Error('--size is S or M');
const size = (options.plans ? 'M' : options.size) as Size;
// After `restSeconds` without calls the memory of the product is read again.
const { rounds, seconds, warmUpSeconds, hostileSeconds, restSeconds } = options.quick
  ? { rounds: 1, seconds: 0.6, warmUpSeconds: 0.7, hostileSeconds: 1, restSeconds: 5 }
  : { rounds: 5, seconds: 3, warmUpSeconds: 1, hostileSeconds: 3, restSeconds: 30 };
const mostWarmUps = 10;
const connectionCounts = [1, 32] as const;

interface Server {
  pid: number;
  port: number;
}

interface Bench {
  database: Database;
  postgresPid: number;
  servers: Record<Target, Server>;
}

const generator = openLoadGenerator();

async function countStatements(database: Database): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select sum(calls)::int as calls
    from bench.pg_stat_statements
    where query not like '%pg_stat_statements%'
  `.execute(database);
  return rows[0]?.calls ?? 0;
}

/** Returns the processor time of the server for a reply, in milliseconds. */
async function runOnce(
  { database, postgresPid, servers }: Bench,
  { callsOf, isOnce }: Case,
  { target, connections, measured }: { target: Target; connections: number; measured?: Measured },
): Promise<number> {
  const { pid, port } = servers[target];
  const duration = measured ? seconds : warmUpSeconds;
  const calls = (await callsOf[target]?.(duration)) ?? [];
  const before = [cpuOf(pid), cpuOfFamily(postgresPid), await countStatements(database)] as const;
  const result = await generator.run({
    port,
    seconds: duration,
    workers: connections,
    calls,
    ...(isOnce ? { isOnce } : {}),
  });
  const served = Object.values(result).reduce((sum, group) => sum + group.served.length, 0);
  const cost = (cpuOf(pid) - before[0]) / Math.max(1, served);
  if (!measured) return cost;
  measured.rates.push(served / (Object.values(result)[0]?.seconds ?? 1));
  for (const [kind, group] of Object.entries(result)) {
    const own = (measured.kinds[kind] ??= []);
    // A spread of a hundred thousand arguments would be too much.
    for (const time of group.served) {
      measured.times.push(time);
      own.push(time);
    }
    for (const [reason, times] of Object.entries(group.reasons))
      measured.wrong[reason] = (measured.wrong[reason] ?? 0) + times;
    if (group.refused.length > 0)
      measured.wrong['503'] = (measured.wrong['503'] ?? 0) + group.refused.length;
  }
  measured.cpu.server += cpuOf(pid) - before[0];
  measured.cpu.postgres += cpuOfFamily(postgresPid) - before[1];
  measured.statements += (await countStatements(database)) - before[2];
  return cost;
}

const targetsOf = ({ callsOf }: Case) => Object.keys(callsOf) as Target[];

/**
 * Sends calls of a case that are not measured, until they take no less of the server's processor time
 * than before: V8 compiles the code of the product during the first thousands of calls.
 */
async function warmUp(bench: Bench, one: Case): Promise<void> {
  for (const target of targetsOf(one)) {
    let before = Infinity;
    for (let count = 0; count < mostWarmUps; count += 1) {
      const cost = await runOnce(bench, one, { target, connections: 32 });
      if (cost > before * 0.95) break;
      before = cost;
    }
  }
  // The data have no accesses of staff. PostgreSQL notices within a minute that there are some now,
  // and until then its plans read all of them.
  await sql`analyze request_reads`.execute(bench.database);
}

/** Runs a case in rounds, in each of which every server has its turn. */
async function runCase(bench: Bench, one: Case, connections: number): Promise<Line> {
  const line: Line = {
    name: one.name,
    addresses: one.addresses ?? '',
    connections,
    targets: {},
  };
  const targets = targetsOf(one);
  for (const target of targets)
    line.targets[target] = {
      rates: [],
      times: [],
      cpu: { server: 0, postgres: 0 },
      statements: 0,
      wrong: {},
      kinds: {},
    };
  for (let round = 0; round < rounds; round += 1)
    for (const target of targets)
      await runOnce(bench, one, {
        target,
        connections,
        measured: line.targets[target] as Measured,
      });
  return line;
}

async function openBench(
  { product, dataDir, database }: { product: Server; dataDir: string; database: Database },
  { replies, statements }: Cases,
): Promise<Bench & { bare: BareServer[] }> {
  const password = readFileSync(`${dataDir}/postgres.password`, 'utf8');
  const postgres = findPostgres(dataDir);
  const connectionString = `postgres://diwan:${password}@127.0.0.1:${postgres?.port}/diwan`;
  const memory = await startBareServer({ kind: 'memory', replies });
  const body = await startBareServer({ kind: 'body', replies });
  const fastify = await startBareServer({ kind: 'fastify', replies });
  const direct = await startBareServer({ kind: 'sql', connectionString, statements });
  return {
    database,
    postgresPid: postgres?.pid ?? 0,
    servers: { product, memory, body, fastify, sql: direct, oneRow: direct },
    bare: [memory, body, fastify, direct],
  };
}

/** The wrong and refused replies; the program fails when there are some. */
function problemsOf(lines: readonly Line[]): string[] {
  return lines.flatMap(({ name, connections, targets }) =>
    Object.entries(targets).flatMap(([target, { wrong, times }]) => [
      ...Object.entries(wrong).map(
        ([reason, count]) => `${name}, ${connections}, ${target}: ${count} times ${reason}`,
      ),
      ...(times.length === 0 ? [`${name}, ${connections}, ${target}: no reply`] : []),
    ]),
  );
}

const megabytes = (value: number) => `${Math.round(value)} MB`;

/** Starts the product on a copy of the data, with limits that the benchmark does not reach. */
async function startProduct(): Promise<{
  program: RunningProgram;
  dataDir: string;
  readySeconds: number;
}> {
  const dataDir = await prepareData(size);
  const startedAt = performance.now();
  const program = await startProgram({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    TOKEN_SECONDS: '36000',
    LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    INQUIRIES_PER_MINUTE: '100000',
    REQUESTS_PER_DAY: '1000000',
    CALL_WAIT_MS: '20000',
    EVENT_LOOP_DELAY_MS: '20000',
  });
  await program.waitUntilReady();
  return { program, dataDir, readySeconds: (performance.now() - startedAt) / 1000 };
}

const writeSection = (name: string, text: string) =>
  writeDocument(
    'lab/performance.md',
    replaceSection(readDocument('lab/performance.md'), name, text),
  );

const hostileName = 'beside hostile searches';

/**
 * Plain calls beside hostile searches; a separate part, since one server is compared with itself.
 */
async function compareHostile(program: RunningProgram, about: string): Promise<void> {
  const other = openLoadGenerator();
  const stage = {
    port: program.port,
    plain: await signIn(program, 'employee'),
    hostile: await signIn(program, 'admin'),
  };
  const table = await measureHostile(stage, [generator, other], {
    rounds,
    seconds: hostileSeconds,
    report: console.log,
  });
  other.close();
  if (options.write) writeSection(`hostile ${size}`, `${about}.\n\n${table}`);
}

async function compare(): Promise<string[]> {
  const about = machine();
  const { program, dataDir, readySeconds } = await startProduct();
  const database = openDataDir(dataDir);
  const stage = { program, database, services: sizes[size].services };
  const made = await openCases(stage, options.only);
  const bench = await openBench({ product: program, dataDir, database }, made);
  const lines: Line[] = [];
  console.log(`${about}\n\n${tableOf([])}`);
  for (const one of made.cases) {
    await warmUp(bench, one);
    for (const connections of connectionCounts) {
      const line = await runCase(bench, one, connections);
      lines.push(line);
      console.log(tableOf([line]).split('\n').at(-1));
    }
  }
  const ofClerks = lines.filter(
    ({ name, connections }) => clerkNames.includes(name) && connections > 1,
  );
  if (ofClerks.length > 0) {
    const kinds = tableOfKinds(ofClerks);
    console.log(`\n${kinds}`);
    if (options.write) writeSection(`clerks ${size}`, `${about}.\n\n${kinds}`);
  }
  const memory = memoryOf(program.pid);
  await sleep(restSeconds * 1000);
  const rested = memoryOf(program.pid);
  const names = ['bare server from memory', 'without headers', 'bare Fastify', 'bare SQL server'];
  const others = bench.bare.map(
    ({ pid }, index) => `${names[index]} ${megabytes(memoryOf(pid).now)}`,
  );
  const summary =
    `${about}. ${rounds} runs of ${seconds} s for each server. The product was ready after ` +
    `${readySeconds.toFixed(1)} s. Memory after the runs: product ${megabytes(memory.now)} ` +
    `(at most ${megabytes(memory.most)}, ${megabytes(rested.now)} after ${restSeconds} s of rest), PostgreSQL ` +
    `${megabytes(memoryOfFamily(bench.postgresPid))}, ${others.join(', ')}.`;
  console.log(`\n${summary}`);
  if (options.write && lines.length > 0) writeSection(size, `${summary}\n\n${tableOf(lines)}`);
  if (hostileName.includes(options.only)) await compareHostile(program, about);
  for (const { close } of bench.bare) close();
  await database.destroy();
  program.signal('SIGINT');
  await program.ended;
  return problemsOf(lines);
}

async function explain(): Promise<string[]> {
  const { program, dataDir } = await startProduct();
  const tooSlow = await writeQueryPlans(program, dataDir, options.quick ? 5 : 40);
  program.signal('SIGINT');
  await program.ended;
  return tooSlow;
}

async function prepare(): Promise<string[]> {
  await keepData(size);
  return [];
}

try {
  const work = options.prepare ? prepare : options.plans ? explain : compare;
  const problems = await work();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  generator.close();
  await endPrograms();
}
