import { sql, type Selectable } from 'kysely';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Tables } from '../../platform/database-types.ts';

export type AttachmentRow = Selectable<Tables['attachments']>;

export interface NewAttachment {
  user_id: string;
  service_id: number;
  /** Set for a result, which belongs to a request from the start. */
  request_id: number | null;
  /** The request that a result is for; it becomes a part of no other. */
  announced_for: number | null;
  name: string;
  file_name: string;
  media_type: string;
  size: number;
  is_result: boolean;
}

/** The new id; `undefined` for somebody who has announced `most` within the hour. One after the other for each person, so that many at once do not slip through. */
export async function insertAttachment(database: Database, row: NewAttachment, most: number): Promise<string | undefined> {
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`documents of ${row.user_id}`}, 0))`.execute(transaction);
    if ((await countRecent(transaction, row.user_id)) >= most) return undefined;
    return (await transaction.insertInto('attachments').values(row).returning('id').executeTakeFirstOrThrow()).id;
  });
}

export function findAttachment(database: Database, id: string): Promise<AttachmentRow | undefined> {
  return database.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks an announced file whose content has not come yet; `undefined` when it has, or when the file was thrown away. */
export function lockAwaited(transaction: Transaction, id: string): Promise<AttachmentRow | undefined> {
  return transaction.selectFrom('attachments').selectAll().where('id', '=', id).where('uploaded_at', 'is', null).forUpdate().executeTakeFirst();
}

export function setUploaded(transaction: Transaction, id: string, changes: Pick<AttachmentRow, 'media_type' | 'file_name' | 'size' | 'scan_state' | 'findings'>): Promise<AttachmentRow> {
  return transaction.updateTable('attachments').set({ ...changes, uploaded_at: new Date() }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** What a scan said, unless another one has said it meanwhile. Answers the row as it is now. */
export async function setScanned(database: Database, id: string, scanState: AttachmentRow['scan_state']): Promise<AttachmentRow | undefined> {
  await database.updateTable('attachments').set({ scan_state: scanState }).where('id', '=', id).where('scan_state', '=', 'waiting').execute();
  return findAttachment(database, id);
}

/** Files that wait for the scanner, oldest first. */
export async function selectWaiting(database: Database, most: number): Promise<string[]> {
  const rows = await database.selectFrom('attachments').select('id').where('scan_state', '=', 'waiting').where('uploaded_at', 'is not', null).orderBy('created_at').limit(most).execute();
  return rows.map((row) => row.id);
}

/** Own files that are not part of a request and were announced within the last hour. */
async function countRecent(database: Transaction, userId: string): Promise<number> {
  const { count } = await database.selectFrom('attachments').select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId).where('request_id', 'is', null).where('created_at', '>', new Date(Date.now() - 3_600_000)).executeTakeFirstOrThrow();
  return Number(count);
}

export async function deleteUnbound(database: Database, id: string, userId: string): Promise<boolean> {
  const result = await database.deleteFrom('attachments').where('id', '=', id).where('user_id', '=', userId)
    .where((eb) => eb.or([eb('request_id', 'is', null), eb('uploaded_at', 'is', null)])).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function setViewed(database: Database, id: string, userId: string): Promise<void> {
  await database.updateTable('attachments').set({ viewed_at: new Date(), viewed_by: userId }).where('id', '=', id).where('viewed_at', 'is', null).execute();
}

/** The partner that a request belongs to; `undefined` when there is no such request. */
export function findRequestPartner(database: Database, requestId: number): Promise<{ partner_id: number | null; service_id: number } | undefined> {
  return database.selectFrom('requests').select(['partner_id', 'service_id']).where('id', '=', requestId).executeTakeFirst();
}

/** The files of a request that are wholly there, oldest first. */
export function selectOfRequest(database: Database | Transaction, requestId: number): Promise<AttachmentRow[]> {
  return database.selectFrom('attachments').selectAll().where('request_id', '=', requestId).where('uploaded_at', 'is not', null).orderBy('created_at').orderBy('id').execute();
}

/** Takes files that no request and no draft holds and that were announced before this moment out of the table; answers their ids. */
export async function deleteUnused(database: Database, before: Date): Promise<string[]> {
  const rows = await database.deleteFrom('attachments').where('request_id', 'is', null).where('created_at', '<', before)
    .where(sql<boolean>`not exists (select from drafts where drafts.request_id is null and drafts.attachment_ids @> array[attachments.id])`).returning('id').execute();
  return rows.map((row) => row.id);
}
