import type { Database, Transaction } from '#platform/database/database.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { AgencySubject, Role } from '@diwan/contract/wire/call';
import type { AgencyScope } from '../caller.ts';

type Ids = readonly (number | string)[];

/**
 * The agency of a service, and of one that was never published that of its draft. `idColumn` is the id
 * of the service with the name of its table.
 */
export const agencyOfService = (idColumn: Sql<unknown>): Sql<number | null> => sql`coalesce(
  (select agency_id from services where services.id = ${idColumn}),
  (select (document ->> 'agencyId')::int from service_drafts where service_id = ${idColumn})
)`;

/** Whether an agency is one of a scope, as a condition. */
export const isInScope = (scope: AgencyScope, agencyId: Sql<number | null>): Sql<boolean> =>
  scope === 'all' ? sql`true` : sql`coalesce(${agencyId} = any(${[...scope]}::int[]), false)`;

const theirRoles: readonly Role[] = ['Employee', 'AgencyAdmin'];

/**
 * Whether `users` is one of the staff of these agencies and of no others, as a condition. Who has a role
 * that concerns the whole portal is not.
 */
export const isStaffOfAgencies = (agencyIds: readonly number[]): Sql<boolean> => sql`(
  not users.all_agencies
  and cardinality(users.roles) > 0
  and users.roles <@ ${[...theirRoles]}::text[]
  and exists (
    select
    from staff_agencies
    where user_id = users.id
  )
  and not exists (
    select
    from staff_agencies
    where user_id = users.id
      and agency_id <> all(${[...agencyIds]}::int[])
  )
)`;

/** Whether `users` is an administrator of agencies who can sign in, as a condition. */
export const isActiveAdministrator: Sql<boolean> = sql`(
  'AgencyAdmin' = any(users.roles)
  and users.suspended_at is null
)`;

/** Whether an invitation is one of an employee of these agencies and of no others, as a condition. */
export const isInvitationOfAgencies = (agencyIds: readonly number[]): Sql<boolean> => sql`(
  not staff_invitations.all_agencies
  and staff_invitations.roles = '{Employee}'
  and staff_invitations.agency_ids <> '{}'
  and staff_invitations.agency_ids <@ ${[...agencyIds]}::int[]
)`;

// Whether things are of agencies, by what they are. Of one that is not there it is false.
const areWithin: Record<
  AgencySubject,
  (ids: Ids, agencyIds: readonly number[]) => Sql<{ isWithin: boolean }>
> = {
  service: (ids, agencyIds) => sql`
    select coalesce(bool_and(${isInScope(agencyIds, agencyOfService(sql`named.id`))}), true) as "isWithin"
    from unnest(${ids.map(Number)}::bigint[]) as named (id)`,
  agency: (ids, agencyIds) => sql`
    select ${ids.map(Number)}::bigint[] <@ ${[...agencyIds]}::bigint[] as "isWithin"`,
  staff: (ids, agencyIds) => sql`
    select count(users.id) = cardinality(${ids.map(String)}::uuid[]) as "isWithin"
    from users
    where users.id = any(${ids.map(String)}::uuid[])
      and ${isStaffOfAgencies(agencyIds)}`,
  complaint: (ids, agencyIds) => sql`
    select count(complaints.id) = cardinality(${ids.map(Number)}::bigint[]) as "isWithin"
    from complaints
    where complaints.id = any(${ids.map(Number)}::bigint[])
      and complaints.agency_id = any(${[...agencyIds]}::int[])`,
  invitation: (ids, agencyIds) => sql`
    select count(staff_invitations.id) = cardinality(${ids.map(String)}::uuid[]) as "isWithin"
    from staff_invitations
    where staff_invitations.id = any(${ids.map(String)}::uuid[])
      and ${isInvitationOfAgencies(agencyIds)}`,
  // One of the whole portal has no agencies.
  catalogueJob: (ids, agencyIds) => sql`
    select count(id) = cardinality(${ids.map(String)}::uuid[]) as "isWithin"
    from catalogue_jobs
    where id = any(${ids.map(String)}::uuid[])
      and agency_ids <> '{}'
      and agency_ids <@ ${[...agencyIds]}::int[]`,
  urgentOpening: (ids, agencyIds) => sql`
    select count(urgent_openings.id) = cardinality(${ids.map(Number)}::bigint[]) as "isWithin"
    from urgent_openings
    where urgent_openings.id = any(${ids.map(Number)}::bigint[])
      and urgent_openings.agency_id = any(${[...agencyIds]}::int[])`,
  // Those for all services have no agency.
  synonyms: (ids, agencyIds) => sql`
    select count(search_synonyms.id) = cardinality(${ids.map(Number)}::bigint[]) as "isWithin"
    from search_synonyms
    where search_synonyms.id = any(${ids.map(Number)}::bigint[])
      and search_synonyms.agency_id = any(${[...agencyIds]}::int[])`,
  // Those for all agencies have no agency.
  rejectionReason: (ids, agencyIds) => sql`
    select count(rejection_reasons.id) = cardinality(${ids.map(Number)}::bigint[]) as "isWithin"
    from rejection_reasons
    where rejection_reasons.id = any(${ids.map(Number)}::bigint[])
      and rejection_reasons.agency_id = any(${[...agencyIds]}::int[])`,
  searchQuestion: (ids, agencyIds) => sql`
    select count(search_questions.id) = cardinality(${ids.map(Number)}::bigint[]) as "isWithin"
    from search_questions
    where search_questions.id = any(${ids.map(Number)}::bigint[])
      and ${isInScope(agencyIds, agencyOfService(sql`search_questions.service_id`))}`,
};

/** Whether there is an agency. */
export const hasAgency = async (database: Database | Transaction, id: number): Promise<boolean> =>
  (await database.selectFrom('agencies').select('id').where('id', '=', id).execute()).length > 0;

/** Whether all of these things are of these agencies. */
export async function areOfAgencies(
  database: Database | Transaction,
  subject: AgencySubject,
  ids: Ids,
  agencyIds: readonly number[],
): Promise<boolean> {
  const { rows } = await areWithin[subject](ids, agencyIds).execute(database);
  return rows[0]?.isWithin ?? false;
}

/** The agencies of an agency administrator who can sign in; undefined for anybody else. */
export async function findAdministered(
  transaction: Transaction,
  userId: string,
): Promise<number[] | undefined> {
  const { rows } = await sql<{ agencyIds: number[] }>`
    select array(
      select agency_id
      from staff_agencies
      where user_id = users.id
    ) as "agencyIds"
    from users
    where id = ${userId}
      and ${isActiveAdministrator}`.execute(transaction);
  return rows[0]?.agencyIds;
}
