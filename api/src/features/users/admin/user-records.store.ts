import type { Selectable } from 'kysely';
import {
  findAdministered,
  isActiveAdministrator,
} from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { holdPublishing } from '#platform/hubs/hub-events.ts';
import { secondPersons } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { agenciesOfUser } from '../model/users.store.ts';

/** One account with the names of its company and partner, and its open requests as a holder. */
export function findUser(database: Database, userId: string) {
  return database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .selectAll('users')
    .select(({ exists, selectFrom }) => [
      'companies.name as company_name',
      'partners.name as partner_name',
      agenciesOfUser.as('agencies'),
      exists(
        selectFrom('second_factors')
          .select('second_factors.user_id')
          .whereRef('second_factors.user_id', '=', 'users.id')
          .where('second_factors.confirmed_at', 'is not', null),
      )
        .$castTo<boolean>()
        .as('has_second_factor'),
      sql<number>`(
        select count(*)::int
        from requests
        where requests.holder_id = users.id
          and not exists (
            select
            from workflow_ends
            where workflow_ends.workflow_id = requests.workflow_id
              and workflow_ends.status_id = requests.status_id
          )
      )`.as('held_requests_count'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst();
}
export type FoundUser = NonNullable<Awaited<ReturnType<typeof findUser>>>;

export type UserRow = Selectable<Tables['users']>;

/**
 * Waits for every other change of roles and suspensions. Two changes at the same time could
 * otherwise both find another administrator.
 */
export function lockRoles(transaction: Transaction): Promise<void> {
  return acquireNamedLock(transaction, 'roles of users');
}

export function lockUser(transaction: Transaction, userId: string): Promise<UserRow | undefined> {
  return transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether the user is an administrator who can sign in. */
export async function isActiveAdmin(transaction: Transaction, userId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(sql<boolean>`'Admin' = any(roles)`)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The number of administrators who can sign in, without one of them. */
export async function countOtherAdmins(transaction: Transaction, userId: string): Promise<number> {
  const row = await transaction
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', '!=', userId)
    .where(sql<boolean>`'Admin' = any(roles)`)
    .where('suspended_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('password_hash', 'is not', null), eb('uaepass_id', 'is not', null)]),
    )
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Lets the requests go back that the user has and may no longer see: see `releaseLostRequests`. */
const noteAccessLoss = (transaction: Transaction, userId: string) =>
  sql`
  insert into access_losses (user_id)
  values (${userId})
  on conflict (user_id) do update set noted_at = clock_timestamp()`.execute(transaction);

const hasAdministratorBut = (userId: string | null, agencyId: Sql<number>) => sql`exists (
  select
  from staff_agencies
  join users on users.id = staff_agencies.user_id
  where staff_agencies.agency_id = ${agencyId}
    and staff_agencies.user_id is distinct from ${userId}::uuid
    and ${isActiveAdministrator}
)`;

/** What an employee sees of each of their agencies: all, or the work of their teams, by name. */
export async function selectTeamsOfUser(
  database: Database,
  userId: string,
): Promise<{ agency_id: number; teams_only: boolean; teams: { id: number; name: string }[] }[]> {
  const { rows } = await sql<{
    agency_id: number;
    teams_only: boolean;
    teams: { id: number; name: string }[];
  }>`
    select staff_agencies.agency_id, staff_agencies.teams_only,
      coalesce(
        jsonb_agg(jsonb_build_object('id', teams.id, 'name', teams.name)
          order by lower(teams.name), teams.id)
          filter (where teams.id is not null),
        '[]'
      ) as teams
    from staff_agencies
    left join team_members on team_members.user_id = staff_agencies.user_id
      and team_members.agency_id = staff_agencies.agency_id
    left join teams on teams.id = team_members.team_id
    where staff_agencies.user_id = ${userId}
    group by staff_agencies.agency_id, staff_agencies.teams_only
    order by staff_agencies.agency_id`.execute(database);
  return rows;
}

/** The agencies of an active administrator that have no other one. */
export async function selectOnlyAdministered(
  database: Database,
  userId: string,
): Promise<{ id: number; name: LocalizedText }[]> {
  const { rows } = await sql<{ id: number; name: LocalizedText }>`
    select agencies.id, agencies.name
    from users
    join staff_agencies on staff_agencies.user_id = users.id
    join agencies on agencies.id = staff_agencies.agency_id
    where users.id = ${userId}
      and ${isActiveAdministrator}
      and not ${hasAdministratorBut(userId, sql`agencies.id`)}
    order by agencies.position, agencies.id`.execute(database);
  return rows;
}

/**
 * Makes a change of an account and stores which agencies it left without an administrator, so that the
 * portal's administrators see it.
 */
async function notingLostAdministrators(
  transaction: Transaction,
  userId: string,
  change: () => Promise<void>,
): Promise<void> {
  const before = (await findAdministered(transaction, userId)) ?? [];
  await change();
  if (before.length === 0) return;
  await sql`
    insert into administrator_losses (agency_id)
    select id
    from agencies
    where id = any(${before}::int[])
      and not ${hasAdministratorBut(null, sql`agencies.id`)}
    on conflict (agency_id) do update set lost_at = now()`.execute(transaction);
}

export async function setSuspension(
  transaction: Transaction,
  userId: string,
  reason: string | null,
): Promise<void> {
  await notingLostAdministrators(transaction, userId, async () => {
    await transaction
      .updateTable('users')
      .set({ suspended_at: reason === null ? null : new Date(), suspension_reason: reason })
      .where('id', '=', userId)
      .execute();
  });
  await noteAccessLoss(transaction, userId);
}

/** The agencies that an account sees. */
export async function readAgencies(transaction: Transaction, userId: string): Promise<AgencyScope> {
  const { all_agencies: sees, ids } = await transaction
    .selectFrom('users')
    .select([
      'all_agencies',
      sql<number[]>`array(
        select agency_id
        from staff_agencies
        where user_id = users.id
        order by agency_id
      )`.as('ids'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return sees ? 'all' : ids;
}

interface GivenPosition {
  roles: readonly string[];
  partnerId: number | null;
  agencies: AgencyScope;
  readsUrgently?: boolean | undefined;
  by: string;
}

/**
 * Sets the roles of an account, its partner and its agencies, and waits for the events that are being
 * published: they go to those whose counts do not include them.
 * `by` gives the roles: who gives one that may be a second person is not independent of it.
 * Decision 0117.
 */
export const setPosition = (
  transaction: Transaction,
  userId: string,
  given: GivenPosition,
): Promise<void> =>
  notingLostAdministrators(transaction, userId, () => writePosition(transaction, userId, given));

async function writePosition(
  transaction: Transaction,
  userId: string,
  { roles, partnerId, agencies, readsUrgently = false, by }: GivenPosition,
): Promise<void> {
  // guard: events that are published while agencies change (staff-agencies)
  await holdPublishing(transaction);
  const deciding = secondPersons.filter((role) => roles.includes(role));
  const hasThem = sql`roles @> ${deciding}::text[]`;
  await transaction
    .updateTable('users')
    .set({
      roles: [...roles],
      partner_id: partnerId,
      all_agencies: agencies === 'all',
      reads_urgently: readsUrgently,
      // A change of the agencies alone counts too.
      version: sql`version + 1`,
      ...(deciding.length > 0
        ? {
            admin_by: sql`case when ${hasThem} then admin_by else ${by}::uuid end`,
            admin_since: sql`case when ${hasThem} then admin_since else now() end`,
          }
        : { admin_by: null, admin_since: null }),
    })
    .where('id', '=', userId)
    .execute();
  const ids = agencies === 'all' ? [] : agencies;
  await sql`
    delete from staff_agencies
    where user_id = ${userId}
      and agency_id <> all(${[...ids]}::int[])`.execute(transaction);
  await sql`
    insert into staff_agencies (user_id, agency_id)
    select ${userId}, id
    from agencies
    where id = any(${[...ids]}::int[])
    on conflict do nothing`.execute(transaction);
  await noteAccessLoss(transaction, userId);
}

/** Whether the user has sent requests, which staff and service providers could not see. */
export async function hasOwnRequests(transaction: Transaction, userId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('requests')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a partner; the number of its active supervisors without one of them. */
export async function countOtherSupervisors(
  transaction: Transaction,
  partnerId: number,
  userId: string,
): Promise<number | undefined> {
  const partner = await transaction
    .selectFrom('partners')
    .select('id')
    .where('id', '=', partnerId)
    .forUpdate()
    .executeTakeFirst();
  if (!partner) return undefined;
  const row = await transaction
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('partner_id', '=', partnerId)
    .where('id', '!=', userId)
    .where(sql<boolean>`'ServiceProvider' = any(roles)`)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}
