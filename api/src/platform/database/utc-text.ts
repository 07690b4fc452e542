import { type Sql, sql } from './sql.ts';

/**
 * A time of a row as PostgreSQL writes it in UTC, such as `2026-03-01 04:30:00.25`; `readUtcText`
 * reads it. For lists of rows: making a `Date` and an ISO text of it takes ten times as long.
 */
export const utcText = (column: string): Sql<string> =>
  sql.raw(`(${column} at time zone 'UTC')::text`);

const wholeSeconds = 'YYYY-MM-DD hh:mm:ss'.length;
const milliseconds = wholeSeconds + '.mmm'.length;

/** The ISO time of a text from `utcText`, in milliseconds as those of `Date`. */
export function readUtcText(text: string): string {
  const time = text.slice(11, milliseconds);
  const zeros =
    text.length === wholeSeconds ? '.000' : '0'.repeat(Math.max(0, milliseconds - text.length));
  return `${text.slice(0, 10)}T${time}${zeros}Z`;
}
