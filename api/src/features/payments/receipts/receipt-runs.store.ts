import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { ReceiptRunState } from '@diwan/contract/payments/receipt-runs';
import type { InvoiceRow } from '../invoices/invoices.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'receipt_runs.state': ReceiptRunState;
  }
}

export type RunRow = Omit<Selectable<Tables['receipt_runs']>, 'from_day' | 'until_day'> & {
  from: string;
  until: string;
};
type PartRow = Selectable<Tables['receipt_run_parts']>;

const runColumns = sql`
  id, from_day as "from", until_day as until, state, total, done, last_payment_id,
  created_by, creator_name, created_at, finished_at, worker, worked_at`;

// The paid payments of the period of days in Asia/Dubai.
const paidWithin = (from: string, until: string) => sql`
  payments.status = 'paid'
    and payments.created_at >= (${from}::date::timestamp at time zone 'Asia/Dubai')
    and payments.created_at < ((${until}::date + 1)::timestamp at time zone 'Asia/Dubai')`;

/** The runs of the last days, newest first, and their parts. */
export async function selectRuns(
  database: Database,
  days: number,
): Promise<{ runs: RunRow[]; parts: PartRow[] }> {
  const { rows: runs } = await sql<RunRow>`
    select ${runColumns}
    from receipt_runs
    where created_at > now() - make_interval(days => ${days}) or state = 'running'
    order by id desc
    limit 20`.execute(database);
  const parts = await database
    .selectFrom('receipt_run_parts')
    .selectAll()
    .where('run_id', 'in', [0, ...runs.map(({ id }) => id)])
    .orderBy('run_id')
    .orderBy('number')
    .execute();
  return { runs, parts };
}

/** Begins a run unless another one runs; undefined where no payment is within the period. */
export async function insertRun(
  transaction: Transaction,
  run: { from: string; until: string; userId: string; name: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into receipt_runs (from_day, until_day, total, created_by, creator_name)
    select ${run.from}::date, ${run.until}::date, count(*)::int, ${run.userId}::uuid, ${run.name}
    from payments
    where ${paidWithin(run.from, run.until)}
    having count(*) > 0
    returning id`.execute(transaction);
  return rows[0]?.id;
}

/** Whether another run was running when one was inserted. */
export const isRunTaken = (error: unknown): boolean =>
  (error as { constraint?: string } | undefined)?.constraint === 'receipt_runs_one_running';

/** Takes over the running run: this process's own, or one whose process has been silent. */
export async function claimRun(database: Database, worker: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    update receipt_runs
    set worker = ${worker}, worked_at = now()
    where state = 'running'
      and (worker is null or worker = ${worker} or worked_at < now() - interval '1 minute')
    returning ${runColumns}`.execute(database);
  return rows[0];
}

/** The next payments of a run, in the order of their ids. */
export async function selectNextPayments(
  database: Database,
  { from, until, last_payment_id: last }: RunRow,
  count: number,
): Promise<{ id: number; request_id: number }[]> {
  const { rows } = await sql<{ id: number; request_id: number }>`
    select payments.id, request_id
    from payments
    where ${paidWithin(from, until)}
      and payments.id > ${last}
    order by payments.id
    limit ${count}`.execute(database);
  return rows;
}

/** The receipts of payments, in the order of their numbers. */
export function selectReceipts(
  database: Database,
  paymentIds: readonly number[],
): Promise<InvoiceRow[]> {
  return database
    .selectFrom('invoices')
    .selectAll()
    .where('kind', '=', 'receipt')
    .where('payment_id', 'in', [...paymentIds])
    .orderBy('id')
    .execute();
}

/**
 * Records a finished part and how far the run is. False where the run was cancelled or taken over
 * meanwhile: then nothing is recorded.
 */
export async function recordPart(
  transaction: Transaction,
  run: RunRow,
  part: { fileId: string; receipts: number; size: number; payments: number; lastPaymentId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('receipt_runs')
    .set((eb) => ({
      done: eb('done', '+', part.payments),
      last_payment_id: part.lastPaymentId,
      worked_at: sql<Date>`now()`,
    }))
    .where('id', '=', run.id)
    .where('state', '=', 'running')
    .where('worker', '=', run.worker)
    .where('last_payment_id', '=', run.last_payment_id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await sql`
    insert into receipt_run_parts (run_id, number, file_id, receipts, size)
    select ${run.id}, count(*) + 1, ${part.fileId}, ${part.receipts}, ${part.size}
    from receipt_run_parts
    where run_id = ${run.id}`.execute(transaction);
  return true;
}

/** Ends a running run. Returns whether it was running. */
export async function endRun(
  database: Database,
  id: number,
  state: 'done' | 'cancelled' | 'failed',
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('receipt_runs')
    .set({ state, finished_at: new Date() })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function findPart(
  database: Database,
  runId: number,
  number: number,
): Promise<PartRow | undefined> {
  return database
    .selectFrom('receipt_run_parts')
    .selectAll()
    .where('run_id', '=', runId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Takes the parts of runs that ended some days ago from the database; the ids of their files. */
export async function deleteOldParts(database: Database, days: number): Promise<string[]> {
  const { rows } = await sql<{ file_id: string }>`
    delete from receipt_run_parts
    using receipt_runs
    where receipt_runs.id = run_id
      and finished_at < now() - make_interval(days => ${days})
    returning file_id`.execute(database);
  return rows.map(({ file_id: id }) => id);
}
