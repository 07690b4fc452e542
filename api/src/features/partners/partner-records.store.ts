import type { Insertable, Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { PartnerAction, PartnerState } from '@diwan/contract/people/partner-states';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'partner_history.action': PartnerAction;
    'partner_history.from_state': PartnerState;
    'partner_history.message': LocalizedText;
    'partner_history.to_state': PartnerState;
  }
}

type PartnerRow = Selectable<Tables['partners']>;
/** A step with the Arabic name of who took it. */
export type PartnerStep = Selectable<Tables['partner_history']> & { full_name_ar: string | null };

export function findRecord(database: Database, id: number): Promise<PartnerRow | undefined> {
  return database.selectFrom('partners').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockPartner(transaction: Transaction, id: number): Promise<PartnerRow | undefined> {
  return transaction
    .selectFrom('partners')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The details that a service provider enters, as columns. */
export type StoredDetails = Required<
  Pick<
    Insertable<Tables['partners']>,
    'name' | 'licence_number' | 'contact_name' | 'contact_email' | 'contact_phone'
  >
>;

export async function insertPartner(
  transaction: Transaction,
  details: StoredDetails,
): Promise<number> {
  return (
    await transaction
      .insertInto('partners')
      .values({ ...details, state: 'registered' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

export async function updatePartner(
  transaction: Transaction,
  id: number,
  changes: Partial<StoredDetails> & { state?: PartnerRow['state'] },
): Promise<void> {
  await transaction
    .updateTable('partners')
    .set({ ...changes, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function isLicenceInUse(
  transaction: Transaction,
  licenceNumber: string,
  besides: number | null,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('partners')
    .select('id')
    .where('licence_number', '=', licenceNumber)
    .where('state', '!=', 'refused')
    .$if(besides !== null, (query) => query.where('id', '!=', besides))
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceAgencies(
  transaction: Transaction,
  partnerId: number,
  agencyIds: readonly number[],
): Promise<void> {
  await transaction.deleteFrom('partner_agencies').where('partner_id', '=', partnerId).execute();
  await transaction
    .insertInto('partner_agencies')
    .values(agencyIds.map((agency_id) => ({ partner_id: partnerId, agency_id })))
    .execute();
}

/** The agencies that the partner named, and those of the services that it provides. */
export function selectAgencies(
  database: Database,
  partnerId: number,
): Promise<{ id: number; name: LocalizedText; logo: string }[]> {
  return database
    .selectFrom('agencies')
    .select(['id', 'name', 'logo'])
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          eb.selectFrom('partner_agencies').select('agency_id').where('partner_id', '=', partnerId),
        ),
        eb(
          'id',
          'in',
          eb
            .selectFrom('services')
            .select('agency_id')
            .where('partner_id', '=', partnerId)
            .where('deleted_at', 'is', null),
        ),
      ]),
    )
    .orderBy('id')
    .execute();
}

export async function appendStep(
  transaction: Transaction,
  step: Insertable<Tables['partner_history']>,
): Promise<void> {
  await transaction.insertInto('partner_history').values(step).execute();
}

export function selectHistory(database: Database, partnerId: number): Promise<PartnerStep[]> {
  return database
    .selectFrom('partner_history')
    .leftJoin('users', 'users.id', 'partner_history.actor_id')
    .selectAll('partner_history')
    .select('users.full_name_ar')
    .where('partner_history.partner_id', '=', partnerId)
    .orderBy('partner_history.id')
    .execute();
}

export function selectSupervisors(database: Database | Transaction, partnerId: number) {
  return database
    .selectFrom('users')
    .select(['id', 'full_name', 'full_name_ar', 'email', 'language', 'suspended_at'])
    .where('partner_id', '=', partnerId)
    .where(sql<boolean>`'ServiceProvider' = any(roles)`)
    .orderBy('full_name')
    .orderBy('id')
    .execute();
}

/** Counts requests of a partner in these statuses, from the maintained counts. */
export async function countRequestsIn(
  database: Database,
  partnerId: number,
  statusIds: readonly number[],
): Promise<number> {
  if (statusIds.length === 0) return 0;
  const row = await database
    .selectFrom('request_counts')
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('count'))
    .where('partner_id', '=', partnerId)
    .where('status_id', 'in', statusIds)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Locks an account and returns it, with whether it has sent requests. */
export async function lockAccount(
  transaction: Transaction,
  by: { id: string } | { username: string },
) {
  const [column, value] =
    'id' in by ? (['id', by.id] as const) : (['username', by.username] as const);
  return transaction
    .selectFrom('users')
    .selectAll('users')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('requests').select('requests.id').whereRef('requests.user_id', '=', 'users.id'),
      ).as('hasRequests'),
    )
    .where(column, '=', value)
    .forUpdate('users')
    .executeTakeFirst();
}

export type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

export async function makeSupervisor(
  transaction: Transaction,
  userId: string,
  partnerId: number,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ roles: ['ServiceProvider'], partner_id: partnerId })
    .where('id', '=', userId)
    .execute();
}

/** The supervisors who were added or removed and wait for a second admin. */
export function selectPendingSupervisors(database: Database, partnerId: number) {
  return database
    .selectFrom('role_changes')
    .innerJoin('users', 'users.id', 'role_changes.user_id')
    .innerJoin('users as asker', 'asker.id', 'role_changes.asked_by')
    .select([
      'users.id',
      'users.full_name',
      'users.full_name_ar',
      'asker.full_name as asked_by_name',
      'asker.full_name_ar as asked_by_name_ar',
      'role_changes.asked_at',
      sql<boolean>`coalesce(role_changes.after ->> 'partnerId' = ${String(partnerId)}, false)`.as(
        'is_added',
      ),
    ])
    .where('role_changes.decision', 'is', null)
    .where(
      sql<boolean>`${String(partnerId)} in (
        role_changes.before ->> 'partnerId',
        role_changes.after ->> 'partnerId'
      )`,
    )
    .orderBy('role_changes.asked_at')
    .orderBy('role_changes.id')
    .execute();
}
