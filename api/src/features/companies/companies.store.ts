import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { matchesKeyword, type ListPage } from '../../platform/database/keyword-search.ts';

const found = (keyword: string | undefined) =>
  matchesKeyword(
    keyword,
    (pattern) =>
      sql`fold_text(
        (companies.name ->> 'ar-EG') || ' ' || (companies.name ->> 'en-US') || ' '
          || (companies.name ->> 'ur-PK')
      ) like ${pattern}`,
  );

/** One page, sorted by name in the caller's language. Only the companies on it are counted. */
export function selectCompanies(
  database: Database,
  { keyword, pageNumber, take }: ListPage,
  language: string,
) {
  return database
    .selectFrom((eb) =>
      eb
        .selectFrom('companies')
        .select(['companies.id', 'companies.name'])
        .where(found(keyword))
        .orderBy(sql`fold_text(companies.name ->> ${language}::text)`)
        .orderBy('companies.id')
        .limit(take)
        .offset((pageNumber - 1) * take)
        .as('page'),
    )
    .select((eb) => [
      'page.id',
      'page.name',
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
    .orderBy(sql`fold_text(page.name ->> ${language}::text)`)
    .orderBy('page.id')
    .execute();
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
