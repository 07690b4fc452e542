import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import { findSystemProgram, isListening } from './system-programs.ts';

/** A real Redis without files. `start` waits until it listens; `stop` kills it; both can be repeated. */
export interface RunningRedis {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function openRedis(): Promise<RunningRedis> {
  const program = findSystemProgram('redis');
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const own = spawn(
        program,
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        { stdio: 'ignore' },
      );
      child = own;
      while (!(await isListening(port))) {
        if (own.exitCode !== null) throw new Error(`redis-server has ended: ${own.exitCode}`);
        await sleep(10);
      }
    },
    async stop() {
      const own = child;
      child = undefined;
      if (!own || own.exitCode !== null) return;
      await new Promise((resolve) => own.once('exit', resolve).kill('SIGKILL'));
    },
  };
}
