import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { normalizeText } from '../core/normalize-text.ts';

const maximumWords = 8;

// The words of a keyword, normalised like `fold_text` of the database. A keyword of punctuation alone
// has no words.
function splitKeyword(keyword: string | undefined): string[] {
  return normalizeText(keyword ?? '')
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, maximumWords);
}

/** A pattern of `like` for texts that contain a word. Its special characters are escaped. */
export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * A condition that a text matches a pattern of `likePattern`. It uses an index on the text, and for
 * patterns with characters outside of ASCII an index on `search_key` of the text: migrations 0028
 * and 0029.
 */
export function containsPattern(text: RawBuilder<unknown>, pattern: string): RawBuilder<SqlBool> {
  if (/^\p{ASCII}*$/u.test(pattern)) return sql<SqlBool>`${text} like ${pattern}`;
  return sql<SqlBool>`(
    ${text} like ${pattern}
    and search_key(${text}) like search_key(${pattern})
  )`;
}

/**
 * A condition that all words of a keyword match; `test` returns the condition for one word. A blank
 * keyword matches everything, and one of punctuation alone nothing.
 */
export function matchesKeyword(
  keyword: string | undefined,
  test: (pattern: string) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const words = splitKeyword(keyword);
  if (words.length === 0)
    return (keyword ?? '').trim() === '' ? sql<SqlBool>`true` : sql<SqlBool>`false`;
  return sql<SqlBool>`(${sql.join(
    words.map((word) => test(likePattern(word))),
    sql` and `,
  )})`;
}

/** The requested page of a list. `take` is the page size. */
export interface ListPage {
  keyword: string | undefined;
  pageNumber: number;
  take: number;
}
