import type { Database, Transaction } from '#platform/database/database.ts';
import { insertRows, sql, type Sql } from '#platform/database/sql.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { clockOf, type RequestClock } from '../model/step-facts.store.ts';

/** An open request with the days that follow from a calendar. */
export interface DatedRequest {
  id: number;
  number: string;
  status_id: number;
  workflow_id: number;
  working_days: number;
  calendar_id: number;
  agency_id: number;
  promised_on: string | null;
  due_on: string;
  clock: RequestClock | null;
  /** When the last step was taken, in ISO 8601. */
  entered_at: string;
}

const selectDated = (condition: Sql, order: Sql, ending: Sql) => sql<DatedRequest>`
  select requests.id, requests.number, requests.status_id, requests.workflow_id,
    requests.working_days, requests.calendar_id, requests.agency_id,
    requests.promised_on::text, requests.due_on::text,
    ${clockOf(sql`requests.id`)} as clock,
    (
      select to_json(at)
      from request_history
      where request_id = requests.id
        and action not in ('reassign', 'reschedule', 'transfer')
      order by id desc
      limit 1
    ) as entered_at
  from requests
  where requests.due_on is not null
    and ${condition}
  order by ${order}
  ${ending}`;

/**
 * Locks some open requests after an id whose calendar has been replaced; those that others lock are
 * left out.
 */
export async function lockOutdated(
  transaction: Transaction,
  after: number,
  maximum: number,
): Promise<DatedRequest[]> {
  const outdated = sql`requests.id > ${after}
    and requests.calendar_id > 0
    and requests.calendar_id = any(array(
      select id
      from calendar_versions
      where superseded_at is not null
    ))`;
  // Not in the order of an index: PostgreSQL expects many such requests, and would look for the first of
  // them in the order of all requests. Mostly there is none, so that it would read all, every few seconds.
  const order = sql`requests.id + 0`;
  const ending = sql`limit ${maximum} for update of requests skip locked`;
  return (await selectDated(outdated, order, ending).execute(transaction)).rows;
}

/** Some open requests after an id; of one agency, or of all with null. */
export async function selectOpen(
  database: Database,
  { agencyId, after, maximum }: { agencyId: number | null; after: number; maximum: number },
): Promise<DatedRequest[]> {
  const condition = sql`requests.id > ${after}
    and (${agencyId}::int is null or requests.agency_id = ${agencyId}::int)`;
  const order = sql`requests.id`;
  return (await selectDated(condition, order, sql`limit ${maximum}`).execute(database)).rows;
}

export interface MovedRequest {
  id: number;
  calendar_id: number;
  promised_on: string | null;
  due_on: string;
}

/** Stores the days of requests that the transaction has locked. Their versions stay. */
export async function storeDays(
  transaction: Transaction,
  moved: readonly MovedRequest[],
): Promise<void> {
  await sql`
    update requests
    set calendar_id = moved.calendar_id,
      promised_on = moved.promised_on,
      due_on = moved.due_on
    from json_to_recordset(${JSON.stringify(moved)}::json) as moved (
      id bigint, calendar_id integer, promised_on date, due_on date
    )
    where requests.id = moved.id`.execute(transaction);
}

/** Appends a note to the history of each of some requests. */
export async function insertNotes(
  transaction: Transaction,
  notes: readonly { requestId: number; statusId: number; message: LocalizedText; at: Date }[],
): Promise<void> {
  const [first, ...others] = notes.map(({ requestId, statusId, message, at }) => ({
    request_id: requestId,
    action: 'reschedule',
    from_status_id: statusId,
    to_status_id: statusId,
    actor_kind: 'schedule' as const,
    actor_name: '',
    at,
    message: JSON.stringify(message),
  }));
  if (first) await insertRows('request_history', [first, ...others]).execute(transaction);
}
