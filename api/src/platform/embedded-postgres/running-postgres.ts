import { execFile } from 'node:child_process';
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { ConfigError } from '../../config.ts';

/** A PostgreSQL that runs: its process and the port on which it listens. */
export interface Running {
  pid: number;
  port: number;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// After a crash of the machine, or in a new container, the number may be any program's.
async function isPostgres(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const command =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).then(
          ({ stdout }) => stdout,
        );
  return /(^|\/)postgres(?![\w/.-])/.test(await command.catch(() => ''));
}

async function readPidFile(file: string): Promise<Running | undefined> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}

/** Whether a server refused who we are; asking again changes nothing. SQLSTATE class 28. */
export function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('28');
}

async function serves(client: pg.Client, cluster: string): Promise<boolean> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  // A copied folder brings the pid file of its original along. A folder that was moved under a
  // running server is still that server's.
  return (await realpath(rows[0]?.data_directory ?? '').catch(() => cluster)) === cluster;
}

/**
 * The server that a killed process left alive on this cluster (an absolute path without links). The
 * pid file is PostgreSQL's own guard against
 * two servers on one cluster, so it is removed only where it certainly speaks of somebody else. A
 * PostgreSQL under its number that does not
 * answer is asked for half a minute; then this throws a `ConfigError`.
 */
export async function findRunningPostgres(
  cluster: string,
  connect: (port: number) => Promise<pg.Client>,
): Promise<Running | undefined> {
  const file = join(cluster, 'postmaster.pid');
  let answer = '';
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const running = await readPidFile(file);
    if (!running || !isAlive(running.pid)) return undefined;
    try {
      if ((await isPostgres(running.pid)) && (await serves(await connect(running.port), cluster)))
        return running;
      await rm(file, { force: true });
      return undefined;
    } catch (error) {
      answer = `process ${running.pid}: ${(error as Error).message}`;
      if (isWrongPassword(error)) break;
      // It is starting up, shutting down, or busy.
      await sleep(250);
    }
  }
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: the database that runs there does not let us in (${answer})`,
  );
}

/**
 * Ends a PostgreSQL and waits for it, half a minute at most. One that is gone already is as good.
 */
export async function stopPostgres(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
  for (let attempt = 0; attempt < 600 && isAlive(pid); attempt += 1) await sleep(50);
}
