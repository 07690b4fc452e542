import type { Readable } from 'node:stream';
import { findingNames, type Attachment, type UploadAddress } from '@diwan/contract/attachments';
import type { AttachmentRule } from '@diwan/contract/forms';
import type { Language } from '@diwan/contract/languages';
import type { ByteRange } from '../../platform/files.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { SignedReferences } from '../../platform/signed-references.ts';
import { limitsOf, resultName, type AttachmentsHouse } from './attachment-limits.ts';
import * as store from './attachments.store.ts';
import { safeFileName } from './file-name.ts';

export { resultName, type AttachmentsHouse } from './attachment-limits.ts';
export { headerFileName, safeFileName } from './file-name.ts';
export { complete, receive, renew, scanWaiting } from './attachment-content.ts';
export { sendFile } from './send-file.ts';
export { selectOfRequest as findAttachments, type AttachmentRow } from './attachments.store.ts';

// Announced and never used: more than anybody needs in an hour.
const recentLimit = 200;

/** What opening a document stands on too. */
export interface OpeningHouse extends AttachmentsHouse {
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

function isStaff(caller: Caller): boolean {
  return caller.roles.some((role) => role === 'Admin' || role === 'Employee' || role === 'ServiceProvider');
}

// Answers the service of the request, which alone counts.
async function checkResult(house: AttachmentsHouse, caller: Caller, requestId: number | undefined): Promise<{ serviceId: number; requestId: number }> {
  if (!isStaff(caller)) throw new Refusal('AttachmentNotFound');
  const request = requestId === undefined ? undefined : await store.findRequestPartner(house.database, requestId);
  const theirs = request && (caller.roles.some((role) => role === 'Admin' || role === 'Employee') || request.partner_id === caller.partnerId);
  if (!theirs || requestId === undefined) throw new Refusal('RequestNotFound');
  return { serviceId: request.service_id, requestId };
}

/** Announces a file: refuses before the transfer what would be refused after it. Answers its id and where its content can be sent. */
export async function announce(house: AttachmentsHouse, caller: Caller, file: Announcement): Promise<{ id: string; upload: UploadAddress }> {
  const isResult = file.name === resultName;
  const limits = limitsOf(house, file.serviceId, file.name);
  const result = isResult ? await checkResult(house, caller, file.requestId) : undefined;
  house.intake.checkAnnounced(limits, file.size, file.mediaType);
  const id = await store.insertAttachment(house.database, {
    user_id: caller.userId, service_id: result?.serviceId ?? file.serviceId, request_id: null, announced_for: result?.requestId ?? null, name: file.name, file_name: safeFileName(file.fileName, file.mediaType),
    media_type: file.mediaType, size: file.size, is_result: isResult,
  }, recentLimit);
  if (id === undefined) throw new Refusal('TooManyRequests');
  return { id, upload: house.intake.addressOf({ ...limits, id, size: file.size }) };
}

/** Throws away an own file that no request holds. */
export async function discard(house: AttachmentsHouse, caller: Caller, id: string): Promise<void> {
  if (!(await store.deleteUnbound(house.database, id, caller.userId))) throw new Refusal('AttachmentNotFound');
  await house.intake.drop(id);
  await house.files.remove(id);
}

/** Remembers that staff opened a document. */
export async function markViewed(house: AttachmentsHouse, caller: Caller, id: string): Promise<void> {
  const row = await store.findAttachment(house.database, id);
  const request = row?.request_id ? await store.findRequestPartner(house.database, row.request_id) : undefined;
  const theirs = request && (caller.roles.some((role) => role === 'Admin' || role === 'Employee') || request.partner_id === caller.partnerId);
  if (!theirs) throw new Refusal('AttachmentNotFound');
  await store.setViewed(house.database, id, caller.userId);
}

/** A document behind a reference that was made for this caller, while they may still see what it belongs to. Until it has been scanned only its sender opens it. */
export async function findFile(house: OpeningHouse, caller: Caller, filePath: string): Promise<store.AttachmentRow> {
  const id = house.references.read(filePath, caller.userId);
  const row = id ? await store.findAttachment(house.database, id) : undefined;
  const isTheirs = row && (row.request_id === null ? row.user_id === caller.userId : await house.mayView(caller, row.request_id));
  if (!row?.uploaded_at || !isTheirs) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  if (row.scan_state === 'waiting' && row.user_id !== caller.userId) throw new Refusal('AttachmentBeingScanned');
  if (row.request_id !== null) await house.noteRead(caller, row.request_id, row.id);
  return row;
}

/** The content of a document, or a part of it. */
export function openContent(house: AttachmentsHouse, row: store.AttachmentRow, range: ByteRange | undefined): Promise<Readable> {
  return house.files.read(row.id, range);
}

/** What was found in a file that was taken all the same. */
export function findingsOf(row: Pick<store.AttachmentRow, 'findings'>): (typeof findingNames)[number][] {
  return findingNames.filter((finding) => row.findings.includes(finding));
}

/** An attachment as a record shows it to this caller, with a reference that only they can use. */
export function describeAttachment(references: SignedReferences, row: store.AttachmentRow, rules: readonly AttachmentRule[], caller: Caller, language: Language): Attachment {
  const rule = rules.find((candidate) => candidate.name === row.name);
  return {
    attachmentId: row.id, name: row.name, title: rule?.title[language] ?? row.file_name, fileName: row.file_name, mediaType: row.media_type, size: row.size,
    filePath: references.make(row.id, caller.userId), isViewed: row.viewed_at !== null, isResult: row.is_result, scanState: row.scan_state,
    ...(row.findings.length > 0 ? { findings: findingsOf(row) } : {}),
  };
}

// An upload that broke off can go on for a day.
const halfLifeMs = 86_400_000;

/** Throws away files that were sent for a request that never came, and halves that never became whole. */
export async function pruneUnused(house: Pick<AttachmentsHouse, 'database' | 'files'>, days: number): Promise<void> {
  for (const id of await store.deleteUnused(house.database, new Date(Date.now() - days * 86_400_000))) await house.files.remove(id);
  await house.files.prune(new Date(Date.now() - halfLifeMs));
}
