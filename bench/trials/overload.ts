// More calls than the server can serve: npm run trial -- overload. Measures the capacity with as many
// callers as the server works on at the same time, then lets five times as many calls arrive: staff
// and signed-in users as before, and a flood of anonymous readers. Fails when less than 80 % of the
// capacity is served, when the p99 of served calls is above 2 s, when a call is lost, or when the
// server has not recovered after 10 s. SECONDS changes how long the flood lasts (20).

import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { getAllServicesCategoriesWithServices } from '@diwan/contract/catalogue/categories';
import { getServiceIdByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import {
  getRequestByRequestNoOrMobileNo,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import { getLiveness } from '@diwan/contract/wire/health';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  createProgramData,
  endPrograms,
  startProgram,
  type RunningProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { openLoadGenerator, type LoadCall, type LoadResult } from '../load/load-generator.ts';

const floodSeconds = Number(process.env.SECONDS ?? 20);
const times = 5;
const capacityWorkers = 50;
// More than wait for replies at any time. Node accepts one connection in a turn of its event loop.
const proxyConnections = 1000;
const limits = { servedShare: 0.8, servedP99Ms: 2000, recoveryMs: 10_000 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN;
const ms = (value: number) => (Number.isNaN(value) ? '-' : `${Math.round(value)} ms`);
const share = (value: number) => `${Math.round(value * 100)} %`;

async function mixFor(program: RunningProgram): Promise<LoadCall[]> {
  const signIn = async (username: string) =>
    (await program.call(login, { body: { username, password: demoPassword } })).body.token;
  const [individual, employee] = [await signIn('individual'), await signIn('employee')];
  const own = await program.call(getRequestsByStatusId, { token: individual, query: {} });
  const record = `${getRequestById.path}?RequestId=${own.body.items[0]?.requestId}`;
  const list = `${getRequestsByStatusId.path}?PageNumber=1&Take=10`;
  return [
    { group: 'anonymous', path: `${getServices.path}?PageNumber=1&Take=10`, weight: 20 },
    { group: 'anonymous', path: `${getServices.path}?SearchKeyword=رخصة`, weight: 10 },
    {
      group: 'anonymous',
      path: `${getServiceIdByServiceName.path}?serviceName=register-renew-tenancy-contract`,
      weight: 10,
    },
    { group: 'anonymous', path: getAllServicesCategoriesWithServices.path, weight: 10 },
    { group: 'anonymous', path: governmentAgencyCollection.path, weight: 10 },
    {
      group: 'anonymous',
      path: `${getRequestByRequestNoOrMobileNo.path}?SearchKeyword=DW26-00000-00000`,
      weight: 20,
    },
    { group: 'signed in', path: list, token: individual, weight: 6 },
    { group: 'signed in', path: record, token: individual, weight: 6 },
    { group: 'staff', path: list, token: employee, weight: 4 },
    { group: 'staff', path: getRequestsCount.path, token: employee, weight: 4 },
  ].map((call) => ({ ...call, path: encodeURI(call.path) }));
}

/** The same calls of signed-in users and staff, and anonymous ones for the rest of the flood. */
function floodOf(calls: readonly LoadCall[]): LoadCall[] {
  const weightOf = (given: readonly LoadCall[]) =>
    given.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const anonymous = calls.filter(({ group }) => group === 'anonymous');
  const factor = 1 + ((times - 1) * weightOf(calls)) / weightOf(anonymous);
  return calls.map((call) =>
    call.group === 'anonymous' ? { ...call, weight: (call.weight ?? 1) * factor } : call,
  );
}

const generator = openLoadGenerator();

const servedOf = (result: LoadResult) => Object.values(result).flatMap(({ served }) => served);

function print(name: string, result: LoadResult, seconds: number): void {
  for (const [group, { served, refused, failed, reasons }] of Object.entries(result))
    console.log(
      `  ${name}, ${group}: served ${(served.length / seconds).toFixed(0)}/s ` +
        `(p50 ${ms(percentile(served, 0.5))}, p99 ${ms(percentile(served, 0.99))}), ` +
        `refused ${(refused.length / seconds).toFixed(0)}/s ` +
        `(p50 ${ms(percentile(refused, 0.5))}, p99 ${ms(percentile(refused, 0.99))}), ` +
        `failed ${failed} ${failed > 0 ? JSON.stringify(reasons) : ''}`,
    );
}

async function timed(address: string): Promise<{ status: number; took: number }> {
  const startedAt = performance.now();
  const status = await fetch(address).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => 0,
  );
  return { status, took: performance.now() - startedAt };
}

/** Asks the health check ten times a second until `stop` is called. */
function watchHealth(base: string): { stop(): Promise<number[]> } {
  const answers: Promise<{ status: number; took: number }>[] = [];
  const timer = setInterval(() => answers.push(timed(`${base}${getLiveness.path}`)), 100);
  return {
    async stop() {
      clearInterval(timer);
      const done = await Promise.all(answers);
      // A failed check counts as one that took forever.
      return done.map(({ status, took }) => (status === 200 ? took : Infinity));
    },
  };
}

/** The time until ten calls in a row are served as fast as a person expects. */
async function measureRecovery(address: string): Promise<number> {
  const startedAt = performance.now();
  for (let inRow = 0; inRow < 10;) {
    const { status, took } = await timed(address);
    inRow = status === 200 && took < 500 ? inRow + 1 : 0;
    if (performance.now() - startedAt > 60_000) break;
    await pause(20);
  }
  return performance.now() - startedAt;
}

async function measure(): Promise<boolean> {
  const { settings } = await createProgramData();
  const program = await startProgram({
    ...settings,
    LOG_LEVEL: 'error',
    INQUIRIES_PER_MINUTE: '100000000',
  });
  await program.waitUntilReady();
  const base = `http://127.0.0.1:${program.port}`;
  const calls = await mixFor(program);
  const closed = { port: program.port, calls, workers: capacityWorkers };
  await generator.run({ ...closed, seconds: 4 });

  const before = await generator.run({ ...closed, seconds: 8 });
  const offered = (times * servedOf(before).length) / 8;
  const health = watchHealth(base);
  const flood = await generator.run({
    port: program.port,
    seconds: floodSeconds,
    calls: floodOf(calls),
    perSecond: offered,
    connections: proxyConnections,
  });
  const recoveryMs = await measureRecovery(`${base}${calls[0]?.path}`);
  const healthTimes = await health.stop();
  const after = await generator.run({ ...closed, seconds: 8 });

  // The machine may have other work, so the capacity is measured on both sides of the flood.
  const capacity = (servedOf(before).length + servedOf(after).length) / 16;
  const served = servedOf(flood);
  const servedShare = served.length / floodSeconds / capacity;
  const failed = Object.values(flood).reduce((sum, group) => sum + group.failed, 0);
  const servedP99 = percentile(served, 0.99);
  console.log(`capacity with ${capacityWorkers} callers: ${capacity.toFixed(0)} calls/s`);
  print('before', before, 8);
  console.log(`flood of ${offered.toFixed(0)} calls/s for ${floodSeconds} s:`);
  print('flood', flood, floodSeconds);
  print('after', after, 8);
  console.log(
    `served ${share(servedShare)} of the capacity (at least ${share(limits.servedShare)}); ` +
      `p99 of served calls ${ms(servedP99)} (at most ${ms(limits.servedP99Ms)}); ` +
      `p99 of /health/live ${ms(percentile(healthTimes, 0.99))}; ` +
      `recovered after ${ms(recoveryMs)} (at most ${ms(limits.recoveryMs)}); failed ${failed}`,
  );
  program.signal('SIGINT');
  await program.ended;
  return (
    servedShare >= limits.servedShare &&
    servedP99 < limits.servedP99Ms &&
    recoveryMs < limits.recoveryMs &&
    failed === 0
  );
}

try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  generator.close();
  await endPrograms();
}
