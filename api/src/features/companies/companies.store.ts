import type { Selectable, SqlBool, Updateable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import {
  containsPattern,
  matchesKeyword,
  type ListPage,
  withoutSpaces,
} from '#platform/database/keyword-search.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { CompanyDetails } from '@diwan/contract/forms/parties';
import type { companyOrders, companyStates } from '@diwan/contract/people/companies';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'companies.emirate': CompanyDetails['emirate'];
    'companies.licence_expires_on': string;
    'companies.name': LocalizedText;
  }
}

export type CompanyRow = Selectable<Tables['companies']>;

/** A page of companies. `order` is by the name in the caller's language, or the newest first. */
export interface CompanyList extends ListPage {
  state: (typeof companyStates)[number] | undefined;
  order: (typeof companyOrders)[number];
}

// The expressions equal those of the indexes.
const searched = withoutSpaces(sql`fold_text(
  (companies.name ->> 'ar-EG') || ' ' || (companies.name ->> 'en-US') || ' '
    || (companies.name ->> 'ur-PK') || ' ' || coalesce(companies.licence_number, '')
)`);
const nameIn = (table: string, language: Language) =>
  sql`fold_text(${sql.id(table, 'name')} ->> ${sql.raw(`'${language}'`)})`;

const found = ({ keyword, state }: Pick<CompanyList, 'keyword' | 'state'>) => {
  const byText = matchesKeyword(keyword, (pattern) => containsPattern(searched, pattern));
  if (state === undefined) return byText;
  const suspended =
    state === 'suspended'
      ? sql<SqlBool>`companies.suspended_at is not null`
      : sql<SqlBool>`companies.suspended_at is null`;
  return sql<SqlBool>`(${byText} and ${suspended})`;
};

const inOrder = (table: string, order: CompanyList['order'], language: Language) => {
  const id = sql.id(table, 'id');
  if (order === 'newest') return sql`${sql.id(table, 'created_at')} desc, ${id} desc`;
  return order === 'name'
    ? sql`${nameIn(table, language)}, ${id}`
    : sql`${nameIn(table, language)} desc, ${id} desc`;
};

/** One page. Only the companies on it are counted. */
export function selectCompanies(
  database: Database,
  { pageNumber, take, order, ...wanted }: CompanyList,
  language: Language,
) {
  return database
    .selectFrom((eb) =>
      eb
        .selectFrom('companies')
        .selectAll()
        .where(found(wanted))
        .orderBy(inOrder('companies', order, language))
        .limit(take)
        .offset((pageNumber - 1) * take)
        .as('page'),
    )
    .selectAll('page')
    .select((eb) => [
      eb
        .selectFrom('users')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('users.company_id', '=', 'page.id')
        .$asScalar()
        .$notNull()
        .as('users_count'),
      eb
        .selectFrom('requests')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('requests.company_id', '=', 'page.id')
        .$asScalar()
        .$notNull()
        .as('requests_count'),
    ])
    .orderBy(inOrder('page', order, language))
    .execute();
}

export async function countCompanies(
  database: Database,
  wanted: Pick<CompanyList, 'keyword' | 'state'>,
): Promise<number> {
  return (
    await database
      .selectFrom('companies')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(found(wanted))
      .executeTakeFirstOrThrow()
  ).count;
}

/** One company with the numbers of its users and requests. */
export function findCompany(database: Database, id: number) {
  return database
    .selectFrom('companies')
    .selectAll()
    .select([
      sql<number>`(select count(*)::int from users where company_id = companies.id)`.as(
        'users_count',
      ),
      sql<number>`(select count(*)::int from requests where company_id = companies.id)`.as(
        'requests_count',
      ),
      sql<number>`(
        select count(*)::int
        from requests
        where company_id = companies.id
          and not exists (
            select
            from workflow_ends
            where workflow_ends.workflow_id = requests.workflow_id
              and workflow_ends.status_id = requests.status_id
          )
      )`.as('open_requests_count'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The users of a company, managers first. */
export function selectUsers(database: Database | Transaction, companyId: number, limit?: number) {
  return database
    .selectFrom('users')
    .select([
      'id',
      'full_name',
      'full_name_ar',
      'email',
      'is_company_manager',
      'suspended_at',
      'last_sign_in_at',
    ])
    .where('company_id', '=', companyId)
    .orderBy('is_company_manager', 'desc')
    .orderBy('full_name')
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
}

/** The row of a company that exists. */
export function getCompany(database: Database, id: number): Promise<CompanyRow> {
  return database
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export function lockCompany(transaction: Transaction, id: number): Promise<CompanyRow | undefined> {
  return transaction
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateCompany(
  transaction: Transaction,
  id: number,
  changes: Updateable<Tables['companies']>,
): Promise<void> {
  await transaction
    .updateTable('companies')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();
}
