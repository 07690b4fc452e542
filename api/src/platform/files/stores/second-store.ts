import type { Readable } from 'node:stream';
import { Refusal } from '#platform/core/refusals.ts';
import type { FileStore } from './file-store.ts';

/** Whether the store has no such file. */
export const isNoSuchFile = (error: unknown): boolean =>
  error instanceof Refusal && error.refusal === 'AttachmentNotFound';

/**
 * A store that reads what it lacks from a second one, while files move from there. New files are
 * stored in the first one.
 */
export function withSecondStore(first: FileStore, second: FileStore): FileStore {
  async function read(...input: Parameters<FileStore['read']>): Promise<Readable> {
    const orElse = (next: () => Promise<Readable>) => (error: unknown) => {
      if (!isNoSuchFile(error)) throw error;
      return next();
    };
    return first
      .read(...input)
      .catch(orElse(() => second.read(...input)))
      .catch(
        // The move may have taken it from the second one in between.
        orElse(() => first.read(...input)),
      );
  }
  return {
    ...first,
    read,
    // The move copies from the second to the first, and takes back the copy of a file that the second
    // one does not have any more. In the other order a copy could remain.
    async remove(id) {
      await second.remove(id);
      await first.remove(id);
    },
    async prune(before) {
      await first.prune(before);
      await second.prune(before);
    },
  };
}
