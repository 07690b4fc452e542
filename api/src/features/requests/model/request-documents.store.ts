import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { AttachmentRow } from '../../attachments/attachments.actions.ts';

/** Locks these documents against a second request that claims them at once. */
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
  requestId: number,
  isResult: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('attachments')
    .set({ request_id: requestId, is_result: isResult, superseded_at: null })
    .where('id', 'in', ids)
    .execute();
}

/** The applicant's documents that a request stands on now. */
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

/**
 * Those documents of the applicant that are not among the ones to keep stay with the request as
 * what it stood on before.
 */
export async function supersedeOtherDocuments(
  transaction: Transaction,
  requestId: number,
  keep: readonly string[],
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('attachments')
    .set({ superseded_at: at })
    .where('request_id', '=', requestId)
    .where('is_result', '=', false)
    .where('provider_title', 'is', null)
    .where('superseded_at', 'is', null)
    .$if(keep.length > 0, (query) => query.where('id', 'not in', keep))
    .execute();
}

/** Of these documents those that this person may send with a request. */
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
