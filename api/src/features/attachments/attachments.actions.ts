import { buffer } from 'node:stream/consumers';
import {
  coversRequest,
  isClerk,
  isOwnRequest,
  isStaff,
  type Caller,
} from '#platform/auth/caller.ts';
import type { FileReferences } from '#platform/auth/file-references.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { DocumentIntake, DocumentLimits } from '#platform/files/document-intake.ts';
import {
  openDocumentUploads,
  requireUsable,
  type DocumentUploads,
} from '#platform/files/document-uploads.ts';
import { safeFileName } from '#platform/files/file-name.ts';
import type { MadeFile } from '#platform/files/send-file.ts';
import type { FileStore } from '#platform/files/stores/file-store.ts';
import type { CardReader } from '#platform/identity-cards/read-card.ts';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import {
  resultName,
  staffDocumentLimits,
  type Attachment,
  type ReadCardReply,
} from '@diwan/contract/requests/attachments';
import { providerDocumentName } from '@diwan/contract/requests/provider-documents';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { findingNames, type UploadAddress } from '@diwan/contract/wire/uploads';
import type { Catalogue } from '../services/services.actions.ts';
import * as store from './attachments.store.ts';

/** Returns whether staff or the service provider bring a document, not the applicant. */
const isStaffDocument = (name: string): boolean =>
  name === resultName || name === providerDocumentName;

interface AttachmentsContext {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  references: FileReferences;
  catalogue: Catalogue;
  /**
   * Notifies the applicant that a document of a request is infected. Called in the transaction that
   * records it.
   */
  notifyInfected(transaction: Transaction, requestId: number): Promise<void>;
}

/** The context of announcing a document. */
export interface AnnouncingContext extends AttachmentsContext {
  /**
   * The total size of one person's documents that belong to no request: the setting
   * DOCUMENTS_UNSENT_MEGABYTES.
   */
  unsentMegabytes: number;
  /** The number of them that may be announced within an hour: DOCUMENTS_UNSENT_PER_HOUR. */
  unsentInHour: number;
}

/**
 * The limits of a document by its name: those of its service, or of its request, which keeps the
 * rules it was created with. The settings limit both. Throws AttachmentNotFound.
 */
async function limitsOf(
  context: AttachmentsContext,
  { serviceId, requestId, name }: { serviceId: number; requestId: number | null; name: string },
): Promise<DocumentLimits> {
  if (isStaffDocument(name)) return context.intake.limit(staffDocumentLimits);
  const rules =
    requestId === null
      ? (await context.catalogue.getDetails(serviceId)).attachments
      : await store.selectRulesOfRequest(context.database, requestId);
  const rule = rules.find((candidate) => candidate.name === name);
  if (!rule) throw new Refusal('AttachmentNotFound');
  return context.intake.limit(rule);
}

/** Returns whether a file is announced and its content has not arrived. */
export const isContentExpected = store.uploads.isAwaited;

const megabyte = 1024 * 1024;

/** The context of opening a document. */
export interface OpeningContext extends AnnouncingContext {
  /** Returns whether a caller may view a request now. */
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  cards: CardReader;
  /**
   * Makes a file that is not stored, such as an invoice, by what a reference names; undefined for
   * documents that are stored.
   */
  makeFile(caller: Caller, referenced: string): Promise<MadeFile | undefined>;
  /** Records that staff open a document of a request. */
  recordAccess(caller: Caller, requestId: number, attachmentId: string): Promise<void>;
}

interface Announcement {
  serviceId: number;
  requestId?: number | undefined;
  name: string;
  fileName: string;
  mediaType: string;
  size: number;
}

// A service provider works on the requests that have come to it: decision 0026.
function mayWorkOn(
  caller: Caller,
  request: NonNullable<Awaited<ReturnType<typeof store.findRequestPartner>>>,
): boolean {
  if (isClerk(caller)) return coversRequest(caller, request);
  // guard: provider who adds a document (provider-documents, others-ids) => caller.partnerId !== null
  return (
    caller.partnerId !== null && request.partner_id === caller.partnerId && request.came_to_provider
  );
}

// Returns the service of the request, which overrides the one that was sent.
async function authorizeStaffDocument(
  context: AttachmentsContext,
  caller: Caller,
  requestId: number | undefined,
): Promise<{ serviceId: number; requestId: number }> {
  if (!isStaff(caller)) throw new Refusal('AttachmentNotFound');
  const request =
    requestId === undefined
      ? undefined
      : await store.findRequestPartner(context.database, requestId);
  if (requestId === undefined || !request || !mayWorkOn(caller, request))
    throw new Refusal('RequestNotFound');
  return { serviceId: request.service_id, requestId };
}

// For a document that replaces another one in an existing request.
async function authorizeReplacement(
  context: AttachmentsContext,
  caller: Caller,
  requestId: number,
): Promise<{ serviceId: number; requestId: number }> {
  const request = await store.findRequestPartner(context.database, requestId);
  if (
    !request ||
    // guard: owner who replaces a document (hostile-uploads)
    !isOwnRequest(caller, request)
  )
    throw new Refusal('RequestNotFound');
  return { serviceId: request.service_id, requestId };
}

/**
 * Announces a file and returns its id and upload address. Throws before the transfer what would be
 * refused after it.
 */
export async function announceAttachment(
  context: AnnouncingContext,
  caller: Caller,
  file: Announcement,
): Promise<{ id: string; upload: UploadAddress }> {
  const isResult = file.name === resultName;
  const within = isStaffDocument(file.name)
    ? await authorizeStaffDocument(context, caller, file.requestId)
    : file.requestId === undefined
      ? undefined
      : await authorizeReplacement(context, caller, file.requestId);
  const serviceId = within?.serviceId ?? file.serviceId;
  const limits = await limitsOf(context, {
    serviceId,
    requestId: within?.requestId ?? null,
    name: file.name,
  });
  context.intake.checkAnnounced(limits, file.size, file.mediaType);
  const added = await store.insertAttachment(
    context.database,
    {
      user_id: caller.userId,
      service_id: serviceId,
      request_id: null,
      announced_for: within?.requestId ?? null,
      name: file.name,
      file_name: safeFileName(file.fileName, file.mediaType),
      media_type: file.mediaType,
      size: file.size,
      is_result: isResult,
    },
    { maximumRecent: context.unsentInHour, maximumBytes: context.unsentMegabytes * megabyte },
  );
  if ('retryAfter' in added) throw new Refusal('TooManyRequests', added);
  if ('isTooLarge' in added)
    throw new Refusal('DocumentSpaceFull', { maximum: context.unsentMegabytes });
  return {
    id: added.id,
    upload: context.intake.uploadAddressFor({ ...limits, id: added.id, size: file.size }),
  };
}

/** Deletes a file of the caller that belongs to no request. Throws AttachmentNotFound. */
export async function discardAttachment(
  context: AttachmentsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!(await store.deleteUnbound(context.database, id, caller.userId)))
    throw new Refusal('AttachmentNotFound');
  await context.intake.discard(id);
  await context.files.remove(id);
}

/** Records that staff opened a document. Returns who opened it first. */
export async function markViewed(
  context: AttachmentsContext,
  caller: Caller,
  id: string,
  language: Language,
): Promise<Pick<Attachment, 'viewedBy' | 'viewedAt'>> {
  const row = await store.uploads.find(context.database, id);
  const request = row?.request_id
    ? await store.findRequestPartner(context.database, row.request_id)
    : undefined;
  if (!request || !mayWorkOn(caller, request)) throw new Refusal('AttachmentNotFound');
  return describeViewer(await store.setViewed(context.database, id, caller.userId), language);
}

// Documents that the provider hides or has removed.
function isHiddenFromApplicant(row: store.AttachmentRow): boolean {
  return row.provider_title !== null && (row.is_hidden || row.superseded_at !== null);
}

/** The file of a reference that was made for this caller: made now, or a stored document. */
export async function openReferenced(
  context: OpeningContext,
  caller: Caller,
  filePath: string,
): Promise<MadeFile> {
  const referenced = context.references.read(filePath, caller.userId);
  const made = referenced === undefined ? undefined : await context.makeFile(caller, referenced);
  if (made) return made;
  const file = await findFile(context, caller, filePath);
  return { file, open: (range) => context.files.read(file.id, range) };
}

async function mayRead(
  context: OpeningContext,
  caller: Caller,
  row: store.AttachmentRow,
): Promise<boolean> {
  if (row.request_id === null) return row.user_id === caller.userId;
  // guard: reader of a document (company-users, download-file) => true
  return context.mayView(caller, row.request_id);
}

/**
 * Finds a document by a reference that was made for this caller, while the caller may view it.
 * Until a document is scanned only its sender can open it.
 */
async function findFile(
  context: OpeningContext,
  caller: Caller,
  filePath: string,
): Promise<store.AttachmentRow> {
  const id = context.references.read(filePath, caller.userId);
  const row = id ? await store.uploads.find(context.database, id) : undefined;
  const isTheirs = row && (await mayRead(context, caller, row));
  if (
    !row?.uploaded_at ||
    !isTheirs ||
    // guard: document that the provider hides (provider-documents)
    (isHiddenFromApplicant(row) && !isStaff(caller))
  )
    throw new Refusal('AttachmentNotFound');
  // guard: harmful document that is opened (scanner, infected-documents)
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  // guard: document that waits for its scan (scanner, infected-documents)
  if (row.scan_state === 'waiting' && row.user_id !== caller.userId)
    throw new Refusal('AttachmentBeingScanned');
  if (row.request_id !== null) await context.recordAccess(caller, row.request_id, row.id);
  return row;
}

/** Opens the uploads of attachments. */
export function openAttachmentUploads(
  context: AttachmentsContext,
): DocumentUploads<store.AttachmentRow> {
  const setScanned: typeof store.uploads.setScanned = async (database, id, state) => {
    if (state !== 'infected') return store.uploads.setScanned(database, id, state);
    await inTransaction(context.database, async (transaction) => {
      const row = await store.setInfected(transaction, id);
      if (row && row.request_id !== null) await context.notifyInfected(transaction, row.request_id);
    });
    return store.uploads.find(database, id);
  };
  return openDocumentUploads(context, { ...store.uploads, setScanned }, (row) =>
    limitsOf(context, { serviceId: row.service_id, requestId: row.announced_for, name: row.name }),
  );
}

/**
 * Reads the machine-readable zone in an own picture. Nothing that is read is stored. Throws
 * AttachmentNotFound, AttachmentInfected and ServerBusy.
 */
export async function readCard(
  { database, files, cards }: Pick<OpeningContext, 'database' | 'files' | 'cards'>,
  caller: Caller,
  id: string,
): Promise<ReadCardReply> {
  const found = await store.uploads.find(database, id);
  // guard: reader of an own card (attachments/read-card) => true
  const isOwn = found?.uploaded_at && found.user_id === caller.userId;
  const row = requireUsable(isOwn ? found : undefined);
  if (!row.media_type.startsWith('image/')) return {};
  const today = todayInDubai();
  const card = await cards.read(
    caller.userId,
    async () => new Uint8Array(await buffer(await files.read(row.id))),
    today,
  );
  return card ? { ...card, isExpired: card.expiryDate < today } : {};
}

/** The findings in a file that was accepted. */
export function findingsOf(
  row: Pick<store.AttachmentRow, 'findings'>,
): (typeof findingNames)[number][] {
  return findingNames.filter((finding) => row.findings.includes(finding));
}

function describeViewer(
  { viewed_at: at, viewer_name: full_name, viewer_name_ar: full_name_ar }: store.Viewer,
  language: Language,
): Pick<Attachment, 'viewedBy' | 'viewedAt'> {
  if (at === null) return {};
  return {
    viewedAt: at.toISOString(),
    ...(full_name === null
      ? {}
      : { viewedBy: localizePersonName({ full_name, full_name_ar }, language) }),
  };
}

/** What `describeAttachment` needs. */
export type DescribedAttachment = store.Viewer &
  Pick<
    store.AttachmentRow,
    'id' | 'name' | 'file_name' | 'media_type' | 'size' | 'is_result' | 'scan_state' | 'findings'
  >;

/** Describes an attachment for this caller, with a reference that only this caller can use. */
export function describeAttachment(
  references: FileReferences,
  row: DescribedAttachment,
  {
    rules,
    caller,
    language,
  }: { rules: readonly AttachmentRule[]; caller: Caller; language: Language },
): Attachment {
  const rule = rules.find((candidate) => candidate.name === row.name);
  return {
    attachmentId: row.id,
    name: row.name,
    title: rule?.title[language] ?? row.file_name,
    fileName: row.file_name,
    mediaType: row.media_type,
    size: row.size,
    filePath: references.make(row.id, caller.userId),
    isViewed: row.viewed_at !== null,
    ...(isStaff(caller) ? describeViewer(row, language) : {}),
    isResult: row.is_result,
    scanState: row.scan_state,
    ...(row.findings.length > 0 ? { findings: findingsOf(row) } : {}),
  };
}

// An interrupted upload can continue for a day.
const partialUploadLifetimeMs = 86_400_000;

/** Deletes files that no request has used for `days`, and uploads that were not completed. */
export async function pruneUnused(
  context: Pick<AttachmentsContext, 'database' | 'files'>,
  days: number,
): Promise<void> {
  for (const id of await store.deleteUnused(
    context.database,
    new Date(Date.now() - days * 86_400_000),
  ))
    await context.files.remove(id);
  await context.files.prune(new Date(Date.now() - partialUploadLifetimeMs));
}

/** The query of the documents that the record of a request shows. */
export const attachmentsOfRequest = store.ofRequest;
