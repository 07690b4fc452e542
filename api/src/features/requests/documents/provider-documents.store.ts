import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { AttachmentRow, Viewer } from '../../attachments/attachments.actions.ts';

/** A document with who added it. */
export type ProviderDocument = AttachmentRow &
  Viewer & { adder_name: string; adder_partner_id: number | null };

/** What staff and service provider have put on a request, without what was taken off. */
export function selectProviderDocuments(
  database: Database | Transaction,
  requestId: number,
): Promise<ProviderDocument[]> {
  return database
    .selectFrom('attachments')
    .innerJoin('users', 'users.id', 'attachments.user_id')
    .leftJoin('users as viewer', 'viewer.id', 'attachments.viewed_by')
    .selectAll('attachments')
    .select([
      'users.full_name as adder_name',
      'users.partner_id as adder_partner_id',
      'viewer.full_name as viewer_name',
    ])
    .where('attachments.request_id', '=', requestId)
    .where('attachments.provider_title', 'is not', null)
    .where('attachments.superseded_at', 'is', null)
    .where('attachments.uploaded_at', 'is not', null)
    .orderBy('attachments.created_at')
    .orderBy('attachments.id')
    .execute();
}

export async function putOnRequest(
  transaction: Transaction,
  id: string,
  requestId: number,
  title: string,
  isHidden: boolean,
): Promise<void> {
  await transaction
    .updateTable('attachments')
    .set({ request_id: requestId, provider_title: title, is_hidden: isHidden })
    .where('id', '=', id)
    .execute();
}

export async function takeOff(
  transaction: Transaction,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  if (ids.length > 0)
    await transaction
      .updateTable('attachments')
      .set({ superseded_at: at })
      .where('id', 'in', ids)
      .execute();
}
