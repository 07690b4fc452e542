import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/database-types.ts';
import type { Visible } from './visibility.store.ts';

export type RequestRow = Selectable<Tables['requests']>;
export type NewRequest = Insertable<Tables['requests']>;
export type RequestChanges = Updateable<Tables['requests']>;
export type NewHistory = Insertable<Tables['request_history']>;
export type HistoryRow = Selectable<Tables['request_history']>;
export type PaymentRow = Pick<
  Selectable<Tables['payments']>,
  'merchant_reference' | 'amount' | 'status' | 'created_at'
>;

/**
 * How a request's service and agency are called; read from the tables because a service taken out
 * of the catalogue keeps its requests.
 */
export interface ServiceNames {
  service_name: LocalizedText;
  replaced_name: string;
  agency_id: number;
  agency_name: LocalizedText;
  agency_logo: string;
}

/** The state of the partner whose request it is. */
export interface PartnerStanding {
  partner_state: PartnerState | null;
  holder_name: string | null;
}

/** A request with what is shown beside its own row. */
export type VisibleRequest = RequestRow & ServiceNames & PartnerStanding;

/** Locks a request that the caller may see until the transaction ends. */
export function lockVisible(
  transaction: Transaction,
  id: number,
  visible: Visible,
): Promise<RequestRow | undefined> {
  return transaction
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', id)
    .where(visible)
    .forUpdate()
    .executeTakeFirst();
}

export function findVisible(
  database: Database,
  id: number,
  visible: Visible,
): Promise<VisibleRequest | undefined> {
  return database
    .selectFrom('requests')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .leftJoin('partners', 'partners.id', 'requests.partner_id')
    .leftJoin('users as holder', 'holder.id', 'requests.holder_id')
    .selectAll('requests')
    .select(['partners.state as partner_state', 'holder.full_name as holder_name'])
    .select([
      'services.name as service_name',
      'services.replaced_name',
      'agencies.id as agency_id',
      'agencies.name as agency_name',
      'agencies.logo as agency_logo',
    ])
    .where('requests.id', '=', id)
    .where(visible)
    .executeTakeFirst();
}

export async function findIdByNumber(
  database: Database,
  number: string,
  visible: Visible,
): Promise<number | undefined> {
  return (
    await database
      .selectFrom('requests')
      .select('id')
      .where('number', '=', number)
      .where(visible)
      .executeTakeFirst()
  )?.id;
}

/**
 * What a new request takes from its service besides the snapshot of the catalogue; `undefined` once
 * it is deleted.
 */
export function findOffer(
  database: Database | Transaction,
  serviceId: number,
): Promise<{ partner_id: number | null } | undefined> {
  return database
    .selectFrom('services')
    .select('services.partner_id')
    .where('services.id', '=', serviceId)
    .where('services.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** What every service and its agency are called, those that were taken out of the catalogue too. */
export function selectServiceNames(
  database: Database,
): Promise<{ id: number; service_name: LocalizedText; agency_name: LocalizedText }[]> {
  return database
    .selectFrom('services')
    .innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .select(['services.id', 'services.name as service_name', 'agencies.name as agency_name'])
    .execute();
}

/** The request that a payment was for, by our name of it at the provider. */
export async function findIdByReference(
  database: Database,
  merchantReference: string,
  visible: Visible,
): Promise<number | undefined> {
  return (
    await database
      .selectFrom('payments')
      .innerJoin('requests', 'requests.id', 'payments.request_id')
      .select('requests.id')
      .where('payments.merchant_reference', '=', merchantReference)
      .where(visible)
      .executeTakeFirst()
  )?.id;
}

/**
 * In how many seconds a person will have sent fewer than so many requests within 24 hours; 0 when
 * they have not now. One step along an index, however many there are.
 */
export async function secondsUntilFewer(
  transaction: Transaction,
  userId: string,
  most: number,
  now: Date,
): Promise<number> {
  const row = await transaction
    .selectFrom('requests')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row
    ? Math.max(0, Math.ceil((row.created_at.getTime() + 24 * 3_600_000 - now.getTime()) / 1000))
    : 0;
}

/** The new id; `undefined` when the number is taken. */
export async function insertRequest(
  transaction: Transaction,
  row: NewRequest,
): Promise<number | undefined> {
  const inserted = await transaction
    .insertInto('requests')
    .values(row)
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export async function updateRequest(
  transaction: Transaction,
  id: number,
  changes: RequestChanges,
): Promise<void> {
  await transaction.updateTable('requests').set(changes).where('id', '=', id).execute();
}

/** The new line's id. */
export async function appendHistory(transaction: Transaction, row: NewHistory): Promise<number> {
  return (
    await transaction
      .insertInto('request_history')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

export function selectHistory(database: Database, requestId: number): Promise<HistoryRow[]> {
  return database
    .selectFrom('request_history')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('id')
    .execute();
}

/** What is paid of each of these requests, in fils; those of which nothing is are not in it. */
export async function selectPaid(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('payments')
    .select(['request_id', sql<number>`sum(amount)::bigint`.as('paid')])
    .where('request_id', 'in', ids)
    .where('status', '=', 'paid')
    .groupBy('request_id')
    .execute();
  return new Map(rows.map(({ request_id, paid }) => [request_id, paid]));
}

/** What of a request is paid, in fils. */
export async function sumPaid(
  database: Database | Transaction,
  requestId: number,
): Promise<number> {
  const { paid } = await database
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('paid'))
    .where('request_id', '=', requestId)
    .where('status', '=', 'paid')
    .executeTakeFirstOrThrow();
  return paid;
}

/**
 * What the provider says was paid for a request beside what was due of it, in fils: nobody asked
 * for it, so it is not booked as paid.
 */
export async function sumSurplus(
  transaction: Database | Transaction,
  requestId: number,
): Promise<number> {
  const { surplus } = await transaction
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('surplus'))
    .where('request_id', '=', requestId)
    .where('status', '<>', 'paid')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payment_events')
          .select('id')
          .whereRef('payment_id', '=', 'payments.id')
          .where('kind', '=', 'paid')
          .whereRef('payment_events.amount', '=', 'payments.amount')
          .whereRef('payment_events.currency', '=', 'payments.currency'),
      ),
    )
    .executeTakeFirstOrThrow();
  return surplus;
}

export function selectPayments(database: Database, requestId: number): Promise<PaymentRow[]> {
  return database
    .selectFrom('payments')
    .select(['merchant_reference', 'amount', 'status', 'created_at'])
    .where('request_id', '=', requestId)
    .orderBy('id')
    .execute();
}

/** The last line of a request's story, or the last of one action. */
export function findLatestStep(
  database: Database | Transaction,
  requestId: number,
  action?: string,
): Promise<HistoryRow | undefined> {
  return database
    .selectFrom('request_history')
    .selectAll()
    .where('request_id', '=', requestId)
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
