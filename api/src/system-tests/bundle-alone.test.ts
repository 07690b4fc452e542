import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { buildServer, endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { login } from '@diwan/contract/people/users';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

// A copy of what production runs: no sources of the server, no compiler of TypeScript.
const root = mkdtempSync(join(tmpdir(), 'diwan-bundle-'));
const bundle = join(root, 'api', 'dist');
let data: Awaited<ReturnType<typeof cloneProgramData>>;

beforeAll(async () => {
  await buildServer();
  const release = new URL('../../../scripts/release.mjs', import.meta.url).href;
  const { parts } = (await import(release)) as { parts: string[] };
  for (const part of parts) cpSync(part, join(root, part), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    if (!['tsx', 'esbuild', '@esbuild', '@diwan'].includes(name))
      symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  data = await cloneProgramData();
});
afterAll(async () => {
  await endPrograms();
  await data.close();
  rmSync(root, { recursive: true, force: true });
});

it('has an entry for each thread, which starts', async () => {
  const entries = readdirSync(bundle).filter((name) => name.endsWith('.thread.js'));
  const sources = readdirSync('api/src', { recursive: true, encoding: 'utf8' });
  expect(entries).toHaveLength(sources.filter((name) => name.endsWith('.thread.ts')).length);
  for (const entry of ['inspect-pdf', 'make-pdf', 'read-card'].map((name) => `${name}.thread.js`)) {
    expect(entries).toContain(entry);
    const thread = new Worker(join(bundle, entry));
    expect(await once(thread, 'message'), entry).toEqual(['ready']);
    await thread.terminate();
  }
});

it('serves, and exports and imports the catalogue in threads', async () => {
  const program = await startProgram(data.settings, bundle);
  await program.waitUntilReady();
  const { body } = await program.call(login, {
    body: { username: 'admin', password: demoPassword },
  });
  const ask = async (path: string, content?: Uint8Array<ArrayBuffer>) =>
    fetch(`http://127.0.0.1:${program.port}/api/Service/${path}`, {
      headers: {
        authorization: `Bearer ${body.token}`,
        ...(content ? { 'content-type': 'application/octet-stream' } : {}),
      },
      ...(content ? { method: 'POST', body: content } : {}),
    });
  const exported = await ask('ExportCatalogue?Format=xlsx');
  expect(exported.status).toBe(200);
  const prepared = await ask(
    'PrepareCatalogueImport?Format=xlsx',
    new Uint8Array(await exported.arrayBuffer()),
  );
  expect([prepared.status, await prepared.json()]).toEqual([
    200,
    expect.objectContaining({ problems: [] }),
  ]);
  program.signal('SIGINT');
  expect([await program.ended, program.errorOutput()]).toEqual([0, '']);
});
