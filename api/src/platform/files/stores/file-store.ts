import type { Readable } from 'node:stream';

/**
 * Content that has arrived and is not stored yet. `version` is the store's version of it, so that
 * exactly the inspected content is stored. `size` is in bytes.
 */
export interface ReceivedFile {
  uploadId: string;
  version: string;
  size: number;
}

/** A block of an upload in progress: its name (base64, given by the sender) and its bytes. */
interface Block {
  name: string;
  size: number;
}

/**
 * The operations of Azure's block blobs that browsers use, for a store without addresses of its
 * own. `uploadId` is a uuid. Source: Azure Storage REST, Put Block, Put Block List, Get Block List.
 */
export interface BlockStore {
  /**
   * Stores a block from a stream and replaces a block of the same name. Throws AttachmentTooLarge
   * for more than `maximumBytes` in all or for too many blocks, AttachmentIncomplete for a stream
   * that breaks off, and ServerBusy for too many blocks at the same time.
   */
  putBlock(uploadId: string, name: string, content: Readable, maximumBytes: number): Promise<void>;
  /**
   * Assembles the named blocks in this order and deletes the others. Changes nothing and returns
   * `false` when a block is missing, or throws AttachmentTooLarge for more than `maximumBytes`.
   */
  putBlockList(uploadId: string, names: readonly string[], maximumBytes: number): Promise<boolean>;
  /** The blocks that have arrived. */
  listBlocks(uploadId: string): Promise<Block[]>;
}

/** A stored file, and its size in bytes. */
export interface StoredFile {
  id: string;
  size: number;
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores documents by id. A stored file is always complete. What writes throws ServerBusy where the
 * disk is full.
 */
export interface FileStore {
  /**
   * Receives a stream of at most `maximumBytes`. Throws AttachmentTooLarge as soon as the stream is
   * longer, and deletes what has arrived.
   */
  receive(content: Readable, maximumBytes: number): Promise<ReceivedFile>;
  /**
   * Takes the file that was assembled from blocks, so that the sender cannot change it any more;
   * `undefined` when there is none.
   */
  takeAssembled(uploadId: string): Promise<ReceivedFile | undefined>;
  /** Reads content that is not stored yet. */
  readReceived(file: ReceivedFile, range: ByteRange): Promise<Readable>;
  /** Stores received content under an id. */
  store(file: ReceivedFile, id: string): Promise<void>;
  /** Deletes everything that has arrived for an upload. */
  discard(uploadId: string): Promise<void>;
  /** Throws AttachmentNotFound for a file that does not exist. */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** Its size in bytes; undefined for a file that does not exist. */
  sizeOf(id: string): Promise<number | undefined>;
  /** Every stored file. One that is stored or deleted meanwhile may be among them or not. */
  list(): AsyncIterable<StoredFile>;
  remove(id: string): Promise<void>;
  /** Deletes content that arrived before this time and was never stored. */
  prune(before: Date): Promise<void>;
  /**
   * A URL of the store itself that accepts the blocks of an upload for `seconds`. Missing for a
   * store without addresses.
   */
  directUploadUrl?(uploadId: string, seconds: number): string;
  /**
   * Whether a write met a full disk and there is no space since. Missing for a store that is not on
   * a disk of this machine.
   */
  isFull?(): Promise<boolean>;
  /** Missing for a store with its own addresses. */
  blocks?: BlockStore;
}
