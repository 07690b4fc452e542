import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { freePort } from '#platform/embedded-postgres/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection string of Azure's emulator: the project `azure` only. */
    azurite: string;
  }
}

// The public account of every emulator.
const account = 'devstoreaccount1';
const key =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/**
 * Starts Azure's emulator for the tests of `npx vitest run --project azure`. Azurite weighs 205 MB, so it is not
 * in the lock file; npm's cache stores it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-azurite-'));
  const port = await freePort();
  const options = ['--silent', '--skipApiVersionCheck', '--inMemoryPersistence'];
  const address = ['--blobHost', '127.0.0.1', '--blobPort', String(port)];
  const emulator = spawn(
    'npx',
    ['--yes', '--package', 'azurite@3.37.0', 'azurite-blob', ...options, ...address],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true },
  );
  const stop = async () => {
    // npx and the processes that it starts are one group.
    if (emulator.pid && emulator.exitCode === null) process.kill(-emulator.pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  // The first run downloads it.
  for (let second = 0; !(await isUp()); second += 1) {
    if (emulator.exitCode !== null || second > 240)
      await stop().then(() => {
        throw new Error('Azurite did not start');
      });
    await sleep(1000);
  }
  project.provide(
    'azurite',
    `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=http://127.0.0.1:${port}/${account};`,
  );
  return stop;
}
