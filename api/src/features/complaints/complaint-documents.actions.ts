import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { hasRole, type Caller } from '#platform/auth/caller.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
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
  complaintDocumentLimits,
  type createComplaintDocument,
  type downloadComplaintDocument,
} from '@diwan/contract/content/complaint-documents';
import { agencyAuditors, type BodyOf } from '@diwan/contract/wire/call';
import type { UploadAddress } from '@diwan/contract/wire/uploads';
import * as store from './complaints.store.ts';

/** What files of complaints need. */
export interface ComplaintFilesContext {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  /** The total size of one person's files that were not sent with a complaint or an answer. */
  unsentMegabytes: number;
}

/** Returns whether a file is announced and its content has not arrived. */
export const isDocumentExpected = store.uploads.isAwaited;

// Announcements of one person within an hour.
const recentLimit = 60;

/** Stores what a file is before its content arrives. Throws DocumentSpaceFull and TooManyRequests. */
export async function announceDocument(
  { database, intake, unsentMegabytes }: ComplaintFilesContext,
  caller: Caller,
  { fileName, mediaType, size }: BodyOf<typeof createComplaintDocument>,
): Promise<{ id: string; upload: UploadAddress }> {
  const limits = intake.limit(complaintDocumentLimits);
  intake.checkAnnounced(limits, size, mediaType);
  const added = await store.unsent.insert(
    database,
    {
      user_id: caller.userId,
      file_name: safeFileName(fileName, mediaType),
      media_type: mediaType,
      size,
    },
    { maximumRecent: recentLimit, maximumBytes: unsentMegabytes * 1024 * 1024 },
  );
  if (added === 'tooMany') throw new Refusal('TooManyRequests', { retryAfter: 3600 });
  if (added === 'tooLarge') throw new Refusal('DocumentSpaceFull', { maximum: unsentMegabytes });
  return { id: added.id, upload: intake.uploadAddressFor({ ...limits, id: added.id, size }) };
}

/** Opens the uploads of files of complaints. */
export function openComplaintUploads(
  context: ComplaintFilesContext,
): DocumentUploads<store.DocumentRow> {
  return openDocumentUploads(context, store.uploads, () =>
    context.intake.limit(complaintDocumentLimits),
  );
}

/** Locks the caller's files that are to be sent. Throws a ValidationRefusal for any other one. */
export async function takeDocuments(
  transaction: Transaction,
  caller: Caller | undefined,
  ids: readonly string[],
): Promise<store.DocumentRow[]> {
  const wanted = [...new Set(ids)];
  const found = caller ? await store.unsent.lock(transaction, caller.userId, wanted) : [];
  if (found.length < wanted.length)
    throw new ValidationRefusal([{ field: 'documentIds', code: 'attachmentUnknown' }]);
  return found;
}

/**
 * A file that the caller may read. Throws AttachmentNotFound, AttachmentBeingScanned and
 * AttachmentInfected.
 */
export async function findDocument(
  { database }: Pick<ComplaintFilesContext, 'database'>,
  caller: Caller | undefined,
  { documentId, reference = '', email = '' }: BodyOf<typeof downloadComplaintDocument>,
): Promise<store.DocumentRow> {
  const row = await store.findReadableDocument(database, documentId, {
    userId: caller?.userId ?? null,
    // guard: roles that read files of complaints (complaint-documents) => caller ? administeredAgencies(caller) : []
    agencies: caller && hasRole(caller, agencyAuditors) ? administeredAgencies(caller) : [],
    reference: reference.toUpperCase(),
    email,
  });
  if (row?.scan_state === 'waiting') throw new Refusal('AttachmentBeingScanned');
  return requireUsable(row);
}

/**
 * Deletes complaints that were closed so many days ago, files that were not sent within so many days, and
 * the content of the files.
 */
export async function deleteOldComplaints(
  { database, files }: Pick<ComplaintFilesContext, 'database' | 'files'>,
  days: { closed: number; unsent: number },
): Promise<void> {
  const deleted = [
    ...(await store.deleteClosed(database, days.closed)),
    ...(await store.unsent.deleteOld(database, new Date(Date.now() - days.unsent * 86_400_000))),
  ];
  for (const id of deleted) await files.remove(id);
}
