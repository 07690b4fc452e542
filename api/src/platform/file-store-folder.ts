import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { atMost } from './at-most.ts';
import type { FileStore } from './files.ts';
import { Refusal } from './refusals.ts';

const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT';
const tooLarge = (maximumBytes: number) => new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) });
// The names come from outside; in hexadecimal none of them is a path.
const blockFile = (name: string) => `block-${Buffer.from(name).toString('hex')}`;

/** Writes a stream of at most `maximumBytes` to a file that is not there yet; leaves none behind when it fails. Answers its size. */
async function writeWhole(path: string, content: Readable, maximumBytes: number, limit: Refusal): Promise<number> {
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > maximumBytes ? limit : null, chunk);
    },
  });
  try {
    await pipeline(content, count, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    return size;
  } catch (error) {
    await rm(path, { force: true });
    throw error instanceof Refusal ? error : new Refusal('AttachmentIncomplete');
  }
}

const copyInTurn = atMost(4);
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

/** Keeps files in a folder, two letters of the id deep, that no other user of the machine may enter. */
export function openFolderStore(folder: string): FileStore {
  const kept = (id: string) => join(folder, id.slice(0, 2), id);
  // Each transfer has a folder of its own, so that two of one id cannot write into each other.
  const incoming = (part: string, file = '') => join(folder, 'incoming', part, file);
  const begin = (part: string) => mkdir(incoming(part), { recursive: true, mode: 0o700 });
  const listed = async (part: string) => {
    const names = (await readdir(incoming(part)).catch(() => [])).filter((name) => name.startsWith('block-'));
    const sizes = await Promise.all(names.map((name) => stat(incoming(part, name)).then(({ size }) => size, () => 0)));
    return names.map((file, index) => ({ file, name: Buffer.from(file.slice('block-'.length), 'hex').toString(), size: sizes[index] ?? 0 }));
  };
  return {
    async receive(content, maximumBytes) {
      const part = randomUUID();
      await begin(part);
      try {
        return { part, version: '', size: await writeWhole(incoming(part, 'whole'), content, maximumBytes, tooLarge(maximumBytes)) };
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
        // A block that comes at this very moment may keep the folder; it is thrown away with the halves.
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
      const handle = await open(kept(id)).catch((error: NodeJS.ErrnoException) => {
        throw isMissing(error) ? new Refusal('AttachmentNotFound') : error;
      });
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
        await begin(part);
        const others = (await listed(part)).filter((block) => block.name !== name).reduce((sum, block) => sum + block.size, 0);
        const half = incoming(part, `half-${randomUUID()}`);
        await writeWhole(half, content, maximumBytes - others, tooLarge(maximumBytes));
        // Whoever ended the upload meanwhile took its folder away.
        await rename(half, incoming(part, blockFile(name))).catch(() => { throw new Refusal('AttachmentIncomplete'); });
      },
      async putBlockList(part, names) {
        const there = new Set((await listed(part)).map((block) => block.name));
        if (names.length === 0 || !names.every((name) => there.has(name))) return false;
        const half = incoming(part, `half-${randomUUID()}`);
        try {
          await append(names.map((name) => incoming(part, blockFile(name))), half);
          await rename(half, incoming(part, 'whole'));
        } catch (error) {
          await rm(half, { force: true });
          if (isMissing(error as NodeJS.ErrnoException)) return false;
          throw error;
        }
        for (const name of there) await rm(incoming(part, blockFile(name)), { force: true });
        return true;
      },
      listBlocks: async (part) => (await listed(part)).map(({ name, size }) => ({ name, size })),
    },
  };
}
