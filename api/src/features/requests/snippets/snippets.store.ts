import type { Insertable, Selectable } from 'kysely';
import type { PersonNames } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'snippets.texts': Partial<LocalizedText>;
  }
}

export type SnippetRow = Selectable<Tables['snippets']> & PersonNames;

/** Whose texts are read: those of the user, and the shared ones of the office. */
export interface SnippetReader {
  userId: string;
  /** Null for the portal's own staff. */
  partnerId: number | null;
}

/** Lets one transaction change a user's texts at a time. */
export async function lockOwner(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** By name. */
export function selectSnippets(
  database: Database | Transaction,
  { userId, partnerId }: SnippetReader,
): Promise<SnippetRow[]> {
  return database
    .selectFrom('snippets')
    .innerJoin('users', 'users.id', 'snippets.user_id')
    .selectAll('snippets')
    .select(['users.full_name', 'users.full_name_ar'])
    .where((eb) =>
      eb.or([
        eb('snippets.user_id', '=', userId),
        eb.and([
          eb('snippets.is_shared', '=', true),
          eb('snippets.partner_id', 'is not distinct from', partnerId),
        ]),
      ]),
    )
    .orderBy(sql`lower(snippets.name)`)
    .orderBy('snippets.id')
    .execute();
}

export async function insertSnippet(
  transaction: Transaction,
  row: Insertable<Tables['snippets']>,
): Promise<void> {
  await transaction.insertInto('snippets').values(row).execute();
}

/** Changes a text of this version, and returns whether there was one. */
export async function updateSnippet(
  transaction: Transaction,
  { id, version }: { id: string; version: number },
  changes: { name: string; texts: string; is_shared: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('snippets')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removeSnippet(transaction: Transaction, id: string): Promise<void> {
  await transaction.deleteFrom('snippets').where('id', '=', id).execute();
}
