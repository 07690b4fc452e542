import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStorage } from '#platform/files/storage-routes.ts';
import type { FileStore } from '#platform/files/stores/file-store.ts';
import { createUploadAddresses } from '#platform/files/upload-addresses.ts';

const keys = () => ['a secret of this test'];
const key = (index: number) => Buffer.from(String(index).padStart(6, '0')).toString('base64');

/**
 * The behaviour that every file store has: content in one piece, and in blocks over HTTP as a
 * browser sends them.
 */
export function testFileStore(name: string, open: () => Promise<FileStore>): void {
  describe(name, () => {
    let files: FileStore;
    let server: FastifyInstance;
    let base: string;
    beforeAll(async () => {
      files = await open();
      server = fastify();
      if (files.blocks) await serveStorage(server, files.blocks, keys, async () => true);
      base = await server.listen({ port: 0, host: '127.0.0.1' });
    });
    afterAll(() => server.close());

    const address = (part: string) =>
      new URL(createUploadAddresses(files, keys, 60).make(part, 1_000_000).url, base).href;
    const put = async (url: string, rest: string, body: Buffer | string) =>
      (
        await fetch(`${url}&${rest}`, {
          method: 'PUT',
          body: typeof body === 'string' ? body : new Uint8Array(body),
        })
      ).status;
    const putBlock = (url: string, index: number, text: string) =>
      put(url, `comp=block&blockid=${encodeURIComponent(key(index))}`, Buffer.from(text));
    const putList = (url: string, indexes: number[]) =>
      put(
        url,
        'comp=blocklist',
        `<?xml version="1.0" encoding="utf-8"?><BlockList>${indexes.map((index) => `<Latest>${key(index)}</Latest>`).join('')}</BlockList>`,
      );
    const read = async (id: string, range?: { start: number; end: number }) =>
      (await buffer(await files.read(id, range))).toString();

    it('stores content of one piece, returns parts of it, and deletes it', async () => {
      const id = randomUUID();
      const file = await files.receive(
        Readable.from([Buffer.from('one '), Buffer.from('whole')]),
        100,
      );
      expect(file.size).toBe(9);
      expect((await buffer(await files.readReceived(file, { start: 4, end: 8 }))).toString()).toBe(
        'whole',
      );
      await files.store(file, id);
      expect([await read(id), await read(id, { start: 0, end: 2 })]).toEqual(['one whole', 'one']);
      const listed: unknown[] = [];
      for await (const each of files.list()) if (each.id === id) listed.push(each);
      expect([await files.sizeOf(id), listed]).toEqual([9, [{ id, size: 9 }]]);
      await files.remove(id);
      expect(await files.sizeOf(id)).toBeUndefined();
      await expect(files.read(id)).rejects.toThrow('AttachmentNotFound');
    });

    it('refuses content that is too long or incomplete, and stores none of it', async () => {
      await expect(
        files.receive(Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100),
      ).rejects.toThrow('AttachmentTooLarge');
      const broken = new Readable({
        read() {
          this.push('begun');
          this.destroy(new Error('reset'));
        },
      });
      await expect(files.receive(broken, 100)).rejects.toThrow('AttachmentIncomplete');
    });

    it('assembles blocks in the order of the list, in whatever order they arrived', async () => {
      const [part, id] = [randomUUID(), randomUUID()];
      const url = address(part);
      expect(await files.takeAssembled(part)).toBeUndefined();
      expect([await putBlock(url, 1, 'second'), await putBlock(url, 0, 'first')]).toEqual([
        201, 201,
      ]);
      const list = await (await fetch(`${url}&comp=blocklist&blocklisttype=uncommitted`)).text();
      expect([...list.matchAll(/<Name>([^<]+)</g)].map(([, found]) => found).sort()).toEqual([
        key(0),
        key(1),
      ]);
      expect(await putList(url, [0, 5])).toBe(400);
      expect(await putList(url, [0, 1])).toBe(201);
      const file = await files.takeAssembled(part);
      expect(file?.size).toBe(11);
      if (!file) return;
      await files.store(file, id);
      expect(await read(id)).toBe('firstsecond');
    });

    it('stores the inspected content, even when blocks change in the meantime', async () => {
      const [part, id] = [randomUUID(), randomUUID()];
      const url = address(part);
      await putBlock(url, 0, 'clean');
      await putList(url, [0]);
      const file = await files.takeAssembled(part);
      await putBlock(url, 0, 'wrong');
      await putList(url, [0]);
      const kept = await files.store(file ?? { uploadId: part, version: '', size: 0 }, id).then(
        () => read(id),
        () => 'refused',
      );
      expect(['clean', 'refused']).toContain(kept);
      await files.discard(part);
    });

    it('refuses an altered address', async () => {
      expect(await putBlock(address(randomUUID()).replace(/sig=.{4}/, 'sig=AAAA'), 0, 'x')).toBe(
        403,
      );
    });

    it('deletes incomplete uploads after a time', async () => {
      const part = randomUUID();
      await putBlock(address(part), 0, 'half');
      await putList(address(part), [0]);
      await files.prune(new Date(Date.now() + 60_000));
      expect(await files.takeAssembled(part)).toBeUndefined();
    });
  });
}
