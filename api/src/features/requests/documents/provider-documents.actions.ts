import { describeAttachment } from '#features/attachments/attachments.actions.ts';
import { isClerk, isStaff, type Caller } from '#platform/auth/caller.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  providerDocumentName,
  type ServiceProviderAttachment,
} from '@diwan/contract/requests/provider-documents';
import type { Language } from '@diwan/contract/wire/languages';
import { lockStaffDocuments } from '../model/request-documents.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { lockVisibleRequest, requireReadable } from '../model/visibility.actions.ts';
import { insertRequestChanged } from '../record/viewers.actions.ts';
import {
  removeProviderDocuments,
  saveProviderDocument,
  selectProviderDocuments,
  type ProviderDocument,
} from './provider-documents.store.ts';

/** A document of a request as staff and service providers send it. */
interface ProviderDocumentInput {
  attachmentId: string;
  title: string;
  isVisibleToApplicant: boolean;
}

const maximumDocuments = 20;

// A service provider changes their own partner's documents, the portal's staff all of them.
function mayChange(caller: Caller, document: ProviderDocument): boolean {
  return (
    isClerk(caller) || (caller.partnerId !== null && document.adder_partner_id === caller.partnerId)
  );
}

// The applicant is notified of documents that they could not see before. When they can see none any
// more, a notification that was not sent yet is withdrawn.
async function notifyOfDocuments(
  { notifier }: RequestsContext,
  transaction: Transaction,
  requestId: number,
  before: readonly ProviderDocument[],
): Promise<void> {
  const visible = (await selectProviderDocuments(transaction, requestId)).filter(
    ({ is_hidden: isHidden }) => !isHidden,
  );
  const input = { requestId, notification: 'documentAdded' } as const;
  if (visible.some(({ id }) => !before.some((row) => row.id === id && !row.is_hidden)))
    await notifier.notify(transaction, input);
  else if (visible.length === 0)
    await notifier.withdraw(transaction, requestId, input.notification);
}

interface DocumentChanges {
  added: ProviderDocumentInput[];
  edited: ProviderDocumentInput[];
  removed: ProviderDocument[];
}

function compareDocuments(
  current: readonly ProviderDocument[],
  sent: readonly ProviderDocumentInput[],
  mode: 'add' | 'replace',
): DocumentChanges {
  const documents = [...new Map(sent.map((each) => [each.attachmentId, each])).values()];
  const added = documents.filter(
    ({ attachmentId }) => !current.some(({ id }) => id === attachmentId),
  );
  if (mode === 'add') return { added, edited: [], removed: [] };
  const edited = documents.filter((each) =>
    current.some(
      (row) =>
        row.id === each.attachmentId &&
        (row.provider_title !== each.title || row.is_hidden === each.isVisibleToApplicant),
    ),
  );
  const removed = current.filter(
    ({ id }) => !documents.some(({ attachmentId }) => attachmentId === id),
  );
  return { added, edited, removed };
}

/**
 * Adds documents to a request, or replaces its list of documents. Removed documents stay with the
 * request; only staff who have a reference to one can still open it. Throws RequestNotFound,
 * AttachmentCountExceeded, and AttachmentNotFound for documents that the caller did not upload for
 * this request or may not change.
 */
export async function saveProviderDocuments(
  context: RequestsContext,
  caller: Caller,
  { requestId, documents }: { requestId: number; documents: readonly ProviderDocumentInput[] },
  mode: 'add' | 'replace',
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const request = await lockVisibleRequest(transaction, caller, requestId);
    const current = await selectProviderDocuments(transaction, requestId);
    const { added, edited, removed } = compareDocuments(current, documents, mode);
    await lockStaffDocuments(
      transaction,
      caller,
      { requestId, name: providerDocumentName },
      added.map(({ attachmentId }) => attachmentId),
    );
    const changed = current.filter(
      (row) => removed.includes(row) || edited.some(({ attachmentId }) => attachmentId === row.id),
    );
    if (!changed.every((row) => mayChange(caller, row))) throw new Refusal('AttachmentNotFound');
    if (current.length + added.length - removed.length > maximumDocuments)
      throw new Refusal('AttachmentCountExceeded');
    for (const document of [...added, ...edited])
      await saveProviderDocument(transaction, requestId, document);
    await removeProviderDocuments(
      transaction,
      removed.map(({ id }) => id),
      context.now(),
    );
    await insertRequestChanged(request)?.execute(transaction);
    await notifyOfDocuments(context, transaction, requestId, current);
  });
  context.announce();
}

/**
 * The documents of staff and service providers on a request. Applicants get those that are visible
 * to them. Throws RequestNotFound.
 */
export async function listProviderDocuments(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<ServiceProviderAttachment[]> {
  await requireReadable(context.database, caller, requestId);
  const isForStaff = isStaff(caller);
  const rows = (await selectProviderDocuments(context.database, requestId)).filter(
    (row) => isForStaff || !row.is_hidden,
  );
  return rows.map((row) => ({
    ...describeAttachment(context.references, row, { rules: [], caller, language }),
    title: row.provider_title ?? '',
    isVisibleToApplicant: !row.is_hidden,
    addedAt: row.created_at.toISOString(),
    ...(isForStaff
      ? {
          addedBy: localizePersonName(
            { full_name: row.adder_name, full_name_ar: row.adder_name_ar },
            language,
          ),
        }
      : {}),
    mayChange: isForStaff && mayChange(caller, row),
  }));
}
