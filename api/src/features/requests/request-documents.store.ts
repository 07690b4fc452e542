import type { Transaction } from '../../platform/database.ts';
import type { AttachmentRow } from '../attachments/attachments.actions.ts';

/** Locks these documents against a second request that claims them at once. */
export function lockDocuments(transaction: Transaction, ids: readonly string[]): Promise<AttachmentRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return transaction.selectFrom('attachments').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
}

export async function bindDocuments(transaction: Transaction, ids: readonly string[], requestId: number, isResult: boolean): Promise<void> {
  if (ids.length === 0) return;
  await transaction.updateTable('attachments').set({ request_id: requestId, is_result: isResult }).where('id', 'in', ids).execute();
}

/** Takes those documents of the applicant from a request that are not among the ones to keep. */
export async function unbindOtherDocuments(transaction: Transaction, requestId: number, keep: readonly string[]): Promise<void> {
  await transaction.updateTable('attachments').set({ request_id: null }).where('request_id', '=', requestId).where('is_result', '=', false)
    .$if(keep.length > 0, (query) => query.where('id', 'not in', keep)).execute();
}
