import {
  isInvitationOfAgencies,
  isStaffOfAgencies,
} from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { AuditKind } from '@diwan/contract/people/audit';
import type { agencyChangeEntities, ChangeEntity } from '@diwan/contract/people/changes';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import type { LocalizedText } from '@diwan/contract/wire/languages';

interface AuditFilter {
  username?: string | undefined;
  kind?: AuditKind | undefined;
  /** YYYY-MM-DD in Asia/Dubai. */
  day?: string | undefined;
  pageNumber: number;
  take: number;
}

const onDay = (at: 'audit_events.at' | 'changes.at', day: string) =>
  sql<boolean>`${sql.raw(at)} >= ${day}::timestamp at time zone 'Asia/Dubai'
    and ${sql.raw(at)} < (${day}::timestamp + interval '1 day') at time zone 'Asia/Dubai'`;

function filterEvents(
  database: Database,
  { username, kind, day }: Omit<AuditFilter, 'take' | 'pageNumber'>,
) {
  let events = database.selectFrom('audit_events');
  if (username)
    events = events.where('audit_events.user_id', '=', ({ selectFrom }) =>
      selectFrom('users')
        .select('users.id')
        .where('users.username', '=', normalizeUsername(username)),
    );
  if (kind) events = events.where('audit_events.kind', '=', kind);
  if (day) events = events.where(onDay('audit_events.at', day));
  return events;
}

const withUsers = (events: ReturnType<typeof filterEvents>) =>
  events
    .leftJoin('users', 'users.id', 'audit_events.user_id')
    .select([
      'audit_events.id',
      'audit_events.at',
      'audit_events.kind',
      'audit_events.address',
      'audit_events.detail',
      'users.username',
      'users.full_name',
      'users.full_name_ar',
    ]);

/** Events by id. */
export const selectEvents = (database: Database, ids: readonly number[]) =>
  withUsers(database.selectFrom('audit_events').where('audit_events.id', 'in', ids)).execute();

/** Events, newest first, with the names of the users. */
export async function listAuditEvents(database: Database, filter: AuditFilter) {
  const events = filterEvents(database, filter);
  const { count } = await events
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await withUsers(events)
    .orderBy('audit_events.at', 'desc')
    .orderBy('audit_events.id', 'desc')
    .limit(filter.take)
    .offset((filter.pageNumber - 1) * filter.take)
    .execute();
  return { rows, count };
}

/** The accounts of the staff of some agencies. */
export const staffOfAgencies = (agencyIds: readonly number[]) => sql`(
  select users.id
  from users
  where ${isStaffOfAgencies(agencyIds)}
)`;

// The ids of the things of some agencies, as the log of changes has them. Each list is read once a query.
const idsOfThings = (
  agencyIds: readonly number[],
): Record<(typeof agencyChangeEntities)[number], Sql<unknown>> => {
  const ofAgencies = sql`select unnest(${[...agencyIds]}::int[])::text`;
  const ofServices = sql`
    select id::text
    from services
    where agency_id = any(${[...agencyIds]}::int[])
    union all
    select service_id::text
    from service_drafts
    where (document ->> 'agencyId')::int = any(${[...agencyIds]}::int[])
      and not exists (
        select
        from services
        where services.id = service_id
      )`;
  return {
    agency: ofAgencies,
    calendar: ofAgencies,
    service: ofServices,
    certificateTemplate: ofServices,
    rejectionReason: sql`
      select id::text
      from rejection_reasons
      where agency_id = any(${[...agencyIds]}::int[])`,
    user: sql`
      select id::text
      from ${staffOfAgencies(agencyIds)} as staff
      union all
      select id::text
      from staff_invitations
      where ${isInvitationOfAgencies(agencyIds)}`,
  };
};

/** Whether a row of `changes` is about a thing of some agencies, as a condition. */
export function isChangeOf(scope: AgencyScope): Sql<boolean> {
  // guard: changes of other agencies (audit-log) => true
  if (scope === 'all') return sql`true`;
  const things = Object.entries(idsOfThings(scope)).map(
    ([entity, ids]) => sql`(changes.entity = ${entity} and changes.entity_id in (${ids}))`,
  );
  return sql`(${sql.join(things, ' or ')})`;
}

interface ChangeFilter {
  scope: AgencyScope;
  entity?: ChangeEntity | undefined;
  entityId?: string | undefined;
  username?: string | undefined;
  /** YYYY-MM-DD in Asia/Dubai. */
  day?: string | undefined;
}

function filterChanges(
  database: Database,
  { scope, entity, entityId, username, day }: ChangeFilter,
) {
  let changes = database.selectFrom('changes').where(isChangeOf(scope));
  if (entity) changes = changes.where('changes.entity', '=', entity);
  if (entityId) changes = changes.where('changes.entity_id', '=', entityId);
  if (username)
    changes = changes.where('changes.actor_id', '=', ({ selectFrom }) =>
      selectFrom('users')
        .select('users.id')
        .where('users.username', '=', normalizeUsername(username)),
    );
  if (day) changes = changes.where(onDay('changes.at', day));
  return changes;
}

const withActors = (changes: ReturnType<typeof filterChanges>) =>
  changes
    .leftJoin('users', 'users.id', 'changes.actor_id')
    .select(['changes.id', 'changes.at', 'changes.entity', 'changes.entity_id', 'changes.name'])
    .select(['changes.action', 'changes.actor_name', 'changes.address', 'changes.fields'])
    .select(['users.username', 'users.full_name_ar']);
export type ChangeRow = Awaited<ReturnType<typeof selectChanges>>[number];

/** Changes by id. */
export const selectChanges = (database: Database, ids: readonly number[]) =>
  withActors(database.selectFrom('changes').where('changes.id', 'in', ids)).execute();

/** Changes, newest first, with the usernames of those who made them. */
export async function listChanges(
  database: Database,
  filter: ChangeFilter,
  { pageNumber, take }: { pageNumber: number; take: number },
) {
  const changes = filterChanges(database, filter);
  const { count } = await changes
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await withActors(changes)
    .orderBy('changes.id', 'desc')
    .limit(take)
    .offset((pageNumber - 1) * take)
    .execute();
  return { rows, count };
}

/** The tables of records that the log of changes names by id. */
export type NamedTable =
  | 'account_types'
  | 'agencies'
  | 'attachment_types'
  | 'categories'
  | 'partners'
  | 'services';

/** The names of records by id, retired ones too. */
export async function selectNames(
  database: Database | Transaction,
  table: NamedTable,
  ids: readonly number[],
): Promise<Map<number, LocalizedText>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
