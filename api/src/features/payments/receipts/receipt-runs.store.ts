import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { ReceiptRunState } from '@diwan/contract/payments/receipt-runs';
import type { InvoiceKind } from '@diwan/contract/requests/payments';
import type { InvoiceRow } from '../invoices/invoices.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'receipt_runs.kind': InvoiceKind;
    'receipt_runs.state': ReceiptRunState;
  }
}

export type RunRow = Omit<Selectable<Tables['receipt_runs']>, 'from_day' | 'until_day'> & {
  from: string;
  until: string;
};
type PartRow = Selectable<Tables['receipt_run_parts']>;

const runColumns = sql`
  id, from_day as "from", until_day as until, kind, with_xml, state, total, done, last_document_id,
  created_by, creator_name, created_at, finished_at, worker, worked_at`;

type Chosen = Pick<RunRow, 'from' | 'until' | 'kind'>;

// The documents of the period of days in Asia/Dubai, by the day of their payment or refund.
const chosenBy = ({ from, until, kind }: Chosen) => sql`
  content -> 'transfer' ->> 'day' between ${from} and ${until}
    and kind = coalesce(${kind}::text, kind)`;

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

/** Begins a run unless another one runs; undefined where no document is within the period. */
export async function insertRun(
  transaction: Transaction,
  run: Chosen & { withXml: boolean; userId: string; name: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into receipt_runs (
      from_day, until_day, kind, with_xml, total, created_by, creator_name
    )
    select ${run.from}::date, ${run.until}::date, ${run.kind}::text, ${run.withXml}::boolean,
      count(*)::int, ${run.userId}::uuid, ${run.name}
    from invoices
    where ${chosenBy(run)}
    having count(*) > 0
    returning id`.execute(transaction);
  return rows[0]?.id;
}

/** Counts the documents of a run again: some may have been issued since it began. */
export async function countDocuments(database: Database, run: RunRow): Promise<void> {
  await sql`
    update receipt_runs
    set total = greatest(
      total,
      (
        select count(*)
        from invoices
        where ${chosenBy(run)}
      )
    )
    where id = ${run.id}`.execute(database);
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

/** The next documents of a run, in the order of their ids. */
export async function selectNextDocuments(
  database: Database,
  run: RunRow,
  count: number,
): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    select *
    from invoices
    where ${chosenBy(run)}
      and id > ${run.last_document_id}
    order by id
    limit ${count}`.execute(database);
  return rows;
}

/**
 * Records a finished part and how far the run is. False where the run was cancelled or taken over
 * meanwhile: then nothing is recorded.
 */
export async function recordPart(
  transaction: Transaction,
  run: RunRow,
  part: { fileId: string; documents: number; size: number; lastDocumentId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('receipt_runs')
    .set((eb) => ({
      done: eb('done', '+', part.documents),
      last_document_id: part.lastDocumentId,
      worked_at: sql<Date>`now()`,
    }))
    .where('id', '=', run.id)
    .where('state', '=', 'running')
    .where('worker', '=', run.worker)
    .where('last_document_id', '=', run.last_document_id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await sql`
    insert into receipt_run_parts (run_id, number, file_id, receipts, size)
    select ${run.id}, count(*) + 1, ${part.fileId}, ${part.documents}, ${part.size}
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
