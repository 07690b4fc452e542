import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import {
  maximumListedEntries,
  type LogSource,
  type LogThing,
} from '@diwan/contract/portal/audit-log';
import type { HistoryAction } from '@diwan/contract/requests/workflow';
import { isChangeOf, staffOfAgencies } from './audit.store.ts';

/** Which entries of the log are wanted; a missing filter lets all pass. Days are in Asia/Dubai. */
export interface LogFilter {
  /** The agencies whose things and staff the entries are about. */
  scope: AgencyScope;
  username?: string | undefined;
  thing?: { of: LogThing; name: string } | undefined;
  /** `detail` is an entity of changes, a kind of account events or an action on requests. */
  kind?: { source: LogSource; detail: string | undefined } | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

/** Where an entry is. `position` is its exact time for `selectKeysAfter`. */
export interface LogKey {
  source: LogSource;
  id: number;
  position: string;
}

/** A table of the log: the column of who acted, and the conditions of the filters that it knows. */
interface Source {
  table: string;
  person: string;
  only?: Sql<unknown>;
  detail?: string;
  /** What of it is of some agencies; without it nothing. */
  ofAgencies?: (agencyIds: readonly number[]) => Sql<unknown>;
  things: Partial<Record<LogThing, (name: string) => Sql<unknown>>>;
}

const userOf = (username: string) =>
  sql`(select users.id from users where users.username = ${normalizeUsername(username)})`;
const ofRequest = (number: string) =>
  sql`request_id = (select requests.id from requests where requests.number = ${number})`;
// Refunds and cases of payments are changes whose name is the number. The index is of these entities.
const ofMoney = (number: string) => sql`(
  entity in ('refund', 'paymentCase', 'settlementDifference')
  and name = to_jsonb(${number}::text)
)`;

const ofTheirStaff = (agencyIds: readonly number[]) =>
  sql`user_id in ${staffOfAgencies(agencyIds)}`;

const sources: Readonly<Record<LogSource, Source>> = {
  account: {
    table: 'audit_events',
    person: 'user_id',
    only: sql`kind <> 'exported'`,
    detail: 'kind',
    ofAgencies: ofTheirStaff,
    things: { user: (username) => sql`user_id = ${userOf(username)}` },
  },
  change: {
    table: 'changes',
    person: 'actor_id',
    detail: 'entity',
    ofAgencies: isChangeOf,
    things: {
      request: ofMoney,
      payment: ofMoney,
      service: (id) => sql`(entity = 'service' and entity_id = ${id})`,
      user: (username) => sql`(entity = 'user' and entity_id = ${userOf(username)}::text)`,
    },
  },
  export: {
    table: 'audit_events',
    person: 'user_id',
    only: sql`kind = 'exported'`,
    ofAgencies: ofTheirStaff,
    things: {},
  },
  read: { table: 'request_reads', person: 'reader_id', things: { request: ofRequest } },
  // The expression equals that of the indexes.
  request: {
    table: 'request_history',
    person: 'actor_id',
    only: sql`(
      actor_kind in ('employee', 'serviceProvider')
      or acted_for ->> 'by' = 'counter'
    )`,
    detail: 'action',
    things: { request: ofRequest },
  },
};
const sourceNames = Object.keys(sources) as LogSource[];

// What a table has of the agencies of a scope; undefined where it has nothing of any agency.
function ofScope(name: LogSource, scope: AgencyScope): Sql<unknown> | undefined {
  if (scope === 'all') return sql`true`;
  // guard: entries of the log about other agencies (audit-log) => sql`true`
  return sources[name].ofAgencies?.(scope);
}

const inDays = ({ from, until }: LogFilter): Sql<unknown>[] => [
  ...(from ? [sql`at >= ${from}::timestamp at time zone 'Asia/Dubai'`] : []),
  ...(until ? [sql`at < (${until}::timestamp + interval '1 day') at time zone 'Asia/Dubai'`] : []),
];

// The conditions of a table; undefined where none of its rows can match.
function conditionsOf(name: LogSource, filter: LogFilter): Sql<unknown>[] | undefined {
  const { person, only, detail, things } = sources[name];
  const { scope, username, thing, kind } = filter;
  const isOwn = ofScope(name, scope);
  if (!isOwn || (kind && kind.source !== name)) return undefined;
  const ofThing = thing && things[thing.of];
  if (thing && !ofThing) return undefined;
  return [
    ...(only ? [only] : []),
    isOwn,
    ...(kind?.detail && detail ? [sql`${sql.raw(detail)} = ${kind.detail}`] : []),
    ...(username ? [sql`${sql.raw(person)} = ${userOf(username)}`] : []),
    ...(thing && ofThing ? [ofThing(thing.name)] : []),
    ...inDays(filter),
  ];
}

// What follows an entry in a table, by the order of the log: time, then kind, then id.
function behind(name: LogSource, after: LogKey): Sql<unknown> {
  const at = sql`${after.position}::timestamptz`;
  if (name === after.source) return sql`(at, id) < (${at}, ${after.id}::bigint)`;
  return name < after.source ? sql`at < ${at}` : sql`at <= ${at}`;
}

/** The newest entries of each table in one, each read by an index up to `take` rows. */
function unionOf(filter: LogFilter, take: number, after?: LogKey): Sql<unknown> {
  const parts = sourceNames.flatMap((name) => {
    const conditions = conditionsOf(name, filter);
    if (!conditions) return [];
    const all = [...conditions, ...(after ? [behind(name, after)] : []), sql`true`];
    return sql`(
      select ${name}::text as source, id, at
      from ${sql.raw(sources[name].table)}
      where ${sql.join(all, ' and ')}
      order by at desc, id desc
      limit ${take}
    )`;
  });
  return parts.length > 0
    ? sql.join(parts, ' union all ')
    : sql`(select ''::text as source, 0::bigint as id, now() as at where false)`;
}

const keyColumns = sql`source, id::float8 as id, at::text as position`;

/** A page of the log, newest first; it ends after `maximumListedEntries`. */
export async function selectLogPage(
  database: Database,
  filter: LogFilter,
  page: { PageNumber: number; Take: number },
): Promise<{ items: LogKey[]; totalCount: number }> {
  // One more than are listed, so that the caller can say that there are more.
  const listed = sql`(
    select *
    from (${unionOf(filter, maximumListedEntries + 1)}) entries
    order by at desc, source, id desc
    limit ${maximumListedEntries + 1}
  ) listed`;
  return selectCountedPage<LogKey>(
    database,
    {
      columns: keyColumns,
      from: listed,
      order: sql`listed.at desc`,
      ties: sql`listed.source, listed.id desc`,
    },
    page,
  );
}

/** The next entries of an export, newest first. */
export async function selectLogAfter(
  database: Database,
  filter: LogFilter,
  { after, take }: { after: LogKey | undefined; take: number },
): Promise<LogKey[]> {
  const { rows } = await sql<LogKey>`
    select ${keyColumns}
    from (${unionOf(filter, take, after)}) entries
    order by entries.at desc, entries.source, entries.id desc
    limit ${take}`.execute(database);
  return rows;
}

/** Acts of staff on requests by id. */
export const selectActs = (database: Database, ids: readonly number[]) =>
  database
    .selectFrom('request_history')
    .innerJoin('requests', 'requests.id', 'request_history.request_id')
    .leftJoin('users', 'users.id', 'request_history.actor_id')
    .select(['request_history.id', 'request_history.at'])
    .select(({ ref }) => ref('request_history.action').$castTo<HistoryAction>().as('action'))
    .select(['request_history.actor_name as full_name', 'users.full_name_ar'])
    .select(['users.username', 'requests.number'])
    .where('request_history.id', 'in', ids)
    .execute();

/** Reads of requests and their documents by id. */
export const selectReads = (database: Database, ids: readonly number[]) =>
  database
    .selectFrom('request_reads')
    .innerJoin('requests', 'requests.id', 'request_reads.request_id')
    .leftJoin('users', 'users.id', 'request_reads.reader_id')
    .leftJoin('attachments', 'attachments.id', 'request_reads.attachment_id')
    .select(['request_reads.id', 'request_reads.at', 'request_reads.attachment_id'])
    .select(['request_reads.reader_name as full_name', 'users.full_name_ar'])
    .select(['users.username', 'requests.number'])
    .select(['attachments.file_name', 'request_reads.reason', 'request_reads.reason_text'])
    .where('request_reads.id', 'in', ids)
    .execute();
