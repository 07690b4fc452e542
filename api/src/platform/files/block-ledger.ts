import { serverBusy } from '../core/at-most.ts';
import { Refusal } from '../core/refusals.ts';
import { mostBlocks } from './upload-addresses.ts';

/**
 * One block on its way: `count` hears of each piece of it, in bytes, and `end` once, when it is
 * there or broke off.
 */
export interface ArrivingBlock {
  /** Throws AttachmentTooLarge as soon as the blocks of the upload are more than it may have. */
  count(bytes: number): void;
  end(): void;
}

/**
 * Keeps count of the blocks of each upload that are on their way in this process, so that many at
 * once are not more than one after the other.
 */
export interface BlockLedger {
  /**
   * `kept` says in bytes what of the upload is there; asked for the first of several at once.
   * Throws ServerBusy for more at once than a browser has connections, AttachmentTooLarge for more
   * blocks than a file may have.
   */
  begin(
    part: string,
    name: string,
    maximumBytes: number,
    kept: () => Promise<ReadonlyMap<string, number>>,
  ): Promise<ArrivingBlock>;
}

// A browser sends one after the other; the others are of connections that broke and nobody has
// noticed yet.
const mostAtOnce = 8;

const tooLarge = (maximumBytes: number) =>
  new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) });

interface Upload {
  running: number;
  /** The largest that each block was since the first of those at once began. */
  sizes: Promise<Map<string, number>>;
}

/** A ledger with nothing in it. */
export function openBlockLedger(): BlockLedger {
  const uploads = new Map<string, Upload>();
  return {
    async begin(part, name, maximumBytes, kept) {
      const upload = uploads.get(part) ?? {
        running: 0,
        sizes: kept().then((sizes) => new Map(sizes)),
      };
      if (upload.running >= mostAtOnce) throw serverBusy();
      uploads.set(part, upload);
      upload.running += 1;
      const end = () => {
        upload.running -= 1;
        if (upload.running === 0) uploads.delete(part);
      };
      const sizes = await upload.sizes.catch((error: Error) => {
        end();
        throw error;
      });
      // The block that is replaced goes only when the new one is there, and it may be the one of a
      // broken connection.
      if (upload.running === 1) sizes.delete(name);
      if (sizes.size >= mostBlocks && !sizes.has(name)) {
        end();
        throw tooLarge(maximumBytes);
      }
      let size = 0;
      return {
        end,
        count(bytes) {
          size += bytes;
          sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
          const all = [...sizes.values()].reduce((sum, one) => sum + one, 0);
          if (all > maximumBytes) throw tooLarge(maximumBytes);
        },
      };
    },
  };
}
