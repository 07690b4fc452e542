import type { Selectable } from 'kysely';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { CatalogueJob, JobState } from '@diwan/contract/catalogue/transfer';
import { addPart, emptyFile, partsOf, type FileEntries } from './files/check-file.ts';
import type { StoredSummary } from './stored-summary.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'catalogue_job_parts.entries': unknown[];
    'catalogue_job_parts.rows': number[];
    'catalogue_jobs.kind': CatalogueJob['kind'];
    'catalogue_jobs.plan': unknown;
    'catalogue_jobs.state': Exclude<JobState, 'interrupted'>;
    'catalogue_jobs.summary': StoredSummary;
  }
}

/** What a job does when it runs. */
export interface JobPlan extends FileEntries {
  retiresMissing: boolean;
}

async function insertParts(
  transaction: Transaction,
  jobId: string,
  plan: FileEntries,
): Promise<void> {
  let position = 0;
  for (const { list, entries, rows } of partsOf(plan)) {
    await transaction
      .insertInto('catalogue_job_parts')
      .values({
        job_id: jobId,
        position,
        list,
        entries: JSON.stringify(entries),
        rows: JSON.stringify(rows),
      })
      .execute();
    position += 1;
  }
}

/** Reads the entries of a job part by part, so that other work continues between them. */
async function readParts(database: Database, jobId: string): Promise<FileEntries> {
  const read = emptyFile();
  for (let position = 0; ; position += 1) {
    const part = await database
      .selectFrom('catalogue_job_parts')
      .select(['list', 'entries', 'rows'])
      .where('job_id', '=', jobId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!part) return read;
    addPart(read, part);
  }
}

type JobRow = Omit<Selectable<Tables['catalogue_jobs']>, 'plan'> & { is_active: boolean };

const shownColumns = [
  'id',
  'kind',
  'state',
  'created_by',
  'agency_ids',
  'created_at',
  'active_at',
  'catalogue_version',
  'total',
  'done',
  'is_cancelled',
  'summary',
] as const;
// A running job writes at least at each batch.
const isActive = sql<boolean>`active_at > now() - interval '1 minute'`.as('is_active');

export async function findJob(database: Database, id: string): Promise<JobRow | undefined> {
  return database
    .selectFrom('catalogue_jobs')
    .select([...shownColumns, isActive])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Stores a prepared job and returns its id; old jobs are deleted. */
export async function insertJob(
  database: Database,
  job: {
    kind: JobRow['kind'];
    userId: string;
    scope: AgencyScope;
    version: number;
    total: number;
    plan: JobPlan | undefined;
    summary: StoredSummary;
  },
): Promise<string> {
  await database
    .deleteFrom('catalogue_jobs')
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  const { plan } = job;
  return inTransaction(database, async (transaction) => {
    const { id } = await transaction
      .insertInto('catalogue_jobs')
      .values({
        kind: job.kind,
        state: plan ? 'ready' : 'refused',
        created_by: job.userId,
        agency_ids: job.scope === 'all' ? null : [...job.scope],
        catalogue_version: job.version,
        total: job.total,
        plan: plan ? JSON.stringify({ retiresMissing: plan.retiresMissing }) : null,
        summary: JSON.stringify(job.summary),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (plan) await insertParts(transaction, id, plan);
    return id;
  });
}

/** Starts a prepared or an interrupted job. False while any job runs, or when it is another state. */
export async function startJob(database: Database, id: string): Promise<JobPlan | undefined> {
  const header = await inTransaction(database, async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('catalogue jobs', 0))`.execute(
      transaction,
    );
    const { rows } = await sql<{ plan: Pick<JobPlan, 'retiresMissing'> }>`
      update catalogue_jobs
      set state = 'running', done = 0, is_cancelled = false, active_at = now()
      where id = ${id}
        and state in ('ready', 'running')
        and plan is not null
        and not exists (
          select
          from catalogue_jobs
          where state = 'running'
            and active_at > now() - interval '1 minute'
        )
      returning plan`.execute(transaction);
    return rows[0]?.plan;
  });
  return header && { ...header, ...(await readParts(database, id)) };
}

// An ended job needs its entries no more.
const deleteParts = (database: Database | Transaction, jobId: string) =>
  sql`
    delete from catalogue_job_parts
    using catalogue_jobs
    where catalogue_job_parts.job_id = ${jobId}
      and catalogue_jobs.id = ${jobId}
      and catalogue_jobs.plan is null`.execute(database);

/** Writes how far a job is, outside of its transaction. Returns whether it should stop. */
export async function reportProgress(
  database: Database,
  id: string,
  done: number,
): Promise<boolean> {
  const row = await database
    .updateTable('catalogue_jobs')
    .set({ done, active_at: new Date() })
    .where('id', '=', id)
    .returning('is_cancelled')
    .executeTakeFirst();
  return row?.is_cancelled ?? true;
}

/** Ends a job; with `done` in the transaction of its changes, with what it did. */
export async function endJob(
  database: Database | Transaction,
  id: string,
  state: 'done' | 'cancelled' | 'failed',
  summary?: StoredSummary,
): Promise<void> {
  await database
    .updateTable('catalogue_jobs')
    .set((eb) => ({
      state,
      plan: null,
      done: state === 'done' ? eb.ref('total') : 0,
      ...(summary ? { summary: JSON.stringify(summary) } : {}),
    }))
    .where('id', '=', id)
    .execute();
  await deleteParts(database, id);
}

/** Asks a job to stop; one that does not run is stopped immediately. */
export async function cancelJob(database: Database, id: string): Promise<void> {
  await sql`
    update catalogue_jobs
    set is_cancelled = true,
      state = case
        when state = 'running' and active_at > now() - interval '1 minute' then state
        else 'cancelled'
      end,
      plan = case
        when state = 'running' and active_at > now() - interval '1 minute' then plan
      end
    where id = ${id}
      and state in ('ready', 'running')`.execute(database);
  await deleteParts(database, id);
}
