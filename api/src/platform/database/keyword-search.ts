import type { Expression, SqlBool } from 'kysely';
import { keyLetters } from '../core/letters.ts';
import { normalizeText } from '../core/normalize-text.ts';
import type { Database } from './database.ts';
import { type Sql, sql } from './sql.ts';

const maximumWords = 8;

// The words of a keyword, in the form that `fold_text` of the database makes too. A keyword of
// punctuation alone has no words. A phone number is stored without the 00 of calls from abroad.
function splitKeyword(keyword: string | undefined): string[] {
  return normalizeText(keyword ?? '')
    .split(' ')
    .map((word) => word.replace(/^00(?=971)/, ''))
    .filter((word) => word !== '')
    .slice(0, maximumWords);
}

const indexedRun = new RegExp(`[a-z0-9${keyLetters}]{3}`);

/**
 * Whether the indexes of `containsWord` find a normalized word: they know three letters or digits
 * in a row. For any other word PostgreSQL would read the whole index.
 */
export const isIndexedWord = (word: string): boolean => indexedRun.test(word);

/** A pattern of `like` for texts that contain a word. Its special characters are escaped. */
function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * A normalized text in which a name is found with and without the spaces within it, such as عبد الله
 * and عبدالله. The indexes of searches have it too.
 */
export const withoutSpaces = (text: Expression<unknown>): Sql<string> =>
  sql<string>`replace(${text}, ' ', '')`;

/**
 * A condition that a text matches a pattern of `likePattern`. It uses an index on the text, and for
 * patterns with characters outside of ASCII an index on `search_key` of the text: migrations 0029
 * and 0099.
 */
export function containsPattern(text: Expression<unknown>, pattern: string): Sql<SqlBool> {
  if (/^\p{ASCII}*$/u.test(pattern)) return sql<SqlBool>`${text} like ${pattern}`;
  return sql<SqlBool>`(
    ${text} like ${pattern}
    and search_key(${text}) like search_key(${pattern})
  )`;
}

/**
 * A condition that a text contains a normalized word, by the indexes of `containsPattern`. The
 * pattern is a subselect: PostgreSQL keeps one plan for all words and does not read the statistics of
 * the text, which takes longer than the search. A word that no index knows is compared in the rows.
 */
export function containsWord(text: Expression<unknown>, word: string): Sql<SqlBool> {
  const isInText = sql<SqlBool>`strpos(${text}, ${word}::text) > 0`;
  if (!isIndexedWord(word)) return isInText;
  if (/^\p{ASCII}*$/u.test(word))
    return sql<SqlBool>`${text} like (select '%' || ${word}::text || '%')`;
  return sql<SqlBool>`(
    search_key(${text}) like (select '%' || search_key(${word}::text) || '%')
    and ${isInText}
  )`;
}

/**
 * A condition that all words of a keyword match; `test` returns the condition for one word. A blank
 * keyword matches everything, and one of punctuation alone nothing.
 */
export function matchesKeyword(
  keyword: string | undefined,
  test: (pattern: string) => Expression<SqlBool>,
): Sql<SqlBool> {
  const words = splitKeyword(keyword);
  if (words.length === 0)
    return (keyword ?? '').trim() === '' ? sql<SqlBool>`true` : sql<SqlBool>`false`;
  return sql<SqlBool>`(${sql.join(
    words.map((word) => test(likePattern(word))),
    ' and ',
  )})`;
}

/** The requested page of a list. `take` is the page size. */
export interface ListPage {
  keyword: string | undefined;
  pageNumber: number;
  take: number;
}

/** A list of which pages are read. */
interface CountedList {
  /** What precedes `select`: `with …`. */
  before?: Sql<unknown>;
  columns: Sql<unknown>;
  /** The tables and the condition, as they follow `from`. */
  from: Sql<unknown>;
  order?: Sql<unknown>;
  /** What ends the order, so that no two rows are equal in it: `payments.id desc`. */
  ties: Sql<unknown>;
}

/**
 * One page of a list, and how many rows the list has. Pages are numbered from 1; one behind the end is
 * empty and has the same number of all rows.
 */
export async function selectCountedPage<Row extends object>(
  database: Database,
  { before = sql``, columns, from, order, ties }: CountedList,
  { PageNumber, Take }: { PageNumber: number; Take: number },
): Promise<{ items: Row[]; totalCount: number }> {
  const { rows } = await sql<{ row_count: number }>`
    ${before}
    select ${columns}, count(*) over ()::int as row_count
    from ${from}
    order by ${order ? sql`${order}, ${ties}` : ties}
    limit ${Take}
    offset ${(PageNumber - 1) * Take}`.execute(database);
  const [first] = rows;
  if (first)
    return {
      items: rows.map(({ row_count: _count, ...row }) => row as Row),
      totalCount: first.row_count,
    };
  if (PageNumber === 1) return { items: [], totalCount: 0 };
  const counted = await sql<{ row_count: number }>`
    ${before}
    select count(*)::int as row_count
    from ${from}`.execute(database);
  return { items: [], totalCount: counted.rows[0]?.row_count ?? 0 };
}
