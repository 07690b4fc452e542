import type { PersonNames } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** A team as it is stored, with all that it consists of in the order of the ids. */
export interface TeamRow {
  id: number;
  version: number;
  name: string;
  memberIds: string[];
  serviceIds: number[];
  categoryIds: number[];
}

/** The teams of an agency, by name; or one of them. */
export async function selectTeams(
  database: Database | Transaction,
  agencyId: number,
  id: number | null = null,
): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`
    select id, version, name,
      array(select user_id from team_members where team_id = teams.id order by user_id) as "memberIds",
      array(select service_id from team_services where team_id = teams.id order by service_id) as "serviceIds",
      array(select category_id from team_categories where team_id = teams.id order by category_id) as "categoryIds"
    from teams
    where agency_id = ${agencyId}
      and (${id}::int is null or id = ${id}::int)
    order by lower(name), id`.execute(database);
  return rows;
}

/** An employee of an agency. */
interface EmployeeRow extends PersonNames {
  id: string;
  username: string;
  seesWholeAgency: boolean;
  isSuspended: boolean;
}

/** Who may be in a team of an agency: its employees, by name; or one of them. */
export async function selectEmployees(
  database: Database | Transaction,
  agencyId: number,
  id: string | null = null,
): Promise<EmployeeRow[]> {
  const { rows } = await sql<EmployeeRow>`
    select users.id, username, full_name, full_name_ar,
      not teams_only as "seesWholeAgency",
      suspended_at is not null as "isSuspended"
    from staff_agencies
    join users on users.id = staff_agencies.user_id
    where agency_id = ${agencyId}
      -- guard: team of somebody who is no employee (teams)
      and 'Employee' = any(users.roles)
      and (${id}::uuid is null or users.id = ${id}::uuid)
    order by full_name, users.id`.execute(database);
  return rows;
}

interface NamedRow {
  id: number;
  name: LocalizedText;
}

/** The services of an agency that are offered or that a team works on, and whether one with members does. */
export async function selectServices(
  database: Database,
  agencyId: number,
): Promise<(NamedRow & { categoryId: number; hasTeam: boolean })[]> {
  const { rows } = await sql<NamedRow & { categoryId: number; hasTeam: boolean }>`
    select id, name, category_id as "categoryId",
      exists (
        select
        from team_work
        join team_members on team_members.team_id = team_work.team_id
        join users on users.id = team_members.user_id
        where team_work.service_id = services.id
          and users.suspended_at is null
          and 'Employee' = any(users.roles)
      ) as "hasTeam"
    from services
    where agency_id = ${agencyId}
      and (
        deleted_at is null
        or exists (
          select
          from team_services
          where team_services.service_id = services.id
        )
      )
    order by id`.execute(database);
  return rows;
}

/** The categories of the services of an agency, and others that its teams work on. */
export async function selectCategories(database: Database, agencyId: number): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    select id, name
    from categories
    where id in (
        select category_id
        from services
        where agency_id = ${agencyId}
          and deleted_at is null
      )
      or id in (
        select category_id
        from team_categories
        join teams on teams.id = team_id
        where teams.agency_id = ${agencyId}
      )
    order by position, id`.execute(database);
  return rows;
}

export async function findAgencyName(
  database: Database | Transaction,
  agencyId: number,
): Promise<LocalizedText | undefined> {
  const row = await database
    .selectFrom('agencies')
    .select('name')
    .where('id', '=', agencyId)
    .executeTakeFirst();
  return row?.name;
}

/** How many of these services are of an agency, and how many of these categories exist. */
export async function countKnown(
  transaction: Transaction,
  agencyId: number,
  { serviceIds, categoryIds }: Pick<TeamRow, 'serviceIds' | 'categoryIds'>,
): Promise<{ services: number; categories: number }> {
  const { rows } = await sql<{ services: number; categories: number }>`
    select
      (
        select count(*)::int
        from services
        where id = any(${serviceIds}::int[])
          -- guard: service of another agency for a team (teams)
          and agency_id = ${agencyId}
      ) as services,
      (
        select count(*)::int
        from categories
        where id = any(${categoryIds}::int[])
      ) as categories`.execute(transaction);
  return rows[0] as (typeof rows)[number];
}

/** Inserts a team without parts, and returns its id. */
export async function insertTeam(
  transaction: Transaction,
  agencyId: number,
  name: string,
): Promise<number> {
  const { id } = await transaction
    .insertInto('teams')
    .values({ agency_id: agencyId, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateTeam(
  transaction: Transaction,
  id: number,
  { name, version }: Pick<TeamRow, 'name' | 'version'>,
): Promise<void> {
  await transaction.updateTable('teams').set({ name, version }).where('id', '=', id).execute();
}

export async function deleteTeam(transaction: Transaction, id: number): Promise<void> {
  await transaction.deleteFrom('teams').where('id', '=', id).execute();
}

/**
 * Limits to the work of teams those of these employees who have no team of the agency yet, and returns
 * them.
 */
export async function limitNewcomers(
  transaction: Transaction,
  agencyId: number,
  userIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    update staff_agencies
    set teams_only = true
    where agency_id = ${agencyId}
      and user_id = any(${[...userIds]}::uuid[])
      and not teams_only
      and not exists (
        select
        from team_members
        where team_members.user_id = staff_agencies.user_id
          and team_members.agency_id = staff_agencies.agency_id
      )
    returning user_id`.execute(transaction);
  return rows.map(({ user_id: userId }) => userId);
}

export async function setReach(
  transaction: Transaction,
  agencyId: number,
  userId: string,
  seesWholeAgency: boolean,
): Promise<void> {
  await transaction
    .updateTable('staff_agencies')
    .set({ teams_only: !seesWholeAgency })
    .where('agency_id', '=', agencyId)
    .where('user_id', '=', userId)
    .execute();
}

/** Replaces what a team consists of. */
export async function replaceParts(
  transaction: Transaction,
  agencyId: number,
  { id, memberIds, serviceIds, categoryIds }: Omit<TeamRow, 'version' | 'name'>,
): Promise<void> {
  await sql`
    delete from team_members
    where team_id = ${id}
      and user_id <> all(${memberIds}::uuid[])`.execute(transaction);
  await sql`
    insert into team_members (team_id, agency_id, user_id)
    select ${id}, ${agencyId}, unnest(${memberIds}::uuid[])
    on conflict do nothing`.execute(transaction);
  await sql`
    delete from team_services
    where team_id = ${id}`.execute(transaction);
  await sql`
    insert into team_services (team_id, service_id)
    select ${id}, unnest(${serviceIds}::int[])`.execute(transaction);
  await sql`
    delete from team_categories
    where team_id = ${id}`.execute(transaction);
  await sql`
    insert into team_categories (team_id, category_id)
    select ${id}, unnest(${categoryIds}::int[])`.execute(transaction);
}

/** Lets the requests go back that these users have and may no longer see. Decision 0142. */
export async function noteAccessLosses(
  transaction: Transaction,
  userIds: readonly string[],
): Promise<void> {
  await sql`
    insert into access_losses (user_id)
    select unnest(${[...userIds]}::uuid[])
    order by 1
    on conflict (user_id) do update set noted_at = clock_timestamp()`.execute(transaction);
}
