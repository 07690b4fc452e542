import { sql } from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database } from '../../platform/database/database.ts';
import { foundBy, type ListPage } from '../../platform/database/keyword-search.ts';

export interface CompanyRow {
  id: number;
  name: LocalizedText;
  users_count: number;
  requests_count: number;
}

const found = (keyword: string | undefined) =>
  foundBy(
    keyword,
    (pattern) =>
      sql`fold_text((companies.name ->> 'ar-EG') || ' ' || (companies.name ->> 'en-US') || ' ' || (companies.name ->> 'ur-PK')) like ${pattern}`,
  );

/** One page by name in the caller's language; only what is on it is counted. */
export async function selectCompanies(
  database: Database,
  { keyword, pageNumber, take }: ListPage,
  language: string,
): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select page.id, page.name,
      (select count(*) from users where users.company_id = page.id) as users_count,
      (select count(*) from requests where requests.company_id = page.id) as requests_count
    from (select id, name from companies where ${found(keyword)} order by fold_text(name ->> ${language}::text), id limit ${take} offset ${(pageNumber - 1) * take}) as page
    order by fold_text(page.name ->> ${language}::text), page.id`.execute(database);
  return rows;
}

export async function countCompanies(
  database: Database,
  keyword: string | undefined,
): Promise<number> {
  return (
    await database
      .selectFrom('companies')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(found(keyword))
      .executeTakeFirstOrThrow()
  ).count;
}
