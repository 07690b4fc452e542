import type { Readable } from 'node:stream';
import type { Config } from '#config.ts';
import type { ScanState, UploadAddress } from '@diwan/contract/wire/uploads';
import { openKey, type Keys } from '../auth/secrets.ts';
import { createLimiter, refuseWhenQueueFull, serverBusy } from '../core/limiter.ts';
import { Refusal } from '../core/refusals.ts';
import type { Database } from '../database/database.ts';
import { inspectFile, openFileContent, type FileInspection } from './file-inspection.ts';
import { openFileStore } from './open-file-store.ts';
import type { Scanner } from './scanner.ts';
import type { FileStore, ReceivedFile } from './stores/file-store.ts';
import { createUploadAddresses } from './upload-addresses.ts';

/** The media types and the largest size, in bytes, that a document may have. */
export interface DocumentLimits {
  mediaTypes: readonly string[];
  maximumBytes: number;
}

/** An announced file: its id, its announced size in bytes, and its limits. */
export interface ExpectedFile extends DocumentLimits {
  id: string;
  size: number;
}

/** Content that was inspected and is not stored yet. */
export interface InspectedFile extends ReceivedFile, FileInspection {}

/** Receives, inspects, stores and scans the content of documents. */
export interface DocumentIntake {
  /** Reduces limits to those of the settings. */
  limit(limits: DocumentLimits): DocumentLimits;
  /**
   * Checks an announced file before its transfer. Throws AttachmentEmpty, AttachmentTooLarge or
   * AttachmentTypeNotAccepted.
   */
  checkAnnounced(limits: DocumentLimits, size: number, mediaType: string): void;
  /** The address to which the content of a file is sent in blocks. */
  uploadAddressFor(expected: ExpectedFile): UploadAddress;
  /**
   * Receives and inspects content in one piece. Throws ServerBusy when too many files wait for
   * inspection or too many transfers of one file run. Refused content is deleted.
   */
  receive(expected: ExpectedFile, content: Readable): Promise<InspectedFile>;
  /**
   * Inspects content that was assembled from blocks. Throws AttachmentIncomplete when there is none.
   * Refused content is deleted, except for ServerBusy, which changes nothing.
   */
  takeAssembled(expected: ExpectedFile): Promise<InspectedFile>;
  /**
   * Runs a transaction that stores a file. How many run at the same time is limited, because each
   * holds a database connection while it waits for the disk.
   */
  limitStoring<Result>(work: () => Promise<Result>): Promise<Result>;
  store(file: InspectedFile, id: string): Promise<void>;
  discard(uploadId: string): Promise<void>;
  /** Deletes the content of a stored file. */
  deleteContent(id: string): Promise<void>;
  /** The scan state of a new file: `waiting`, or `notScanned` without a scanner. */
  initialScanState: ScanState;
  /**
   * Scans a stored file. The result is `waiting` when the scanner cannot be reached, and
   * `notScanned` without a scanner or for a missing file.
   */
  scan(id: string): Promise<ScanState>;
  /**
   * Runs work on one file once at a time in this process. A second call meanwhile gets the result of
   * the first one.
   */
  shareInFlight<Result>(id: string, work: () => Promise<Result>): Promise<Result>;
}

// Inspecting and scanning read whole files, and storing waits for the disk. More at the same time
// would only need more memory and database connections.
const inspectionsAtOnce = 2;
const scansAtOnce = 2;
const storesAtOnce = 4;
// One transfer of a file runs; the others belong to broken connections that have not been noticed
// yet.
const transfersAtOnce = 4;
const maximumInspectionQueue = 100;
// A document that would wait longer for the scanner gets the state `waiting`; a later run of the
// periodic job scans it.
const maximumScanQueue = 10;
const megabyte = 1024 * 1024;

/**
 * `keys` sign upload addresses. `warn` receives the reason of a failed scan, and of a full disk.
 */
interface IntakeDependencies {
  files: FileStore;
  config: Pick<
    Config,
    | 'DOCUMENT_MEGABYTES'
    | 'DOCUMENT_TYPES'
    | 'DOCUMENT_MEGAPIXELS'
    | 'DOCUMENT_REFUSED'
    | 'UPLOAD_ADDRESS_SECONDS'
  >;
  keys: Keys;
  scanner?: Scanner | undefined;
  warn?: (message: string) => void;
}

/** Opens the intake for a store. */
export function openDocumentIntake({
  files,
  config,
  keys,
  scanner,
  warn = () => undefined,
}: IntakeDependencies): DocumentIntake {
  const addresses = createUploadAddresses(files, keys, config.UPLOAD_ADDRESS_SECONDS);
  const rules = { megapixels: config.DOCUMENT_MEGAPIXELS, refused: config.DOCUMENT_REFUSED };
  const limitInspections = createLimiter(inspectionsAtOnce);
  const limitScans = createLimiter(scansAtOnce);
  const limitStores = createLimiter(storesAtOnce);
  const inFlight = new Map<string, Promise<unknown>>();
  const transfers = new Map<string, number>();
  const tooLarge = (bytes: number) =>
    new Refusal('AttachmentTooLarge', { maximum: Math.floor(bytes / megabyte) });

  async function inspectReceived(
    expected: ExpectedFile,
    file: ReceivedFile,
  ): Promise<InspectedFile> {
    try {
      if (file.size === 0) throw new Refusal('AttachmentEmpty');
      if (file.size > expected.maximumBytes) throw tooLarge(expected.maximumBytes);
      // guard: size of a file (block-uploads)
      if (file.size !== expected.size) throw new Refusal('AttachmentIncomplete');
      return {
        ...file,
        ...(await limitInspections(() =>
          inspectFile(
            openFileContent(file.size, (range) => files.readReceived(file, range)),
            expected.mediaTypes,
            rules,
          ),
        )),
      };
    } catch (error) {
      await files.discard(file.uploadId);
      throw error;
    }
  }

  return {
    limit: ({ mediaTypes, maximumBytes }) => ({
      mediaTypes: mediaTypes.filter((type) =>
        config.DOCUMENT_TYPES.some((accepted) => accepted === type),
      ),
      maximumBytes: Math.min(maximumBytes, config.DOCUMENT_MEGABYTES * megabyte),
    }),
    checkAnnounced(limits, size, mediaType) {
      if (size === 0) throw new Refusal('AttachmentEmpty');
      if (size > limits.maximumBytes) throw tooLarge(limits.maximumBytes);
      // guard: type of a file (hostile-uploads, document-intake, attachments)
      if (!limits.mediaTypes.includes(mediaType)) throw new Refusal('AttachmentTypeNotAccepted');
    },
    // The address accepts only the announced size.
    uploadAddressFor: (expected) => addresses.make(expected.id, expected.size),
    async receive(expected, content) {
      refuseWhenQueueFull(limitInspections, maximumInspectionQueue);
      const others = transfers.get(expected.id) ?? 0;
      if (others >= transfersAtOnce) throw serverBusy();
      transfers.set(expected.id, others + 1);
      const file = await files.receive(content, expected.maximumBytes).finally(() => {
        const left = (transfers.get(expected.id) ?? 1) - 1;
        if (left === 0) transfers.delete(expected.id);
        else transfers.set(expected.id, left);
      });
      return inspectReceived(expected, file);
    },
    async takeAssembled(expected) {
      refuseWhenQueueFull(limitInspections, maximumInspectionQueue);
      const file = await files.takeAssembled(expected.id);
      if (!file) throw new Refusal('AttachmentIncomplete');
      return inspectReceived(expected, file);
    },
    limitStoring: (work) => limitStores(work),
    store: (file, id) => files.store(file, id),
    discard: (uploadId) => files.discard(uploadId),
    deleteContent: (id) => files.remove(id),
    initialScanState: scanner ? 'waiting' : 'notScanned',
    async scan(id) {
      if (!scanner) return 'notScanned';
      if (limitScans.queueLength() >= maximumScanQueue) return 'waiting';
      try {
        const result = await limitScans(async () => {
          const content = await files.read(id);
          return scanner.scan(content).finally(() => content.destroy());
        });
        if (result.isClean) return 'clean';
        warn(`File ${id} holds ${result.name}`);
        return 'infected';
      } catch (error) {
        warn(`File ${id} could not be scanned: ${(error as Error).message}`);
        // A missing file must not wait: it would block the scans of all files after it.
        return error instanceof Refusal && error.refusal === 'AttachmentNotFound'
          ? 'notScanned'
          : 'waiting';
      }
    },
    shareInFlight<Result>(id: string, work: () => Promise<Result>) {
      const running = inFlight.get(id) as Promise<Result> | undefined;
      if (running) return running;
      const started = work().finally(() => inFlight.delete(id));
      inFlight.set(id, started);
      return started;
    },
  };
}

/** The storage of documents. `keys` sign the addresses of uploads. */
export interface Documents {
  files: FileStore;
  intake: DocumentIntake;
  keys: Keys;
}

/** Opens the store and the intake of the settings. `options` as for `openDocumentIntake`. */
export async function openDocuments(
  database: Database,
  config: Config,
  options: Pick<IntakeDependencies, 'scanner' | 'warn'> = {},
): Promise<Documents> {
  const files = await openFileStore(config, options.warn);
  const keys = await openKey(database, 'storage-addresses');
  return { files, keys, intake: openDocumentIntake({ ...options, files, config, keys }) };
}
