import type { Insertable, Selectable, Updateable } from 'kysely';
import type { LocalizedText } from '@diwan/contract/languages';
import type { PartnerState } from '@diwan/contract/partner-states';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Tables } from '../../platform/database-types.ts';
import type { Visible } from './visibility.store.ts';

export type RequestRow = Selectable<Tables['requests']>;
export type NewRequest = Insertable<Tables['requests']>;
export type RequestChanges = Updateable<Tables['requests']>;
export type NewHistory = Insertable<Tables['request_history']>;
export type HistoryRow = Selectable<Tables['request_history']>;
export type PaymentRow = Pick<Selectable<Tables['payments']>, 'merchant_reference' | 'amount' | 'status' | 'created_at'>;

/** How a request's service and agency are called; read from the tables because a service taken out of the catalogue keeps its requests. */
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
}

/** Locks a request that the caller may see until the transaction ends. */
export function lockVisible(transaction: Transaction, id: number, visible: Visible): Promise<RequestRow | undefined> {
  return transaction.selectFrom('requests').selectAll().where('id', '=', id).where(visible).forUpdate().executeTakeFirst();
}

export function findVisible(database: Database, id: number, visible: Visible): Promise<(RequestRow & ServiceNames & PartnerStanding) | undefined> {
  return database.selectFrom('requests').innerJoin('services', 'services.id', 'requests.service_id').innerJoin('agencies', 'agencies.id', 'services.agency_id').leftJoin('partners', 'partners.id', 'requests.partner_id')
    .selectAll('requests').select('partners.state as partner_state')
    .select(['services.name as service_name', 'services.replaced_name', 'agencies.id as agency_id', 'agencies.name as agency_name', 'agencies.logo as agency_logo'])
    .where('requests.id', '=', id).where(visible).executeTakeFirst();
}

export async function findIdByNumber(database: Database, number: string, visible: Visible): Promise<number | undefined> {
  return (await database.selectFrom('requests').select('id').where('number', '=', number).where(visible).executeTakeFirst())?.id;
}

/** What a new request takes from its service besides the snapshot of the catalogue; `undefined` once it is deleted. */
export function findOffer(database: Database | Transaction, serviceId: number): Promise<{ partner_id: number | null; service_name: LocalizedText; agency_name: LocalizedText } | undefined> {
  return database.selectFrom('services').innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .select(['services.partner_id', 'services.name as service_name', 'agencies.name as agency_name'])
    .where('services.id', '=', serviceId).where('services.deleted_at', 'is', null).executeTakeFirst();
}

export function getServiceNames(transaction: Transaction, serviceId: number): Promise<{ service_name: LocalizedText; agency_name: LocalizedText }> {
  return transaction.selectFrom('services').innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .select(['services.name as service_name', 'agencies.name as agency_name']).where('services.id', '=', serviceId).executeTakeFirstOrThrow();
}

/** The new id; `undefined` when the number is taken. */
export async function insertRequest(transaction: Transaction, row: NewRequest): Promise<number | undefined> {
  const inserted = await transaction.insertInto('requests').values(row).onConflict((conflict) => conflict.column('number').doNothing()).returning('id').executeTakeFirst();
  return inserted?.id;
}

export async function updateRequest(transaction: Transaction, id: number, changes: RequestChanges): Promise<void> {
  await transaction.updateTable('requests').set(changes).where('id', '=', id).execute();
}

export async function appendHistory(transaction: Transaction, row: NewHistory): Promise<void> {
  await transaction.insertInto('request_history').values(row).execute();
}

export function selectHistory(database: Database, requestId: number): Promise<HistoryRow[]> {
  return database.selectFrom('request_history').selectAll().where('request_id', '=', requestId).orderBy('id').execute();
}

export function selectPayments(database: Database, requestId: number): Promise<PaymentRow[]> {
  return database.selectFrom('payments').select(['merchant_reference', 'amount', 'status', 'created_at']).where('request_id', '=', requestId).orderBy('id').execute();
}

export function selectRejectionReasons(database: Database | Transaction): Promise<{ id: number; name: LocalizedText }[]> {
  return database.selectFrom('rejection_reasons').select(['id', 'name']).orderBy('id').execute();
}
