import { isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'search_openings.language': Language;
    'search_questions.language': Language;
    'search_terms.language': Language;
  }
}

/** The counts of one text in one language. */
interface CountedSearch {
  language: Language;
  text: string;
  searches: number;
  results: number;
  /** By id of the service. */
  openings: ReadonlyMap<number, number>;
}

// A text that nobody else will search must not fill the table.
const maximumTextsPerDay = 20_000;

/** Adds counts to those of a day, in one transaction. Texts beyond the limit of a day are dropped. */
export async function addSearches(
  database: Database,
  day: string,
  counted: readonly CountedSearch[],
): Promise<void> {
  const terms = counted.map(({ language, text, searches, results }) => {
    return { language, text, searches, results };
  });
  await inTransaction(database, async (transaction) => {
    await sql`
      insert into search_terms (day, language, text, searches, results)
      select ${day}::date, language, text, searches, results
      from json_to_recordset(${JSON.stringify(terms)}::json)
        as counted (language text, text text, searches integer, results integer)
      where (select count(*) from search_terms where day = ${day}::date) < ${maximumTextsPerDay}
      order by language, text
      on conflict (day, language, text) do update
      set searches = search_terms.searches + excluded.searches,
        results = excluded.results`.execute(transaction);
    const openings = counted.flatMap(({ language, text, openings: by }) =>
      [...by].map(([serviceId, count]) => ({ language, text, service_id: serviceId, count })),
    );
    if (openings.length === 0) return;
    await sql`
      insert into search_openings (day, language, text, service_id, openings)
      select day, language, text, service_id, count
      from json_to_recordset(${JSON.stringify(openings)}::json)
        as counted (language text, text text, service_id integer, count integer)
      join search_terms using (language, text)
      where day = ${day}::date
      order by language, text, service_id
      on conflict (day, language, text, service_id) do update
      set openings = search_openings.openings + excluded.openings`.execute(transaction);
  });
}

interface TermRow {
  language: Language;
  text: string;
  searches: number;
  results: number;
  openings: number;
  opened: { serviceId: number; openings: number }[];
}

/** Whether a service is of one of these agencies, as a condition. */
const isServiceOf = (scope: AgencyScope, serviceId: Sql<unknown>): Sql<boolean> =>
  // guard: searches of the services of an agency (searches) => sql`true`
  scope === 'all'
    ? sql`true`
    : sql`exists (
        select
        from services
        where services.id = ${serviceId}
          and services.agency_id = any(${[...scope]}::int[])
      )`;

/**
 * One page of the texts since a day, the most frequent first. Of some agencies: those from which one of
 * their services was opened, and frequent ones that found nothing.
 */
export async function selectTerms(
  database: Database,
  {
    since,
    only,
    keyword,
    scope,
    page,
  }: {
    since: string;
    only: 'nothing' | 'unopened' | undefined;
    /** Folded, as the texts are. */
    keyword: string;
    scope: AgencyScope;
    page: { PageNumber: number; Take: number };
  },
): Promise<{ items: TermRow[]; totalCount: number }> {
  const isOfScope = isServiceOf(scope, sql`search_openings.service_id`);
  const before = sql`
    with terms as (
      select language,
        text,
        sum(searches)::int as searches,
        (array_agg(results order by day desc))[1] as results,
        coalesce((
          select sum(openings)
          from search_openings
          where search_openings.language = search_terms.language
            and search_openings.text = search_terms.text
            and search_openings.day >= ${since}::date
            and ${isOfScope}
        ), 0)::int as openings
      from search_terms
      where day >= ${since}::date
        and position(${keyword} in text) > 0
      group by language, text
    )`;
  const columns = sql`
    terms.*,
      coalesce((
        select json_agg(json_build_object('serviceId', service_id, 'openings', opened))
        from (
          select service_id, sum(openings)::int as opened
          from search_openings
          where language = terms.language
            and text = terms.text
            and day >= ${since}::date
            and ${isOfScope}
          group by service_id
          order by opened desc, service_id
          limit 3
        ) as most
      ), '[]') as opened`;
  const from = sql`
    terms
    where (
        ${only ?? ''} = ''
        or (${only ?? ''} = 'nothing' and results = 0)
        or (${only ?? ''} = 'unopened' and results > 0 and openings = 0)
      )
      and ${isTermOf(scope)}`;
  const order = sql`searches desc`;
  const ties = sql`text, language`;
  return selectCountedPage<TermRow>(database, { before, columns, from, order, ties }, page);
}

// A text of few people may be a name, and is of no agency.
const leastSearchesOfNobody = 5;

// Who administers no agency has nothing to find.
const isTermOf = (scope: AgencyScope) =>
  // guard: searches that led to other agencies (searches) => sql`true`
  scope === 'all'
    ? sql`true`
    : sql`(
        openings > 0
        or (results = 0 and searches >= ${leastSearchesOfNobody} and ${scope.length > 0})
      )`;

/** Deletes the counts before a day. */
export async function deleteBefore(database: Database, day: string): Promise<void> {
  await sql`delete from search_openings where day < ${day}::date`.execute(database);
  await sql`delete from search_terms where day < ${day}::date`.execute(database);
}

/** The groups of synonyms of some agencies, or all and those for all services; oldest first. */
export const selectSynonyms = (database: Database | Transaction, scope: AgencyScope) =>
  database
    .selectFrom('search_synonyms')
    .leftJoin('agencies', 'agencies.id', 'search_synonyms.agency_id')
    .select(['search_synonyms.id', 'words', 'agency_id as agencyId'])
    .select(sql<LocalizedText | null>`agencies.name`.as('agencyName'))
    // guard: synonyms of other agencies (agency-administration)
    .where(isInScope(scope, sql`search_synonyms.agency_id`))
    .orderBy('search_synonyms.id')
    .execute();

/** Locks a group. */
export const lockSynonyms = (transaction: Transaction, id: number) =>
  transaction
    .selectFrom('search_synonyms')
    .select(['id', 'words'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Adds a group, for the services of an agency or for all; returns its id. */
export async function insertSynonyms(
  transaction: Transaction,
  words: string[],
  agencyId: number | undefined,
): Promise<number> {
  return (
    await transaction
      .insertInto('search_synonyms')
      .values({ words, agency_id: agencyId ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

/** Changes a locked group, or deletes it without words. */
export async function changeSynonyms(
  transaction: Transaction,
  id: number,
  words: string[] | undefined,
): Promise<void> {
  if (words)
    await transaction.updateTable('search_synonyms').set({ words }).where('id', '=', id).execute();
  else await transaction.deleteFrom('search_synonyms').where('id', '=', id).execute();
}

/** The test searches of administrators for services of these agencies. */
export const selectQuestions = (database: Database, scope: AgencyScope) =>
  database
    .selectFrom('search_questions')
    .select(['id', 'language', 'text', 'service_id'])
    // guard: test searches of other agencies (agency-administration)
    .where(isServiceOf(scope, sql`search_questions.service_id`))
    .orderBy('id')
    .execute();

/** Adds a test search; an existing one stays. */
export function insertQuestion(
  transaction: Transaction,
  question: { language: Language; text: string; service_id: number },
) {
  return transaction
    .insertInto('search_questions')
    .values(question)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a test search, and returns it. */
export function deleteQuestion(transaction: Transaction, id: number) {
  return transaction
    .deleteFrom('search_questions')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Makes a service the last of the popular ones, or an ordinary one; returns its rank before. */
export async function setPopular(
  transaction: Transaction,
  serviceId: number,
  isPopular: boolean,
): Promise<{ before: number | null; after: number | null } | undefined> {
  const { rows } = await sql<{ before: number | null; after: number | null }>`
    with known as (
      select id, popular_rank
      from services
      where id = ${serviceId} and deleted_at is null
      for update
    )
    update services
    set popular_rank = case
      when not ${isPopular} then null
      else coalesce(
        services.popular_rank,
        (select coalesce(max(popular_rank), 0) + 1 from services)
      )
    end
    from known
    where services.id = known.id
    returning known.popular_rank as before, services.popular_rank as after`.execute(transaction);
  return rows[0];
}
