import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createLimiter, refuseWhenQueueFull } from '#platform/core/limiter.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { followDiskSpace, isFullDisk } from './disk-space.ts';
import type { BlockStore, FileStore } from './file-store.ts';
import { createUploadTracker, tooLarge } from './upload-tracker.ts';

const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT';
// Senders choose the names of blocks. In hexadecimal no name is a path.
const blockFile = (name: string) => `block-${Buffer.from(name).toString('hex')}`;

// Writes a stream to a new file, piece by piece, so that a slow disk slows the sender down. `count`
// receives the bytes of each piece and may throw. A failure deletes the file.
async function writeStream(
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
    // A full or broken disk is an error of the server, not of the sender.
    const isServerError =
      isFullDisk(error) ||
      ['EIO', 'EROFS', 'EMFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw error instanceof Refusal || isServerError ? error : new Refusal('AttachmentIncomplete');
  }
}

const limitCopies = createLimiter(2);
const maximumQueueLength = 100;
const pieceBytes = 256 * 1024;

// One buffer serves the whole copy: streams would leave megabytes of garbage for each copy.
async function concatenate(from: readonly string[], to: string): Promise<void> {
  await limitCopies(async () => {
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

/** Where transfers are: each has its own folder, so that two transfers of one file cannot mix. */
function openIncoming(folder: string) {
  const incoming = (uploadId: string, file = '') => join(folder, 'incoming', uploadId, file);
  const createIncoming = (uploadId: string) =>
    mkdir(incoming(uploadId), { recursive: true, mode: 0o700 });
  return { incoming, createIncoming };
}
type Incoming = ReturnType<typeof openIncoming>;

/** Receives files in blocks and assembles them. */
function openBlocks({ incoming, createIncoming }: Incoming): BlockStore {
  const trackBlock = createUploadTracker();
  const listBlocks = async (uploadId: string) => {
    const names = (await readdir(incoming(uploadId)).catch(() => [])).filter((name) =>
      name.startsWith('block-'),
    );
    const sizes = await Promise.all(
      names.map((name) =>
        stat(incoming(uploadId, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return names.map((file, index) => ({
      name: Buffer.from(file.slice('block-'.length), 'hex').toString(),
      size: sizes[index] ?? 0,
    }));
  };
  const readBlockSizes = async (uploadId: string) =>
    new Map((await listBlocks(uploadId)).map(({ name, size }) => [name, size]));

  return {
    async putBlock(uploadId, name, content, maximumBytes) {
      const block = await trackBlock({ uploadId, name, maximumBytes }, () =>
        readBlockSizes(uploadId),
      );
      try {
        await createIncoming(uploadId);
        const partial = incoming(uploadId, `half-${randomUUID()}`);
        await writeStream(partial, content, block.count);
        // The folder does not exist when the upload was completed or discarded meanwhile.
        await rename(partial, incoming(uploadId, blockFile(name))).catch((error: Error) => {
          throw isFullDisk(error) ? error : new Refusal('AttachmentIncomplete');
        });
      } finally {
        block.end();
      }
    },
    async putBlockList(uploadId, names, maximumBytes) {
      const sizes = await readBlockSizes(uploadId);
      if (names.length === 0 || !names.every((name) => sizes.has(name))) return false;
      // A list may name one block several times.
      if (names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) > maximumBytes)
        throw tooLarge(maximumBytes);
      refuseWhenQueueFull(limitCopies, maximumQueueLength);
      const partial = incoming(uploadId, `half-${randomUUID()}`);
      try {
        await concatenate(
          names.map((name) => incoming(uploadId, blockFile(name))),
          partial,
        );
        await rename(partial, incoming(uploadId, 'whole'));
      } catch (error) {
        await rm(partial, { force: true });
        if (isMissing(error as NodeJS.ErrnoException)) return false;
        throw error;
      }
      for (const name of sizes.keys())
        await rm(incoming(uploadId, blockFile(name)), { force: true });
      return true;
    },
    listBlocks,
  };
}

type FolderStore = FileStore & { blocks: BlockStore };

/** A store whose writes throw ServerBusy where the disk is full. */
function withDiskSpace(
  folder: string,
  store: FolderStore,
  warn: (message: string) => void,
): FileStore {
  const { write, isFull } = followDiskSpace(join(folder, 'incoming'), warn);
  const { blocks } = store;
  return {
    ...store,
    isFull,
    receive: (...input) => write(() => store.receive(...input)),
    takeAssembled: (...input) => write(() => store.takeAssembled(...input)),
    store: (...input) => write(() => store.store(...input)),
    blocks: {
      ...blocks,
      putBlock: (...input) => write(() => blocks.putBlock(...input)),
      putBlockList: (...input) => write(() => blocks.putBlockList(...input)),
    },
  };
}

function openFolder(folder: string): FolderStore {
  const stored = (id: string) => join(folder, id.slice(0, 2), id);
  const transfers = openIncoming(folder);
  const { incoming, createIncoming } = transfers;
  const sizeOf = (id: string) =>
    stat(stored(id)).then(
      ({ size }) => size,
      (error: NodeJS.ErrnoException) => {
        if (isMissing(error)) return undefined;
        throw error;
      },
    );
  return {
    async receive(content, maximumBytes) {
      const uploadId = randomUUID();
      await createIncoming(uploadId);
      let size = 0;
      try {
        await writeStream(incoming(uploadId, 'whole'), content, (bytes) => {
          size += bytes;
          if (size > maximumBytes) throw tooLarge(maximumBytes);
        });
        return { uploadId, version: '', size };
      } catch (error) {
        await rm(incoming(uploadId), { recursive: true, force: true });
        throw error;
      }
    },
    async takeAssembled(uploadId) {
      const ownId = randomUUID();
      await createIncoming(ownId);
      try {
        await rename(incoming(uploadId, 'whole'), incoming(ownId, 'whole'));
        // A block that arrives at this moment may keep the folder in use. `prune` deletes it later.
        await rm(incoming(uploadId), { recursive: true, force: true }).catch(() => undefined);
        const { size } = await stat(incoming(ownId, 'whole'));
        return { uploadId: ownId, version: '', size };
      } catch (error) {
        await rm(incoming(ownId), { recursive: true, force: true });
        if (isMissing(error as NodeJS.ErrnoException)) return undefined;
        throw error;
      }
    },
    readReceived: async (file, range) => createReadStream(incoming(file.uploadId, 'whole'), range),
    async store(file, id) {
      const handle = await open(incoming(file.uploadId, 'whole'), 'r+');
      await handle.sync();
      await handle.close();
      await mkdir(dirname(stored(id)), { recursive: true, mode: 0o700 });
      await rename(incoming(file.uploadId, 'whole'), stored(id));
      await rm(incoming(file.uploadId), { recursive: true, force: true });
    },
    discard: (uploadId) =>
      rm(incoming(uploadId), { recursive: true, force: true }).catch(() => undefined),
    async read(id, range) {
      // The store creates no symbolic links. One in the folder would lead out of it.
      const handle = await open(stored(id), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        (error: NodeJS.ErrnoException) => {
          throw isMissing(error) || error.code === 'ELOOP'
            ? new Refusal('AttachmentNotFound')
            : error;
        },
      );
      return handle.createReadStream(range);
    },
    sizeOf,
    async *list() {
      const parts = (await readdir(folder).catch(() => [])).filter((part) => part.length === 2);
      for (const part of parts.sort())
        for (const id of await readdir(join(folder, part))) {
          const size = await sizeOf(id);
          if (size !== undefined) yield { id, size };
        }
    },
    remove: (id) => rm(stored(id), { force: true }),
    async prune(before) {
      for (const uploadId of await readdir(incoming('')).catch(() => [])) {
        const { mtime } = await stat(incoming(uploadId)).catch(() => ({ mtime: before }));
        if (mtime < before) await rm(incoming(uploadId), { recursive: true, force: true });
      }
    },
    blocks: openBlocks(transfers),
  };
}

/**
 * Stores files in a folder that no other user of the machine may enter, in subfolders named after
 * the first two letters of the id. `warn` receives a line for the operator when the disk is full.
 */
export function openFolderStore(
  folder: string,
  warn: (message: string) => void = () => undefined,
): FileStore {
  return withDiskSpace(folder, openFolder(folder), warn);
}
