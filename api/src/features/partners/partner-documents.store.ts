import type { Insertable, Selectable } from 'kysely';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/database-types.ts';
import { lockName } from '../../platform/database/name-lock.ts';

export type DocumentRow = Selectable<Tables['partner_documents']>;

/**
 * The new id, or which limit it would pass: so many announced within the hour, or bytes that no
 * partner holds. One after the other for each person, so that many at once do not slip through.
 */
export async function insertDocument(
  database: Database,
  row: Insertable<Tables['partner_documents']>,
  { mostRecent, mostBytes }: { mostRecent: number; mostBytes: number },
): Promise<{ id: string } | 'tooMany' | 'tooLarge'> {
  return database.transaction().execute(async (transaction) => {
    await lockName(transaction, `partner documents of ${row.user_id}`);
    if ((await countRecent(transaction, row.user_id)) >= mostRecent) return 'tooMany';
    if ((await sumUnbound(transaction, row.user_id)) + row.size > mostBytes) return 'tooLarge';
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

export function findDocument(database: Database, id: string): Promise<DocumentRow | undefined> {
  return database
    .selectFrom('partner_documents')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function isAwaited(database: Database, id: string): Promise<boolean> {
  return (
    (await database
      .selectFrom('partner_documents')
      .select('id')
      .where('id', '=', id)
      .where('uploaded_at', 'is', null)
      .executeTakeFirst()) !== undefined
  );
}

export function lockAwaited(
  transaction: Transaction,
  id: string,
): Promise<DocumentRow | undefined> {
  return transaction
    .selectFrom('partner_documents')
    .selectAll()
    .where('id', '=', id)
    .where('uploaded_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export function setUploaded(
  transaction: Transaction,
  id: string,
  file: Pick<DocumentRow, 'media_type' | 'file_name' | 'size' | 'scan_state' | 'findings'>,
): Promise<DocumentRow> {
  return transaction
    .updateTable('partner_documents')
    .set({ ...file, uploaded_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What a scan said, unless another one has said it meanwhile. Answers the row as it is now. */
export async function setScanned(
  database: Database,
  id: string,
  scanState: DocumentRow['scan_state'],
): Promise<DocumentRow | undefined> {
  await database
    .updateTable('partner_documents')
    .set({ scan_state: scanState })
    .where('id', '=', id)
    .where('scan_state', '=', 'waiting')
    .execute();
  return findDocument(database, id);
}

/** Documents that wait for the scanner, oldest first. */
export async function selectWaiting(database: Database, most: number): Promise<string[]> {
  const rows = await database
    .selectFrom('partner_documents')
    .select('id')
    .where('scan_state', '=', 'waiting')
    .where('uploaded_at', 'is not', null)
    .orderBy('created_at')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
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
    .execute();
}

/** Uploads of a person that nothing holds yet, of these ids, locked. */
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

/** Makes documents those of a partner, in place of the ones that had their names. */
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
