import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { ActionInput, RequestAction } from '@diwan/contract/requests/actions';
import type { ActorKind, StatusTone } from '@diwan/contract/requests/workflow';

/** Past requests with the same recorded steps. */
export interface PathRow {
  steps: {
    action: string;
    from: number | null;
    to: number;
    actor: ActorKind;
    isCharged: boolean;
  }[];
  /** The tone of the last status in the workflow that the requests follow. */
  end: StatusTone | null;
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

// Requests of services with their own workflow do not follow the general one.
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

const latestRequests = ({ scope, maximum }: Pick<Sample, 'scope' | 'maximum'>) => sql`
  select id, number, workflow_id, status_id, calendar_id
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
            'actor', actor_kind,
            'isCharged', charged > 0
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

/** A stay of one of the latest requests in a status. */
interface LongStay {
  statusId: number;
  number: string;
  calendarId: number;
  at: Date;
  /** When the request left the status, or now. */
  until: Date;
}

/**
 * The stays of the latest requests of a scope that lasted for more days than a limit has working
 * days. Without weekends fewer of them are too long.
 */
export async function selectLongStays(
  database: Database,
  sample: Pick<Sample, 'scope' | 'maximum'>,
  limits: readonly { statusId: number; workingDays: number }[],
): Promise<LongStay[]> {
  if (limits.length === 0) return [];
  const { rows } = await sql<LongStay>`
    with tried as (${latestRequests(sample)}), stays as (
      select
        tried.number,
        tried.calendar_id,
        request_history.to_status_id as status_id,
        request_history.at,
        coalesce(
          lead(request_history.at) over (
            partition by request_history.request_id
            order by request_history.id
          ),
          now()
        ) as until
      from tried
      join request_history on request_history.request_id = tried.id
      where request_history.action not in ('reassign', 'reschedule', 'transfer')
    )
    select status_id as "statusId", number, calendar_id as "calendarId", at, until
    from stays
    join unnest(
      ${limits.map(({ statusId }) => statusId)}::int[],
      ${limits.map(({ workingDays }) => workingDays)}::int[]
    ) as limits (status_id, working_days) using (status_id)
    where day_in_dubai(until) - day_in_dubai(at) > working_days`.execute(database);
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
