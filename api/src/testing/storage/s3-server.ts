import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { freePort } from '#platform/embedded-postgres/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a server of the S3 protocol: the project `s3` only. */
    s3: string;
  }
}

/** The package of the server. */
export const s3Package = 's3rver@3.7.1';

/**
 * Starts a server of the S3 protocol for the tests of `npx vitest run --project s3`. It is not in the lock file;
 * npm's cache stores it. It accepts the pair of keys S3RVER, S3RVER, and any secret: `openS3Gate`
 * checks signatures and checksums as the storages of providers do.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-s3-'));
  const port = await freePort();
  const address = ['--address', '127.0.0.1', '--port', String(port)];
  const server = spawn(
    'npx',
    ['--yes', '--package', s3Package, 's3rver', '--directory', folder, '--silent', ...address],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true },
  );
  const stop = async () => {
    // npx and the processes that it starts are one group.
    if (server.pid && server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  // The first run downloads it.
  for (let second = 0; !(await isUp()); second += 1) {
    if (server.exitCode !== null || second > 120)
      await stop().then(() => {
        throw new Error('The S3 server did not start');
      });
    await sleep(1000);
  }
  project.provide('s3', `http://127.0.0.1:${port}`);
  return stop;
}
