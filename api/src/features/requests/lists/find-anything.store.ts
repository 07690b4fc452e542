import type { Database } from '#platform/database/database.ts';
import { containsPattern, matchesKeyword } from '#platform/database/keyword-search.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import type { Role } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

interface FoundUser {
  id: string;
  username: string;
  full_name: string;
  email: string;
  roles: Role[];
}

// The limit of time ends the statement in the database too.
async function inTime<Row>(
  database: Database,
  maximumMs: number,
  statement: Sql<Row>,
): Promise<Row[]> {
  return inTransaction(database, async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(maximumMs)}, true)`.execute(
      transaction,
    );
    return (await statement.execute(transaction)).rows;
  });
}

/** What is searched, at most how many rows, and how long. */
interface Finding {
  text: string;
  take: number;
  maximumMs: number;
}

export function findUsers(database: Database, { text, take, maximumMs }: Finding) {
  return inTime(
    database,
    maximumMs,
    sql<FoundUser>`
      select id, username, full_name, email, roles
      from users
      where ${matchesKeyword(text, (pattern) => containsPattern(sql`users.search_text`, pattern))}
      order by username = ${normalizeUsername(text)} desc, full_name, id
      limit ${take}`,
  );
}

/** Companies or service providers by their names. */
export function findOrganisations(
  database: Database,
  table: 'companies' | 'partners',
  { text, take, maximumMs }: Finding,
  language: Language,
) {
  const name = sql.id(table, 'name');
  const names = sql`fold_text(
    (${name} ->> 'ar-EG') || ' ' || (${name} ->> 'en-US') || ' ' || (${name} ->> 'ur-PK')
  )`;
  return inTime(
    database,
    maximumMs,
    sql<{ id: number; name: LocalizedText }>`
      select id, name
      from ${sql.id(table)}
      where ${matchesKeyword(text, (pattern) => sql`${names} like ${pattern}`)}
      order by ${name} ->> ${language}, id
      limit ${take}`,
  );
}
