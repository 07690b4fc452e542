import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

// A form may be large: a few hundred of them are in memory at the same time.
const rowsAtOnce = 200;

/** The next services after an id, retired ones too, with everything that an export contains. */
export function selectServicesAfter(database: Database | Transaction, id: number) {
  return database
    .selectFrom('services')
    .select(['id', 'replaced_name', 'name', 'description', 'agency_id', 'category_id'])
    .select(['partner_id', 'form', 'attachments', 'fees', 'working_days', 'terms', 'steps'])
    .select(['result', 'issues_document', 'popular_rank', 'eligibility', 'deleted_at'])
    .select(
      sql<number[]>`array(
        select account_type_id
        from service_account_types
        where service_id = services.id
        order by 1
      )`.as('account_types'),
    )
    .where('id', '>', id)
    .orderBy('id')
    .limit(rowsAtOnce)
    .execute();
}

/** The names and fees of services by their ids, retired ones too. */
export function selectFeesOf(database: Database, ids: readonly number[]) {
  return database
    .selectFrom('services')
    .select(['replaced_name', 'fees'])
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .orderBy('id')
    .execute();
}

/** The words that mean the same in a search. */
export function selectSynonyms(database: Database | Transaction): Promise<{ words: string[] }[]> {
  return database.selectFrom('search_synonyms').select('words').orderBy('id').execute();
}

/** The account types with their texts, by id. */
export const selectAccountTypes = (database: Database | Transaction) =>
  database.selectFrom('account_types').selectAll().orderBy('id').execute();
