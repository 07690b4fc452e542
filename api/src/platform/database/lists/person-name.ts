import { localizePersonName } from '#platform/core/localize.ts';
import type { Language } from '@diwan/contract/wire/languages';
import { type Sql, sql } from '../sql.ts';

/**
 * The name of a user in a statement, as `localizePersonName` chooses it. `table` is `users` or what
 * the statement calls it; the name is null where a left join has no user.
 */
export const personName = (table: string, language: Language): Sql<string | null> =>
  sql.raw(
    localizePersonName(
      {
        full_name: `${table}.full_name`,
        full_name_ar: `coalesce(${table}.full_name_ar, ${table}.full_name)`,
      },
      language,
    ),
  );
