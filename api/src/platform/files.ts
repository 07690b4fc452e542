import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileTypeFromFile } from 'file-type';
import { Refusal } from './refusals.ts';

/** What was received: size in bytes and the media type that the content itself shows (`undefined` when it shows none that is known). */
export interface StoredFile {
  size: number;
  mediaType: string | undefined;
}

/** Where documents are kept, by id. A file is there whole or not at all. */
export interface FileStore {
  /** Takes a stream of at most `maximumBytes`; refuses a longer one as soon as it is longer and keeps nothing of it. */
  receive(id: string, content: Readable, maximumBytes: number): Promise<StoredFile>;
  /** Makes a received file a kept one. */
  keep(id: string): Promise<void>;
  read(id: string): Readable;
  remove(id: string): Promise<void>;
}

/** Keeps files in a folder, two letters of the id deep, that no other user of the machine may enter. */
export function openFileStore(folder: string): FileStore {
  const kept = (id: string) => join(folder, id.slice(0, 2), id);
  const incoming = (id: string) => join(folder, 'incoming', id);
  return {
    async receive(id, content, maximumBytes) {
      await mkdir(join(folder, 'incoming'), { recursive: true, mode: 0o700 });
      let size = 0;
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          done(size > maximumBytes ? new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) }) : null, chunk);
        },
      });
      try {
        await pipeline(content, count, createWriteStream(incoming(id)));
      } catch (error) {
        await rm(incoming(id), { force: true });
        throw error instanceof Refusal ? error : new Refusal('AttachmentIncomplete');
      }
      const type = await fileTypeFromFile(incoming(id));
      return { size, mediaType: type?.mime };
    },
    async keep(id) {
      const handle = await open(incoming(id), 'r+');
      await handle.sync();
      await handle.close();
      await mkdir(dirname(kept(id)), { recursive: true, mode: 0o700 });
      await rename(incoming(id), kept(id));
    },
    read: (id) => createReadStream(kept(id)),
    async remove(id) {
      await rm(incoming(id), { force: true });
      await rm(kept(id), { force: true });
    },
  };
}
