// Random payments with random faults, while the program, PostgreSQL and the provider are killed:
// npm run trial -- payments [persons] [--minutes=number] [--seed=number] [--kills=number]
// [--fault=key|lock|signature]. After the minutes nobody else begins.
// Persons choose a method of payment or none, in several tabs at the same time, and the rules by
// method change. At the end the settlement files of the provider are compared with the ledger. Exit
// code 0: nothing is wrong. A planted fault must be found: the unique key for one open payment of a
// request, the locks of request and payment, or the check of signatures is removed, the last two in
// a copy of the bundled program. Exit code 0 is then that it was found.
import { randomInt } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { startEmbeddedPostgres } from '../../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { freePort } from '../../api/src/platform/embedded-postgres/free-port.ts';
import { spawnPaymentSandbox } from '../../api/src/sandbox/payments/spawn-payment-sandbox.ts';
import { payAtRandom } from '../../api/src/testing/load/random-payments.ts';
import {
  buildServer,
  endPrograms,
  findPostgres,
  isAlive,
  newDataDir,
} from '../../api/src/testing/programs/running-program.ts';

const [text = '10000'] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const option = (name: string) =>
  process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const seed = Number(option('seed') ?? randomInt(2 ** 31));
const payments = Number(text);
/** How often something is killed or switched. */
const kills = Math.min(Number(option('kills') ?? 100), Math.ceil(payments / 5));
const fault = option('fault');
console.log(`${payments} persons, ${kills} kills, seed ${seed}${fault ? `, fault ${fault}` : ''}`);

interface PlantedFault {
  /** What is replaced in the bundle, each exactly once. */
  replacements: readonly [RegExp, string][];
  /** A problem that shows it. */
  shownBy: RegExp;
}

const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  key: { replacements: [], shownBy: /open or paid payments in a round/ },
  lock: {
    replacements: [
      [/(where id = \$\{id\} and \$\{visible\})\s*for update/, '$1'],
      [/(\.where\("merchant_reference", "=", merchantReference\))\.forNoKeyUpdate\(\)/, '$1'],
    ],
    shownBy: /was paid .* times|are due, without an open case|the ledger says/,
  },
  signature: {
    replacements: [
      [/if \(!parts\.some\(.*throw new MessageRefused\("notGenuine"\);/, ''],
      [/if \(Math\.abs\(now\.getTime\(\).*throw new MessageRefused\("tooOld"\);/, ''],
    ],
    shownBy: /forged messages were accepted/,
  },
};
const planted = fault === undefined ? undefined : plantedFaults[fault];
if (fault !== undefined && !planted) throw new Error(`there is no fault ${fault}`);
const repository = fileURLToPath(new URL('../../', import.meta.url));
await buildServer();

/**
 * A copy of the bundle, with a fault if one is named, beside it: it reads files by their place relative
 * to it. Sources may change during the run.
 */
function copyBundle(): string {
  const folder = `api/dist-trial-${process.pid}`;
  cpSync(join(repository, 'api/dist'), join(repository, folder), { recursive: true });
  for (const [pattern, replacement] of planted?.replacements ?? []) {
    const paths = readdirSync(join(repository, folder))
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(repository, folder, file))
      .filter((path) => pattern.test(readFileSync(path, 'utf8')));
    if (paths.length !== 1) throw new Error(`the code of ${fault} is in ${paths.length} files`);
    for (const path of paths)
      writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, replacement));
  }
  return folder;
}
const bundle = copyBundle();

const dataDir = await newDataDir();
// It starts PostgreSQL again when that is killed, on the same port.
const postgres = await startEmbeddedPostgres(dataDir, {
  report: () => undefined,
  giveUp: (reason) => {
    throw new Error(reason);
  },
  // The product gives up after ten ends within minutes; here they are wanted.
  restartDelaysMs: Array.from({ length: 10_000 }, () => 200),
});
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
    minutes: option('minutes') === undefined ? undefined : Number(option('minutes')),
    workers: 12,
    users: 60,
    settings: {
      DATABASE_URL: postgres.connectionString,
      DATA_DIR: dataDir,
      SANDBOX: 'on',
      SEED: 'demo',
    },
    database,
    bundle,
    prepare: async () => {
      if (fault === 'key') await sql`drop index payments_one_alive`.execute(database);
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
      // A new one starts when the connections of the old one are gone.
      const isNew = () => (findPostgres(dataDir)?.pid ?? pid) !== pid;
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      const answers = () =>
        sql`select`.execute(database).then(
          () => true,
          () => false,
        );
      while (!isNew() || !(await answers())) await sleep(50);
    },
    faultEvery: Math.floor(payments / kills),
    switchMilliseconds: 2000,
    checkSeconds: 5,
    report: (each) => console.log(each),
  });
  for (const problem of problems) console.error(problem);
  console.log(`${line}, ${Math.round((Date.now() - started) / 1000)} s`);
  const shown = problems.filter((problem) => planted?.shownBy.test(problem)).length;
  if (planted)
    console.log(
      shown > 0 ? `fault found: ${fault}, by ${shown} problems` : `fault missed: ${fault}`,
    );
  process.exitCode = (planted ? shown > 0 : problems.length === 0) ? 0 : 1;
} finally {
  await database.destroy();
  await provider.stop();
  await postgres.stop();
  await endPrograms();
  rmSync(join(repository, bundle), { recursive: true, force: true });
}
process.exit();
