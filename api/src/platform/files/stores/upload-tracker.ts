import { serverBusy } from '#platform/core/limiter.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { maximumBlocks } from '../upload-addresses.ts';

/** The refusal of a file of more than `maximumBytes`. */
export const tooLarge = (maximumBytes: number): Refusal =>
  new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) });

/** A block that is arriving. */
interface BlockInProgress {
  /** Counts bytes that arrived. Throws AttachmentTooLarge when the whole upload is too large. */
  count(bytes: number): void;
  /** Is called once, when the block is complete or broke off. */
  end(): void;
}

/** Which block arrives, and the limit of its upload. */
interface BlockToTrack {
  uploadId: string;
  name: string;
  maximumBytes: number;
}

// A browser sends one block at a time. The others belong to broken connections that have not been
// noticed yet.
const maximumBlocksAtOnce = 8;

interface TrackedUpload {
  running: number;
  /** The largest size of each block since the first of the running ones started. */
  sizes: Promise<Map<string, number>>;
}

/**
 * Counts the blocks of each upload that arrive at the same time in this process, so that together
 * they stay within the limits of the upload. The returned function starts a block; `readSizes`
 * reads the bytes of the complete blocks by name. It throws ServerBusy for too many blocks at the
 * same time and AttachmentTooLarge for more blocks than a file may have.
 */
export function createUploadTracker(): (
  block: BlockToTrack,
  readSizes: () => Promise<ReadonlyMap<string, number>>,
) => Promise<BlockInProgress> {
  const uploads = new Map<string, TrackedUpload>();
  return async ({ uploadId, name, maximumBytes }, readSizes) => {
    const upload = uploads.get(uploadId) ?? {
      running: 0,
      sizes: readSizes().then((sizes) => new Map(sizes)),
    };
    if (upload.running >= maximumBlocksAtOnce) throw serverBusy();
    uploads.set(uploadId, upload);
    upload.running += 1;
    const end = () => {
      upload.running -= 1;
      if (upload.running === 0) uploads.delete(uploadId);
    };
    const sizes = await upload.sizes.catch((error: Error) => {
      end();
      throw error;
    });
    // An existing block of this name is replaced only when the new one is complete. Its size stays
    // counted while other blocks arrive, because one of them may be the old one of a broken
    // connection.
    if (upload.running === 1) sizes.delete(name);
    if (sizes.size >= maximumBlocks && !sizes.has(name)) {
      end();
      throw tooLarge(maximumBytes);
    }
    let size = 0;
    return {
      end,
      count(bytes) {
        size += bytes;
        sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
        const total = [...sizes.values()].reduce((sum, one) => sum + one, 0);
        if (total > maximumBytes) throw tooLarge(maximumBytes);
      },
    };
  };
}
