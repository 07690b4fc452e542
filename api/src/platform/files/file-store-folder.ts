import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { atMost, refuseLongLine } from '../core/at-most.ts';
import { openBlockLedger } from './block-ledger.ts';
import type { FileStore } from './file-store.ts';
import { Refusal } from '../core/refusals.ts';

const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT';
const tooLarge = (maximumBytes: number) =>
  new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) });
// The names come from outside; in hexadecimal none of them is a path.
const blockFile = (name: string) => `block-${Buffer.from(name).toString('hex')}`;

/**
 * Writes a stream to a file that is not there yet; leaves none behind when it fails, or when
 * `count` throws, which hears the bytes of each piece. Piece by piece, so that a slow disk slows
 * the sender down.
 */
async function writeWhole(
  path: string,
  content: Readable,
  count: (bytes: number) => void,
): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of content as AsyncIterable<Buffer>) {
        count(piece.length);
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    // A disk that is full is no fault of the sender's.
    const isOurs = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE'].includes(
      (error as NodeJS.ErrnoException).code ?? '',
    );
    throw error instanceof Refusal || isOurs ? error : new Refusal('AttachmentIncomplete');
  }
}

const copyInTurn = atMost(2);
const longestLine = 100;
const pieceBytes = 256 * 1024;

// One piece of memory for the whole copy: streams would leave megabytes behind for each.
async function append(from: readonly string[], to: string): Promise<void> {
  await copyInTurn(async () => {
    const whole = await open(to, 'wx', 0o600);
    const piece = Buffer.allocUnsafeSlow(pieceBytes);
    try {
      for (const path of from) {
        const block = await open(path);
        try {
          for (;;) {
            const { bytesRead } = await block.read(piece, 0, pieceBytes);
            if (bytesRead === 0) break;
            await whole.write(piece, 0, bytesRead);
          }
        } finally {
          await block.close();
        }
      }
    } finally {
      await whole.close();
    }
  });
}

/**
 * Keeps files in a folder, two letters of the id deep, that no other user of the machine may enter.
 */
export function openFolderStore(folder: string): FileStore {
  const kept = (id: string) => join(folder, id.slice(0, 2), id);
  const ledger = openBlockLedger();
  // Each transfer has a folder of its own, so that two of one id cannot write into each other.
  const incoming = (part: string, file = '') => join(folder, 'incoming', part, file);
  const begin = (part: string) => mkdir(incoming(part), { recursive: true, mode: 0o700 });
  const listed = async (part: string) => {
    const names = (await readdir(incoming(part)).catch(() => [])).filter((name) =>
      name.startsWith('block-'),
    );
    const sizes = await Promise.all(
      names.map((name) =>
        stat(incoming(part, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return names.map((file, index) => ({
      file,
      name: Buffer.from(file.slice('block-'.length), 'hex').toString(),
      size: sizes[index] ?? 0,
    }));
  };
  return {
    async receive(content, maximumBytes) {
      const part = randomUUID();
      await begin(part);
      let size = 0;
      try {
        await writeWhole(incoming(part, 'whole'), content, (bytes) => {
          size += bytes;
          if (size > maximumBytes) throw tooLarge(maximumBytes);
        });
        return { part, version: '', size };
      } catch (error) {
        await rm(incoming(part), { recursive: true, force: true });
        throw error;
      }
    },
    async take(part) {
      const own = randomUUID();
      await begin(own);
      try {
        await rename(incoming(part, 'whole'), incoming(own, 'whole'));
        // A block that comes at this very moment may keep the folder; it is thrown away with the
        // halves.
        await rm(incoming(part), { recursive: true, force: true }).catch(() => undefined);
        return { part: own, version: '', size: (await stat(incoming(own, 'whole'))).size };
      } catch (error) {
        await rm(incoming(own), { recursive: true, force: true });
        if (isMissing(error as NodeJS.ErrnoException)) return undefined;
        throw error;
      }
    },
    readReceived: async (file, range) => createReadStream(incoming(file.part, 'whole'), range),
    async keep(file, id) {
      const handle = await open(incoming(file.part, 'whole'), 'r+');
      await handle.sync();
      await handle.close();
      await mkdir(dirname(kept(id)), { recursive: true, mode: 0o700 });
      await rename(incoming(file.part, 'whole'), kept(id));
      await rm(incoming(file.part), { recursive: true, force: true });
    },
    drop: (part) => rm(incoming(part), { recursive: true, force: true }).catch(() => undefined),
    async read(id, range) {
      // A link in the folder leads out of it; we make none.
      const handle = await open(kept(id), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        (error: NodeJS.ErrnoException) => {
          throw isMissing(error) || error.code === 'ELOOP'
            ? new Refusal('AttachmentNotFound')
            : error;
        },
      );
      return handle.createReadStream(range);
    },
    remove: (id) => rm(kept(id), { force: true }),
    async prune(before) {
      for (const part of await readdir(incoming('')).catch(() => [])) {
        const { mtime } = await stat(incoming(part)).catch(() => ({ mtime: before }));
        if (mtime < before) await rm(incoming(part), { recursive: true, force: true });
      }
    },
    blocks: {
      async putBlock(part, name, content, maximumBytes) {
        const arriving = await ledger.begin(
          part,
          name,
          maximumBytes,
          async () => new Map((await listed(part)).map((block) => [block.name, block.size])),
        );
        try {
          await begin(part);
          const half = incoming(part, `half-${randomUUID()}`);
          await writeWhole(half, content, arriving.count);
          // Whoever ended the upload meanwhile took its folder away.
          await rename(half, incoming(part, blockFile(name))).catch(() => {
            throw new Refusal('AttachmentIncomplete');
          });
        } finally {
          arriving.end();
        }
      },
      async putBlockList(part, names, maximumBytes) {
        const there = new Map((await listed(part)).map((block) => [block.name, block.size]));
        if (names.length === 0 || !names.every((name) => there.has(name))) return false;
        // A list may name one block as often as it likes.
        if (names.reduce((sum, name) => sum + (there.get(name) ?? 0), 0) > maximumBytes)
          throw tooLarge(maximumBytes);
        refuseLongLine(copyInTurn, longestLine);
        const half = incoming(part, `half-${randomUUID()}`);
        try {
          await append(
            names.map((name) => incoming(part, blockFile(name))),
            half,
          );
          await rename(half, incoming(part, 'whole'));
        } catch (error) {
          await rm(half, { force: true });
          if (isMissing(error as NodeJS.ErrnoException)) return false;
          throw error;
        }
        for (const name of there.keys()) await rm(incoming(part, blockFile(name)), { force: true });
        return true;
      },
      listBlocks: async (part) => (await listed(part)).map(({ name, size }) => ({ name, size })),
    },
  };
}
