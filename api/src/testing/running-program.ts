import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '../platform/database/database.ts';
import { freePort } from '../platform/embedded-postgres/free-port.ts';
import type { Answer, TestApp } from './test-app.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const own = [
  'DATABASE_URL',
  'PORT',
  'HOST',
  'DATA_DIR',
  'PUBLIC_URL',
  'SANDBOX',
  'SANDBOX_PORT',
  'SEED',
  'LOG_LEVEL',
];

/** The real program in a process of its own. */
export interface RunningProgram {
  pid: number;
  port: number;
  /** What it wrote so far, to stdout and to stderr. */
  said(): string;
  complained(): string;
  /** Waits until something holds; throws with all that was written when the program ends before. */
  until(what: () => boolean): Promise<void>;
  ready(): Promise<void>;
  /** Sends a signal to the node process alone. */
  signal(name: NodeJS.Signals): void;
  ended: Promise<number | NodeJS.Signals | null>;
  call: TestApp['call'];
}

const groups = new Set<number>();
const folders = new Set<string>();

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A folder for DATA_DIR; gone with `endPrograms`. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-program-'));
  folders.add(folder);
  return join(folder, 'data');
}

/**
 * Where a program that is killed keeps everything; `settings` are its own, to which others are
 * added.
 */
export interface ProgramPlace {
  settings: Record<string, string>;
  dataDir: string;
  /** Its database, from outside, once the program has been started. */
  open(): Database;
}

/**
 * A folder with a PostgreSQL of its own, filled at the first start. The tests have `clonedPlace`,
 * which is there at once.
 */
export async function ownPlace(): Promise<ProgramPlace> {
  const dataDir = await newDataDir();
  return { settings: { DATA_DIR: dataDir }, dataDir, open: () => openDataDir(dataDir) };
}

/**
 * The process of the PostgreSQL that runs in a DATA_DIR; `undefined` where none has been started or
 * it was stopped in order.
 */
export function findPostgres(dataDir: string): { pid: number; port: number } | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.length > 3 ? { pid: Number(lines[0]), port: Number(lines[3]) } : undefined;
}

/** The database of a running program, from outside. */
export function openDataDir(dataDir: string): Database {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8');
  return openDatabase(
    `postgres://diwan:${password}@127.0.0.1:${findPostgres(dataDir)?.port}/diwan`,
    () => undefined,
  );
}

function callOver(port: number): TestApp['call'] {
  return async (call, { params = {}, query, body, token, language = 'en-US' } = {}) => {
    const path = call.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String(params[key])),
    );
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
    const response = await fetch(
      `http://127.0.0.1:${port}${path}?${new URLSearchParams(query as Record<string, string>)}`,
      {
        method: call.method,
        headers: {
          'accept-language': language,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined
          ? {}
          : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
      },
    );
    const content = await response.json();
    return {
      status: response.status,
      body: content,
      refused: content,
      headers: Object.fromEntries(response.headers),
    } as Answer<typeof call>;
  };
}

/**
 * Starts `api/src/main.ts` with these settings and nothing of this process's own; ports are free
 * ones unless they are given.
 */
export async function startProgram(settings: Record<string, string>): Promise<RunningProgram> {
  const inherited = Object.entries(process.env).filter(([name]) => !own.includes(name));
  const port = Number(settings.PORT) || (await freePort());
  const env = {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    SANDBOX_PORT: String(await freePort()),
    ...settings,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', 'api/src/main.ts'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  groups.add(pid);
  let [said, complained, over] = ['', '', false];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  void ended.then(() => (over = true));
  const until = async (what: () => boolean) => {
    while (!what()) {
      if (over) throw new Error(`the program has ended: ${said}${complained}`);
      await sleep(10);
    }
  };
  return {
    pid,
    port,
    ended,
    until,
    said: () => said,
    complained: () => complained,
    call: callOver(port),
    ready: () => until(() => said.includes('Ctrl-C')),
    signal: (name) => process.kill(pid, name),
  };
}

/** Ends what tests left running, whatever became of them, and removes their folders. */
export async function endPrograms(): Promise<void> {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended in order.
    }
  }
  for (const folder of folders) {
    const pid = findPostgres(join(folder, 'data'))?.pid;
    if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    while (pid && isAlive(pid)) await sleep(20);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
