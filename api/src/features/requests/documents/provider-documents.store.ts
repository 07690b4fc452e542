import type { Database, Transaction } from '#platform/database/database.ts';
import type { AttachmentRow } from '../model/request-documents.store.ts';

/** A document with who added it. */
export type ProviderDocument = AttachmentRow & {
  viewer_name: string | null;
  viewer_name_ar: string | null;
  adder_name: string;
  adder_name_ar: string | null;
  adder_partner_id: number | null;
};

/** The documents of staff and service providers on a request, without removed ones. */
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
      'users.full_name_ar as adder_name_ar',
      'users.partner_id as adder_partner_id',
      'viewer.full_name as viewer_name',
      'viewer.full_name_ar as viewer_name_ar',
    ])
    .where('attachments.request_id', '=', requestId)
    .where('attachments.provider_title', 'is not', null)
    .where('attachments.superseded_at', 'is', null)
    .where('attachments.uploaded_at', 'is not', null)
    .orderBy('attachments.created_at')
    .orderBy('attachments.id')
    .execute();
}

/** Adds a document to a request, or changes its title and visibility. */
export async function saveProviderDocument(
  transaction: Transaction,
  requestId: number,
  document: { attachmentId: string; title: string; isVisibleToApplicant: boolean },
): Promise<void> {
  const { attachmentId, title, isVisibleToApplicant } = document;
  await transaction
    .updateTable('attachments')
    .set({ request_id: requestId, provider_title: title, is_hidden: !isVisibleToApplicant })
    .where('id', '=', attachmentId)
    .execute();
}

export async function removeProviderDocuments(
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
