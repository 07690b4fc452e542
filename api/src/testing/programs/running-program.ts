import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import type { Answer, TestApp } from '../test-app.ts';

const repository = new URL('../../../../', import.meta.url);
const root = fileURLToPath(repository);
const ownBundle = 'api/dist';
const ownSettings = [
  'DATABASE_URL',
  'MIGRATIONS_DATABASE_URL',
  'PORT',
  'HOST',
  'DATA_DIR',
  'PUBLIC_URL',
  'SANDBOX',
  'SANDBOX_PORT',
  'SANDBOX_PAYMENTS_PORT',
  'SANDBOX_HOST',
  'SEED',
  'LOG_LEVEL',
];

/** The real program in its own process. */
export interface RunningProgram {
  pid: number;
  port: number;
  /** Everything that it wrote so far to stdout and to stderr. */
  output(): string;
  errorOutput(): string;
  /** Waits until a condition is met; throws with all output when the program ends before. */
  waitUntil(what: () => boolean): Promise<void>;
  waitUntilReady(): Promise<void>;
  /** Sends a signal to the node process only. */
  signal(name: NodeJS.Signals): void;
  ended: Promise<number | NodeJS.Signals | null>;
  call: TestApp['call'];
}

const processGroups = new Set<number>();
const folders = new Set<string>();

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A folder for DATA_DIR; `endPrograms` deletes it. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-program-'));
  folders.add(folder);
  return join(folder, 'data');
}

/** The data of a program that is killed: its settings, its folder and its database. */
export interface ProgramData {
  settings: Record<string, string>;
  dataDir: string;
  /** Opens its database, once the program has started. */
  open(): Database;
}

/**
 * A folder with an embedded PostgreSQL that the first start fills. Tests use `cloneProgramData`,
 * which is faster.
 */
export async function createProgramData(): Promise<ProgramData> {
  const dataDir = await newDataDir();
  return { settings: { DATA_DIR: dataDir }, dataDir, open: () => openDataDir(dataDir) };
}

/**
 * The process and port of the PostgreSQL of a DATA_DIR; `undefined` where none was started or it
 * was stopped in order.
 */
export function findPostgres(dataDir: string): { pid: number; port: number } | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.length > 3 ? { pid: Number(lines[0]), port: Number(lines[3]) } : undefined;
}

/** Opens the database of a running program. */
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

/** Bundles the server, as `npm start` does, when its sources have changed. */
export async function buildServer(): Promise<void> {
  const scripts = (await import(new URL('scripts/install.mjs', repository).href)) as {
    ensureServerBuilt(): Promise<void>;
  };
  await scripts.ensureServerBuilt();
}

/**
 * Starts the server with these settings and without the settings of this process. Ports are free
 * ones unless they are given. `folder`: a bundle of the server other than that of the sources.
 */
export async function startProgram(
  settings: Record<string, string>,
  folder = ownBundle,
): Promise<RunningProgram> {
  if (folder === ownBundle) await buildServer();
  const inherited = Object.entries(process.env).filter(([name]) => !ownSettings.includes(name));
  const port = Number(settings.PORT) || (await freePort());
  const env = {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_PAYMENTS_PORT: String(await freePort()),
    ...settings,
  };
  const child = spawn(process.execPath, ['--enable-source-maps', `${folder}/main.js`], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  processGroups.add(pid);
  let [written, errors, over] = ['', '', false];
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  void ended.then(() => (over = true));
  const until = async (what: () => boolean) => {
    while (!what()) {
      if (over) throw new Error(`the program has ended: ${written}${errors}`);
      await sleep(10);
    }
  };
  return {
    pid,
    port,
    ended,
    waitUntil: until,
    output: () => written,
    errorOutput: () => errors,
    call: callOver(port),
    waitUntilReady: () => until(() => written.includes('Ctrl-C')),
    signal: (name) => process.kill(pid, name),
  };
}

/** Kills the programs that tests left running and deletes their folders. */
export async function endPrograms(): Promise<void> {
  for (const group of processGroups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It ended already.
    }
  }
  for (const folder of folders) {
    const pid = findPostgres(join(folder, 'data'))?.pid;
    if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    while (pid && isAlive(pid)) await sleep(20);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
