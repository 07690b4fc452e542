// Time and memory of a run that makes receipts: npm run bench -- receipts [payments]. It copies a paid
// request of the demo as often as needed, begins a run as an admin would, and reads its progress and
// the memory of the program until it ends. Decision 0085.
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { getReceiptRuns, startReceiptRun } from '@diwan/contract/payments/receipt-runs';
import { login } from '@diwan/contract/people/users';
import { sql } from '../api/src/platform/database/sql.ts';
import { demoPassword } from '../api/src/seed/seed.ts';
import {
  endPrograms,
  newDataDir,
  openDataDir,
  startProgram,
} from '../api/src/testing/programs/running-program.ts';

const payments = Number(process.argv[2] ?? 100_000);
const day = '2020-01-15';
const dataDir = await newDataDir();
const program = await startProgram({
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
});
await program.waitUntilReady();
const database = openDataDir(dataDir);

/** Paid requests of a day on which the demo has none. Triggers would write what no receipt reads. */
async function copyPaidRequests(): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction);
    await sql`
      insert into requests overriding system value
      select (
        jsonb_populate_record(
          original,
          jsonb_build_object('id', 900000000 + copy, 'number', 'DW20-' || lpad(copy::text, 10, '0'))
        )
      ).*
      from requests as original
      cross join generate_series(1, ${payments}::int) as copy
      where original.id = (select min(request_id) from payments where status = 'paid')`.execute(
      transaction,
    );
    await sql`
      insert into payments (request_id, merchant_reference, amount, currency, status, created_at)
      select id, number || '-bench', total, 'AED', 'paid', ${`${day}T08:00:00Z`}
      from requests
      where id > 900000000`.execute(transaction);
    await sql`
      insert into payment_events (id, payment_id, kind, amount, currency, occurred_at)
      select merchant_reference, id, 'paid', amount, currency, created_at
      from payments
      where merchant_reference like '%-bench'`.execute(transaction);
  });
  await sql`analyze`.execute(database);
}

/** The memory of the program now and at its highest, in MB. */
function readMemory(): { now: number; highest: number } {
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { now: read('VmRSS'), highest: read('VmHWM') };
}

/** The processor time of the program so far, in seconds. */
function readProcessorTime(): number {
  const fields = readFileSync(`/proc/${program.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

try {
  await copyPaidRequests();
  const { body: session } = await program.call(login, {
    body: { username: 'admin', password: demoPassword },
  });
  let { token } = session;
  const before = readMemory().now;
  const [begun, processorBefore] = [Date.now(), readProcessorTime()];
  await program.call(startReceiptRun, { token, body: { from: day, until: day } });
  for (let printed = 0; ;) {
    await sleep(1000);
    const answer = await program.call(getReceiptRuns, { token });
    if (answer.status === 401) {
      const again = { username: 'admin', password: demoPassword };
      ({ token } = (await program.call(login, { body: again })).body);
      continue;
    }
    const [run] = answer.body.runs;
    if (!run) throw new Error('the run did not begin');
    if (run.done - printed >= payments / 20) {
      printed = run.done;
      console.log(
        `${run.done} of ${run.total}, ${run.perMinute ?? 0} a minute, ${readMemory().now} MB`,
      );
    }
    if (run.state === 'running') continue;
    const seconds = (Date.now() - begun) / 1000;
    const size = run.parts.reduce((sum, part) => sum + part.size, 0);
    const milliseconds = ((readProcessorTime() - processorBefore) * 1000) / run.done;
    console.log(
      `${run.state}: ${run.done} receipts in ${Math.round(seconds)} s (` +
        `${((seconds * 1000) / run.done).toFixed(1)} ms each, ${milliseconds.toFixed(1)} ms of processor ` +
        `time), ${run.parts.length} files of ${Math.round(size / 1e6)} MB, memory ${before} MB before, ` +
        `at most ${readMemory().highest} MB, load ${loadavg()[0]?.toFixed(1)}`,
    );
    break;
  }
} finally {
  await database.destroy();
  program.signal('SIGTERM');
  await program.ended;
  await endPrograms();
}
process.exit();
