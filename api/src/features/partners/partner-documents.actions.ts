import type { Readable } from 'node:stream';
import { partnerDocumentBytes, partnerDocumentNames, partnerDocumentTypes, type PartnerDocument, type PartnerDocumentName } from '@diwan/contract/partner-registration';
import type { ValidationIssue } from '@diwan/contract/errors';
import type { Database, Transaction } from '../../platform/database.ts';
import type { FileStore } from '../../platform/files.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { SignedReferences } from '../../platform/signed-references.ts';
import { safeFileName } from '../attachments/attachments.actions.ts';
import * as store from './partner-documents.store.ts';

export interface PartnerDocumentsHouse {
  database: Database;
  files: FileStore;
  references: SignedReferences;
}

// More than anybody needs in an hour.
const recentLimit = 60;
const maximum = Math.floor(partnerDocumentBytes / 1024 / 1024);
const isTaken = (mediaType: string | undefined) => partnerDocumentTypes.some((type) => type === mediaType);

// Who waits for an answer changes nothing; registering and being asked again are when documents are sent.
export async function announceDocument(house: PartnerDocumentsHouse, caller: Caller, file: { name: PartnerDocumentName; fileName: string; mediaType: string; size: number }): Promise<string> {
  if (file.size === 0) throw new Refusal('AttachmentEmpty');
  if (file.size > partnerDocumentBytes) throw new Refusal('AttachmentTooLarge', { maximum });
  if (!isTaken(file.mediaType)) throw new Refusal('AttachmentTypeNotAccepted');
  const id = await store.insertDocument(house.database, { user_id: caller.userId, partner_id: null, name: file.name, file_name: safeFileName(file.fileName, file.mediaType), media_type: file.mediaType, size: file.size }, recentLimit);
  if (id === undefined) throw new Refusal('TooManyRequests');
  return id;
}

/** Takes the content of an announced document; it counts once it is whole, on disk, and of a type that is taken. */
export async function receiveDocument(house: PartnerDocumentsHouse, caller: Caller, id: string, content: Readable): Promise<store.DocumentRow> {
  const row = await store.findDocument(house.database, id);
  if (!row || row.user_id !== caller.userId || row.uploaded_at) throw new Refusal('AttachmentNotFound');
  const { part, size, mediaType } = await house.files.receive(content, partnerDocumentBytes);
  try {
    if (size === 0) throw new Refusal('AttachmentEmpty');
    if (size !== row.size) throw new Refusal('AttachmentIncomplete');
    if (mediaType === undefined || !isTaken(mediaType)) throw new Refusal('AttachmentTypeNotAccepted');
    return await house.database.transaction().execute(async (transaction) => {
      if (!(await store.lockAwaited(transaction, id))) throw new Refusal('AttachmentNotFound');
      await house.files.keep(part, id);
      return store.setUploaded(transaction, id, { media_type: mediaType, file_name: safeFileName(row.file_name, mediaType), size });
    });
  } catch (error) {
    await house.files.drop(part);
    throw error;
  }
}

/** A document behind a reference that was made for this caller. */
export async function openDocument(house: PartnerDocumentsHouse, caller: Caller, filePath: string): Promise<{ row: store.DocumentRow; content: Readable }> {
  const id = house.references.read(filePath, caller.userId);
  const row = id ? await store.findDocument(house.database, id) : undefined;
  const isTheirs = row?.partner_id !== null && (caller.roles.includes('Admin') || row?.partner_id === caller.partnerId);
  if (!row?.uploaded_at || !isTheirs) throw new Refusal('AttachmentNotFound');
  return { row, content: await house.files.read(row.id) };
}

export function describeDocument(references: SignedReferences, row: store.DocumentRow, caller: Caller): PartnerDocument {
  return {
    documentId: row.id, name: row.name as PartnerDocumentName, fileName: row.file_name, mediaType: row.media_type, size: row.size, filePath: references.make(row.id, caller.userId),
    isCurrent: row.replaced_at === null, uploadedAt: (row.uploaded_at ?? row.created_at).toISOString(),
  };
}

/** Binds what was sent to a partner, or says which document is missing, twice there or not the caller's. `isWhole`: the partner has none yet. */
export async function bindDocuments(transaction: Transaction, caller: Caller, partnerId: number, ids: readonly string[], isWhole: boolean): Promise<ValidationIssue[]> {
  const given = await store.lockUnbound(transaction, caller.userId, [...new Set(ids)]);
  const issues: ValidationIssue[] = given.length < new Set(ids).size ? [{ field: 'documents', code: 'attachmentUnknown' }] : [];
  for (const name of partnerDocumentNames) {
    const count = given.filter((document) => document.name === name).length;
    if (count > 1) issues.push({ field: `documents.${name}`, code: 'attachmentTooMany', params: { maximum: 1 } });
    if (count === 0 && isWhole) issues.push({ field: `documents.${name}`, code: 'attachmentMissing' });
  }
  if (issues.length === 0) await store.bind(transaction, partnerId, given);
  return issues;
}

/** Throws away documents that were sent for a registration that never came. */
export async function pruneUnusedDocuments(house: PartnerDocumentsHouse, days: number): Promise<void> {
  for (const id of await store.deleteUnused(house.database, new Date(Date.now() - days * 86_400_000))) await house.files.remove(id);
}
