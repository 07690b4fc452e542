import type { Readable } from 'node:stream';

/**
 * Content that has come and is not kept yet. `part` names it; `version` is that of the store, so
 * that what was judged is what is kept. `size` in bytes.
 */
export interface ReceivedFile {
  part: string;
  version: string;
  size: number;
}

/** A block of an upload under way: its name as the sender gave it (base64) and its bytes. */
export interface Block {
  name: string;
  size: number;
}

/**
 * The part of Azure's block blobs that a browser uses, for a store that has no address of its own.
 * `part` is a uuid. Source: Azure Storage REST, Put Block, Put Block List, Get Block List.
 */
export interface BlockStore {
  /**
   * Takes a block as a stream; refuses more than `maximumBytes` in all and too many blocks
   * (AttachmentTooLarge), what does not end (AttachmentIncomplete), and many at once (ServerBusy).
   * A block of the same name is replaced.
   */
  putBlock(part: string, name: string, content: Readable, maximumBytes: number): Promise<void>;
  /**
   * Puts named blocks together in this order and forgets the others; `false` when one of them is
   * not there, AttachmentTooLarge for more than `maximumBytes`, and then nothing changes.
   */
  putBlockList(part: string, names: readonly string[], maximumBytes: number): Promise<boolean>;
  /** What has come so far. */
  listBlocks(part: string): Promise<Block[]>;
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where documents are kept, by id. A file is there whole or not at all. */
export interface FileStore {
  /**
   * Takes a stream of at most `maximumBytes`; refuses a longer one as soon as it is longer and
   * keeps nothing of it.
   */
  receive(content: Readable, maximumBytes: number): Promise<ReceivedFile>;
  /**
   * What was put together of blocks under this name; nobody can change it any more. `undefined`
   * when there is nothing.
   */
  take(part: string): Promise<ReceivedFile | undefined>;
  /** Reads what is not kept yet. */
  readReceived(file: ReceivedFile, range: ByteRange): Promise<Readable>;
  /** Makes a received file the one of this id. */
  keep(file: ReceivedFile, id: string): Promise<void>;
  /** Throws away all that came under this name. */
  drop(part: string): Promise<void>;
  /** Throws AttachmentNotFound for a file that is not there. */
  read(id: string, range?: ByteRange): Promise<Readable>;
  remove(id: string): Promise<void>;
  /** Throws away what came before this moment and was never kept. */
  prune(before: Date): Promise<void>;
  /**
   * Where the store has addresses of its own: one that takes blocks of this part for so many
   * seconds.
   */
  directAddress?(part: string, seconds: number): string;
  blocks?: BlockStore;
}
