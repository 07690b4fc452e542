// Runs the tests that every file store passes against Azure's emulator: npm run test:azure. Azurite
// weighs 205 MB, so it is not in the lock file; npm's cache stores it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../scripts/install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diwan-azurite-'));
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const found = server.address().port;
    server.close(() => resolve(found));
  });
});
// The public account of every emulator.
const account = 'devstoreaccount1';
const key =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const emulator = spawn(
  'npx',
  [
    '--yes',
    '--package',
    'azurite@3.37.0',
    'azurite-blob',
    '--silent',
    '--skipApiVersionCheck',
    '--inMemoryPersistence',
    '--blobHost',
    '127.0.0.1',
    '--blobPort',
    String(port),
  ],
  { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true },
);
try {
  // The first run downloads it.
  for (
    let second = 0;
    !(await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ));
    second += 1
  ) {
    if (emulator.exitCode !== null || second > 240) throw new Error('Azurite did not start');
    await sleep(1000);
  }
  const env = {
    ...process.env,
    AZURITE_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=http://127.0.0.1:${port}/${account};`,
  };
  process.exitCode =
    spawnSync(
      join(root, 'node_modules', '.bin', 'vitest'),
      [
        'run',
        'api/src/platform/files/file-store.test.ts',
        'api/src/features/attachments/azure-uploads.test.ts',
      ],
      { cwd: root, stdio: 'inherit', env },
    ).status ?? 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  // npx and the processes that it starts are one group.
  process.kill(-emulator.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
