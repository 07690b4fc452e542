import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { normalizeText } from '../core/normalize-text.ts';

const mostWords = 8;

/**
 * The words of a keyword as `fold_text` of the database spells them. A keyword of signs alone has
 * none, and finds nothing: see `foundBy`.
 */
export function wordsOf(keyword: string | undefined): string[] {
  return normalizeText(keyword ?? '')
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, mostWords);
}

/** A word as a pattern of `like`, its own signs taken literally. */
export function likeText(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Whether a text holds a pattern of `likeText`, found by an index on the text; where the pattern
 * has other letters than those of ASCII, on `search_key` of the text: migrations 0028, 0029.
 */
export function holds(text: RawBuilder<unknown>, pattern: string): RawBuilder<SqlBool> {
  if (/^\p{ASCII}*$/u.test(pattern)) return sql<SqlBool>`${text} like ${pattern}`;
  return sql<SqlBool>`(${text} like ${pattern} and search_key(${text}) like search_key(${pattern}))`;
}

/**
 * A condition for a keyword: `test` is asked for each word, and all must hold. A blank keyword
 * finds all, one of signs alone nothing.
 */
export function foundBy(
  keyword: string | undefined,
  test: (pattern: string) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const words = wordsOf(keyword);
  if (words.length === 0)
    return (keyword ?? '').trim() === '' ? sql<SqlBool>`true` : sql<SqlBool>`false`;
  return sql<SqlBool>`(${sql.join(
    words.map((word) => test(likeText(word))),
    sql` and `,
  )})`;
}

/** The part of a list that is asked for. */
export interface ListPage {
  keyword: string | undefined;
  pageNumber: number;
  take: number;
}
