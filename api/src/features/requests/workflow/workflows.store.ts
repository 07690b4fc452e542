import { sql, type RawBuilder } from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { ActionInput, RequestAction, Workflow } from '@diwan/contract/requests/workflow';
import type { WorkflowDraft } from '@diwan/contract/requests/workflows';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { acquireNamedLock } from '../../../platform/database/named-lock.ts';

/** Stores a document unless the same document is stored, and returns its id. */
export async function storeWorkflow(
  database: Database | Transaction,
  document: Workflow,
  hash: string,
): Promise<number> {
  await database
    .insertInto('workflows')
    .values({ document: JSON.stringify(document), hash })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
  return (
    await database
      .selectFrom('workflows')
      .select('id')
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow()
  ).id;
}

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
export const chosenWorkflow = (serviceId: RawBuilder<unknown>): RawBuilder<number | null> => sql`
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
}

/** The current choices, without those for deleted services. */
export async function selectChoices(database: Database): Promise<ChoiceRow[]> {
  const { rows } = await sql<ChoiceRow>`
    select
      latest.service_id, services.name as service_name, latest.workflow_id, latest.at,
      users.username as chosen_by
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

/** The draft of a service, or of services in general, with the username of its last editor. */
export function findDraft(
  database: Database | Transaction,
  serviceId: number | null,
): Promise<DraftRow | undefined> {
  return database
    .selectFrom('workflow_drafts')
    .leftJoin('users', 'users.id', 'workflow_drafts.updated_by')
    .select(['workflow_drafts.version', 'document', 'updated_at', 'users.username as updated_by'])
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

/** Past requests with the same recorded steps. */
export interface PathRow {
  steps: {
    action: string;
    from: number | null;
    to: number;
    actor: string;
  }[];
  /** The tone of the last status in the workflow that the requests follow. */
  end: 'done' | 'refused' | null;
  requests: number;
  examples: string[];
}

/** Open requests in one status. */
export interface StandingRow {
  status_id: number;
  has_partner: boolean;
  requests: number;
  examples: string[];
}

// Requests of services with a workflow of their own do not follow the general one.
const inScope = (serviceId: number | null) =>
  serviceId === null
    ? sql`requests.service_id not in (
        select service_id
        from (
          select distinct on (service_id) service_id, workflow_id
          from workflow_choices
          where service_id is not null
          order by service_id, id desc
        ) as latest
        where workflow_id is not null
      )`
    : sql`requests.service_id = ${serviceId}::int`;

/** The latest requests of a scope, and how many numbers of them are named. */
interface Sample {
  scope: number | null;
  maximum: number;
  examples: number;
}

const latestRequests = ({ scope, maximum }: Sample) => sql`
  select id, number, workflow_id, status_id
  from requests
  where ${inScope(scope)}
  order by created_at desc, id desc
  limit ${maximum}`;

/** The latest requests of a scope, together by their recorded steps. */
export async function selectPaths(database: Database, sample: Sample): Promise<PathRow[]> {
  const { rows } = await sql<PathRow>`
    with tried as (${latestRequests(sample)}), paths as (
      select tried.id, tried.number, workflow_ends.tone as "end", (
        select json_agg(
          json_build_object(
            'action', action,
            'from', from_status_id,
            'to', to_status_id,
            'actor', actor_kind
          )
          order by id
        )
        from request_history
        where request_id = tried.id
      )::text as steps
      from tried
      left join workflow_ends
        on workflow_ends.workflow_id = tried.workflow_id
        and workflow_ends.status_id = tried.status_id
    )
    select
      steps::json as steps,
      "end",
      count(*)::int as requests,
      (array_agg(number order by id desc))[1:${sample.examples}::int] as examples
    from paths
    where steps is not null
    group by paths.steps, "end"
    order by count(*) desc, paths.steps`.execute(database);
  return rows;
}

interface FoundRequests {
  requests: number;
  examples: string[];
}

/** The latest requests of a scope that stayed in a status beyond a limit in working days. */
export async function selectOverdue(
  database: Database,
  sample: Sample,
  limits: readonly { statusId: number; workingDays: number }[],
): Promise<(FoundRequests & { statusId: number })[]> {
  if (limits.length === 0) return [];
  const { rows } = await sql<FoundRequests & { statusId: number }>`
    with tried as (${latestRequests(sample)}), stays as (
      select
        tried.id,
        tried.number,
        request_history.to_status_id as status_id,
        request_history.at,
        lead(request_history.at) over (
          partition by request_history.request_id
          order by request_history.id
        ) as left_at
      from tried
      join request_history on request_history.request_id = tried.id
      where request_history.action <> 'reassign'
    )
    select
      status_id as "statusId",
      count(distinct id)::int as requests,
      (array_agg(distinct number))[1:${sample.examples}::int] as examples
    from stays
    join unnest(
      ${limits.map(({ statusId }) => statusId)}::int[],
      ${limits.map(({ workingDays }) => workingDays)}::int[]
    ) as limits (status_id, working_days) using (status_id)
    where day_in_dubai(coalesce(left_at, now())) > due_day(day_in_dubai(at), working_days)
    group by status_id
    order by count(distinct id) desc, status_id`.execute(database);
  return rows;
}

interface LackingStep {
  action: RequestAction;
  from: number;
  input: ActionInput;
}

/** The steps of the latest requests of a scope that had no such input. */
export async function selectLacking(
  database: Database,
  sample: Sample,
  required: readonly LackingStep[],
): Promise<(FoundRequests & LackingStep)[]> {
  if (required.length === 0) return [];
  const { rows } = await sql<FoundRequests & LackingStep>`
    with tried as (${latestRequests(sample)})
    select
      step.action,
      step.from_status_id as "from",
      required.input,
      count(distinct tried.id)::int as requests,
      (array_agg(distinct tried.number))[1:${sample.examples}::int] as examples
    from tried
    join request_history as step on step.request_id = tried.id
    join unnest(
      ${required.map(({ action }) => action)}::text[],
      ${required.map(({ from }) => from)}::int[],
      ${required.map(({ input }) => input)}::text[]
    ) as required (action, from_status_id, input)
      on required.action = step.action
      and required.from_status_id = step.from_status_id
    where case required.input
      when 'reason' then step.reasons = '[]'
      when 'note' then step.message is null
      when 'fee' then step.charged = 0
      else not exists (
        select
        from attachments
        where attachments.request_id = tried.id
          and attachments.name = 'result'
      )
    end
    group by step.action, step.from_status_id, required.input
    order by count(distinct tried.id) desc, step.action, required.input`.execute(database);
  return rows;
}

/** The open requests of a scope by status, and by whether a service provider can act on them. */
export async function selectStanding(
  database: Database,
  serviceId: number | null,
  openStatuses: readonly number[],
  examples: number,
): Promise<StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select
      status_id,
      partner_id is not null as has_partner,
      count(*)::int as requests,
      (array_agg(number order by id desc))[1:${examples}::int] as examples
    from requests
    where ${inScope(serviceId)} and status_id = any(${openStatuses}::int[])
    group by status_id, has_partner
    order by status_id, has_partner`.execute(database);
  return rows;
}
