import type { Readable } from 'node:stream';
import type { UploadAddress } from '@diwan/contract/attachments';
import { partnerDocumentBytes, partnerDocumentNames, partnerDocumentTypes, type PartnerDocument, type PartnerDocumentName } from '@diwan/contract/partner-registration';
import type { ValidationIssue } from '@diwan/contract/errors';
import type { Database, Transaction } from '../../platform/database.ts';
import type { DocumentIntake, JudgedFile } from '../../platform/document-intake.ts';
import type { FileStore } from '../../platform/files.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { SignedReferences } from '../../platform/signed-references.ts';
import { safeFileName } from '../attachments/attachments.actions.ts';
import * as store from './partner-documents.store.ts';

export interface PartnerDocumentsHouse {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  references: SignedReferences;
}

// More than anybody needs in an hour.
const recentLimit = 60;
const limits = { mediaTypes: partnerDocumentTypes, maximumBytes: partnerDocumentBytes };

// Who waits for an answer changes nothing; registering and being asked again are when documents are sent.
export async function announceDocument(house: PartnerDocumentsHouse, caller: Caller, file: { name: PartnerDocumentName; fileName: string; mediaType: string; size: number }): Promise<{ id: string; upload: UploadAddress }> {
  const limit = house.intake.limit(limits);
  house.intake.checkAnnounced(limit, file.size, file.mediaType);
  const id = await store.insertDocument(house.database, { user_id: caller.userId, partner_id: null, name: file.name, file_name: safeFileName(file.fileName, file.mediaType), media_type: file.mediaType, size: file.size }, recentLimit);
  if (id === undefined) throw new Refusal('TooManyRequests');
  return { id, upload: house.intake.addressOf({ ...limit, id, size: file.size }) };
}

async function findOwn(house: PartnerDocumentsHouse, caller: Caller, id: string): Promise<store.DocumentRow> {
  const row = await store.findDocument(house.database, id);
  if (!row || row.user_id !== caller.userId) throw new Refusal('AttachmentNotFound');
  return row;
}

const expectedOf = (house: PartnerDocumentsHouse, row: store.DocumentRow) => ({ ...house.intake.limit(limits), id: row.id, size: row.size });

function told(row: store.DocumentRow | undefined): store.DocumentRow {
  if (!row) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  return row;
}

async function scan(house: PartnerDocumentsHouse, id: string): Promise<store.DocumentRow | undefined> {
  const state = await house.intake.scan(id);
  return state === 'waiting' ? store.findDocument(house.database, id) : store.setScanned(house.database, id, state);
}

async function keepAndScan(house: PartnerDocumentsHouse, row: store.DocumentRow, file: JudgedFile): Promise<store.DocumentRow> {
  try {
    await house.database.transaction().execute(async (transaction) => {
      if (!(await store.lockAwaited(transaction, row.id))) throw new Refusal('AttachmentNotFound');
      await house.intake.keep(file, row.id);
      const { mediaType, size, findings } = file;
      await store.setUploaded(transaction, row.id, { media_type: mediaType, file_name: safeFileName(row.file_name, mediaType), size, findings, scan_state: house.intake.firstState });
    });
  } catch (error) {
    await house.intake.drop(file.part);
    throw error;
  }
  return told(await scan(house, row.id));
}

/** Takes the content of an announced document in one piece; it counts once it is whole, on disk, and of a type that is taken. */
export async function receiveDocument(house: PartnerDocumentsHouse, caller: Caller, id: string, content: Readable): Promise<store.DocumentRow> {
  const row = await findOwn(house, caller, id);
  if (row.uploaded_at) throw new Refusal('AttachmentNotFound');
  return keepAndScan(house, row, await house.intake.receive(expectedOf(house, row), content));
}

/** Judges content that was sent to the signed address; asked again it answers again. */
export async function completeDocument(house: PartnerDocumentsHouse, caller: Caller, id: string): Promise<store.DocumentRow> {
  const row = await findOwn(house, caller, id);
  if (row.uploaded_at) return told(row);
  return house.intake.once(row.id, async () => {
    try {
      return await keepAndScan(house, row, await house.intake.take(expectedOf(house, row)));
    } catch (error) {
      const now = await store.findDocument(house.database, row.id);
      if (now?.uploaded_at) return told(now);
      throw error;
    }
  });
}

/** Another address for an own document that has not come yet. */
export async function renewDocument(house: PartnerDocumentsHouse, caller: Caller, id: string): Promise<UploadAddress> {
  const row = await findOwn(house, caller, id);
  if (row.uploaded_at) throw new Refusal('AttachmentNotFound');
  return house.intake.addressOf(expectedOf(house, row));
}

/** Asks the scanner again about documents that it could not be asked about before. */
export async function scanWaitingDocuments(house: PartnerDocumentsHouse): Promise<void> {
  for (const id of await store.selectWaiting(house.database, 50)) if ((await scan(house, id))?.scan_state === 'waiting') return;
}

/** A document behind a reference that was made for this caller. */
export async function findDocument(house: PartnerDocumentsHouse, caller: Caller, filePath: string): Promise<store.DocumentRow> {
  const id = house.references.read(filePath, caller.userId);
  const row = id ? await store.findDocument(house.database, id) : undefined;
  const isTheirs = row?.partner_id !== null && (caller.roles.includes('Admin') || row?.partner_id === caller.partnerId);
  if (!row?.uploaded_at || !isTheirs) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'waiting') throw new Refusal('AttachmentBeingScanned');
  return told(row);
}

export function describeDocument(references: SignedReferences, row: store.DocumentRow, caller: Caller): PartnerDocument {
  return {
    documentId: row.id, name: row.name as PartnerDocumentName, fileName: row.file_name, mediaType: row.media_type, size: row.size, filePath: references.make(row.id, caller.userId),
    isCurrent: row.replaced_at === null, scanState: row.scan_state, uploadedAt: (row.uploaded_at ?? row.created_at).toISOString(),
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
