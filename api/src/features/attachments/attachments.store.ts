import type { Selectable } from 'kysely';
import type { Database, QueryBuilder, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { uploadedFileStore } from '#platform/files/uploaded-file.store.ts';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { ScanState } from '@diwan/contract/wire/uploads';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'attachments.scan_state': ScanState;
  }
}

export type AttachmentRow = Selectable<Tables['attachments']>;

export const uploads = uploadedFileStore('attachments');

interface NewAttachment {
  user_id: string;
  service_id: number;
  /** The request of a result. Other documents have none before they are sent. */
  request_id: number | null;
  /** The only request that the document can become a part of. */
  announced_for: number | null;
  name: string;
  file_name: string;
  media_type: string;
  size: number;
  is_result: boolean;
}

/**
 * Limits for one person's files that belong to no request: announced files within an hour, and
 * bytes in total.
 */
interface UnsentLimits {
  maximumRecent: number;
  maximumBytes: number;
}

/**
 * Inserts a file and returns its id, or the limit that it would exceed: `retryAfter` in seconds, or
 * `isTooLarge`. Locks the person, so that parallel calls cannot exceed the limits.
 */
export async function insertAttachment(
  database: Database,
  row: NewAttachment,
  { maximumRecent, maximumBytes }: UnsentLimits,
): Promise<{ id: string } | { retryAfter: number } | { isTooLarge: true }> {
  return inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, `documents of ${row.user_id}`);
    const unsent = await sumUnsent(transaction, row.user_id);
    if (unsent.recent >= maximumRecent) return { retryAfter: unsent.untilOneLess };
    if (unsent.bytes + row.size > maximumBytes) return { isTooLarge: true };
    return transaction
      .insertInto('attachments')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
  });
}

/**
 * Records that a file is infected. Returns `undefined` when it was scanned meanwhile. Locks the
 * request of the file first, in the order of corrections.
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

/**
 * One person's files that belong to no request: their number within the last hour, and the bytes of
 * all.
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

/** The person who opened a document first. */
export interface Viewer {
  viewed_at: Date | null;
  viewer_name: string | null;
  viewer_name_ar: string | null;
}

/** Records who opened a document first. Returns the first viewer. */
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
    .select([
      'attachments.viewed_at',
      'users.full_name as viewer_name',
      'users.full_name_ar as viewer_name_ar',
    ])
    .where('attachments.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The owner, partner and service of a request. */
export function findRequestPartner(
  database: Database,
  requestId: number,
): Promise<
  | {
      user_id: string;
      company_id: number | null;
      partner_id: number | null;
      service_id: number;
      agency_id: number;
      came_to_provider: boolean;
    }
  | undefined
> {
  return database
    .selectFrom('requests')
    .select(['user_id', 'company_id', 'partner_id', 'service_id', 'agency_id', 'came_to_provider'])
    .where('id', '=', requestId)
    .executeTakeFirst();
}

/** The rules for the documents of a request; empty when there is no such request. */
export async function selectRulesOfRequest(
  database: Database,
  requestId: number,
): Promise<AttachmentRule[]> {
  const found = await database
    .selectFrom('requests')
    .innerJoin('forms', 'forms.id', 'form_id')
    .select(['attachment_rules', 'evidence_rules'])
    .where('requests.id', '=', requestId)
    .executeTakeFirst();
  return found ? [...found.attachment_rules, ...(found.evidence_rules ?? [])] : [];
}

/**
 * The query of the applicant's files and the results of a request that are complete, oldest first, with
 * what `describeAttachment` needs.
 */
export const ofRequest = (builder: QueryBuilder, requestId: Sql<number>) =>
  builder
    .selectFrom('attachments')
    .leftJoin('users', 'users.id', 'attachments.viewed_by')
    .select([
      'attachments.id',
      'attachments.name',
      'attachments.file_name',
      'attachments.media_type',
      'attachments.size',
      'attachments.viewed_at',
      'attachments.is_result',
      'attachments.scan_state',
      'attachments.findings',
      'attachments.superseded_at',
      'users.full_name as viewer_name',
      'users.full_name_ar as viewer_name_ar',
    ])
    .where('request_id', '=', requestId)
    .where('provider_title', 'is', null)
    .where('uploaded_at', 'is not', null)
    .orderBy('attachments.created_at')
    .orderBy('attachments.id');

/**
 * Deletes files that belong to no request and no draft and were announced before a moment. Returns
 * their ids.
 */
export async function deleteUnused(database: Database, before: Date): Promise<string[]> {
  const rows = await database
    .deleteFrom('attachments')
    .where('request_id', 'is', null)
    .where('created_at', '<', before)
    .where(
      sql<boolean>`not exists (
        select
        from drafts
        where drafts.request_id is null and drafts.attachment_ids @> array[attachments.id]
      )`,
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
