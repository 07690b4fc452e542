import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The path of a program of the system, which is installed where that is possible. */
export function findSystemProgram(name: 'clamd' | 'openssl' | 'poppler' | 'redis'): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/programs.mjs', name], {
    cwd: root,
    encoding: 'utf8',
    timeout: 280_000,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Whether a program listens: the path of a unix socket, or a port of this machine. */
export function isListening(place: string | number): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = typeof place === 'string' ? connect(place) : connect(place, '127.0.0.1');
    attempt.once('connect', () => resolve((attempt.destroy(), true)));
    attempt.once('error', () => resolve(false));
  });
}
