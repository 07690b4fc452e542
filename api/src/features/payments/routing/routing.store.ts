import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { PaymentMethod } from '@diwan/contract/requests/payments';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'payment_providers.name': PaymentProviderName;
    'payment_rules.fallback': PaymentProviderName;
    'payment_rules.method': PaymentMethod;
    'payment_rules.provider': PaymentProviderName;
  }
}

export type ProviderRow = Selectable<Tables['payment_providers']>;
export type RuleRow = Selectable<Tables['payment_rules']>;
export type RuleContent = Omit<RuleRow, 'id' | 'position' | 'version'>;

export function selectProviders(database: Database | Transaction): Promise<ProviderRow[]> {
  return database
    .selectFrom('payment_providers')
    .selectAll()
    .orderBy('position')
    .orderBy('name')
    .execute();
}

/** The providers that were given a payment at any time. */
export async function selectUsedProviders(database: Database): Promise<Set<PaymentProviderName>> {
  const { rows } = await sql<{ name: PaymentProviderName }>`
    select name
    from payment_providers
    where exists (
      select
      from payments
      where payments.provider = payment_providers.name
    )
  `.execute(database);
  return new Set(rows.map(({ name }) => name));
}

export function lockProviders(transaction: Transaction): Promise<ProviderRow[]> {
  return transaction
    .selectFrom('payment_providers')
    .selectAll()
    .orderBy('name')
    .forUpdate()
    .execute();
}

export async function updateProvider(
  transaction: Transaction,
  name: PaymentProviderName,
  row: Pick<ProviderRow, 'is_enabled' | 'position'>,
): Promise<void> {
  await transaction
    .updateTable('payment_providers')
    .set({ ...row, version: sql`version + 1` })
    .where('name', '=', name)
    .execute();
}

export function selectRules(
  database: Database,
): Promise<(RuleRow & { serviceName: LocalizedText | null })[]> {
  return database
    .selectFrom('payment_rules')
    .leftJoin('services', 'services.id', 'payment_rules.service_id')
    .selectAll('payment_rules')
    .select('services.name as serviceName')
    .orderBy('payment_rules.position')
    .orderBy('payment_rules.id')
    .limit(500)
    .execute();
}

/** All rules in their order, so that one of them can be moved. */
export function lockRules(transaction: Transaction): Promise<RuleRow[]> {
  return transaction
    .selectFrom('payment_rules')
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Only the rule that somebody moved has a new version: who edits its neighbour is not disturbed. */
export async function placeRule(
  transaction: Transaction,
  id: number,
  { position, isMoved }: { position: number; isMoved: boolean },
): Promise<void> {
  await transaction
    .updateTable('payment_rules')
    .set({ position, version: sql`version + ${isMoved ? 1 : 0}` })
    .where('id', '=', id)
    .execute();
}

/** What of a payment chooses its provider. `due` in fils. */
export interface RoutedPayment {
  serviceId: number;
  /** Of the request. */
  agencyId: number;
  due: number;
  method: PaymentMethod;
}

/** The first rule for an amount, in fils, and a method, of a request of a service and an agency. */
export async function findRule(
  database: Database,
  { serviceId, agencyId, due, method }: RoutedPayment,
): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`
    select payment_rules.*
    from payment_rules
    where (payment_rules.agency_id is null or payment_rules.agency_id = ${agencyId})
      and (payment_rules.service_id is null or payment_rules.service_id = ${serviceId})
      -- guard: rule of another method of payment (payment-safety)
      and (method is null or method = ${method})
      and ${due}::bigint >= coalesce(minimum, 0)
      and (maximum is null or ${due}::bigint <= maximum)
    order by position, payment_rules.id
    limit 1`.execute(database);
  return rows[0];
}

/** Whether a rule chooses the provider by the method of payment. */
export async function hasRuleByMethod(database: Database): Promise<boolean> {
  const row = await database
    .selectFrom('payment_rules')
    .select('id')
    .where('method', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export function lockRule(transaction: Transaction, id: number): Promise<RuleRow | undefined> {
  return transaction
    .selectFrom('payment_rules')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function insertRule(transaction: Transaction, row: RuleContent): Promise<RuleRow> {
  return transaction
    .insertInto('payment_rules')
    .values({ ...row, position: sql`(select coalesce(max(position), 0) + 1 from payment_rules)` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateRule(
  transaction: Transaction,
  id: number,
  row: RuleContent,
): Promise<RuleRow> {
  return transaction
    .updateTable('payment_rules')
    .set({ ...row, version: sql`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteRule(transaction: Transaction, id: number): Promise<void> {
  await transaction.deleteFrom('payment_rules').where('id', '=', id).execute();
}

/**
 * What a rule is about: the name of its service, else of its agency. `isKnown` is false where one of
 * them is not there.
 */
export async function findScope(
  transaction: Transaction,
  { agency_id: agencyId, service_id: serviceId }: Pick<RuleRow, 'agency_id' | 'service_id'>,
): Promise<{ isKnown: boolean; name: LocalizedText | null }> {
  const { rows } = await sql<{ agency: LocalizedText | null; service: LocalizedText | null }>`
    select (select name from agencies where id = ${agencyId}::integer) as agency,
      (select name from services where id = ${serviceId}::integer) as service`.execute(transaction);
  const { agency = null, service = null } = rows[0] ?? {};
  return {
    isKnown: (agencyId === null || agency !== null) && (serviceId === null || service !== null),
    name: service ?? agency,
  };
}
