import type { Expression, Selectable, SqlBool } from 'kysely';
import { isStaffOfAgencies } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database } from '#platform/database/database.ts';
import {
  matchesKeyword,
  containsPattern,
  type ListPage,
} from '#platform/database/keyword-search.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { AgencyReach, LastSignIn, UserOrder } from '@diwan/contract/staff/user-administration';
import type { Role } from '@diwan/contract/wire/call';
import { agenciesOfUser } from '../model/users.store.ts';

/** Which users a list holds; a missing filter lets all pass. */
interface UserFilter {
  keyword: string | undefined;
  role: Role | undefined;
  isSuspended: boolean | undefined;
  partnerId: number | undefined;
  companyId: number | undefined;
  agencyId: number | undefined;
  agencies: AgencyReach | undefined;
  hasSecondFactor: boolean | undefined;
  lastSignIn: LastSignIn | undefined;
  /** Whose staff an agency administrator sees. */
  staffOf: AgencyScope;
}

export type UserList = UserFilter & ListPage & { order: UserOrder };

const signedInWithin: Readonly<Record<LastSignIn, Sql<SqlBool>>> = {
  never: sql<SqlBool>`users.last_sign_in_at is null`,
  last7Days: sql<SqlBool>`users.last_sign_in_at > now() - interval '7 days'`,
  last30Days: sql<SqlBool>`users.last_sign_in_at > now() - interval '30 days'`,
  // An account that is younger cannot have been absent for so long.
  notIn90Days: sql<SqlBool>`(
    coalesce(users.last_sign_in_at, users.created_at) < now() - interval '90 days'
  )`,
};

const orders: Readonly<Record<UserOrder, Sql<unknown>>> = {
  newest: sql`users.created_at desc, users.id desc`,
  name: sql`users.full_name, users.id`,
  lastSignIn: sql`users.last_sign_in_at desc nulls last, users.id desc`,
  longestAbsent: sql`users.last_sign_in_at nulls first, users.id`,
};

const hasFactor = sql<SqlBool>`exists (
  select
  from second_factors
  where second_factors.user_id = users.id
    and second_factors.confirmed_at is not null
)`;

const reaches: Readonly<Record<AgencyReach, Sql<SqlBool>>> = {
  all: sql<SqlBool>`users.all_agencies`,
  // Who has a role that concerns the whole portal sees all.
  none: sql<SqlBool>`(
    cardinality(users.roles) > 0
    and users.roles @> array['Employee']
    and not users.all_agencies
    and not exists (
      select
      from staff_agencies
      where staff_agencies.user_id = users.id
    )
  )`,
};

// A user without roles is a client (specification §1). The expressions equal those of the indexes.
function wanted(filter: UserFilter): Sql<SqlBool> {
  const conditions: Expression<SqlBool>[] = [
    matchesKeyword(filter.keyword, (pattern) => containsPattern(sql`users.search_text`, pattern)),
  ];
  if (filter.role === 'Client') conditions.push(sql<SqlBool>`cardinality(users.roles) = 0`);
  else if (filter.role)
    conditions.push(
      sql<SqlBool>`(cardinality(users.roles) > 0 and users.roles @> array[${filter.role}])`,
    );
  if (filter.isSuspended !== undefined)
    conditions.push(
      filter.isSuspended
        ? sql<SqlBool>`users.suspended_at is not null`
        : sql<SqlBool>`users.suspended_at is null`,
    );
  if (filter.partnerId) conditions.push(sql<SqlBool>`users.partner_id = ${filter.partnerId}`);
  if (filter.companyId) conditions.push(sql<SqlBool>`users.company_id = ${filter.companyId}`);
  if (filter.agencyId)
    conditions.push(sql<SqlBool>`exists (
      select
      from staff_agencies
      where staff_agencies.user_id = users.id
        and staff_agencies.agency_id = ${filter.agencyId}
    )`);
  if (filter.agencies) conditions.push(reaches[filter.agencies]);
  if (filter.staffOf !== 'all') conditions.push(isStaffOfAgencies(filter.staffOf));
  if (filter.hasSecondFactor !== undefined)
    conditions.push(filter.hasSecondFactor ? hasFactor : sql<SqlBool>`not ${hasFactor}`);
  if (filter.lastSignIn) conditions.push(signedInWithin[filter.lastSignIn]);
  return sql<SqlBool>`(${sql.join(conditions, ' and ')})`;
}

/**
 * The users of a page: those with these ids; or `walked`, the first users in the order of the list, of
 * which those that match are on the page, for words that many names have; or `planned`, as PostgreSQL
 * chooses. It multiplies how often each word occurs, as if names did not repeat, and expects what a
 * filter passes evenly along every order.
 */
export type PagePlan = readonly string[] | 'walked' | 'planned';

/**
 * The users that a walk reads at most: 0.1 s for the first pages, more for those behind, which need
 * more matches. The words of a walk match one of a hundred users or more, in a million.
 */
const longestWalk = ({ pageNumber, take }: UserList): number =>
  Math.min(100_000, Math.max(20_000, 150 * pageNumber * take));

/** The rows of `users` that a page is taken from, in the order of the list where they are walked. */
function candidates(list: UserList, plan: PagePlan): Sql<unknown> {
  const matching = wanted(list);
  if (plan === 'planned') return sql`(select * from users where ${matching})`;
  if (plan !== 'walked') return sql`(select * from users where id = any(${plan}::uuid[]))`;
  return sql`(
    select *
    from (
      select *
      from users
      order by ${orders[list.order]}
      limit ${longestWalk(list)}
    ) as users
    where ${matching}
  )`;
}

/**
 * The query for one page, without password hashes and keys. Related rows are read only for the users
 * on the page. A walk that ends before the page is full returns fewer users than there are.
 */
export function usersQuery(database: Database, list: UserList, plan: PagePlan) {
  return database
    .selectFrom(
      sql<Selectable<Tables['users']>>`(
        select *
        from ${candidates(list, plan)} as users
        order by ${orders[list.order]}
        limit ${list.take}
        offset ${typeof plan === 'string' ? (list.pageNumber - 1) * list.take : 0}
      )`.as('users'),
    )
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .select([
      'users.id',
      'users.username',
      'users.full_name',
      'users.full_name_ar',
      sql<boolean>`users.password_hash is not null`.as('has_password'),
      'users.email',
      'users.phone_number',
      'users.roles',
      'users.company_id',
      'companies.name as company_name',
      'users.partner_id',
      'partners.name as partner_name',
      'users.all_agencies',
      agenciesOfUser.as('agencies'),
      'users.created_at',
      'users.suspended_at',
      'users.last_sign_in_at',
      sql<boolean>`${hasFactor}`.as('has_second_factor'),
    ])
    .orderBy(orders[list.order]);
}

export const selectUsers = (database: Database, list: UserList, plan: PagePlan) =>
  usersQuery(database, list, plan).execute();

/**
 * The number of users that a filter lets pass, up to `maximum`, and the ids of the page among these:
 * right where there are fewer.
 */
export async function findUsers(
  database: Database,
  list: UserList,
  maximum: number,
): Promise<{ count: number; ids: string[] }> {
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with found as materialized (
      select id, created_at, full_name, last_sign_in_at
      from users
      where ${wanted(list)}
      limit ${maximum}
    )
    select (select count(*)::int from found) as count,
      array(
        select id
        from found as users
        order by ${orders[list.order]}
        limit ${list.take}
        offset ${(list.pageNumber - 1) * list.take}
      ) as ids`.execute(database);
  return rows[0] ?? { count: 0, ids: [] };
}
