import type { Language } from '@diwan/contract/wire/languages';
import {
  providerDocumentName,
  type ServiceProviderAttachment,
} from '@diwan/contract/requests/service-provider-attachments';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { isStaff, seesAll, type Caller } from '../../../platform/auth/session.ts';
import { describeAttachment } from '../../attachments/attachments.actions.ts';
import {
  putOnRequest,
  selectProviderDocuments,
  takeOff,
  type ProviderDocument,
} from './provider-documents.store.ts';
import { lockDocuments } from '../model/request-documents.store.ts';
import { getVisible, type RequestsContext } from '../requests.actions.ts';
import { lockVisible } from '../model/requests.store.ts';
import { visibleTo } from '../model/visibility.store.ts';

export interface PutDocument {
  attachmentId: string;
  title: string;
  isVisibleToApplicant: boolean;
}

const mostDocuments = 20;

// A service provider changes what its own people have added, clerks anything.
function mayChange(caller: Caller, document: ProviderDocument): boolean {
  return (
    seesAll(caller) || (caller.partnerId !== null && document.adder_partner_id === caller.partnerId)
  );
}

async function checkNew(
  transaction: Transaction,
  caller: Caller,
  requestId: number,
  ids: readonly string[],
): Promise<void> {
  const rows = (await lockDocuments(transaction, ids)).filter(
    (row) =>
      row.uploaded_at !== null &&
      row.request_id === null &&
      row.user_id === caller.userId &&
      row.announced_for === requestId &&
      row.name === providerDocumentName &&
      row.scan_state !== 'infected',
  );
  if (rows.length < ids.length) throw new Refusal('AttachmentNotFound');
}

// What the applicant did not see before; and where nothing is left of what they have not been told
// of yet, they are not.
async function tellOfDocuments(
  { notices }: RequestsContext,
  transaction: Transaction,
  requestId: number,
  before: readonly ProviderDocument[],
): Promise<void> {
  const shown = (await selectProviderDocuments(transaction, requestId)).filter(
    ({ is_hidden: isHidden }) => !isHidden,
  );
  const news = { requestId, news: 'documentAdded' } as const;
  if (shown.some(({ id }) => !before.some((row) => row.id === id && !row.is_hidden)))
    await notices.tellNews(transaction, news);
  else if (shown.length === 0) await notices.takeBackNews(transaction, requestId, news.news);
}

/**
 * Adds documents to a request (`add`), or makes its list be just these (`replace`). What is taken
 * off stays with the request and is shown to nobody but staff who hold its reference.
 * Throws RequestNotFound, AttachmentNotFound for what the caller did not send for this request or
 * may not change, AttachmentCountExceeded.
 */
export async function putDocuments(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  sent: readonly PutDocument[],
  how: 'add' | 'replace',
): Promise<void> {
  const wanted = [...new Map(sent.map((each) => [each.attachmentId, each])).values()];
  await context.database.transaction().execute(async (transaction) => {
    if (!(await lockVisible(transaction, requestId, visibleTo(caller))))
      throw new Refusal('RequestNotFound');
    const there = await selectProviderDocuments(transaction, requestId);
    const fresh = wanted.filter(({ attachmentId }) => !there.some(({ id }) => id === attachmentId));
    await checkNew(
      transaction,
      caller,
      requestId,
      fresh.map(({ attachmentId }) => attachmentId),
    );
    const kept =
      how === 'replace'
        ? wanted.filter((each) =>
            there.some(
              (row) =>
                row.id === each.attachmentId &&
                (row.provider_title !== each.title || row.is_hidden === each.isVisibleToApplicant),
            ),
          )
        : [];
    const gone =
      how === 'replace'
        ? there.filter(({ id }) => !wanted.some(({ attachmentId }) => attachmentId === id))
        : [];
    const changed = there.filter(
      ({ id }) =>
        gone.some((row) => row.id === id) || kept.some(({ attachmentId }) => attachmentId === id),
    );
    if (!changed.every((row) => mayChange(caller, row))) throw new Refusal('AttachmentNotFound');
    if (there.length + fresh.length - gone.length > mostDocuments)
      throw new Refusal('AttachmentCountExceeded');
    for (const { attachmentId, title, isVisibleToApplicant } of [...fresh, ...kept])
      await putOnRequest(transaction, attachmentId, requestId, title, !isVisibleToApplicant);
    await takeOff(
      transaction,
      gone.map(({ id }) => id),
      context.now(),
    );
    await tellOfDocuments(context, transaction, requestId, there);
  });
  context.announce();
}

/**
 * The documents of staff and service provider on a request; applicants get those that are meant for
 * them. Throws RequestNotFound.
 */
export async function listDocuments(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<ServiceProviderAttachment[]> {
  await getVisible(context.database, caller, requestId);
  const isForStaff = isStaff(caller);
  const rows = (await selectProviderDocuments(context.database, requestId)).filter(
    (row) => isForStaff || !row.is_hidden,
  );
  return rows.map((row) => ({
    ...describeAttachment(context.references, row, [], caller, language),
    title: row.provider_title ?? '',
    isVisibleToApplicant: !row.is_hidden,
    addedAt: row.created_at.toISOString(),
    ...(isForStaff ? { addedBy: row.adder_name } : {}),
    mayChange: isForStaff && mayChange(caller, row),
  }));
}
