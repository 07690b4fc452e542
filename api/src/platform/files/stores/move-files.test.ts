import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openFolderStore } from './file-store-folder.ts';
import type { FileStore } from './file-store.ts';
import { moveFiles } from './move-files.ts';
import { withSecondStore } from './second-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'diwan-move-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let from: FileStore;
let to: FileStore;
let lines: string[];
beforeEach(() => {
  from = openFolderStore(join(folder, randomUUID()));
  to = openFolderStore(join(folder, randomUUID()));
  lines = [];
});
const report = (line: string) => void lines.push(line);
const move = (options: { verifies?: boolean; removes?: boolean } = {}, target = to) =>
  moveFiles(from, target, { verifies: false, removes: false, report, ...options });

async function store(
  files: FileStore,
  content: Buffer,
  id: string = randomUUID(),
): Promise<string> {
  await files.store(await files.receive(Readable.from([content]), content.length), id);
  return id;
}
const read = async (files: FileStore, id: string) =>
  (await buffer(await files.read(id))).toString();
async function idsOf(files: FileStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of files.list()) ids.push(id);
  return ids.sort();
}
const manyFiles = (count: number) =>
  Promise.all(Array.from({ length: count }, () => store(from, randomBytes(1000))));

it('copies what the target lacks, again and again, and deletes it from the source at last', async () => {
  const ids = await manyFiles(30);
  expect(await move()).toMatchObject({ copied: 30, copiedBytes: 30_000, present: 0, problems: 0 });
  const late = await store(from, Buffer.from('late'));
  expect(await move({ verifies: true })).toMatchObject({ copied: 1, present: 30, problems: 0 });
  expect(await read(to, late)).toBe('late');
  expect(await idsOf(from)).toEqual([...ids, late].sort());
  expect(await move({ removes: true })).toMatchObject({ copied: 0, present: 31, removed: 31 });
  expect([await idsOf(from), await idsOf(to)]).toEqual([[], [...ids, late].sort()]);
});

it('deletes a copy that differs from its original, and says which', async () => {
  const [id = ''] = await manyFiles(1);
  const damaging: FileStore = {
    ...to,
    receive: async (content, maximumBytes) => {
      const whole = await buffer(content);
      whole[0] = (whole[0] ?? 0) ^ 1;
      return to.receive(Readable.from([whole]), maximumBytes);
    },
  };
  expect(await move({ removes: true }, damaging)).toMatchObject({ copied: 0, problems: 1 });
  expect(lines).toEqual([expect.stringMatching(`^File ${id}: the copy differs`)]);
  expect([await idsOf(from), await idsOf(to)]).toEqual([[id], []]);
});

it('never replaces or deletes where the target has other content', async () => {
  const id = await store(from, Buffer.from('original'));
  await store(to, Buffer.from('0riginal'), id);
  expect(await move()).toMatchObject({ present: 1, problems: 0 });
  expect(await move({ verifies: true })).toMatchObject({ present: 0, problems: 1 });
  expect(await move({ removes: true })).toMatchObject({ removed: 0, problems: 1 });
  expect([await read(from, id), await read(to, id)]).toEqual(['original', '0riginal']);
});

it('brings no file back that the product deletes while it is copied', async () => {
  const [id = ''] = await manyFiles(1);
  const product = withSecondStore(to, from);
  const slow: FileStore = {
    ...to,
    store: async (file, each) => {
      // The product looks at both stores after the source was read and before the copy is stored.
      await product.remove(each);
      await to.store(file, each);
    },
  };
  expect(await move({}, slow)).toMatchObject({ copied: 0, deleted: 1, problems: 0 });
  await expect(product.read(id)).rejects.toThrow('AttachmentNotFound');
  expect(await idsOf(to)).toEqual([]);
});

it('stops where one file after the other fails', async () => {
  await manyFiles(60);
  const broken: FileStore = { ...to, receive: () => Promise.reject(new Error('no answer')) };
  await expect(move({}, broken)).rejects.toThrow('Stopped: 20 files');
  expect(lines.length).toBeLessThan(30);
});

it('shows every file to people while files move', async () => {
  const [id = ''] = await manyFiles(1);
  const product = withSecondStore(to, from);
  const before = await read(product, id);
  // The file moves between the two looks of a read.
  const looked = withSecondStore(to, {
    ...from,
    read: async (...input) => {
      await move({ removes: true });
      return from.read(...input);
    },
  });
  expect(await read(looked, id)).toBe(before);
  const added = await store(product, Buffer.from('new'));
  expect([await idsOf(from), await idsOf(to)]).toEqual([[], [id, added].sort()]);
});
