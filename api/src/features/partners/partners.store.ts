import { sql, type SqlBool } from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import type { Database } from '../../platform/database/database.ts';
import { foundBy, holds, type ListPage } from '../../platform/database/keyword-search.ts';

export interface PartnerRow {
  id: number;
  name: LocalizedText;
  services_count: number;
  supervisors_count: number;
  requests_count: number;
  state: PartnerState;
}

/** The part of a list of those in a state; without one of all. */
export interface PartnerList extends ListPage {
  state: PartnerState | undefined;
}

export interface SupervisorRow {
  id: string;
  full_name: string;
  username: string;
  email: string;
  phone_number: string;
  partner_id: number | null;
  partner_name: LocalizedText | null;
  partner_state: PartnerState | null;
  last_sign_in_at: Date | null;
  is_suspended: boolean;
}

const names = sql`(partners.name ->> 'ar-EG') || ' ' || (partners.name ->> 'en-US') || ' ' || (partners.name ->> 'ur-PK')`;
const inState = (state: PartnerState | undefined) =>
  state === undefined ? sql<SqlBool>`true` : sql<SqlBool>`partners.state = ${state}`;
const found = ({ keyword, state }: Pick<PartnerList, 'keyword' | 'state'>) =>
  sql<SqlBool>`(${foundBy(keyword, (pattern) => sql`fold_text(${names}) like ${pattern}`)} and ${inState(state)})`;

/**
 * One page by name in the caller's language. Requests are those that the partner's services have
 * had, as the maintained counts say.
 */
export async function selectPartners(
  database: Database,
  { pageNumber, take, ...wanted }: PartnerList,
  language: string,
): Promise<PartnerRow[]> {
  const { rows } = await sql<PartnerRow>`
    select page.id, page.name, page.state,
      (select count(*) from services where services.partner_id = page.id and services.deleted_at is null) as services_count,
      (select count(*) from users where users.partner_id = page.id and 'ServiceProvider' = any(users.roles)) as supervisors_count,
      (select coalesce(sum(request_counts.count), 0)::bigint from request_counts where request_counts.partner_id = page.id) as requests_count
    from (select id, name, state from partners where ${found(wanted)} order by fold_text(name ->> ${language}::text), id limit ${take} offset ${(pageNumber - 1) * take}) as page
    order by fold_text(page.name ->> ${language}::text), page.id`.execute(database);
  return rows;
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

// The first is spelt as the index is; the partner's name is a second way to be found.
const ofSupervisor = ({ keyword, state }: Pick<PartnerList, 'keyword' | 'state'>) =>
  sql<SqlBool>`(${foundBy(
    keyword,
    (pattern) => sql`(
  ${holds(sql`fold_text(users.username || ' ' || users.full_name || ' ' || users.email || ' ' || users.phone_number)`, pattern)}
  or users.partner_id in (select partners.id from partners where fold_text(${names}) like ${pattern}))`,
  )} and ${state === undefined ? sql`true` : sql`users.partner_id in (select partners.id from partners where ${inState(state)})`})`;

export async function selectSupervisors(
  database: Database,
  { pageNumber, take, ...wanted }: PartnerList,
): Promise<SupervisorRow[]> {
  const { rows } = await sql<SupervisorRow>`
    select users.id, users.full_name, users.username, users.email, users.phone_number, users.partner_id, partners.name as partner_name, partners.state as partner_state, users.suspended_at is not null as is_suspended,
      (select max(sessions.created_at) from sessions where sessions.user_id = users.id) as last_sign_in_at
    from users left join partners on partners.id = users.partner_id
    where 'ServiceProvider' = any(users.roles) and ${ofSupervisor(wanted)}
    order by users.full_name, users.id limit ${take} offset ${(pageNumber - 1) * take}`.execute(
    database,
  );
  return rows;
}

export async function countSupervisors(
  database: Database,
  wanted: Pick<PartnerList, 'keyword' | 'state'>,
): Promise<number> {
  return (
    await database
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(sql<boolean>`'ServiceProvider' = any(users.roles)`)
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
