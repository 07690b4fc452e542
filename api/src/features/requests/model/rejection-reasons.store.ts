import type { Selectable } from 'kysely';
import { isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { ReasonKind, ReasonSubject } from '@diwan/contract/requests/rejection-reasons';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { VisibilityCondition } from './requests.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'rejection_reasons.kind': ReasonKind;
    'rejection_reasons.about': ReasonSubject;
    'rejection_reasons.name': LocalizedText;
  }
}

export type ReasonRow = Selectable<Tables['rejection_reasons']>;

/** Every reason, retired ones included. */
export function selectReasons(database: Database | Transaction): Promise<ReasonRow[]> {
  return database.selectFrom('rejection_reasons').selectAll().orderBy('id').execute();
}

/** The reasons of some agencies, or all; retired ones included. */
export const selectManagedReasons = (database: Database, scope: AgencyScope) =>
  database
    .selectFrom('rejection_reasons')
    .leftJoin('agencies', 'agencies.id', 'rejection_reasons.agency_id')
    .selectAll('rejection_reasons')
    .select(sql<LocalizedText | null>`agencies.name`.as('agencyName'))
    // guard: reasons of other agencies (agency-administration)
    .where(isInScope(scope, sql`rejection_reasons.agency_id`))
    .orderBy('rejection_reasons.id')
    .execute();

/** The active reasons of these kinds for requests of an agency; without one, those for all agencies. */
export const selectOfferedReasons = (
  database: Database | Transaction,
  kinds: readonly ReasonKind[],
  agencyId: number | undefined,
): Promise<ReasonRow[]> =>
  database
    .selectFrom('rejection_reasons')
    .selectAll()
    .where('retired_at', 'is', null)
    // guard: reason of a charge (charges)
    .where('kind', 'in', [...kinds])
    // guard: reasons of another agency for a request (agency-reasons)
    .where(
      sql<boolean>`(agency_id is null or agency_id is not distinct from ${agencyId ?? null}::int)`,
    )
    .orderBy('id')
    .execute();

/** The agency of these requests, as far as a caller sees them; undefined where they have several. */
export async function findAgencyOfRequests(
  database: Database,
  ids: readonly number[],
  visible: VisibilityCondition,
): Promise<number | undefined> {
  const { rows } = await sql<{ agencyId: number }>`
    select distinct requests.agency_id as "agencyId"
    from requests
    where requests.id = any(${[...ids]}::bigint[])
      -- guard: reasons for a request that the caller does not see (agency-reasons) => and true
      and ${visible}
    limit 2`.execute(database);
  return rows.length === 1 ? rows[0]?.agencyId : undefined;
}

/** Lets one transaction write at a time, so that names stay unique. Returns every reason. */
export async function lockReasons(transaction: Transaction): Promise<ReasonRow[]> {
  await sql`lock table rejection_reasons in share row exclusive mode`.execute(transaction);
  return selectReasons(transaction);
}

/** The id of the new reason, of an agency or for all. */
export async function insertReason(
  transaction: Transaction,
  {
    kind,
    name,
    about,
    agencyId,
  }: {
    kind: ReasonKind;
    name: LocalizedText;
    about: ReasonSubject | null;
    agencyId?: number | undefined;
  },
): Promise<number> {
  const { id } = await transaction
    .insertInto('rejection_reasons')
    .values({ kind, name: JSON.stringify(name), about, agency_id: agencyId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateReason(
  transaction: Transaction,
  id: number,
  {
    name,
    about,
    retiredAt,
  }: { name: LocalizedText; about: ReasonSubject | null; retiredAt: Date | null },
): Promise<void> {
  await transaction
    .updateTable('rejection_reasons')
    .set((eb) => ({
      name: JSON.stringify(name),
      about,
      retired_at: retiredAt,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}
