import type { Readable } from 'node:stream';
import type { UploadAddress } from '@diwan/contract/attachments';
import type { ExpectedFile, JudgedFile } from '../../platform/document-intake.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { limitsOf, type AttachmentsHouse } from './attachment-limits.ts';
import * as store from './attachments.store.ts';
import { safeFileName } from './file-name.ts';

async function findOwn(house: AttachmentsHouse, caller: Caller, id: string): Promise<store.AttachmentRow> {
  const row = await store.findAttachment(house.database, id);
  if (!row || row.user_id !== caller.userId) throw new Refusal('AttachmentNotFound');
  return row;
}

async function findAwaited(house: AttachmentsHouse, caller: Caller, id: string): Promise<ExpectedFile> {
  const row = await findOwn(house, caller, id);
  if (row.uploaded_at) throw new Refusal('AttachmentNotFound');
  return { ...limitsOf(house, row.service_id, row.name), id: row.id, size: row.size };
}

function told(row: store.AttachmentRow | undefined): store.AttachmentRow {
  if (!row) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  return row;
}

// Of two transfers of one file the first that is whole is kept; what has been seen or sent with a request is never replaced.
async function keepWhole(house: AttachmentsHouse, id: string, file: JudgedFile): Promise<store.AttachmentRow> {
  try {
    return await house.database.transaction().execute(async (transaction) => {
      const row = await store.lockAwaited(transaction, id);
      if (!row) throw new Refusal('AttachmentNotFound');
      await house.intake.keep(file, row.id);
      return store.setUploaded(transaction, row.id, {
        media_type: file.mediaType, file_name: safeFileName(row.file_name, file.mediaType), size: file.size, scan_state: house.intake.firstState, findings: file.findings,
      });
    });
  } catch (error) {
    await house.intake.drop(file.part);
    throw error;
  }
}

async function scan(house: AttachmentsHouse, id: string): Promise<store.AttachmentRow | undefined> {
  const state = await house.intake.scan(id);
  return state === 'waiting' ? store.findAttachment(house.database, id) : store.setScanned(house.database, id, state);
}

async function keepAndScan(house: AttachmentsHouse, id: string, file: JudgedFile): Promise<store.AttachmentRow> {
  const row = await keepWhole(house, id, file);
  return told(row.scan_state === 'waiting' ? await scan(house, id) : row);
}

/** Takes the content of an announced file in one piece; it counts once it is whole, on disk, and of a type that the service takes. */
export async function receive(house: AttachmentsHouse, caller: Caller, id: string, content: Readable, announcedBytes: number | undefined): Promise<store.AttachmentRow> {
  const expected = await findAwaited(house, caller, id);
  if (announcedBytes !== undefined && announcedBytes > expected.maximumBytes) throw new Refusal('AttachmentTooLarge', { maximum: Math.floor(expected.maximumBytes / 1024 / 1024) });
  return keepAndScan(house, expected.id, await house.intake.receive(expected, content));
}

/** Judges content that was sent to the signed address. Asked again it answers again; also to whoever asked while the first one was judged. */
export async function complete(house: AttachmentsHouse, caller: Caller, id: string): Promise<store.AttachmentRow> {
  const row = await findOwn(house, caller, id);
  if (row.uploaded_at) return told(row);
  return house.intake.once(row.id, async () => {
    try {
      return await keepAndScan(house, row.id, await house.intake.take({ ...limitsOf(house, row.service_id, row.name), id: row.id, size: row.size }));
    } catch (error) {
      // Another process, or a transfer in one piece, may have been faster.
      const now = await store.findAttachment(house.database, row.id);
      if (now?.uploaded_at) return told(now);
      throw error;
    }
  });
}

/** Another address for an own file that has not come yet. */
export async function renew(house: AttachmentsHouse, caller: Caller, id: string): Promise<UploadAddress> {
  return house.intake.addressOf(await findAwaited(house, caller, id));
}

// As many as are scanned between two rounds.
const mostAtOnce = 50;

/** Asks the scanner again about files that it could not be asked about before. Without a scanner nothing waits for one any more. */
export async function scanWaiting(house: AttachmentsHouse): Promise<void> {
  for (const id of await store.selectWaiting(house.database, mostAtOnce)) {
    const row = await scan(house, id);
    // While it does not answer for one it answers for none.
    if (row?.scan_state === 'waiting') return;
  }
}
