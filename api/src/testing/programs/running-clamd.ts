import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSystemProgram, isListening } from './system-programs.ts';

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

export async function openClamd(): Promise<RunningClamd> {
  const program = findSystemProgram('clamd');
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
      const own = spawn(program, ['--config-file', join(folder, 'clamd.conf')], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [own.stdout, own.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      child = own;
      // The socket file exists a moment before clamd listens.
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
