import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../config.ts';
import { freePort } from './free-port.ts';
import { findBinaries, type Binaries } from './postgres-binaries.ts';
import {
  findRunningPostgres,
  isWrongPassword,
  stopPostgres,
  type Running,
} from './running-postgres.ts';
import { runAs, unprivilegedUser } from './unprivileged.ts';

const user = 'diwan';
// Any number will do, as long as every process of the product takes the same one.
const ownerLock = 2_026_112_1;
// What a start makes under this name counts for nothing until it is moved to its place, whole.
const unfinished = 'postgres.new-';

/**
 * A running embedded PostgreSQL; `stop` ends it whether this process started it or found it alive.
 */
export interface EmbeddedPostgres {
  connectionString: string;
  stop(): Promise<void>;
}

// Linked into its place, so that it is there whole and the first of two processes decides.
async function readPassword(home: string): Promise<string> {
  const file = join(home, 'postgres.password');
  if (!existsSync(file)) {
    const fresh = join(home, `${unfinished}${randomBytes(6).toString('hex')}`);
    await writeFile(fresh, randomBytes(24).toString('hex'), { mode: 0o600 });
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(fresh);
  }
  return (await readFile(file, 'utf8')).trim();
}

async function finish(child: ChildProcess, dataDir: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0)
    throw new ConfigError(
      `Setting DATA_DIR cannot be used: no database can be made in ${dataDir}: ${said.trim().split('\n').slice(-3).join(' ')}`,
    );
}

async function createCluster(
  binaries: Binaries,
  home: string,
  cluster: string,
  password: string,
): Promise<void> {
  const fresh = await mkdtemp(join(home, unfinished));
  const passwordFile = `${fresh}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  const owner = unprivilegedUser();
  if (owner) for (const path of [fresh, passwordFile]) await chown(path, owner.uid, owner.gid);
  const options = [
    '-D',
    fresh,
    '-U',
    user,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=und',
  ];
  const [command, args] = runAs(binaries.initdb, options, [home, binaries.initdb]);
  await finish(
    spawn(command, args, {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(command === binaries.initdb ? owner : {}),
    }),
    home,
  );
  await rename(fresh, cluster);
}

async function connect(port: number, password: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 3000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function startCluster(
  binaries: Binaries,
  home: string,
  cluster: string,
  password: string,
): Promise<Running> {
  const port = await freePort();
  const logFile = join(home, 'postgres.log');
  const log = await open(logFile, 'a', 0o600);
  const options = [
    '-D',
    cluster,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=200',
  ];
  const [command, args] = runAs(binaries.postgres, options, [home, binaries.postgres]);
  // A group of its own: Ctrl-C reaches the product first, which stops the database when its last
  // request is done.
  const child = spawn(command, args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(command === binaries.postgres ? unprivilegedUser() : {}),
  });
  await log.close();
  let ended = false;
  child.once('error', () => (ended = true)).once('exit', () => (ended = true));
  child.unref();
  for (let attempt = 0; attempt < 1200 && !ended && child.pid !== undefined; attempt += 1) {
    try {
      await (await connect(port, password)).end();
      return { pid: child.pid, port };
    } catch (error) {
      if (isWrongPassword(error)) break;
      await sleep(50);
    }
  }
  if (child.pid !== undefined && !ended) await stopPostgres(child.pid);
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: the database in ${home} does not start: ${lines.slice(-3).join(' ')}`,
  );
}

// A start may lose its port, or the cluster itself, to another process between the look and the
// deed; then it looks again.
async function findOrStart(
  binaries: Binaries,
  home: string,
  cluster: string,
  password: string,
): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await findRunningPostgres(cluster, (port) => connect(port, password));
    if (running) return running;
    try {
      return await startCluster(binaries, home, cluster, password);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

// The lock is the connection's and goes with its process. The server may take a moment to notice
// that a killed one is gone.
async function claim(owner: pg.Client, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const { rows } = await owner.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [ownerLock],
    );
    if (rows[0]?.mine) return;
    await sleep(250);
  }
  await owner.end();
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: ${dataDir} is in use by another running Diwan; stop that one or choose another folder`,
  );
}

// What killed starts left; only the owner clears up, so that nobody's work under way is taken from
// them.
async function clearUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    // An initdb that outlived its start may still be writing there.
    if (name.startsWith(unfinished))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(
        () => undefined,
      );
  }
}

/**
 * Starts PostgreSQL in `dataDir`, or attaches to the one that a killed process left alive there.
 * Throws a `ConfigError` for a folder that a living process uses.
 */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true });
  const home = await realpath(dataDir);
  const cluster = join(home, 'postgres');
  const password = await readPassword(home);
  if (!existsSync(cluster)) {
    await createCluster(binaries, home, cluster, password).catch((error: Error) => {
      // Another process was faster: its cluster is as good.
      if (!existsSync(cluster)) throw error;
    });
  }
  const running = await findOrStart(binaries, home, cluster, password);
  const owner = await connect(running.port, password);
  await claim(owner, dataDir);
  await clearUnfinished(home);
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [user]);
  if (rowCount === 0) await owner.query(`create database ${user}`);
  return {
    connectionString: `postgres://${user}:${password}@127.0.0.1:${running.port}/${user}`,
    // The claim is held to the last, so that no other process settles on a server that is going.
    stop: () => stopPostgres(running.pid),
  };
}
