import type { Database } from '#platform/database/database.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { AgencySubject } from '@diwan/contract/wire/call';
import type { AgencyScope } from '../caller.ts';

type Ids = readonly (number | string)[];

const numbers = (ids: Ids) => sql`${ids.map(Number)}::bigint[]`;

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

// The agency of each thing that a call may name, by its id. Null for one that is not there.
const agencyIn: Record<AgencySubject, (ids: Ids) => Sql<{ agency_id: number | null }>> = {
  service: (ids) => sql`
    select ${agencyOfService(sql`named.id`)} as agency_id
    from unnest(${numbers(ids)}) as named (id)`,
  agency: (ids) => sql`
    select agencies.id as agency_id
    from unnest(${numbers(ids)}) as named (id)
    left join agencies on agencies.id = named.id`,
};

/** Whether all of these things are of these agencies. */
export async function areOfAgencies(
  database: Database,
  subject: AgencySubject,
  ids: Ids,
  agencyIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql<{ isWithin: boolean }>`
    select coalesce(bool_and(${isInScope(agencyIds, sql`agency_id`)}), true) as "isWithin"
    from (${agencyIn[subject](ids)}) as named`.execute(database);
  return rows[0]?.isWithin ?? false;
}
