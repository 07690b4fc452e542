import type { Database, Transaction } from '#platform/database/database.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { WorkflowDraft } from '@diwan/contract/requests/workflows';
import type { Language } from '@diwan/contract/wire/languages';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { isEnd } from './workflow-rules.actions.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'workflow_drafts.document': WorkflowDraft;
    'workflows.document': Workflow;
  }
}

/**
 * Stores a document unless the same document is stored, with the statuses that end a request, and
 * returns its id.
 */
export async function storeWorkflow(
  database: Database | Transaction,
  document: Workflow,
  hash: string,
): Promise<number> {
  const ends = document.statuses.filter(isEnd);
  const { rows } = await sql<{ id: number }>`
    with stored as (
      insert into workflows (document, hash)
      values (${JSON.stringify(document)}, ${hash})
      on conflict (hash) do nothing
      returning id
    ), ended as (
      insert into workflow_ends (workflow_id, status_id, tone)
      select stored.id, ends.status_id, ends.tone
      from stored
      cross join unnest(
        ${ends.map(({ statusId }) => statusId)}::int[],
        ${ends.map(({ tone }) => tone)}::text[]
      ) as ends (status_id, tone)
    )
    select id
    from stored
    union all
    select id
    from workflows
    where hash = ${hash}`.execute(database);
  // Another process may have stored it after the statement began.
  return rows[0]?.id ?? (await findStored(database, hash));
}

const findStored = async (database: Database | Transaction, hash: string): Promise<number> =>
  (
    await database
      .selectFrom('workflows')
      .select('id')
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow()
  ).id;

export function selectWorkflows(database: Database): Promise<{ id: number; document: Workflow }[]> {
  return database.selectFrom('workflows').select(['id', 'document']).orderBy('id').execute();
}

export async function findWorkflow(
  database: Database | Transaction,
  id: number,
): Promise<Workflow | undefined> {
  return (
    await database
      .selectFrom('workflows')
      .select('document')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.document;
}

export async function getWorkflow(database: Database | Transaction, id: number): Promise<Workflow> {
  return (
    await database
      .selectFrom('workflows')
      .select('document')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).document;
}

/** The documents that requests follow, and those for new requests of any service. */
export async function selectUsedWorkflows(database: Database | Transaction): Promise<Workflow[]> {
  const { rows } = await sql<{ document: Workflow }>`
    select document
    from workflows
    where exists (select from requests where requests.workflow_id = workflows.id)
      or id in (
        select distinct on (service_id) workflow_id
        from workflow_choices
        order by service_id, id desc
      )
  `.execute(database);
  return rows.map(({ document }) => document);
}

/**
 * The id of the workflow that is chosen for a service, else for services in general; null where
 * there is no choice.
 */
export const chosenWorkflow = (serviceId: Sql<unknown>): Sql<number | null> => sql`
  coalesce(
    (
      select workflow_id
      from workflow_choices
      where service_id = ${serviceId}
      order by id desc
      limit 1
    ),
    (
      select workflow_id
      from workflow_choices
      where service_id is null
      order by id desc
      limit 1
    )
  )`;

export async function findChosen(
  database: Database | Transaction,
  serviceId: number | null,
): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select ${chosenWorkflow(sql`${serviceId}::int`)} as id`.execute(database);
  return rows[0]?.id ?? null;
}

export interface ChoiceRow {
  service_id: number | null;
  service_name: LocalizedText | null;
  workflow_id: number;
  at: Date;
  chosen_by: string | null;
  chosen_by_ar: string | null;
}

/** The current choices, without those for deleted services. */
export async function selectChoices(database: Database): Promise<ChoiceRow[]> {
  const { rows } = await sql<ChoiceRow>`
    select
      latest.service_id, services.name as service_name, latest.workflow_id, latest.at,
      users.full_name as chosen_by, users.full_name_ar as chosen_by_ar
    from (
      select distinct on (service_id) *
      from workflow_choices
      order by service_id, id desc
    ) as latest
    left join services on services.id = latest.service_id
    left join users on users.id = latest.chosen_by
    where latest.workflow_id is not null and services.deleted_at is null
    order by latest.service_id nulls first
  `.execute(database);
  return rows;
}

/** Lets one transaction change choices at a time. */
export async function lockChoices(transaction: Transaction): Promise<void> {
  await acquireNamedLock(transaction, 'workflow choices');
}

export async function insertChoice(
  transaction: Transaction,
  row: { service_id: number | null; workflow_id: number | null; chosen_by: string | null },
): Promise<void> {
  await transaction.insertInto('workflow_choices').values(row).execute();
}

interface LatestWorkflowRow {
  id: number;
  name: string;
  version: number;
  created_at: Date;
  /** The number of requests that follow the document. */
  requests: number;
}

/** The 50 latest documents, newest first. */
export async function selectLatestWorkflows(database: Database): Promise<LatestWorkflowRow[]> {
  const { rows } = await sql<LatestWorkflowRow>`
    select
      workflows.id, document ->> 'name' as name, (document ->> 'version')::int as version,
      created_at, coalesce(following.count, 0)::int as requests
    from workflows
    left join (
      select workflow_id, count(*) as count
      from requests
      group by workflow_id
    ) as following on following.workflow_id = workflows.id
    order by workflows.id desc
    limit 50
  `.execute(database);
  return rows;
}

interface DraftRow {
  version: number;
  document: WorkflowDraft;
  updated_at: Date;
  updated_by: string | null;
}

/** The draft of a service, or of services in general, with the name of its last editor. */
export function findDraft(
  database: Database | Transaction,
  serviceId: number | null,
  language: Language,
): Promise<DraftRow | undefined> {
  return database
    .selectFrom('workflow_drafts')
    .leftJoin('users', 'users.id', 'workflow_drafts.updated_by')
    .select(['workflow_drafts.version', 'document', 'updated_at'])
    .select(personName('users', language).as('updated_by'))
    .where('service_id', 'is not distinct from', serviceId)
    .executeTakeFirst();
}

/** Stores a draft over the version that was read; false when there is another version. */
export async function storeDraft(
  transaction: Transaction,
  draft: { serviceId: number | null; version: number; document: WorkflowDraft; userId: string },
): Promise<boolean> {
  const document = JSON.stringify(draft.document);
  const { rows } = await sql`
    insert into workflow_drafts as stored (service_id, document, updated_by)
    select ${draft.serviceId}::int, ${document}::jsonb, ${draft.userId}::uuid
    where ${draft.version}::int = 0
      or exists (
        select
        from workflow_drafts
        where service_id is not distinct from ${draft.serviceId}::int
      )
    on conflict (service_id) do update
    set document = excluded.document,
      updated_by = excluded.updated_by,
      updated_at = now(),
      version = stored.version + 1
    where stored.version = ${draft.version}::int
    returning version`.execute(transaction);
  return rows.length === 1;
}

/** Deletes a draft; with a version only that one. False when nothing was deleted. */
export async function deleteDraft(
  transaction: Transaction,
  serviceId: number | null,
  version?: number,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('workflow_drafts')
    .where('service_id', 'is not distinct from', serviceId)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
