import type { Insertable, Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { uploadedFileStore } from '#platform/files/uploaded-file.store.ts';
import type { ScanState } from '@diwan/contract/wire/uploads';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'partner_documents.scan_state': ScanState;
  }
}

export type DocumentRow = Selectable<Tables['partner_documents']>;

export const uploads = uploadedFileStore('partner_documents');

/**
 * Inserts a document and returns its id, or the limit that it would exceed: announcements within an
 * hour, or bytes that belong to no partner. Locks the person, so that parallel calls cannot exceed
 * the limits.
 */
export async function insertDocument(
  database: Database,
  row: Insertable<Tables['partner_documents']>,
  { maximumRecent, maximumBytes }: { maximumRecent: number; maximumBytes: number },
): Promise<{ id: string } | 'tooMany' | 'tooLarge'> {
  return inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, `partner documents of ${row.user_id}`);
    if ((await countRecent(transaction, row.user_id)) >= maximumRecent) return 'tooMany';
    if ((await sumUnbound(transaction, row.user_id)) + row.size > maximumBytes) return 'tooLarge';
    return transaction
      .insertInto('partner_documents')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
  });
}

async function countRecent(database: Transaction, userId: string): Promise<number> {
  const row = await database
    .selectFrom('partner_documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('created_at', '>', new Date(Date.now() - 3_600_000))
    .executeTakeFirstOrThrow();
  return row.count;
}

async function sumUnbound(database: Transaction, userId: string): Promise<number> {
  const { bytes } = await database
    .selectFrom('partner_documents')
    .select((eb) => eb.fn.sum<string | null>('size').as('bytes'))
    .where('user_id', '=', userId)
    .where('partner_id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

export function selectOfPartner(
  database: Database | Transaction,
  partnerId: number,
): Promise<DocumentRow[]> {
  return database
    .selectFrom('partner_documents')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .orderBy('uploaded_at')
    .orderBy('id')
    .execute();
}

/** Locks documents of a person that belong to no partner. */
export function lockUnbound(
  transaction: Transaction,
  userId: string,
  ids: readonly string[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return transaction
    .selectFrom('partner_documents')
    .selectAll()
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .where('partner_id', 'is', null)
    .where('uploaded_at', 'is not', null)
    .where('scan_state', '!=', 'infected')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Binds documents to a partner; they replace those of the same name. */
export async function bind(
  transaction: Transaction,
  partnerId: number,
  documents: readonly DocumentRow[],
): Promise<void> {
  if (documents.length === 0) return;
  await transaction
    .updateTable('partner_documents')
    .set({ replaced_at: new Date() })
    .where('partner_id', '=', partnerId)
    .where('replaced_at', 'is', null)
    .where(
      'name',
      'in',
      documents.map(({ name }) => name),
    )
    .execute();
  await transaction
    .updateTable('partner_documents')
    .set({ partner_id: partnerId })
    .where(
      'id',
      'in',
      documents.map(({ id }) => id),
    )
    .execute();
}

export async function deleteUnused(database: Database, before: Date): Promise<string[]> {
  const rows = await database
    .deleteFrom('partner_documents')
    .where('partner_id', 'is', null)
    .where('created_at', '<', before)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
