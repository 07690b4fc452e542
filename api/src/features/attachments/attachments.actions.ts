import type { Readable } from 'node:stream';
import {
  findingNames,
  type Attachment,
  type UploadAddress,
} from '@diwan/contract/requests/attachments';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { Language } from '@diwan/contract/wire/languages';
import { safeFileName } from '../../platform/files/file-name.ts';
import type { ByteRange } from '../../platform/files/file-store.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import { isStaff, seesAll, type Caller } from '../../platform/auth/session.ts';
import type { SignedReferences } from '../../platform/auth/signed-references.ts';
import {
  isOfStaff,
  limitsOf,
  resultName,
  type AnnouncingContext,
  type AttachmentsContext,
} from './attachment-limits.ts';
import * as store from './attachments.store.ts';

export {
  resultName,
  type AnnouncingContext,
  type AttachmentsContext,
} from './attachment-limits.ts';
export { arrivalOf } from './attachment-content.ts';
export { sendFile } from './send-file.ts';
export {
  isAwaited as awaitsContent,
  selectOfRequest as findAttachments,
  type AttachmentRow,
  type Viewer,
} from './attachments.store.ts';

const megabyte = 1024 * 1024;

/** What opening a document stands on too. */
export interface OpeningContext extends AnnouncingContext {
  /** Whether a caller may see a request now. */
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  /** Notes that staff open a document of a request. */
  noteRead(caller: Caller, requestId: number, attachmentId: string): Promise<void>;
}

interface Announcement {
  serviceId: number;
  requestId?: number | undefined;
  name: string;
  fileName: string;
  mediaType: string;
  size: number;
}

// A provider's are those that have come to them: decision 0026.
function isWorkOf(
  caller: Caller,
  request: NonNullable<Awaited<ReturnType<typeof store.findRequestPartner>>>,
): boolean {
  if (seesAll(caller)) return true;
  return (
    caller.partnerId !== null && request.partner_id === caller.partnerId && request.came_to_provider
  );
}

// Answers the service of the request, which alone counts.
async function checkResult(
  context: AttachmentsContext,
  caller: Caller,
  requestId: number | undefined,
): Promise<{ serviceId: number; requestId: number }> {
  if (!isStaff(caller)) throw new Refusal('AttachmentNotFound');
  const request =
    requestId === undefined
      ? undefined
      : await store.findRequestPartner(context.database, requestId);
  if (requestId === undefined || !request || !isWorkOf(caller, request))
    throw new Refusal('RequestNotFound');
  return { serviceId: request.service_id, requestId };
}

// A document that takes the place of another in a request that is there.
async function checkOwn(
  context: AttachmentsContext,
  caller: Caller,
  requestId: number,
): Promise<{ serviceId: number; requestId: number }> {
  const request = await store.findRequestPartner(context.database, requestId);
  const isOwn =
    request &&
    (request.company_id === null
      ? request.user_id === caller.userId
      : request.company_id === caller.companyId);
  if (!isOwn) throw new Refusal('RequestNotFound');
  return { serviceId: request.service_id, requestId };
}

/**
 * Announces a file: refuses before the transfer what would be refused after it. Answers its id and
 * where its content can be sent.
 */
export async function announce(
  context: AnnouncingContext,
  caller: Caller,
  file: Announcement,
): Promise<{ id: string; upload: UploadAddress }> {
  const isResult = file.name === resultName;
  const within = isOfStaff(file.name)
    ? await checkResult(context, caller, file.requestId)
    : file.requestId === undefined
      ? undefined
      : await checkOwn(context, caller, file.requestId);
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
    { mostRecent: context.unsentInHour, mostBytes: context.unsentMegabytes * megabyte },
  );
  if ('retryAfter' in added) throw new Refusal('TooManyRequests', added);
  if ('isTooLarge' in added)
    throw new Refusal('DocumentSpaceFull', { maximum: context.unsentMegabytes });
  return {
    id: added.id,
    upload: context.intake.addressOf({ ...limits, id: added.id, size: file.size }),
  };
}

/** Throws away an own file that no request holds. */
export async function discard(
  context: AttachmentsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!(await store.deleteUnbound(context.database, id, caller.userId)))
    throw new Refusal('AttachmentNotFound');
  await context.intake.drop(id);
  await context.files.remove(id);
}

/** Remembers that staff opened a document; answers who did first. */
export async function markViewed(
  context: AttachmentsContext,
  caller: Caller,
  id: string,
): Promise<Pick<Attachment, 'viewedBy' | 'viewedAt'>> {
  const row = await store.findAttachment(context.database, id);
  const request = row?.request_id
    ? await store.findRequestPartner(context.database, row.request_id)
    : undefined;
  if (!request || !isWorkOf(caller, request)) throw new Refusal('AttachmentNotFound');
  return describeViewer(await store.setViewed(context.database, id, caller.userId));
}

// What staff and service provider keep for themselves, or have taken off again.
function isKeptFromApplicant(row: store.AttachmentRow): boolean {
  return row.provider_title !== null && (row.is_hidden || row.superseded_at !== null);
}

/**
 * A document behind a reference that was made for this caller, while they may still see what it
 * belongs to. Until it has been scanned only its sender opens it.
 */
export async function findFile(
  context: OpeningContext,
  caller: Caller,
  filePath: string,
): Promise<store.AttachmentRow> {
  const id = context.references.read(filePath, caller.userId);
  const row = id ? await store.findAttachment(context.database, id) : undefined;
  const isTheirs =
    row &&
    (row.request_id === null
      ? row.user_id === caller.userId
      : await context.mayView(caller, row.request_id));
  if (!row?.uploaded_at || !isTheirs || (isKeptFromApplicant(row) && !isStaff(caller)))
    throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  if (row.scan_state === 'waiting' && row.user_id !== caller.userId)
    throw new Refusal('AttachmentBeingScanned');
  if (row.request_id !== null) await context.noteRead(caller, row.request_id, row.id);
  return row;
}

/** The content of a document, or a part of it. */
export function openContent(
  context: AttachmentsContext,
  row: store.AttachmentRow,
  range: ByteRange | undefined,
): Promise<Readable> {
  return context.files.read(row.id, range);
}

/** What was found in a file that was taken all the same. */
export function findingsOf(
  row: Pick<store.AttachmentRow, 'findings'>,
): (typeof findingNames)[number][] {
  return findingNames.filter((finding) => row.findings.includes(finding));
}

function describeViewer({
  viewed_at: at,
  viewer_name: name,
}: store.Viewer): Pick<Attachment, 'viewedBy' | 'viewedAt'> {
  return at === null
    ? {}
    : { viewedAt: at.toISOString(), ...(name === null ? {} : { viewedBy: name }) };
}

/** An attachment as a record shows it to this caller, with a reference that only they can use. */
export function describeAttachment(
  references: SignedReferences,
  row: store.AttachmentRow & store.Viewer,
  rules: readonly AttachmentRule[],
  caller: Caller,
  language: Language,
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
    ...(isStaff(caller) ? describeViewer(row) : {}),
    isResult: row.is_result,
    scanState: row.scan_state,
    ...(row.findings.length > 0 ? { findings: findingsOf(row) } : {}),
  };
}

// An upload that broke off can go on for a day.
const halfLifeMs = 86_400_000;

/**
 * Throws away files that were sent for a request that never came, and halves that never became
 * whole.
 */
export async function pruneUnused(
  context: Pick<AttachmentsContext, 'database' | 'files'>,
  days: number,
): Promise<void> {
  for (const id of await store.deleteUnused(
    context.database,
    new Date(Date.now() - days * 86_400_000),
  ))
    await context.files.remove(id);
  await context.files.prune(new Date(Date.now() - halfLifeMs));
}
