import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { findingNames } from '@diwan/contract/requests/attachments';
import type { ByteRange } from './file-store.ts';

/** What can be in a PDF that a clerk should know of. */
export type PdfFinding = (typeof findingNames)[number];

/**
 * Content to be judged: its size in bytes and a way to read any part of it, never all of it at
 * once.
 */
export interface JudgedContent {
  size: number;
  read(range: ByteRange): Promise<Readable>;
  /** Bytes `start` to `end`, the last one not included, as far as there are any. */
  slice(start: number, end: number): Promise<Buffer>;
}

/**
 * What pictures may announce and what of a PDF is not taken: the settings DOCUMENT_MEGAPIXELS and
 * DOCUMENT_REFUSED.
 */
export interface JudgementRules {
  megapixels: number;
  refused: readonly PdfFinding[];
}

/** Looks into content through a reader of ranges. */
export function contentOf(
  size: number,
  read: (range: ByteRange) => Promise<Readable>,
): JudgedContent {
  return {
    size,
    read,
    async slice(start, end) {
      const [from, to] = [Math.max(0, start), Math.min(end, size)];
      return to > from ? buffer(await read({ start: from, end: to - 1 })) : Buffer.alloc(0);
    },
  };
}
