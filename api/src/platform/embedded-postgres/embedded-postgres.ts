import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  link,
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
import { ConfigError } from '#config.ts';
import { freePort } from './free-port.ts';
import {
  createDataDir,
  findBinaries,
  findRunningPostgres,
  isAuthenticationError,
  runAs,
  stopPostgres,
  unprivilegedUser,
  type PostgresBinaries,
  type PostgresProcess,
} from './postgres-process.ts';

// The owner of the cluster, and the role of the server, which owns nothing.
const user = 'diwan';
const serverUser = 'diwan_server';
// An arbitrary number for the advisory lock of the process that uses the folder.
const ownerLockId = 2_026_112_1;
// Files with this prefix are incomplete. They are moved to their place when they are complete.
const incompletePrefix = 'postgres.new-';

/**
 * A running embedded PostgreSQL. `connectionString` is that of the owner, for migrations;
 * `serverConnectionString` that of the server. `stop` also stops a PostgreSQL that this process did
 * not start.
 */
export interface EmbeddedPostgres {
  connectionString: string;
  serverConnectionString: string;
  stop(): Promise<void>;
}

// A link creates the complete file in one step, and of two processes the first one wins.
async function getOrCreatePassword(home: string): Promise<string> {
  const file = join(home, 'postgres.password');
  if (!existsSync(file)) {
    const incomplete = join(home, `${incompletePrefix}${randomBytes(6).toString('hex')}`);
    await writeFile(incomplete, randomBytes(24).toString('hex'), { mode: 0o600 });
    await link(incomplete, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(incomplete);
  }
  return (await readFile(file, 'utf8')).trim();
}

async function waitForInitdb(child: ChildProcess, dataDir: string): Promise<void> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code === 0) return;
  const reason = output.trim().split('\n').slice(-3).join(' ');
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: no database can be made in ${dataDir}: ${reason}`,
  );
}

async function createCluster(
  binaries: PostgresBinaries,
  home: string,
  cluster: string,
  password: string,
): Promise<void> {
  const incomplete = await mkdtemp(join(home, incompletePrefix));
  const passwordFile = `${incomplete}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  const owner = unprivilegedUser();
  if (owner) for (const path of [incomplete, passwordFile]) await chown(path, owner.uid, owner.gid);
  const options = [
    '-D',
    incomplete,
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
  await waitForInitdb(
    spawn(command, args, {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(command === binaries.initdb ? owner : {}),
    }),
    home,
  );
  await rename(incomplete, cluster);
}

/** What a cluster needs to start: its programs, DATA_DIR, the folder in it and its password. */
interface Cluster {
  binaries: PostgresBinaries;
  home: string;
  folder: string;
  password: string;
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
  { binaries, home, folder, password }: Cluster,
  port: number,
): Promise<PostgresProcess> {
  const logFile = join(home, 'postgres.log');
  const log = await open(logFile, 'a', 0o600);
  const options = [
    '-D',
    folder,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=200',
    // The index of the list of a million requests, 134 MB, stays in memory.
    '-c',
    'shared_buffers=256MB',
    // Parallel workers of one long read would use all processors and delay every other call.
    '-c',
    'max_parallel_workers_per_gather=0',
  ];
  const [command, args] = runAs(binaries.postgres, options, [home, binaries.postgres]);
  // Its own process group: Ctrl-C reaches only the product, which stops the database after its
  // last request.
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
      if (isAuthenticationError(error)) break;
      await sleep(50);
    }
  }
  if (child.pid !== undefined && !ended) await stopPostgres(child.pid);
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: the database in ${home} does not start: ` +
      lines.slice(-3).join(' '),
  );
}

// Another process may take the port or start the cluster between the search and the start. Then the
// search is repeated.
async function findOrStart(cluster: Cluster): Promise<PostgresProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await findRunningPostgres(cluster.folder, (port) =>
      connect(port, cluster.password),
    );
    if (running) return running;
    try {
      return await startCluster(cluster, await freePort());
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

// The lock belongs to the connection and ends with its process. The server may need a moment to notice
// that a killed process has ended.
async function lockDataDir(owner: pg.Client, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const { rows } = await owner.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1) as locked',
      [ownerLockId],
    );
    if (rows[0]?.locked) return;
    await sleep(250);
  }
  throw new ConfigError(
    `Setting DATA_DIR cannot be used: ${dataDir} is in use by another running Diwan; ` +
      'stop that one or choose another folder',
  );
}

// Deletes what killed starts left. Only the process that holds the lock does it, because another one may
// still be starting.
async function deleteIncomplete(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    // An initdb that survived its start may still be writing there.
    if (name.startsWith(incompletePrefix))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(
        () => undefined,
      );
  }
}

// The password is a new one at each start, so it is stored nowhere. Only the process that holds the
// lock uses the role.
async function prepareServerRole(owner: pg.Client): Promise<string> {
  const password = randomBytes(24).toString('hex');
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [serverUser]);
  await owner.query(
    `${rowCount === 0 ? 'create' : 'alter'} role ${serverUser} with login nosuperuser nocreatedb ` +
      `nocreaterole noreplication nobypassrls password '${password}'`,
  );
  return password;
}

const connectionString = (port: number, password: string) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${user}`;

/** The connection string of the server that runs in `dataDir`; `undefined` for none. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const home = await realpath(dataDir);
  const password = await getOrCreatePassword(home);
  const running = await findRunningPostgres(join(home, 'postgres'), (port) =>
    connect(port, password),
  );
  return running && connectionString(running.port, password);
}

async function connectAsOwner(cluster: Cluster, port: number): Promise<pg.Client> {
  const owner = await connect(port, cluster.password);
  try {
    await lockDataDir(owner, cluster.home);
    return owner;
  } catch (error) {
    await owner.end();
    throw error;
  }
}

/** What happens when the server ends although nobody stopped it. */
interface Supervision {
  /** Receives a line for the operator. */
  report(line: string): void;
  /** The server cannot be started again. Nothing works from here on. */
  giveUp(reason: string): void;
  /** The delay before each attempt in a row. */
  restartDelaysMs?: readonly number[];
}

const defaultDelaysMs = [0, 250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000];
// A server that runs for this time counts as repaired.
const stableAfterMs = 600_000;

// Starts the server again on its port when it ends, and takes the lock again when the connection that
// holds it is lost. The lock shows both: its connection ends with the server.
function supervise(
  cluster: Cluster,
  started: { server: PostgresProcess; owner: pg.Client },
  { report, giveUp, restartDelaysMs = defaultDelaysMs }: Supervision,
): () => Promise<void> {
  let { server, owner } = started;
  let [isStopping, attempts, startedAt] = [false, 0, Date.now()];
  let restarting = Promise.resolve();

  async function restoreOnce(): Promise<void> {
    const running = await findRunningPostgres(cluster.folder, (port) =>
      connect(port, cluster.password),
    );
    server = running ?? (await startCluster(cluster, server.port));
    owner = await connectAsOwner(cluster, server.port);
  }

  async function restore(): Promise<void> {
    if (Date.now() - startedAt > stableAfterMs) attempts = 0;
    const pid = server.pid;
    let reason = '';
    while (!isStopping && attempts < restartDelaysMs.length) {
      await sleep(restartDelaysMs[attempts]);
      attempts += 1;
      if (isStopping) return;
      try {
        await restoreOnce();
        startedAt = Date.now();
        if (server.pid !== pid)
          report(`The embedded PostgreSQL ended unexpectedly and was started again (${attempts}).`);
        watch();
        return;
      } catch (error) {
        reason = (error as Error).message;
      }
    }
    if (!isStopping) giveUp(`The embedded PostgreSQL ended and cannot be started again: ${reason}`);
  }

  function watch(): void {
    owner.once('end', () => {
      if (!isStopping) restarting = restore();
    });
  }

  watch();
  return async () => {
    isStopping = true;
    await restarting;
    // The lock is held to the end, so that no other process attaches to a server that is stopping.
    await stopPostgres(server.pid);
  };
}

/**
 * Starts PostgreSQL in `dataDir`, or attaches to the server that a killed process left running there.
 * A server that ends unexpectedly is started again on the same port, with `supervision`. Throws a
 * `ConfigError` for a folder that another running process uses.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  supervision: Supervision = { report: () => undefined, giveUp: () => undefined },
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  await createDataDir(dataDir, true);
  const home = await realpath(dataDir);
  const folder = join(home, 'postgres');
  const password = await getOrCreatePassword(home);
  if (!existsSync(folder)) {
    await createCluster(binaries, home, folder, password).catch((error: Error) => {
      // Another process may have created the cluster first.
      if (!existsSync(folder)) throw error;
    });
  }
  const cluster: Cluster = { binaries, home, folder, password };
  const server = await findOrStart(cluster);
  const owner = await connectAsOwner(cluster, server.port);
  await deleteIncomplete(home);
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [user]);
  if (rowCount === 0) await owner.query(`create database ${user}`);
  const serverPassword = await prepareServerRole(owner);
  const address = `127.0.0.1:${server.port}/${user}`;
  return {
    connectionString: connectionString(server.port, password),
    serverConnectionString: `postgres://${serverUser}:${serverPassword}@${address}`,
    stop: supervise(cluster, { server, owner }, supervision),
  };
}
