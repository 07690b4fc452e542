// Random payments with random faults, while the program, PostgreSQL and the provider are killed:
// npm run trial -- payments [persons] [--minutes=number] [--seed=number] [--kills=number]
// [--fault=key|lock|signature]. After the minutes nobody else begins.
// Persons choose a method of payment or none, in several tabs at the same time, and the rules by
// method change. At the end the settlement files of the provider are compared with the ledger. Exit
// code 0: nothing is wrong. A planted fault must be found: the unique key for one open payment of a
// request, the locks of request and payment, or the check of signatures is removed, the last two in
// a copy of the bundled program. Exit code 0 is then that it was found.
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { startEmbeddedPostgres } from '../../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { freePort } from '../../api/src/platform/embedded-postgres/free-port.ts';
import { spawnPaymentSandbox } from '../../api/src/sandbox/payments/spawn-payment-sandbox.ts';
import { payAtRandom } from '../../api/src/testing/load/random-payments.ts';
import {
  endPrograms,
  findPostgres,
  isAlive,
  newDataDir,
} from '../../api/src/testing/programs/running-program.ts';
import { bundleServer } from '../../scripts/build-server.mjs';
import { root } from '../../scripts/install.mjs';
import { readText } from '../../tools/check/read-files.mjs';
import { removeGuards } from '../../tools/guards/guards.mjs';

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
  /** The names of the guards that are removed: see tools/guards/guards.mjs. */
  guards: readonly string[];
  /** What is removed besides, because no test notices it alone: a source, and a text in it. */
  also?: readonly [string, string];
  /** A problem that shows it. */
  shownBy: RegExp;
}

const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  key: { guards: [], shownBy: /open or paid payments in a round/ },
  lock: {
    guards: ['lock of a request'],
    also: ['api/src/features/payments/payments.store.ts', '.forNoKeyUpdate()'],
    shownBy: /was paid .* times|are due, without an open case|the ledger says/,
  },
  signature: {
    guards: ['signature of a message of a provider', 'age of a message of a provider'],
    shownBy: /forged messages were accepted/,
  },
};
const planted = fault === undefined ? undefined : plantedFaults[fault];
if (fault !== undefined && !planted) throw new Error(`there is no fault ${fault}`);

/** The sources that a fault changes: path -> text. */
function changedSources({ guards, also }: PlantedFault): Map<string, string> {
  const sources = removeGuards(root, guards);
  if (also) {
    const [file, text] = also;
    const parts = readText(join(root, file)).split(text);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${text}`);
    sources.set(file, parts.join(''));
  }
  return sources;
}

/** The folder of a separate bundle, next to the usual one: sources may change during the run. */
async function bundleWithFault(): Promise<string> {
  const folder = `api/dist-trial-${process.pid}`;
  const sources = planted ? changedSources(planted) : new Map<string, string>();
  await bundleServer(join(root, folder), [
    { name: 'plant-fault', load: (file: string) => sources.get(relative(root, file)) },
  ]);
  return folder;
}
const bundle = await bundleWithFault();

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
  rmSync(join(root, bundle), { recursive: true, force: true });
}
process.exit();
