import type { Readable } from 'node:stream';
import type { ScanState, UploadAddress } from '@diwan/contract/wire/uploads';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../core/refusals.ts';
import type { Database, Transaction } from '../database/database.ts';
import { inTransaction } from '../database/unit-of-work.ts';
import type {
  DocumentIntake,
  DocumentLimits,
  ExpectedFile,
  InspectedFile,
} from './document-intake.ts';
import { safeFileName } from './file-name.ts';

/** The columns of a document. `uploaded_at` is null until its content has arrived. */
interface DocumentRow {
  id: string;
  user_id: string;
  file_name: string;
  size: number;
  uploaded_at: Date | null;
  scan_state: ScanState;
}

/** The columns that are set when the content has arrived. */
type UploadedContent = Pick<DocumentRow, 'file_name' | 'size' | 'scan_state'> &
  Pick<InspectedFile, 'findings'> & { media_type: string };

/** The queries for a table of documents. */
export interface DocumentTable<Row extends DocumentRow> {
  find(database: Database, id: string): Promise<Row | undefined>;
  /** Locks a document whose content is missing; `undefined` when it has arrived or was deleted. */
  lockAwaitingContent(transaction: Transaction, id: string): Promise<Row | undefined>;
  setUploaded(transaction: Transaction, id: string, content: UploadedContent): Promise<Row>;
  /** Sets the result of a scan, unless another scan was faster, and returns the current row. */
  setScanned(database: Database, id: string, state: ScanState): Promise<Row | undefined>;
  /** The ids of documents that wait for the scanner, oldest first. */
  selectWaiting(database: Database, limit: number): Promise<string[]>;
}

/**
 * Uploads of announced documents, in one piece or by blocks. A caller can upload only documents that
 * they announced themselves; others are AttachmentNotFound.
 */
export interface DocumentUploads<Row extends DocumentRow> {
  /**
   * Receives content in one piece. The document counts as uploaded when the content is complete,
   * stored, and of an accepted type. `announcedBytes` is the header Content-Length.
   */
  receive(caller: Caller, id: string, content: Readable, announcedBytes?: number): Promise<Row>;
  /**
   * Completes an upload to the signed address. It can be repeated, also while the first call still
   * inspects the content.
   */
  complete(caller: Caller, id: string): Promise<Row>;
  /** Makes another address for a document whose content is missing. */
  renewUploadAddress(caller: Caller, id: string): Promise<UploadAddress>;
  /**
   * Scans documents for which the scanner was not available before. Without a scanner they stop
   * waiting.
   */
  scanWaiting(): Promise<void>;
}

// About as many as can be scanned between two runs of the periodic job.
const maximumScansPerRun = 50;

/**
 * Returns a document that may be used. Throws AttachmentNotFound for a missing one and
 * AttachmentInfected for one with harmful content.
 */
export function requireUsable<Row extends DocumentRow>(row: Row | undefined): Row {
  if (!row) throw new Refusal('AttachmentNotFound');
  // guard: document with harmful content (scanner)
  if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');
  return row;
}

/** Opens the uploads of one table. `limitsOf` returns the limits of a document. */
export function openDocumentUploads<Row extends DocumentRow>(
  { database, intake }: { database: Database; intake: DocumentIntake },
  table: DocumentTable<Row>,
  limitsOf: (row: Row) => DocumentLimits | Promise<DocumentLimits>,
): DocumentUploads<Row> {
  async function findOwn(caller: Caller, id: string): Promise<Row> {
    const row = await table.find(database, id);
    if (
      !row ||
      // guard: sender of an upload (others-ids, hostile-uploads)
      row.user_id !== caller.userId
    )
      throw new Refusal('AttachmentNotFound');
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
    // The state is set before the content is deleted. A document without content that still waits
    // would block the scans of all documents after it.
    if (state === 'infected') await intake.deleteContent(id);
    return row;
  }

  // Of two transfers of one file, the first complete one is stored. A stored file is never replaced.
  async function store(id: string, file: InspectedFile): Promise<Row> {
    try {
      return await intake.limitStoring(() =>
        inTransaction(database, async (transaction) => {
          const row = await table.lockAwaitingContent(transaction, id);
          if (!row) throw new Refusal('AttachmentNotFound');
          await intake.store(file, row.id);
          return table.setUploaded(transaction, row.id, {
            media_type: file.mediaType,
            file_name: safeFileName(row.file_name, file.mediaType),
            size: file.size,
            scan_state: intake.initialScanState,
            findings: file.findings,
          });
        }),
      );
    } catch (error) {
      await intake.discard(file.uploadId);
      throw error;
    }
  }

  async function storeAndScan(id: string, file: InspectedFile): Promise<Row> {
    const row = await store(id, file);
    return requireUsable(row.scan_state === 'waiting' ? await scan(id) : row);
  }

  return {
    async receive(caller, id, content, announcedBytes = 0) {
      const expected = await findAwaited(caller, id);
      if (announcedBytes > expected.maximumBytes)
        throw new Refusal('AttachmentTooLarge', {
          maximum: Math.floor(expected.maximumBytes / 1024 / 1024),
        });
      return storeAndScan(id, await intake.receive(expected, content));
    },
    async complete(caller, id) {
      const row = await findOwn(caller, id);
      if (row.uploaded_at) return requireUsable(row);
      return intake.shareInFlight(id, async () => {
        try {
          return await storeAndScan(id, await intake.takeAssembled(await expectedOf(row)));
        } catch (error) {
          // Another process or a transfer in one piece may have completed the upload meanwhile.
          const now = await table.find(database, id);
          if (now?.uploaded_at) return requireUsable(now);
          throw error;
        }
      });
    },
    renewUploadAddress: async (caller, id) =>
      intake.uploadAddressFor(await findAwaited(caller, id)),
    async scanWaiting() {
      for (const id of await table.selectWaiting(database, maximumScansPerRun)) {
        // A scanner that is not available for one document is not available for the others.
        if ((await scan(id))?.scan_state === 'waiting') return;
      }
    },
  };
}
