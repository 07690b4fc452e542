import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { readConfig } from '#config.ts';
import { openNamedStore } from '#platform/files/open-file-store.ts';
import { openFolderStore } from '#platform/files/stores/file-store-folder.ts';
import type { FileStore } from '#platform/files/stores/file-store.ts';
import { demoPassword } from '#seed/seed.ts';
import { largePdf, sendUntilKilled } from '#testing/load/upload-load.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openS3Gate } from '#testing/storage/s3-gate.ts';
import { useTestApp } from '#testing/test-app.ts';
import { login } from '@diwan/contract/people/users';

const gate = await openS3Gate(inject('s3'));
afterAll(() => gate.close());
const app = useTestApp();

async function hashesOf(files: FileStore, ids: Iterable<string>): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const id of ids) {
    const hash = createHash('sha256');
    for await (const piece of await files.read(id)) hash.update(piece as Buffer);
    hashes.set(id, hash.digest('hex'));
  }
  return hashes;
}
async function idsOf(files: FileStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of files.list()) ids.push(id);
  return ids;
}

it('moves every file while people send documents and the command is killed again and again', async () => {
  const place = await cloneProgramData();
  const settings = {
    ...place.settings,
    FILE_STORE: 's3',
    SECOND_FILE_STORE: 'folder',
    S3_BUCKET: 'diwan-moved',
    S3_ENDPOINT: gate.url,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    LOG_LEVEL: 'error',
  };
  const folder = openFolderStore(join(place.dataDir, 'files'));
  for (let file = 0; file < 120; file += 1) {
    const content = randomBytes(file === 7 ? 6_000_000 : 20_000);
    await folder.store(await folder.receive(Readable.from([content]), 1e7), randomUUID());
  }
  const before = await hashesOf(folder, await idsOf(folder));

  const program = await startProgram(settings);
  await program.waitUntilReady();
  const { token } = (
    await program.call(login, { body: { username: 'individual', password: demoPassword } })
  ).body;
  const service = await openRequestStage(app).findService(paidService);
  const rule = service.attachments.find(({ mediaTypes }) => mediaTypes.includes('application/pdf'));
  const acknowledged: string[] = [];
  const content = largePdf(30_000);
  const target = { serviceId: service.id, name: rule?.name ?? '' };
  const sending = sendUntilKilled({ program, token, target, content }, acknowledged);

  /** Runs the command; kills it when it has copied so many files. */
  async function run(killAfter: number, ...options: string[]): Promise<[number | null, string]> {
    const stored = () => gate.calls.filter((call) => /^PUT .*\/kept\//.test(call)).length;
    const enough = stored() + killAfter;
    const child = spawn(
      process.execPath,
      ['scripts/diwan.mjs', 'move-files', '--from', 'folder', '--to', 's3', ...options],
      { env: { ...process.env, ...settings } },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const closed = once(child, 'close') as Promise<[number | null]>;
    const over = closed.then(() => true);
    while (!(await Promise.race([over, sleep(5)]))) if (stored() >= enough) child.kill('SIGKILL');
    return [(await closed)[0], output.trim()];
  }
  const killed = [await run(20), await run(20)];
  expect(killed.map(([code]) => code)).toEqual([null, null]);
  const [code, summary] = await run(Infinity);
  expect([code, summary]).toEqual([
    0,
    expect.stringMatching(
      /^\d+ files copied and verified \([\d.]+ MB\), \d+ were there, 0 problems$/m,
    ),
  ]);
  const [copied = 0, present = 0] = [
    ...(/(\d+) files copied .* (\d+) were/.exec(summary.split('\n').at(-1) ?? '') ?? []),
  ]
    .slice(1)
    .map(Number);
  expect(copied).toBeLessThan(before.size);
  expect(copied + present).toBe(before.size);
  expect(await run(Infinity, '--remove')).toEqual([0, expect.stringContaining('0 problems')]);

  while (acknowledged.length < 3) await sleep(10);
  program.signal('SIGKILL');
  await sending;
  await program.ended;
  const bucket = await openNamedStore(readConfig(settings), 's3');
  expect(await hashesOf(bucket, before.keys())).toEqual(before);
  const hash = createHash('sha256').update(content).digest('hex');
  expect(new Set((await hashesOf(bucket, acknowledged)).values())).toEqual(new Set([hash]));
  expect(await idsOf(folder)).toEqual([]);
  await place.close();
  await endPrograms();
}, 400_000);

it('refuses a move while new files are still stored in the source', async () => {
  const child = spawn(
    process.execPath,
    ['scripts/diwan.mjs', 'move-files', '--from', 'folder', '--to', 's3'],
    { env: { ...process.env, ...(await cloneProgramData()).settings } },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(output).toContain('Setting FILE_STORE must be s3 first');
}, 100_000);
