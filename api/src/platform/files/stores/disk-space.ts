import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverBusy } from '#platform/core/limiter.ts';

/** Whether a write failed because the disk, or the share of its user, is full. */
export const isFullDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Follows whether a folder has space. */
interface DiskSpace {
  /** Runs work that writes. Throws ServerBusy where the disk is full. */
  write<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether a write met a full disk, until some megabytes can be written again. */
  isFull(): Promise<boolean>;
}

const probe = Buffer.alloc(4 * 1024 * 1024);
const probeIntervalMs = 1000;

/** Follows the space of a folder. `warn` receives a line for the operator when the disk is full. */
export function followDiskSpace(folder: string, warn: (message: string) => void): DiskSpace {
  let isKnownFull = false;
  let probing: Promise<void> | undefined;

  async function hasSpace(): Promise<boolean> {
    const path = join(folder, `space-${randomUUID()}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path, probe, { mode: 0o600, flag: 'wx' });
      return true;
    } catch {
      return false;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  return {
    async write(work) {
      try {
        return await work();
      } catch (error) {
        // guard: full disk (disk-space)
        if (!isFullDisk(error)) throw error;
        if (!isKnownFull)
          warn(`Documents cannot be stored: ${(error as Error).message}. Answers are 503.`);
        isKnownFull = true;
        throw serverBusy();
      }
    },
    async isFull() {
      if (!isKnownFull) return false;
      probing ??= hasSpace().then((found) => {
        isKnownFull = !found;
        setTimeout(() => (probing = undefined), probeIntervalMs).unref();
      });
      await probing;
      return isKnownFull;
    },
  };
}
