import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import type { Sql } from '#platform/database/sql.ts';

export type AttachmentRow = Selectable<Tables['attachments']>;

/** Locks documents, so that no second request can claim them at the same time. */
export function lockDocuments(
  transaction: Transaction,
  ids: readonly string[],
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return transaction
    .selectFrom('attachments')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function bindDocuments(
  transaction: Transaction,
  ids: readonly string[],
  requestId: number | Sql<number>,
  isResult: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('attachments')
    .set({ request_id: requestId, is_result: isResult, superseded_at: null })
    .where('id', 'in', ids)
    .execute();
}

/** The applicant's current documents of a request. */
export function selectCurrentDocuments(
  transaction: Transaction,
  requestId: number,
): Promise<AttachmentRow[]> {
  return transaction
    .selectFrom('attachments')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('is_result', '=', false)
    .where('provider_title', 'is', null)
    .where('superseded_at', 'is', null)
    .where('uploaded_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Marks the applicant's current documents as superseded, except those in `currentIds`. */
export async function supersedeOtherDocuments(
  transaction: Transaction,
  requestId: number,
  currentIds: readonly string[],
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('attachments')
    .set({ superseded_at: at })
    .where('request_id', '=', requestId)
    .where('is_result', '=', false)
    .where('provider_title', 'is', null)
    .where('superseded_at', 'is', null)
    .$if(currentIds.length > 0, (query) => query.where('id', 'not in', currentIds))
    .execute();
}

/** Those of the documents that belong to the request or were uploaded by the user. */
export async function selectDocuments(
  database: Database,
  ids: readonly string[],
  requestId: number,
  userId: string,
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return [];
  return database
    .selectFrom('attachments')
    .selectAll()
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('request_id', '=', requestId), eb('user_id', '=', userId)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
