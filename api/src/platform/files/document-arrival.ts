import type { Readable } from 'node:stream';
import type { ScanState } from '@diwan/contract/requests/attachments';
import type { Database, Transaction } from '../database/database.ts';
import type {
  DocumentIntake,
  DocumentLimits,
  ExpectedFile,
  JudgedFile,
} from './document-intake.ts';
import { safeFileName } from './file-name.ts';
import { Refusal } from '../core/refusals.ts';
import type { Caller } from '../auth/session.ts';
import type { UploadAddress } from './upload-addresses.ts';

/** A document as its row knows it: `uploaded_at` is null until its content has come. */
export interface ArrivingDocument {
  id: string;
  user_id: string;
  file_name: string;
  size: number;
  uploaded_at: Date | null;
  scan_state: ScanState;
}

/** What is written down once the content is there. */
export type ArrivedContent = Pick<ArrivingDocument, 'file_name' | 'size' | 'scan_state'> &
  Pick<JudgedFile, 'findings'> & { media_type: string };

/** The table in which documents of one kind stand. */
export interface ArrivalTable<Row extends ArrivingDocument> {
  find(database: Database, id: string): Promise<Row | undefined>;
  /**
   * Locks a document whose content has not come yet; `undefined` when it has, or when it was thrown
   * away.
   */
  lockAwaited(transaction: Transaction, id: string): Promise<Row | undefined>;
  setUploaded(transaction: Transaction, id: string, content: ArrivedContent): Promise<Row>;
  /** What a scan said, unless another one has said it meanwhile. Answers the row as it is now. */
  setScanned(database: Database, id: string, state: ScanState): Promise<Row | undefined>;
  /** Documents that wait for the scanner, oldest first. */
  selectWaiting(database: Database, most: number): Promise<string[]>;
}

/**
 * How the content of announced documents arrives: in one piece or by blocks, judged, kept, scanned.
 * The caller is who announced them; anybody else's are AttachmentNotFound.
 */
export interface DocumentArrival<Row extends ArrivingDocument> {
  /**
   * Takes content in one piece; it counts once it is whole, on disk, and of a type that is taken.
   * `announcedBytes` by the caller's headers.
   */
  receive(caller: Caller, id: string, content: Readable, announcedBytes?: number): Promise<Row>;
  /**
   * Judges content that was sent to the signed address. Asked again it answers again; also to
   * whoever asked while the first one was judged.
   */
  complete(caller: Caller, id: string): Promise<Row>;
  /** Another address for a document that has not come yet. */
  renew(caller: Caller, id: string): Promise<UploadAddress>;
  /**
   * Asks the scanner again about documents that it could not be asked about before. Without a
   * scanner nothing waits for one any more.
   */
  scanWaiting(): Promise<void>;
}

// As many as are scanned between two rounds.
const mostAtOnce = 50;

/**
 * The row, where it may be told of: AttachmentNotFound for none, AttachmentInfected for harmful
 * content.
 */
export function usable<Row extends ArrivingDocument>(row: Row | undefined): Row {
  if (!row) throw new Refusal('AttachmentNotFound');
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  return row;
}

/**
 * The way of announced documents of one table into the store: received or put together, judged,
 * kept, scanned. `limitsOf` says what a row's document may be.
 */
export function openDocumentArrival<Row extends ArrivingDocument>(
  { database, intake }: { database: Database; intake: DocumentIntake },
  table: ArrivalTable<Row>,
  limitsOf: (row: Row) => DocumentLimits | Promise<DocumentLimits>,
): DocumentArrival<Row> {
  async function findOwn(caller: Caller, id: string): Promise<Row> {
    const row = await table.find(database, id);
    if (!row || row.user_id !== caller.userId) throw new Refusal('AttachmentNotFound');
    return row;
  }

  const expectedOf = async (row: Row): Promise<ExpectedFile> => ({
    ...(await limitsOf(row)),
    id: row.id,
    size: row.size,
  });

  async function findAwaited(caller: Caller, id: string): Promise<ExpectedFile> {
    const row = await findOwn(caller, id);
    if (row.uploaded_at) throw new Refusal('AttachmentNotFound');
    return expectedOf(row);
  }

  async function scan(id: string): Promise<Row | undefined> {
    const state = await intake.scan(id);
    if (state === 'waiting') return table.find(database, id);
    const row = await table.setScanned(database, id, state);
    // Written down first: content that is gone and still waits for the scanner would wait for ever,
    // and so would all that came after it.
    if (state === 'infected') await intake.destroy(id);
    return row;
  }

  // Of two transfers of one file the first that is whole is kept; what has been seen or sent is
  // never replaced.
  async function keep(id: string, file: JudgedFile): Promise<Row> {
    try {
      return await intake.inTurn(() =>
        database.transaction().execute(async (transaction) => {
          const row = await table.lockAwaited(transaction, id);
          if (!row) throw new Refusal('AttachmentNotFound');
          await intake.keep(file, row.id);
          return table.setUploaded(transaction, row.id, {
            media_type: file.mediaType,
            file_name: safeFileName(row.file_name, file.mediaType),
            size: file.size,
            scan_state: intake.firstState,
            findings: file.findings,
          });
        }),
      );
    } catch (error) {
      await intake.drop(file.part);
      throw error;
    }
  }

  async function keepAndScan(id: string, file: JudgedFile): Promise<Row> {
    const row = await keep(id, file);
    return usable(row.scan_state === 'waiting' ? await scan(id) : row);
  }

  return {
    async receive(caller, id, content, announcedBytes = 0) {
      const expected = await findAwaited(caller, id);
      if (announcedBytes > expected.maximumBytes)
        throw new Refusal('AttachmentTooLarge', {
          maximum: Math.floor(expected.maximumBytes / 1024 / 1024),
        });
      return keepAndScan(id, await intake.receive(expected, content));
    },
    async complete(caller, id) {
      const row = await findOwn(caller, id);
      if (row.uploaded_at) return usable(row);
      return intake.once(id, async () => {
        try {
          return await keepAndScan(id, await intake.take(await expectedOf(row)));
        } catch (error) {
          // Another process, or a transfer in one piece, may have been faster.
          const now = await table.find(database, id);
          if (now?.uploaded_at) return usable(now);
          throw error;
        }
      });
    },
    renew: async (caller, id) => intake.addressOf(await findAwaited(caller, id)),
    async scanWaiting() {
      for (const id of await table.selectWaiting(database, mostAtOnce)) {
        // While the scanner does not answer for one it answers for none.
        if ((await scan(id))?.scan_state === 'waiting') return;
      }
    },
  };
}
