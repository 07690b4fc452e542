import type { Readable } from 'node:stream';
import type { ScanState } from '@diwan/contract/requests/attachments';
import type { Config } from '../../config.ts';
import type { Database } from '../database/database.ts';
import { judge, type Judgement } from './file-judgement.ts';
import type { FileStore, ReceivedFile } from './file-store.ts';
import { openFileStore } from './files.ts';
import { contentOf } from './judged-content.ts';
import { Refusal } from '../core/refusals.ts';
import { atMost, refuseLongLine, serverBusy } from '../core/at-most.ts';
import type { Scanner } from './scanner.ts';
import { ownSecret } from '../auth/secrets.ts';
import { openUploadAddresses, type UploadAddress } from './upload-addresses.ts';

/** What a document may be: media types, and bytes at most. */
export interface DocumentLimits {
  mediaTypes: readonly string[];
  maximumBytes: number;
}

/** An announced file: its id, its size in bytes as it was announced, and what it may be. */
export interface ExpectedFile extends DocumentLimits {
  id: string;
  size: number;
}

/** Content that was judged and is not kept yet. */
export interface JudgedFile extends ReceivedFile, Judgement {}

/** The way of every document into the store: received, judged by its content, kept, scanned. */
export interface DocumentIntake {
  /** These limits, and never more than those of the settings. */
  limit(limits: DocumentLimits): DocumentLimits;
  /**
   * Refuses before the transfer what would be refused after it: AttachmentEmpty,
   * AttachmentTooLarge, AttachmentTypeNotAccepted.
   */
  checkAnnounced(limits: DocumentLimits, size: number, mediaType: string): void;
  /** Where the content of this file can be sent in blocks. */
  addressOf(expected: ExpectedFile): UploadAddress;
  /**
   * Takes and judges content that comes in one piece; ServerBusy where too many wait to be judged,
   * or more than a few transfers of one file go on. What is refused is not there any more.
   */
  receive(expected: ExpectedFile, content: Readable): Promise<JudgedFile>;
  /**
   * Judges content that was put together of blocks; AttachmentIncomplete when there is none. What
   * is refused is not there any more, but for ServerBusy, which changes nothing.
   */
  take(expected: ExpectedFile): Promise<JudgedFile>;
  /**
   * A transaction that keeps a file, some at a time: each waits for the disk with a connection in
   * its hand.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  keep(file: JudgedFile, id: string): Promise<void>;
  drop(part: string): Promise<void>;
  /** Deletes the content of a kept file. */
  destroy(id: string): Promise<void>;
  /** How a file begins: `waiting` for the scanner, or `notScanned` where there is none. */
  firstState: ScanState;
  /**
   * Scans a kept file; `waiting` while the scanner cannot be asked, `notScanned` where there is
   * none, or no file.
   */
  scan(id: string): Promise<ScanState>;
  /** Work on one file, once at a time in this process: who comes second shares the answer. */
  once<Result>(id: string, work: () => Promise<Result>): Promise<Result>;
}

// Judging and scanning read whole files, and keeping waits for the disk; more at once would only
// take memory and connections to the database.
const judgedAtOnce = 2;
const scannedAtOnce = 2;
const keptAtOnce = 4;
// Transfers of one file: one, and those of connections that broke and nobody has noticed yet.
const receivedAtOnce = 4;
// So many wait for their turn; further ones are told to come back.
const longestLine = 100;
// Who would wait longer for the scanner has the document told as waiting; the next round scans it.
const scanLine = 10;
const megabyte = 1024 * 1024;

/** `secret` signs addresses; `warn` hears why a scan did not happen. */
export interface IntakeParts {
  files: FileStore;
  config: Pick<
    Config,
    | 'DOCUMENT_MEGABYTES'
    | 'DOCUMENT_TYPES'
    | 'DOCUMENT_MEGAPIXELS'
    | 'DOCUMENT_REFUSED'
    | 'UPLOAD_ADDRESS_SECONDS'
  >;
  secret: string;
  scanner?: Scanner | undefined;
  warn?: (message: string) => void;
}

/** Opens the intake over a store. */
export function openDocumentIntake({
  files,
  config,
  secret,
  scanner,
  warn = () => undefined,
}: IntakeParts): DocumentIntake {
  const addresses = openUploadAddresses(files, secret, config.UPLOAD_ADDRESS_SECONDS);
  const rules = { megapixels: config.DOCUMENT_MEGAPIXELS, refused: config.DOCUMENT_REFUSED };
  const [judgeInTurn, scanInTurn, keepInTurn] = [
    atMost(judgedAtOnce),
    atMost(scannedAtOnce),
    atMost(keptAtOnce),
  ];
  const underWay = new Map<string, Promise<unknown>>();
  const arriving = new Map<string, number>();
  const tooLarge = (bytes: number) =>
    new Refusal('AttachmentTooLarge', { maximum: Math.floor(bytes / megabyte) });

  async function judgeFile(expected: ExpectedFile, file: ReceivedFile): Promise<JudgedFile> {
    try {
      if (file.size === 0) throw new Refusal('AttachmentEmpty');
      if (file.size > expected.maximumBytes) throw tooLarge(expected.maximumBytes);
      if (file.size !== expected.size) throw new Refusal('AttachmentIncomplete');
      return {
        ...file,
        ...(await judgeInTurn(() =>
          judge(
            contentOf(file.size, (range) => files.readReceived(file, range)),
            expected.mediaTypes,
            rules,
          ),
        )),
      };
    } catch (error) {
      await files.drop(file.part);
      throw error;
    }
  }

  return {
    limit: ({ mediaTypes, maximumBytes }) => ({
      mediaTypes: mediaTypes.filter((type) =>
        config.DOCUMENT_TYPES.some((taken) => taken === type),
      ),
      maximumBytes: Math.min(maximumBytes, config.DOCUMENT_MEGABYTES * megabyte),
    }),
    checkAnnounced(limits, size, mediaType) {
      if (size === 0) throw new Refusal('AttachmentEmpty');
      if (size > limits.maximumBytes) throw tooLarge(limits.maximumBytes);
      if (!limits.mediaTypes.includes(mediaType)) throw new Refusal('AttachmentTypeNotAccepted');
    },
    // Not a byte more than was announced.
    addressOf: (expected) => addresses.make(expected.id, expected.size),
    async receive(expected, content) {
      refuseLongLine(judgeInTurn, longestLine);
      const others = arriving.get(expected.id) ?? 0;
      if (others >= receivedAtOnce) throw serverBusy();
      arriving.set(expected.id, others + 1);
      const file = await files.receive(content, expected.maximumBytes).finally(() => {
        const left = (arriving.get(expected.id) ?? 1) - 1;
        if (left === 0) arriving.delete(expected.id);
        else arriving.set(expected.id, left);
      });
      return judgeFile(expected, file);
    },
    async take(expected) {
      refuseLongLine(judgeInTurn, longestLine);
      const file = await files.take(expected.id);
      if (!file) throw new Refusal('AttachmentIncomplete');
      return judgeFile(expected, file);
    },
    inTurn: (work) => keepInTurn(work),
    keep: (file, id) => files.keep(file, id),
    drop: (part) => files.drop(part),
    destroy: (id) => files.remove(id),
    firstState: scanner ? 'waiting' : 'notScanned',
    async scan(id) {
      if (!scanner) return 'notScanned';
      if (scanInTurn.waiting() >= scanLine) return 'waiting';
      try {
        const result = await scanInTurn(async () => {
          const content = await files.read(id);
          return scanner.scan(content).finally(() => content.destroy());
        });
        if (result.isClean) return 'clean';
        warn(`File ${id} holds ${result.name}`);
        return 'infected';
      } catch (error) {
        warn(`File ${id} could not be scanned: ${(error as Error).message}`);
        // What is gone would wait for ever, and all that came after it with it.
        return error instanceof Refusal && error.refusal === 'AttachmentNotFound'
          ? 'notScanned'
          : 'waiting';
      }
    },
    once<Result>(id: string, work: () => Promise<Result>) {
      const known = underWay.get(id) as Promise<Result> | undefined;
      if (known) return known;
      const begun = work().finally(() => underWay.delete(id));
      underWay.set(id, begun);
      return begun;
    },
  };
}

/**
 * The store and the intake of the settings; `scanner` and `warn` as `openDocumentIntake` takes
 * them.
 */
export async function openDocuments(
  database: Database,
  config: Config,
  parts: Pick<IntakeParts, 'scanner' | 'warn'> = {},
): Promise<{ files: FileStore; intake: DocumentIntake; secret: string }> {
  const files = await openFileStore(config);
  const secret = await ownSecret(database, 'storage-addresses');
  return { files, secret, intake: openDocumentIntake({ ...parts, files, config, secret }) };
}
