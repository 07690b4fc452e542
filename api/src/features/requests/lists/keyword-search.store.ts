import type { SqlBool } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { containsWord, isIndexedWord, withoutSpaces } from '#platform/database/keyword-search.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { isAnyTrue } from '../model/requests.store.ts';
import { partsOf, unionOfParts, type ListFilter } from './list-filter.store.ts';
import {
  literal,
  orderOf,
  rowsUpTo,
  selectRows,
  skipOf,
  type FoundPage,
  type Page,
} from './request-lists.store.ts';

/** A normalized word, and the services and agencies in whose names it occurs. */
export interface Keyword {
  text: string;
  services?: ServiceSet;
  agencies?: readonly number[];
}

/** Services as bits by their id, so that thousands of them are a small parameter. */
export type ServiceSet = Buffer;

/** A search in a list: every keyword must be found. `maximum` is how many matches are counted. */
export interface KeywordSearch {
  filter: ListFilter;
  keywords: readonly Keyword[];
  page: Page;
  maximum: number;
  readerId: string | null;
  /** The list is short enough to read all of its entries. */
  isShort?: boolean;
}

const isInSet = (id: string, services: ServiceSet) => sql<SqlBool>`
  case
    when ${sql.raw(id)} < ${services.length * 8}::int
    then get_bit(${services}::bytea, ${sql.raw(id)}) = 1
    else false
  end`;

// `strpos` needs no statistics: PostgreSQL would read those of the text for each `like`.
const containsKeyword = ({ text, services, agencies }: Keyword): Sql<SqlBool> =>
  isAnyTrue([
    sql`strpos(${withoutSpaces(sql`search_text`)}, ${text}::text) > 0`,
    ...(services ? [isInSet('service_id', services)] : []),
    ...(agencies ? [isOfAgencies('agency_id', agencies)] : []),
  ]);

const isOfAgencies = (column: string, agencies: readonly number[]) =>
  sql<SqlBool>`${sql.raw(column)} = any(${[...agencies]}::int[])`;

// One condition for all words. PostgreSQL assumes that each separate condition matches a third of the
// rows; for eight words it would expect almost no match, and sort the whole table instead of
// reading the index of the list.
const containsAll = (keywords: readonly Keyword[]) =>
  sql<SqlBool>`case when ${sql.join(keywords.map(containsKeyword), ' and ')} then true end`;

// The indexes of lists hold these columns. Few hold the agency, which is read for its names alone.
const listColumns = (keywords: readonly Keyword[]) =>
  keywords.some(({ agencies }) => agencies)
    ? 'id, created_at, service_id, search_text, agency_id'
    : 'id, created_at, service_id, search_text';

const idsOfPage = (source: string, page: Page) => sql`
  select id
  from (
    select id, created_at
    from ${sql.raw(source)}
    ${orderOf(page)}
    limit ${rowsUpTo(skipOf(page) + page.take)}
  ) as first_ones
  ${orderOf(page)}
  limit ${page.take}
  offset ${skipOf(page)}`;

// The first entries of a list say whether a word is frequent. Frequent words are found soonest by
// reading the list in its order, which needs its index alone: 0.3 ms for a thousand entries.
const sample = 1000;
const frequent = 2;
const walked = ({ maximum }: KeywordSearch) => Math.max(100_000, 50 * maximum);

/**
 * A page of those requests of a list that contain frequent keywords, found by reading the list from
 * its beginning. `undefined` when that does not find enough, so that the index of words is needed.
 */
export async function walkList(
  database: Database,
  search: KeywordSearch,
): Promise<FoundPage | undefined> {
  const { filter, keywords, page, maximum, readerId } = search;
  const pageEnd = skipOf(page) + page.take;
  const beginning = (entries: number) => {
    const limited = sql`${orderOf(page)} limit ${literal(entries, pageEnd)}`;
    const columns = listColumns(keywords);
    return sql`
      select ${sql.raw(columns)}
      from (${unionOfParts(filter, limited, columns, 'merged')}) as listed
      ${limited}`;
  };
  const before = sql`
    with sampled as materialized (
      select count(*) as entries, count(*) filter (where ${containsAll(keywords)}) as found
      from (${beginning(sample)}) as requests
    ),
    matching as materialized (
      select id, created_at
      from (${beginning(walked(search))}) as requests
      where (select entries < ${sql.raw(sample)} or found >= ${sql.raw(frequent)} from sampled)
        and ${containsAll(keywords)}
      ${orderOf(page)}
      limit ${literal(maximum, pageEnd)}
    )`;
  const total = sql`
    select case
      when count(*) = ${literal(maximum, pageEnd)} then count(*)
      when (select entries from sampled) < ${sql.raw(sample)} then count(*)
      when (select found from sampled) < ${sql.raw(frequent)} then -1
      when exists (
        select
        from (${unionOfParts(filter)}) as listed
        offset ${literal(walked(search), pageEnd)}
        limit 1
      ) then -1
      else count(*)
    end as count
    from matching`;
  const found = await selectRows(
    database,
    { before, ids: idsOfPage('matching', page), total },
    page,
    readerId,
  );
  return found.count < 0 ? undefined : found;
}

// The set of services is read only where the index of services can be used.
const hasService = (services: ServiceSet) => sql<SqlBool>`
  requests.service_id = any(array(
    select id
    from services
    where ${isInSet('id', services)}
  ))`;

// The index is asked by words of three letters or digits. All others are compared in the rows found.
const findKeyword = ({ text, services, agencies }: Keyword): Sql<SqlBool> =>
  isAnyTrue([
    ...(services ? [hasService(services)] : []),
    ...(agencies ? [isOfAgencies('requests.agency_id', agencies)] : []),
    containsWord(withoutSpaces(sql`requests.search_text`), text),
  ]);

/**
 * The same page as `walkList`, for words that few requests contain: all requests with these words
 * are found by the index of words, then sorted. A short list is read to its end, and any list for words
 * that the index does not know.
 */
export function searchList(database: Database, search: KeywordSearch): Promise<FoundPage> {
  const { filter, keywords, page, maximum, readerId } = search;
  const pageEnd = skipOf(page) + page.take;
  const isIndexed = !search.isShort && keywords.some(({ text }) => isIndexedWord(text));
  const { statusIds, ...others } = filter;
  const inStatuses = statusIds && sql`and requests.status_id = any(${statusIds}::int[])`;
  const matching = isIndexed
    ? unionOfParts(
        others,
        sql`and ${sql.join(keywords.map(findKeyword), ' and ')} ${inStatuses ?? sql``}`,
        'id, created_at',
        'unordered',
      )
    : partsOf(
        filter,
        'id, created_at',
        (rows) => sql`
          select id, created_at
          from requests
          where ${rows} and ${containsAll(keywords)}
          ${orderOf(page)}
          limit ${literal(maximum, pageEnd)}`,
      );
  // Materialized, so that PostgreSQL finds all matches before it sorts them. With the limit inside,
  // it would read all newer requests for a word of old ones.
  const before = sql`with matching as materialized (${matching})`;
  const total = sql`
    select least(count(*), ${literal(maximum, pageEnd)}) as count
    from matching`;
  return selectRows(database, { before, ids: idsOfPage('matching', page), total }, page, readerId);
}
