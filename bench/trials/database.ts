// Starts the product with its database behind a proxy, breaks the way between them in several ways
// under load, and prints what callers met and whether acknowledged work was lost:
// npm run trial -- database [name of a trial …]
import { setTimeout as sleep } from 'node:timers/promises';
import { getService, getServices, type Service } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { createRequest, receiveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import { getLiveness, getReadiness } from '@diwan/contract/wire/health';
import { openDatabase, type Database } from '../../api/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  findInconsistencies,
  findMoneyInconsistencies,
} from '../../api/src/testing/load/consistency.ts';
import {
  endPrograms,
  newDataDir,
  startProgram,
  type RunningProgram,
} from '../../api/src/testing/programs/running-program.ts';
import {
  addressThrough,
  openTcpProxy,
  type TcpProxy,
} from '../../api/src/testing/programs/tcp-proxy.ts';
import { makeAnswers } from '../../api/src/testing/requests/demo-request.ts';

interface Trial {
  name: string;
  seconds: number;
  /** Breaks the way to the database. The trial ends it by the mode `pass`. */
  begin(proxy: TcpProxy, end: AbortSignal): Promise<void>;
  /** The longest time that a caller may wait for an answer, in seconds. */
  slowest: number;
}

async function flap(proxy: TcpProxy, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await proxy.setMode('reset');
    await sleep(500);
    await proxy.setMode('pass');
    await sleep(1000);
  }
}

// A busy machine takes its time, so that the limits are above those of the product: 3 seconds where
// the failure is known immediately, 10 seconds for a query without an answer.
const trials: Trial[] = [
  { name: 'none', seconds: 10, slowest: 5, begin: (proxy) => proxy.setMode('pass') },
  { name: 'refuse', seconds: 10, slowest: 5, begin: (proxy) => proxy.setMode('refuse') },
  { name: 'reset', seconds: 10, slowest: 5, begin: (proxy) => proxy.setMode('reset') },
  { name: 'silence', seconds: 30, slowest: 14, begin: (proxy) => proxy.setMode('silence') },
  { name: 'delay', seconds: 15, slowest: 14, begin: (proxy) => proxy.setMode({ delayMs: 50 }) },
  { name: 'drip', seconds: 15, slowest: 14, begin: (proxy) => proxy.setMode({ dripBytes: 64 }) },
  {
    name: 'cut',
    seconds: 15,
    slowest: 5,
    begin: (proxy) => proxy.setMode({ cutAfterBytes: 4000 }),
  },
  { name: 'flap', seconds: 15, slowest: 5, begin: flap },
];

const callers = 24;
const watchSeconds = 15;
const maximumRecoverySeconds = 10;

interface Tokens {
  applicant: string;
  employee: string;
}

interface Answer {
  status: number;
  /** Seconds from the call to its answer. */
  seconds: number;
  endedAt: number;
  hasRetryAfter: boolean;
}

const failures: string[] = [];

/** The answers of one trial, and all writes that were ever acknowledged. */
class Load {
  answers: Answer[] = [];
  /** Acknowledged versions by the id of the request. */
  readonly acknowledged = new Map<number, number>();
  readonly #program: RunningProgram;
  readonly #service: Service;
  readonly #tokens: Tokens;

  constructor(program: RunningProgram, service: Service, tokens: Tokens) {
    this.#program = program;
    this.#service = service;
    this.#tokens = tokens;
  }

  async #call<Body>(
    work: () => Promise<{ status: number; body: Body; headers: Record<string, unknown> }>,
  ): Promise<Body | undefined> {
    const startedAt = performance.now();
    const answer = await work().catch(() => ({ status: 0, body: undefined, headers: {} }));
    const endedAt = performance.now();
    this.answers.push({
      status: answer.status,
      seconds: (endedAt - startedAt) / 1000,
      endedAt,
      hasRetryAfter: 'retry-after' in answer.headers,
    });
    if (answer.status === 200) return answer.body;
    await sleep(200);
    return undefined;
  }

  async #live(): Promise<void> {
    const [program, service] = [this.#program, this.#service];
    const { applicant, employee } = this.#tokens;
    const created = await this.#call(() =>
      program.call(createRequest, {
        token: applicant,
        body: {
          serviceId: service.id,
          answers: makeAnswers(service.form),
          attachmentIds: [],
          agreeToTermsAndConditions: true,
        },
      }),
    );
    await this.#call(() => program.call(getRequestsCount, { token: employee }));
    if (!created) return;
    const { requestId } = created;
    this.acknowledged.set(requestId, 1);
    const params = { requestId };
    const record = await this.#call(() =>
      program.call(receiveRequest, { token: employee, params }),
    );
    if (record) this.acknowledged.set(requestId, record.version);
    await this.#call(() =>
      program.call(getRequestById, { token: applicant, query: { RequestId: requestId } }),
    );
  }

  /** Runs all callers until the signal. Resolves when each has its last answer. */
  async run(end: AbortSignal): Promise<void> {
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (!end.aborted) await this.#live();
      }),
    );
  }

  async findLost(database: Database): Promise<number> {
    const rows = await database.selectFrom('requests').select(['id', 'version']).execute();
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return [...this.acknowledged].filter(([id, version]) => (versions.get(id) ?? 0) < version)
      .length;
  }
}

async function findFreeService(program: RunningProgram): Promise<Service> {
  const { body } = await program.call(getServices, { query: { PageSize: 100 } });
  for (const { id, total } of body.items) {
    if (total > 0) continue;
    const { body: service } = await program.call(getService, { query: { serviceId: id } });
    if (service.attachments.every(({ required }) => !required)) return service;
  }
  throw new Error('Every free service needs documents');
}

interface Stage {
  program: RunningProgram;
  proxy: TcpProxy;
  /** The database, not through the proxy. */
  database: Database;
  dataDir: string;
  load: Load;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

async function runTrial(
  trial: Trial,
  { program, proxy, database, dataDir, load }: Stage,
): Promise<Record<string, unknown>> {
  load.answers = [];
  const linesBefore = program.errorOutput().split('\n').length;
  const before = load.acknowledged.size;
  const [loadEnd, trialEnd] = [new AbortController(), new AbortController()];
  const work = load.run(loadEnd.signal);
  await sleep(2000);
  const breaking = trial.begin(proxy, trialEnd.signal);
  await sleep(trial.seconds * 500);
  const ready = await fetch(`http://127.0.0.1:${program.port}${getReadiness.path}`);
  const reason = ((await ready.json()) as { reason?: string }).reason ?? 'ready';
  const live = (await fetch(`http://127.0.0.1:${program.port}${getLiveness.path}`)).status;
  await sleep(trial.seconds * 500);
  trialEnd.abort();
  await breaking;
  await proxy.setMode('pass');
  const restoredAt = performance.now();
  await sleep(watchSeconds * 1000);
  loadEnd.abort();
  await work;

  const failed = load.answers.filter(({ status }) => status !== 200);
  const recovery = Math.max(0, ...failed.map(({ endedAt }) => endedAt - restoredAt)) / 1000;
  const slowest = Math.max(...load.answers.map(({ seconds }) => seconds));
  const lost = await load.findLost(database);
  const problems = [
    ...(await findInconsistencies(database, dataDir)),
    ...(await findMoneyInconsistencies(database)),
  ];
  const expect = (isRight: boolean, problem: string) => {
    if (!isRight) failures.push(`${trial.name}: ${problem}`);
  };
  expect(lost === 0, `${lost} acknowledged writes are lost`);
  expect(problems.length === 0, problems.join('; '));
  expect(slowest <= trial.slowest, `an answer took ${slowest.toFixed(1)} s`);
  expect(recovery <= maximumRecoverySeconds, `it recovered after ${recovery.toFixed(1)} s`);
  expect(live === 200, `${getLiveness.path} answered ${live}`);
  const wrong = failed.filter(({ status, hasRetryAfter }) => status !== 503 || !hasRetryAfter);
  expect(wrong.length === 0, `${wrong.length} failures were not 503 with Retry-After`);
  return {
    trial: trial.name,
    seconds: trial.seconds,
    ...Object.fromEntries(
      [...new Set([200, ...failed.map(({ status }) => status)])].map((status) => [
        status,
        load.answers.filter((answer) => answer.status === status).length,
      ]),
    ),
    'slowest s': Number(slowest.toFixed(1)),
    'mean s': Number(
      (sum(load.answers.map(({ seconds }) => seconds)) / load.answers.length).toFixed(2),
    ),
    'recovery s': Number(recovery.toFixed(1)),
    ready: reason,
    'log lines': program.errorOutput().split('\n').length - linesBefore,
    acknowledged: load.acknowledged.size - before,
    lost,
  };
}

async function run(): Promise<void> {
  const names = process.argv.slice(2);
  const dataDir = await newDataDir();
  const server = await startEmbeddedPostgres(dataDir);
  const proxy = await openTcpProxy(server.connectionString);
  const database = openDatabase(server.connectionString, () => undefined);
  try {
    console.log('Starting the product …');
    const program = await startProgram({
      DATABASE_URL: addressThrough(proxy, server.connectionString),
      DATA_DIR: dataDir,
      SANDBOX: 'on',
      SEED: 'demo',
      REQUESTS_PER_DAY: '1000000',
      LOG_LEVEL: 'warn',
    });
    await program.waitUntilReady();
    const signIn = async (username: string) =>
      (await program.call(login, { body: { username, password: demoPassword } })).body.token;
    const load = new Load(program, await findFreeService(program), {
      applicant: await signIn('individual'),
      employee: await signIn('employee'),
    });
    // The first calls of a program are slow.
    console.log('Warming up …');
    await load.run(AbortSignal.timeout(15_000));
    const rows: Record<string, unknown>[] = [];
    for (const trial of trials.filter(({ name }) => names.length === 0 || names.includes(name))) {
      console.log(`${trial.name}: ${trial.seconds} s, then ${watchSeconds} s of recovery …`);
      rows.push(await runTrial(trial, { program, proxy, database, dataDir, load }));
    }
    console.table(rows);
    console.log(`The log of the product:\n${program.errorOutput()}`);
    program.signal('SIGTERM');
    await program.ended;
  } finally {
    await database.destroy();
    await proxy.close();
    await server.stop();
    await endPrograms();
  }
}

await run();
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
