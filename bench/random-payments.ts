// Random payments with random faults, while the program, PostgreSQL and the provider are killed:
// npm run trial:payments -- [persons] [--seed=number] [--fault=key]. The fault removes the unique key
// for one open payment of a request: the run must find it.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../api/src/platform/database/database.ts';
import { freePort } from '../api/src/platform/embedded-postgres/free-port.ts';
import { startEmbeddedPostgres } from '../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { spawnPaymentSandbox } from '../api/src/sandbox/payments/spawn-payment-sandbox.ts';
import { payAtRandom } from '../api/src/testing/load/random-payments.ts';
import {
  endPrograms,
  findPostgres,
  isAlive,
  newDataDir,
} from '../api/src/testing/programs/running-program.ts';

const [text = '10000'] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const given = process.argv.find((argument) => argument.startsWith('--seed='))?.slice(7);
const seed = Number(given ?? randomInt(2 ** 31));
const payments = Number(text);
const hasFault = process.argv.includes('--fault=key');
console.log(`${payments} persons, seed ${seed}`);

const dataDir = await newDataDir();
// It starts PostgreSQL again when that is killed, on the same port.
const postgres = await startEmbeddedPostgres(dataDir);
const database = openDatabase(postgres.connectionString, () => undefined);
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const [key, messageSecret] = ['the key of the product', 'the secret of messages'];
const provider = await spawnPaymentSandbox({
  folder: join(dataDir, 'provider'),
  host: '127.0.0.1',
  port,
  portalUrl: 'http://localhost:3000',
  key,
  messageSecret,
  lateMilliseconds: 2000,
  slowMilliseconds: 6000,
});
const pidOfProvider = async () => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/health`, { headers }).catch(() => undefined);
  return response?.ok ? ((await response.json()) as { pid: number }).pid : undefined;
};
const started = Date.now();
try {
  const { problems, line } = await payAtRandom({
    seed,
    payments,
    workers: 12,
    users: 60,
    settings: {
      DATABASE_URL: postgres.connectionString,
      DATA_DIR: dataDir,
      SANDBOX: 'on',
      SEED: 'demo',
    },
    database,
    prepare: async () => {
      if (hasFault) await sql`drop index payments_one_alive`.execute(database);
    },
    provider: {
      url,
      key,
      messageSecret,
      kill: async () => {
        const pid = await pidOfProvider();
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        while ((await pidOfProvider()) === undefined) await sleep(100);
      },
    },
    killDatabase: async () => {
      const pid = findPostgres(dataDir)?.pid ?? 0;
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      const answers = () =>
        sql`select`.execute(database).then(
          () => true,
          () => false,
        );
      while (!(await answers())) await sleep(50);
    },
    faultEvery: Math.max(5, Math.floor(payments / 100)),
    switchMilliseconds: 2000,
    report: (each) => console.log(each),
  });
  for (const problem of problems) console.error(problem);
  console.log(`${line}, ${Math.round((Date.now() - started) / 1000)} s`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await database.destroy();
  await provider.stop();
  await postgres.stop();
  await endPrograms();
}
process.exit();
