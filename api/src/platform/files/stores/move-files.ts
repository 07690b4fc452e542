import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusalText } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { isNoSuchFile } from './second-store.ts';

/** How many files, and bytes of the copied ones. */
interface MoveSummary {
  copied: number;
  copiedBytes: number;
  /** They were in the target already. */
  present: number;
  /** The product deleted them while they were copied. */
  deleted: number;
  removed: number;
  problems: number;
}

interface MoveOptions {
  /** Compares the content of files that are in the target already, too. */
  verifies: boolean;
  /** Deletes each file from the source when its copy is verified. */
  removes: boolean;
  report: (line: string) => void;
  /** How often the progress is reported. */
  reportEveryMs?: number;
}

const filesAtOnce = 4;
// A storage that is down fails for every file.
const maximumProblemsInARow = 20;

/** A stream and the hash of what went through it. */
function hashing(content: Readable): { stream: Readable; hash: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  pipeline(content, stream).catch(() => undefined);
  return { stream, hash: () => hash.digest('hex') };
}

async function hashOf(store: FileStore, id: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await store.read(id)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Copies one file and reads it back. Throws for a copy that differs, which it deletes. */
async function copyFile(from: FileStore, to: FileStore, { id, size }: StoredFile): Promise<void> {
  const { stream, hash } = hashing(await from.read(id));
  const received = await to.receive(stream, size);
  if (received.size !== size) {
    await to.discard(received.uploadId);
    throw new Error(`${received.size} bytes of ${size} arrived`);
  }
  await to.store(received, id);
  if ((await hashOf(to, id)) === hash()) return;
  await to.remove(id);
  throw new Error('the copy differs from the original and was deleted');
}

/**
 * Copies every file of a store that another one lacks, while the product runs: a file never changes,
 * and is in a store completely or not at all, so that the move can be stopped at any time and
 * repeated. Each copy is read back and compared. Throws when one file after the other fails.
 */
export async function moveFiles(
  from: FileStore,
  to: FileStore,
  { verifies, removes, report, reportEveryMs = 5000 }: MoveOptions,
): Promise<MoveSummary> {
  const summary: MoveSummary = {
    copied: 0,
    copiedBytes: 0,
    present: 0,
    deleted: 0,
    removed: 0,
    problems: 0,
  };
  let problemsInARow = 0;

  async function moveFile(file: StoredFile): Promise<void> {
    const { id, size } = file;
    const there = await to.sizeOf(id);
    if (there === undefined) {
      await copyFile(from, to, file);
      // The product deleted it meanwhile.
      if ((await from.sizeOf(id)) === undefined) {
        await to.remove(id);
        summary.deleted += 1;
        return;
      }
      summary.copied += 1;
      summary.copiedBytes += size;
    } else {
      if (there !== size) throw new Error(`it has ${there} bytes in the target, not ${size}`);
      if ((verifies || removes) && (await hashOf(from, id)) !== (await hashOf(to, id)))
        throw new Error('its content in the target differs');
      summary.present += 1;
    }
    if (!removes) return;
    await from.remove(id);
    summary.removed += 1;
  }

  async function tryFile(file: StoredFile): Promise<void> {
    try {
      await moveFile(file);
      problemsInARow = 0;
    } catch (error) {
      if (isNoSuchFile(error)) {
        summary.deleted += 1;
        return;
      }
      summary.problems += 1;
      problemsInARow += 1;
      report(`File ${file.id}: ${describe(error)}`);
    }
  }

  let lastReport = Date.now();
  const running = new Set<Promise<void>>();
  for await (const file of from.list()) {
    if (problemsInARow >= maximumProblemsInARow) break;
    const one = tryFile(file).finally(() => running.delete(one));
    running.add(one);
    if (running.size >= filesAtOnce) await Promise.race(running);
    if (Date.now() - lastReport < reportEveryMs) continue;
    lastReport = Date.now();
    report(`… ${describeSummary(summary)}`);
  }
  await Promise.all(running);
  if (problemsInARow >= maximumProblemsInARow)
    throw new Error(`Stopped: ${maximumProblemsInARow} files one after the other failed`);
  return summary;
}

const describe = (error: unknown) =>
  error instanceof Refusal
    ? refusalText(error.refusal, 'en-US', error.params)
    : (error as Error).message;

/** The summary as one line. */
export function describeSummary(summary: MoveSummary): string {
  const { copied, copiedBytes, present, deleted, removed, problems } = summary;
  return [
    `${copied} files copied and verified (${(copiedBytes / 1024 / 1024).toFixed(1)} MB)`,
    `${present} were there`,
    ...(removed > 0 ? [`${removed} deleted from the source`] : []),
    ...(deleted > 0 ? [`${deleted} were deleted meanwhile`] : []),
    `${problems} problems`,
  ].join(', ');
}
