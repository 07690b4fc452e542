import {
  sql,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  type Updateable,
} from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/schema.generated.ts';

/** A condition on the table `requests`: which requests a caller may see. */
export type VisibilityCondition = RawBuilder<SqlBool>;

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
 * The names of a request's service and agency. They are read from the tables, because a service
 * that is removed from the catalogue keeps its requests.
 */
export interface ServiceNames {
  service_name: LocalizedText;
  replaced_name: string;
  agency_id: number;
  agency_name: LocalizedText;
  agency_logo: string;
}

/** The state of the request's partner, and the name of the request's holder. */
export interface PartnerAndHolder {
  partner_state: PartnerState | null;
  holder_name: string | null;
}

/** A request with the columns of other tables that its record shows. */
export type VisibleRequest = RequestRow & ServiceNames & PartnerAndHolder;

/** Locks a request that fits the condition, until the transaction ends. */
export function lockVisible(
  transaction: Transaction,
  id: number,
  visible: VisibilityCondition,
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
  visible: VisibilityCondition,
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
  visible: VisibilityCondition,
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

/** The partner of a service; `undefined` when the service does not exist or is deleted. */
export function findServicePartner(
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

/** The names of every service and its agency, deleted services included. */
export function selectServiceNames(
  database: Database,
): Promise<{ id: number; service_name: LocalizedText; agency_name: LocalizedText }[]> {
  return database
    .selectFrom('services')
    .innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .select(['services.id', 'services.name as service_name', 'agencies.name as agency_name'])
    .execute();
}

/** The request that a payment belongs to, by the payment's merchant reference. */
export async function findIdByReference(
  database: Database,
  merchantReference: string,
  visible: VisibilityCondition,
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
 * In how many seconds the user has sent fewer than `maximum` requests within 24 hours; 0 when that
 * is so now. Reads one index entry, however many requests the user has sent.
 */
export async function secondsUntilBelowLimit(
  transaction: Transaction,
  userId: string,
  maximum: number,
  now: Date,
): Promise<number> {
  const row = await transaction
    .selectFrom('requests')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maximum - 1)
    .limit(1)
    .executeTakeFirst();
  return row
    ? Math.max(0, Math.ceil((row.created_at.getTime() + 24 * 3_600_000 - now.getTime()) / 1000))
    : 0;
}

/** Inserts a request and returns its id; `undefined` when its number is taken. */
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

/** Appends an entry to the history and returns its id. */
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

/** The paid amount of a request, in fils. */
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
 * The amount that the provider reports as paid beyond what was due, in fils. Such payments are not
 * booked as paid.
 */
export async function sumOverpaid(
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

/** The newest entry of a request's history, or the newest entry of one action. */
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

/** Whether the user has acted on a request at a counter, for its owner. */
export async function hasActedAtCounter(
  database: Database | Transaction,
  requestId: number,
  userId: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('request_history')
    .select('id')
    .where('request_id', '=', requestId)
    .where('actor_id', '=', userId)
    .where(sql<string>`acted_for ->> 'by'`, '=', 'counter')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
