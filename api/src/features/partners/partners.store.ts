import type { SqlBool } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import {
  matchesKeyword,
  containsPattern,
  type ListPage,
  withoutSpaces,
} from '#platform/database/keyword-search.ts';
import { sql } from '#platform/database/sql.ts';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'partners.name': LocalizedText;
    'partners.state': PartnerState;
  }
}

/** A page of partners, of one state where `state` is given. */
interface PartnerList extends ListPage {
  state: PartnerState | undefined;
}

const isSupervisor = sql<SqlBool>`'ServiceProvider' = any(users.roles)`;
const names = sql`(partners.name ->> 'ar-EG') || ' ' || (partners.name ->> 'en-US') || ' '
  || (partners.name ->> 'ur-PK')`;
const namesLike = (pattern: string) =>
  sql<SqlBool>`${withoutSpaces(sql`fold_text(${names})`)} like ${pattern}`;
const inState = (state: PartnerState | undefined) =>
  state === undefined ? sql<SqlBool>`true` : sql<SqlBool>`partners.state = ${state}`;
const found = ({ keyword, state }: Pick<PartnerList, 'keyword' | 'state'>) =>
  sql<SqlBool>`(${matchesKeyword(keyword, namesLike)} and ${inState(state)})`;

/**
 * One page, sorted by name in the caller's language. `requests_count` comes from the maintained
 * counts.
 */
export function selectPartners(
  database: Database,
  { pageNumber, take, ...wanted }: PartnerList,
  language: string,
) {
  return database
    .selectFrom((eb) =>
      eb
        .selectFrom('partners')
        .select(['partners.id', 'partners.name', 'partners.state'])
        .where(found(wanted))
        .orderBy(sql`fold_text(partners.name ->> ${language}::text)`)
        .orderBy('partners.id')
        .limit(take)
        .offset((pageNumber - 1) * take)
        .as('page'),
    )
    .select((eb) => [
      'page.id',
      'page.name',
      'page.state',
      eb
        .selectFrom('services')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('services.partner_id', '=', 'page.id')
        .where('services.deleted_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('services_count'),
      eb
        .selectFrom('users')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('users.partner_id', '=', 'page.id')
        .where(isSupervisor)
        .$asScalar()
        .$notNull()
        .as('supervisors_count'),
      eb
        .selectFrom('request_counts')
        .select(sql<number>`coalesce(sum(request_counts.count), 0)::bigint`.as('count'))
        .whereRef('request_counts.partner_id', '=', 'page.id')
        .$asScalar()
        .$notNull()
        .as('requests_count'),
    ])
    .orderBy(sql`fold_text(page.name ->> ${language}::text)`)
    .orderBy('page.id')
    .execute();
}

export async function countPartners(
  database: Database,
  wanted: Pick<PartnerList, 'keyword' | 'state'>,
): Promise<number> {
  return (
    await database
      .selectFrom('partners')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(found(wanted))
      .executeTakeFirstOrThrow()
  ).count;
}

// A supervisor is also found by the name of the partner.
const ofSupervisor = ({ keyword, state }: Pick<PartnerList, 'keyword' | 'state'>) => {
  const byText = matchesKeyword(
    keyword,
    (pattern) => sql`(
      ${containsPattern(sql`users.search_text`, pattern)}
      or users.partner_id in (
        select partners.id
        from partners
        where ${namesLike(pattern)}
      )
    )`,
  );
  if (state === undefined) return byText;
  return sql<SqlBool>`(
    ${byText}
    and users.partner_id in (
      select partners.id
      from partners
      where ${inState(state)}
    )
  )`;
};

export function selectSupervisors(
  database: Database,
  { pageNumber, take, ...wanted }: PartnerList,
) {
  return database
    .selectFrom('users')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .select((eb) => [
      'users.id',
      'users.full_name',
      'users.full_name_ar',
      'users.username',
      'users.email',
      'users.phone_number',
      'users.partner_id',
      'partners.name as partner_name',
      'partners.state as partner_state',
      eb('users.suspended_at', 'is not', null).$castTo<boolean>().as('is_suspended'),
      eb
        .selectFrom('sessions')
        .select((sessions) => sessions.fn.max('sessions.created_at').as('at'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last_sign_in_at'),
    ])
    .where(isSupervisor)
    .where(ofSupervisor(wanted))
    .orderBy('users.full_name')
    .orderBy('users.id')
    .limit(take)
    .offset((pageNumber - 1) * take)
    .execute();
}

export async function countSupervisors(
  database: Database,
  wanted: Pick<PartnerList, 'keyword' | 'state'>,
): Promise<number> {
  return (
    await database
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(isSupervisor)
      .where(ofSupervisor(wanted))
      .executeTakeFirstOrThrow()
  ).count;
}

export function findPartner(
  database: Database,
  id: number,
): Promise<{ id: number; name: LocalizedText } | undefined> {
  return database
    .selectFrom('partners')
    .select(['id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
}
