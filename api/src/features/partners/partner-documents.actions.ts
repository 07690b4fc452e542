import type { UploadAddress } from '@diwan/contract/requests/attachments';
import {
  partnerDocumentBytes,
  partnerDocumentNames,
  partnerDocumentTypes,
  type PartnerDocument,
  type PartnerDocumentName,
} from '@diwan/contract/people/partner-registration';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { Database, Transaction } from '../../platform/database/database.ts';
import {
  openDocumentArrival,
  usable,
  type DocumentArrival,
} from '../../platform/files/document-arrival.ts';
import type { DocumentIntake } from '../../platform/files/document-intake.ts';
import { safeFileName } from '../../platform/files/file-name.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import type { SignedReferences } from '../../platform/auth/signed-references.ts';
import * as store from './partner-documents.store.ts';

export { isAwaited as awaitsDocument } from './partner-documents.store.ts';

export interface PartnerDocumentsContext {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  references: SignedReferences;
  /** What one person's documents that no partner holds may take up together. */
  unsentMegabytes: number;
}

// More than anybody needs in an hour.
const recentLimit = 60;
const limits = { mediaTypes: partnerDocumentTypes, maximumBytes: partnerDocumentBytes };

// Who waits for an answer changes nothing; registering and being asked again are when documents are
// sent.
export async function announceDocument(
  context: PartnerDocumentsContext,
  caller: Caller,
  file: { name: PartnerDocumentName; fileName: string; mediaType: string; size: number },
): Promise<{ id: string; upload: UploadAddress }> {
  const limit = context.intake.limit(limits);
  context.intake.checkAnnounced(limit, file.size, file.mediaType);
  const added = await store.insertDocument(
    context.database,
    {
      user_id: caller.userId,
      partner_id: null,
      name: file.name,
      file_name: safeFileName(file.fileName, file.mediaType),
      media_type: file.mediaType,
      size: file.size,
    },
    { mostRecent: recentLimit, mostBytes: context.unsentMegabytes * 1024 * 1024 },
  );
  if (added === 'tooMany') throw new Refusal('TooManyRequests', { retryAfter: 3600 });
  if (added === 'tooLarge')
    throw new Refusal('DocumentSpaceFull', { maximum: context.unsentMegabytes });
  return {
    id: added.id,
    upload: context.intake.addressOf({ ...limit, id: added.id, size: file.size }),
  };
}

/** How the content of a partner's documents arrives. */
export function partnerArrivalOf(
  context: PartnerDocumentsContext,
): DocumentArrival<store.DocumentRow> {
  return openDocumentArrival(context, { ...store, find: store.findDocument }, () =>
    context.intake.limit(limits),
  );
}

/** A document behind a reference that was made for this caller. */
export async function findDocument(
  context: PartnerDocumentsContext,
  caller: Caller,
  filePath: string,
): Promise<store.DocumentRow> {
  const id = context.references.read(filePath, caller.userId);
  const row = id ? await store.findDocument(context.database, id) : undefined;
  const isTheirs =
    row?.partner_id !== null &&
    (caller.roles.includes('Admin') || row?.partner_id === caller.partnerId);
  if (!row?.uploaded_at || !isTheirs) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'waiting') throw new Refusal('AttachmentBeingScanned');
  return usable(row);
}

export function describeDocument(
  references: SignedReferences,
  row: store.DocumentRow,
  caller: Caller,
): PartnerDocument {
  return {
    documentId: row.id,
    name: row.name as PartnerDocumentName,
    fileName: row.file_name,
    mediaType: row.media_type,
    size: row.size,
    filePath: references.make(row.id, caller.userId),
    isCurrent: row.replaced_at === null,
    scanState: row.scan_state,
    uploadedAt: (row.uploaded_at ?? row.created_at).toISOString(),
  };
}

/**
 * Binds what was sent to a partner, or says which document is missing, twice there or not the
 * caller's. `isWhole`: the partner has none yet.
 */
export async function bindDocuments(
  transaction: Transaction,
  caller: Caller,
  partnerId: number,
  ids: readonly string[],
  isWhole: boolean,
): Promise<ValidationIssue[]> {
  const given = await store.lockUnbound(transaction, caller.userId, [...new Set(ids)]);
  const issues: ValidationIssue[] =
    given.length < new Set(ids).size ? [{ field: 'documents', code: 'attachmentUnknown' }] : [];
  for (const name of partnerDocumentNames) {
    const count = given.filter((document) => document.name === name).length;
    if (count > 1)
      issues.push({
        field: `documents.${name}`,
        code: 'attachmentTooMany',
        params: { maximum: 1 },
      });
    if (count === 0 && isWhole)
      issues.push({ field: `documents.${name}`, code: 'attachmentMissing' });
  }
  if (issues.length === 0) await store.bind(transaction, partnerId, given);
  return issues;
}

/** Throws away documents that were sent for a registration that never came. */
export async function pruneUnusedDocuments(
  context: PartnerDocumentsContext,
  days: number,
): Promise<void> {
  for (const id of await store.deleteUnused(
    context.database,
    new Date(Date.now() - days * 86_400_000),
  ))
    await context.files.remove(id);
}
