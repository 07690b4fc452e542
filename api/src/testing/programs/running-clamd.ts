import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The content that the test signature matches. */
export const harmfulContent = 'DIWAN-HARMLESS-TEST-SIGNATURE-7f3a';

/**
 * A real clamd with one signature. `start` waits until it listens; `stop` kills it; both can be
 * repeated.
 */
export interface RunningClamd {
  socket: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

// The socket file exists a moment before clamd listens.
function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = connect(socket, () => resolve((attempt.destroy(), true))).on('error', () =>
      resolve(false),
    );
  });
}

export async function openClamd(): Promise<RunningClamd> {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/clamd.mjs'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 280_000,
  });
  if (status !== 0) throw new Error(stderr);
  const folder = await mkdtemp(join(tmpdir(), 'diwan-clamd-'));
  const socket = join(folder, 'clamd.socket');
  writeFileSync(
    join(folder, 'diwan.ndb'),
    `Diwan.Test:0:*:${Buffer.from(harmfulContent).toString('hex')}\n`,
  );
  writeFileSync(
    join(folder, 'clamd.conf'),
    [
      `LocalSocket ${socket}`,
      `DatabaseDirectory ${folder}`,
      'Foreground yes',
      'MaxThreads 2',
      'SelfCheck 0',
      'ConcurrentDatabaseReload no',
      '',
    ].join('\n'),
  );
  let child: ChildProcess | undefined;
  const running: RunningClamd = {
    socket,
    async start() {
      const own = spawn(stdout.trim(), ['--config-file', join(folder, 'clamd.conf')], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [own.stdout, own.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      child = own;
      while (!(await isListening(socket))) {
        if (own.exitCode !== null) throw new Error(`clamd has ended: ${said}`);
        await sleep(20);
      }
    },
    async stop() {
      const own = child;
      child = undefined;
      if (!own || own.exitCode !== null) return;
      await new Promise((resolve) => own.once('exit', resolve).kill('SIGKILL'));
      await rm(socket, { force: true });
    },
    async close() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return running;
}
