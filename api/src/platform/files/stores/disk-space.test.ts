import { randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { followDiskSpace } from './disk-space.ts';
import { openFolderStore } from './file-store-folder.ts';

const folder = await mkdtemp(join(tmpdir(), 'diwan-space-'));
const fullDisk = (code = 'ENOSPC') =>
  Object.assign(new Error(`${code}: no space left on device`), { code });
const busy = { refusal: 'ServerBusy', params: { retryAfter: 3 } };
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Makes one operation of open files fail as on a full disk. */
async function fill(operation: 'writeFile' | 'write' | 'sync'): Promise<void> {
  const handle = await open(import.meta.filename);
  vi.spyOn(Object.getPrototypeOf(handle), operation).mockRejectedValue(fullDisk());
  await handle.close();
}
const content = () => Readable.from([Buffer.from('some bytes')]);

it('each write of the store is refused for now, and leaves nothing behind', async () => {
  const warn = vi.fn();
  const files = openFolderStore(folder, warn);
  const [whole, inBlocks] = [await files.receive(content(), 100), randomUUID()];
  await files.blocks?.putBlock(inBlocks, 'YQ==', content(), 100);
  await fill('writeFile');
  await expect(files.receive(content(), 100)).rejects.toMatchObject(busy);
  await expect(files.blocks?.putBlock(inBlocks, 'Yg==', content(), 100)).rejects.toMatchObject(
    busy,
  );
  await fill('write');
  await expect(files.blocks?.putBlockList(inBlocks, ['YQ=='], 100)).rejects.toMatchObject(busy);
  await fill('sync');
  await expect(files.store(whole, randomUUID())).rejects.toMatchObject(busy);
  expect(warn).toHaveBeenCalledOnce();
  expect((await readdir(join(folder, 'incoming'))).toSorted()).toEqual(
    [whole.uploadId, inBlocks].toSorted(),
  );
  expect(await readdir(join(folder, 'incoming', inBlocks))).toHaveLength(1);
});

it('is full until something can be written again', async () => {
  const space = followDiskSpace(join(folder, 'incoming'), () => undefined);
  expect(await space.isFull()).toBe(false);
  await expect(space.write(() => Promise.reject(fullDisk('EDQUOT')))).rejects.toMatchObject(busy);
  expect(await space.isFull()).toBe(false);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);

  const without = followDiskSpace('/dev/null/incoming', () => undefined);
  await expect(without.write(() => Promise.reject(fullDisk()))).rejects.toMatchObject(busy);
  expect(await without.isFull()).toBe(true);
});

it('other failures stay what they are', async () => {
  const space = followDiskSpace(folder, () => undefined);
  await expect(space.write(() => Promise.reject(fullDisk('EIO')))).rejects.toThrow('EIO');
  expect(await space.isFull()).toBe(false);
});
