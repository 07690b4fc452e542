import { hasRole, type Caller } from '#platform/auth/caller.ts';
import type { FileReferences } from '#platform/auth/file-references.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { DocumentIntake } from '#platform/files/document-intake.ts';
import {
  openDocumentUploads,
  requireUsable,
  type DocumentUploads,
} from '#platform/files/document-uploads.ts';
import { safeFileName } from '#platform/files/file-name.ts';
import type { FileStore } from '#platform/files/stores/file-store.ts';
import {
  partnerDocumentBytes,
  partnerDocumentNames,
  partnerDocumentTypes,
  type PartnerDocument,
  type PartnerDocumentName,
} from '@diwan/contract/people/partner-registration';
import { auditReaders } from '@diwan/contract/wire/call';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { UploadAddress } from '@diwan/contract/wire/uploads';
import * as store from './partner-documents.store.ts';

/** Returns whether a document is announced and its content has not arrived. */
export const isDocumentExpected = store.uploads.isAwaited;

export interface PartnerDocumentsContext {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  references: FileReferences;
  /** The total size of one person's documents that belong to no partner. */
  unsentMegabytes: number;
}

// Announcements within an hour: more than a registration needs.
const recentLimit = 60;
const limits = { mediaTypes: partnerDocumentTypes, maximumBytes: partnerDocumentBytes };

// The state of the provider does not matter: documents are sent for a registration and for a
// correction of it.
export async function announceDocument(
  context: PartnerDocumentsContext,
  caller: Caller,
  file: { name: PartnerDocumentName; fileName: string; mediaType: string; size: number },
): Promise<{ id: string; upload: UploadAddress }> {
  const limit = context.intake.limit(limits);
  context.intake.checkAnnounced(limit, file.size, file.mediaType);
  const added = await store.unsent.insert(
    context.database,
    {
      user_id: caller.userId,
      partner_id: null,
      name: file.name,
      file_name: safeFileName(file.fileName, file.mediaType),
      media_type: file.mediaType,
      size: file.size,
    },
    { maximumRecent: recentLimit, maximumBytes: context.unsentMegabytes * 1024 * 1024 },
  );
  if (added === 'tooMany') throw new Refusal('TooManyRequests', { retryAfter: 3600 });
  if (added === 'tooLarge')
    throw new Refusal('DocumentSpaceFull', { maximum: context.unsentMegabytes });
  return {
    id: added.id,
    upload: context.intake.uploadAddressFor({ ...limit, id: added.id, size: file.size }),
  };
}

/** Opens the uploads of a service provider's documents. */
export function openPartnerDocumentUploads(
  context: PartnerDocumentsContext,
): DocumentUploads<store.DocumentRow> {
  return openDocumentUploads(context, store.uploads, () => context.intake.limit(limits));
}

/**
 * Finds a document by a reference that was made for this caller. Throws AttachmentNotFound,
 * AttachmentBeingScanned or AttachmentInfected.
 */
export async function findDocument(
  context: PartnerDocumentsContext,
  caller: Caller,
  filePath: string,
): Promise<store.DocumentRow> {
  const id = context.references.read(filePath, caller.userId);
  const row = id ? await store.uploads.find(context.database, id) : undefined;
  const isTheirs =
    row?.partner_id !== null &&
    // guard: reader of a document of a provider (partner-life, own-data)
    (hasRole(caller, auditReaders) || row?.partner_id === caller.partnerId);
  if (!row?.uploaded_at || !isTheirs) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'waiting') throw new Refusal('AttachmentBeingScanned');
  return requireUsable(row);
}

export function describeDocument(
  references: FileReferences,
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
 * Binds documents to a partner, or returns which are missing, duplicate or unknown. `isWhole`: the
 * partner has none yet, so that each is required.
 */
export async function bindDocuments(
  transaction: Transaction,
  caller: Caller,
  partnerId: number,
  { ids, isWhole }: { ids: readonly string[]; isWhole: boolean },
): Promise<ValidationIssue[]> {
  const given = await store.unsent.lock(transaction, caller.userId, [...new Set(ids)]);
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

/** Deletes documents of registrations that were not completed within `days`. */
export async function pruneUnusedDocuments(
  context: PartnerDocumentsContext,
  days: number,
): Promise<void> {
  for (const id of await store.unsent.deleteOld(
    context.database,
    new Date(Date.now() - days * 86_400_000),
  ))
    await context.files.remove(id);
}
