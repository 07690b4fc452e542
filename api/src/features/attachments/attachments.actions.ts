import type { Readable } from 'node:stream';
import type { Attachment } from '@diwan/contract/attachments';
import { mediaTypes, type AttachmentRule } from '@diwan/contract/forms';
import type { Language } from '@diwan/contract/languages';
import type { Database } from '../../platform/database.ts';
import type { FileStore, ReceivedFile } from '../../platform/files.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { SignedReferences } from '../../platform/signed-references.ts';
import type { Catalogue } from '../services/services.actions.ts';
import * as store from './attachments.store.ts';
import { safeFileName } from './file-name.ts';

export { headerFileName, safeFileName } from './file-name.ts';
export { selectOfRequest as findAttachments, type AttachmentRow } from './attachments.store.ts';

/** The name under which staff add what a request led to. */
export const resultName = 'result';
const resultRule = { mediaTypes: [...mediaTypes], maximumBytes: 10 * 1024 * 1024 };
// Announced and never used: more than anybody needs in an hour.
const recentLimit = 200;

export interface AttachmentsHouse {
  database: Database;
  files: FileStore;
  references: SignedReferences;
  catalogue: Catalogue;
}

/** What opening a document stands on too. */
export interface OpeningHouse extends AttachmentsHouse {
  /** Whether a caller may see a request now. */
  mayView(caller: Caller, requestId: number): Promise<boolean>;
}

interface Announcement {
  serviceId: number;
  requestId?: number | undefined;
  name: string;
  fileName: string;
  mediaType: string;
  size: number;
}

type Limits = Pick<AttachmentRule, 'mediaTypes' | 'maximumBytes'>;

function isStaff(caller: Caller): boolean {
  return caller.roles.some((role) => role === 'Admin' || role === 'Employee' || role === 'ServiceProvider');
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}

function checkAnnounced(rule: Limits, size: number, mediaType: string): void {
  if (size === 0) throw new Refusal('AttachmentEmpty');
  if (size > rule.maximumBytes) throw new Refusal('AttachmentTooLarge', { maximum: megabytes(rule.maximumBytes) });
  if (!rule.mediaTypes.some((type) => type === mediaType)) throw new Refusal('AttachmentTypeNotAccepted');
}

// Answers the service of the request, which alone counts.
async function checkResult(house: AttachmentsHouse, caller: Caller, requestId: number | undefined): Promise<number> {
  if (!isStaff(caller)) throw new Refusal('AttachmentNotFound');
  const request = requestId === undefined ? undefined : await store.findRequestPartner(house.database, requestId);
  const theirs = request && (caller.roles.some((role) => role === 'Admin' || role === 'Employee') || request.partner_id === caller.partnerId);
  if (!theirs) throw new Refusal('RequestNotFound');
  return request.service_id;
}

function ruleOf(house: AttachmentsHouse, serviceId: number, name: string): Limits {
  if (name === resultName) return resultRule;
  const rule = house.catalogue.getService(serviceId).attachments.find((candidate) => candidate.name === name);
  if (!rule) throw new Refusal('AttachmentNotFound');
  return rule;
}

/** Announces a file: refuses before the transfer what would be refused after it. */
export async function announce(house: AttachmentsHouse, caller: Caller, file: Announcement): Promise<string> {
  const isResult = file.name === resultName;
  const rule = ruleOf(house, file.serviceId, file.name);
  const serviceId = isResult ? await checkResult(house, caller, file.requestId) : file.serviceId;
  checkAnnounced(rule, file.size, file.mediaType);
  const id = await store.insertAttachment(house.database, {
    user_id: caller.userId, service_id: serviceId, request_id: null, name: file.name, file_name: safeFileName(file.fileName, file.mediaType), media_type: file.mediaType, size: file.size, is_result: isResult,
  }, recentLimit);
  if (id === undefined) throw new Refusal('TooManyRequests');
  return id;
}

/** Takes the content of an announced file; it counts once it is whole, on disk, and of a type that the service takes. */
export async function receive(house: AttachmentsHouse, caller: Caller, id: string, content: Readable, announcedBytes: number | undefined): Promise<store.AttachmentRow> {
  const row = await store.findAttachment(house.database, id);
  if (!row || row.user_id !== caller.userId || row.uploaded_at) throw new Refusal('AttachmentNotFound');
  const rule = ruleOf(house, row.service_id, row.name);
  if (announcedBytes !== undefined && announcedBytes > rule.maximumBytes) throw new Refusal('AttachmentTooLarge', { maximum: megabytes(rule.maximumBytes) });
  const { part, size, mediaType } = await house.files.receive(content, rule.maximumBytes);
  try {
    if (size === 0) throw new Refusal('AttachmentEmpty');
    if (size !== row.size) throw new Refusal('AttachmentIncomplete');
    if (!mediaType || !rule.mediaTypes.some((type) => type === mediaType)) throw new Refusal('AttachmentTypeNotAccepted');
    return await keepWhole(house, row.id, { part, size, mediaType });
  } catch (error) {
    await house.files.drop(part);
    throw error;
  }
}

// Of two transfers of one file the first that is whole is kept; what has been seen or sent with a request is never replaced.
async function keepWhole(house: AttachmentsHouse, id: string, file: ReceivedFile & { mediaType: string }): Promise<store.AttachmentRow> {
  return house.database.transaction().execute(async (transaction) => {
    const row = await store.lockAwaited(transaction, id);
    if (!row) throw new Refusal('AttachmentNotFound');
    await house.files.keep(file.part, row.id);
    return store.setUploaded(transaction, row.id, { media_type: file.mediaType, file_name: safeFileName(row.file_name, file.mediaType), size: file.size });
  });
}

/** Throws away an own file that no request holds. */
export async function discard(house: AttachmentsHouse, caller: Caller, id: string): Promise<void> {
  if (!(await store.deleteUnbound(house.database, id, caller.userId))) throw new Refusal('AttachmentNotFound');
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

/** A document behind a reference that was made for this caller, while they may still see what it belongs to. */
export async function openFile(house: OpeningHouse, caller: Caller, filePath: string): Promise<{ row: store.AttachmentRow; content: Readable }> {
  const id = house.references.read(filePath, caller.userId);
  const row = id ? await store.findAttachment(house.database, id) : undefined;
  const isTheirs = row && (row.request_id === null ? row.user_id === caller.userId : await house.mayView(caller, row.request_id));
  if (!row?.uploaded_at || !isTheirs) throw new Refusal('AttachmentNotFound');
  return { row, content: await house.files.read(row.id) };
}

/** An attachment as a record shows it to this caller, with a reference that only they can use. */
export function describeAttachment(references: SignedReferences, row: store.AttachmentRow, rules: readonly AttachmentRule[], caller: Caller, language: Language): Attachment {
  const rule = rules.find((candidate) => candidate.name === row.name);
  return {
    attachmentId: row.id, name: row.name, title: rule?.title[language] ?? row.file_name, fileName: row.file_name, mediaType: row.media_type, size: row.size,
    filePath: references.make(row.id, caller.userId), isViewed: row.viewed_at !== null, isResult: row.is_result,
  };
}

// The longest time that a transfer can take, many times over.
const halfLifeMs = 3_600_000;

/** Throws away files that were sent for a request that never came, and halves that never became whole. */
export async function pruneUnused(house: AttachmentsHouse, days: number): Promise<void> {
  for (const id of await store.deleteUnused(house.database, new Date(Date.now() - days * 86_400_000))) await house.files.remove(id);
  await house.files.prune(new Date(Date.now() - halfLifeMs));
}
