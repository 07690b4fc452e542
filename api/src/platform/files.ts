import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileTypeFromFile } from 'file-type';
import { Refusal } from './refusals.ts';

/** What was received and is not kept yet: its name among such, size in bytes and the media type that the content itself shows (`undefined` when it shows none that is known). */
export interface ReceivedFile {
  part: string;
  size: number;
  mediaType: string | undefined;
}

/** Where documents are kept, by id. A file is there whole or not at all. */
export interface FileStore {
  /** Takes a stream of at most `maximumBytes`; refuses a longer one as soon as it is longer and keeps nothing of it. */
  receive(content: Readable, maximumBytes: number): Promise<ReceivedFile>;
  /** Makes a received file the one of this id. */
  keep(part: string, id: string): Promise<void>;
  /** Throws away a received file that is not to be kept. */
  drop(part: string): Promise<void>;
  /** Throws AttachmentNotFound for a file that is not there. */
  read(id: string): Promise<Readable>;
  remove(id: string): Promise<void>;
  /** Throws away what a crash left half received before this moment. */
  prune(before: Date): Promise<void>;
}

/** Keeps files in a folder, two letters of the id deep, that no other user of the machine may enter. */
export function openFileStore(folder: string): FileStore {
  const kept = (id: string) => join(folder, id.slice(0, 2), id);
  // Each transfer has a name of its own, so that two of one id cannot write into each other.
  const incoming = (part: string) => join(folder, 'incoming', part);
  return {
    async receive(content, maximumBytes) {
      const part = randomUUID();
      await mkdir(join(folder, 'incoming'), { recursive: true, mode: 0o700 });
      let size = 0;
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          done(size > maximumBytes ? new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) }) : null, chunk);
        },
      });
      try {
        await pipeline(content, count, createWriteStream(incoming(part), { mode: 0o600 }));
      } catch (error) {
        await rm(incoming(part), { force: true });
        throw error instanceof Refusal ? error : new Refusal('AttachmentIncomplete');
      }
      const type = await fileTypeFromFile(incoming(part));
      return { part, size, mediaType: type?.mime };
    },
    async keep(part, id) {
      const handle = await open(incoming(part), 'r+');
      await handle.sync();
      await handle.close();
      await mkdir(dirname(kept(id)), { recursive: true, mode: 0o700 });
      await rename(incoming(part), kept(id));
    },
    drop: (part) => rm(incoming(part), { force: true }),
    async read(id) {
      const handle = await open(kept(id)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new Refusal('AttachmentNotFound') : error;
      });
      return handle.createReadStream();
    },
    remove: (id) => rm(kept(id), { force: true }),
    async prune(before) {
      for (const part of await readdir(incoming('')).catch(() => [])) {
        const { mtime } = await stat(incoming(part)).catch(() => ({ mtime: before }));
        if (mtime < before) await rm(incoming(part), { force: true });
      }
    },
  };
}
