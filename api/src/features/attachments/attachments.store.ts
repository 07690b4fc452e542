import { sql, type Selectable } from 'kysely';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/database-types.ts';
import { lockName } from '../../platform/database/name-lock.ts';

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

/**
 * How many files somebody may announce within an hour, and how many bytes all of theirs may have
 * together, of those that no request holds.
 */
export interface UnsentLimits {
  mostRecent: number;
  mostBytes: number;
}

/**
 * The new id, or which limit it would pass, and in how many seconds it would not. One after the
 * other for each person, so that many at once do not slip through.
 */
export async function insertAttachment(
  database: Database,
  row: NewAttachment,
  { mostRecent, mostBytes }: UnsentLimits,
): Promise<{ id: string } | { retryAfter: number } | { isTooLarge: true }> {
  return database.transaction().execute(async (transaction) => {
    await lockName(transaction, `documents of ${row.user_id}`);
    const unsent = await sumUnsent(transaction, row.user_id);
    if (unsent.recent >= mostRecent) return { retryAfter: unsent.untilOneLess };
    if (unsent.bytes + row.size > mostBytes) return { isTooLarge: true };
    return transaction
      .insertInto('attachments')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
  });
}

export function findAttachment(database: Database, id: string): Promise<AttachmentRow | undefined> {
  return database.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a file was announced and its content has not come yet. */
export async function isAwaited(database: Database, id: string): Promise<boolean> {
  return (
    (await database
      .selectFrom('attachments')
      .select('id')
      .where('id', '=', id)
      .where('uploaded_at', 'is', null)
      .executeTakeFirst()) !== undefined
  );
}

/**
 * Locks an announced file whose content has not come yet; `undefined` when it has, or when the file
 * was thrown away.
 */
export function lockAwaited(
  transaction: Transaction,
  id: string,
): Promise<AttachmentRow | undefined> {
  return transaction
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .where('uploaded_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export function setUploaded(
  transaction: Transaction,
  id: string,
  changes: Pick<AttachmentRow, 'media_type' | 'file_name' | 'size' | 'scan_state' | 'findings'>,
): Promise<AttachmentRow> {
  return transaction
    .updateTable('attachments')
    .set({ ...changes, uploaded_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What a scan said, unless another one has said it meanwhile. Answers the row as it is now. */
export async function setScanned(
  database: Database,
  id: string,
  scanState: AttachmentRow['scan_state'],
): Promise<AttachmentRow | undefined> {
  await database
    .updateTable('attachments')
    .set({ scan_state: scanState })
    .where('id', '=', id)
    .where('scan_state', '=', 'waiting')
    .execute();
  return findAttachment(database, id);
}

/**
 * That harmful content was found, unless a scan has said something meanwhile: then `undefined`. The
 * request that holds it is locked first, as by whoever mends it.
 */
export async function setInfected(
  transaction: Transaction,
  id: string,
): Promise<AttachmentRow | undefined> {
  await transaction
    .selectFrom('requests')
    .select('id')
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('attachments').select('request_id').where('id', '=', id),
    )
    .forUpdate()
    .execute();
  return transaction
    .updateTable('attachments')
    .set({ scan_state: 'infected' })
    .where('id', '=', id)
    .where('scan_state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst();
}

/** Files that wait for the scanner, oldest first. */
export async function selectWaiting(database: Database, most: number): Promise<string[]> {
  const rows = await database
    .selectFrom('attachments')
    .select('id')
    .where('scan_state', '=', 'waiting')
    .where('uploaded_at', 'is not', null)
    .orderBy('created_at')
    .limit(most)
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Own files that are not part of a request: how many were announced within the last hour, and the
 * bytes of all.
 */
async function sumUnsent(
  database: Transaction,
  userId: string,
): Promise<{ recent: number; untilOneLess: number; bytes: number }> {
  const hourAgo = new Date(Date.now() - 3_600_000);
  const { recent, oldest, bytes } = await database
    .selectFrom('attachments')
    .select((eb) => [
      eb.fn.countAll<string>().filterWhere('created_at', '>', hourAgo).as('recent'),
      eb.fn.min<Date | null>('created_at').filterWhere('created_at', '>', hourAgo).as('oldest'),
      eb.fn.sum<string | null>('size').as('bytes'),
    ])
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    recent: Number(recent),
    untilOneLess: oldest ? Math.ceil((oldest.getTime() - hourAgo.getTime()) / 1000) : 0,
    bytes: Number(bytes ?? 0),
  };
}

export async function deleteUnbound(
  database: Database,
  id: string,
  userId: string,
): Promise<boolean> {
  const result = await database
    .deleteFrom('attachments')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('request_id', 'is', null), eb('uploaded_at', 'is', null)]))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Who opened a document first. */
export interface Viewer {
  viewed_at: Date | null;
  viewer_name: string | null;
}

/** Notes who opened a document, unless somebody was there before; answers who was. */
export async function setViewed(database: Database, id: string, userId: string): Promise<Viewer> {
  await database
    .updateTable('attachments')
    .set({ viewed_at: new Date(), viewed_by: userId })
    .where('id', '=', id)
    .where('viewed_at', 'is', null)
    .execute();
  return database
    .selectFrom('attachments')
    .leftJoin('users', 'users.id', 'attachments.viewed_by')
    .select(['attachments.viewed_at', 'users.full_name as viewer_name'])
    .where('attachments.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Whose a request is; `undefined` when there is no such request. */
export function findRequestPartner(
  database: Database,
  requestId: number,
): Promise<
  | {
      user_id: string;
      company_id: number | null;
      partner_id: number | null;
      service_id: number;
      came_to_provider: boolean;
    }
  | undefined
> {
  return database
    .selectFrom('requests')
    .select(['user_id', 'company_id', 'partner_id', 'service_id', 'came_to_provider'])
    .where('id', '=', requestId)
    .executeTakeFirst();
}

/** What documents a request asks for; none when there is no such request. */
export async function selectRulesOfRequest(
  database: Database,
  requestId: number,
): Promise<AttachmentRule[]> {
  return (
    (
      await database
        .selectFrom('requests')
        .select('attachment_rules')
        .where('id', '=', requestId)
        .executeTakeFirst()
    )?.attachment_rules ?? []
  );
}

/** The applicant's files and the results of a request that are wholly there, oldest first. */
export function selectOfRequest(
  database: Database | Transaction,
  requestId: number,
): Promise<(AttachmentRow & Viewer)[]> {
  return database
    .selectFrom('attachments')
    .leftJoin('users', 'users.id', 'attachments.viewed_by')
    .selectAll('attachments')
    .select('users.full_name as viewer_name')
    .where('request_id', '=', requestId)
    .where('provider_title', 'is', null)
    .where('uploaded_at', 'is not', null)
    .orderBy('attachments.created_at')
    .orderBy('attachments.id')
    .execute();
}

/**
 * Takes files that no request and no draft holds, and that were announced before this moment out of
 * the table; answers their ids.
 */
export async function deleteUnused(database: Database, before: Date): Promise<string[]> {
  const rows = await database
    .deleteFrom('attachments')
    .where('request_id', 'is', null)
    .where('created_at', '<', before)
    .where(
      sql<boolean>`not exists (select from drafts where drafts.request_id is null and drafts.attachment_ids @> array[attachments.id])`,
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
