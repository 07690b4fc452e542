import { isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { ServiceFilter } from '@diwan/contract/catalogue/transfer';

// A form may be large: a few hundred of them are in memory at the same time.
const rowsAtOnce = 200;

/** The next services of some agencies after an id, retired ones too, with everything that an export contains. */
export function selectServicesAfter(
  database: Database | Transaction,
  id: number,
  scope: AgencyScope,
) {
  return database
    .selectFrom('services')
    .select(['id', 'replaced_name', 'name', 'description', 'agency_id', 'category_id'])
    .select(['partner_id', 'form', 'attachments', 'fees', 'working_days', 'terms', 'steps'])
    .select([
      'result',
      'issues_document',
      'withdrawal',
      'objection_days',
      'popular_rank',
      'eligibility',
      'deleted_at',
    ])
    .select(
      sql<number[]>`array(
        select account_type_id
        from service_account_types
        where service_id = services.id
        order by 1
      )`.as('account_types'),
    )
    .where('id', '>', id)
    .where(isInScope(scope, sql`agency_id`))
    .orderBy('id')
    .limit(rowsAtOnce)
    .execute();
}

const selectFees = (database: Database) =>
  database.selectFrom('services').select(['replaced_name', 'fees']).orderBy('id');

/** The names and fees of services by their ids, retired ones too. */
export const selectFeesOf = (database: Database, ids: readonly number[]) =>
  selectFees(database)
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .execute();

const isClosed = sql<boolean>`exists (
  select
  from service_closures
  where service_id = services.id
    and opened_at is null
    and closed_from <= now()
    and (closed_until is null or closed_until > now())
)`;

/** The names and fees of the services of some agencies with exact values. */
export function selectFeesWhere(database: Database, filter: ServiceFilter, scope: AgencyScope) {
  const { name, agencyId, categoryId, accountTypeId, state, feeFrom, feeTo } = filter;
  const isRetired = state === 'retired';
  let query = selectFees(database)
    .where('deleted_at', isRetired ? 'is not' : 'is', null)
    .where(isInScope(scope, sql`agency_id`));
  if (state !== undefined && !isRetired)
    query = query.where(state === 'closed' ? isClosed : sql<boolean>`not ${isClosed}`);
  if (agencyId !== undefined) query = query.where('agency_id', '=', agencyId);
  if (categoryId !== undefined) query = query.where('category_id', '=', categoryId);
  if (name !== undefined)
    query = query.where(
      sql<boolean>`exists (
        select
        from jsonb_each_text(name) as named
        where strpos(fold_text(named.value), fold_text(${name})) > 0
      )`,
    );
  if (accountTypeId !== undefined)
    query = query.where(
      sql<boolean>`exists (
        select
        from service_account_types
        where service_id = services.id
          and account_type_id = ${accountTypeId}
      )`,
    );
  if (feeFrom !== undefined || feeTo !== undefined)
    query = query.where(
      sql<boolean>`exists (
        select
        from jsonb_array_elements(fees) as fee
        where (fee ->> 'amount')::bigint >= ${feeFrom ?? 0}
          and (fee ->> 'amount')::bigint <= ${feeTo ?? Number.MAX_SAFE_INTEGER}
      )`,
    );
  return query.execute();
}

/** The words that mean the same in a search. */
export function selectSynonyms(database: Database | Transaction): Promise<{ words: string[] }[]> {
  return database
    .selectFrom('search_synonyms')
    .select('words')
    .where('agency_id', 'is', null)
    .orderBy('id')
    .execute();
}

/** The account types with their texts, by id. */
export const selectAccountTypes = (database: Database | Transaction) =>
  database.selectFrom('account_types').selectAll().orderBy('id').execute();
