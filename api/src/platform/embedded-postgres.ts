import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries, type Binaries } from './postgres-binaries.ts';
import { freePort } from './free-port.ts';
import { runAs, unprivilegedUser } from './unprivileged.ts';

const user = 'diwan';
// Any number will do, as long as every process of the product takes the same one.
const ownerLock = 2_026_112_1;

/** A running embedded PostgreSQL; `stop` ends it whether this process started it or found it alive. */
export interface EmbeddedPostgres {
  connectionString: string;
  stop(): Promise<void>;
}

async function readPassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('hex');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

async function finish(child: ChildProcess, what: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${what} failed: ${said.trim().split('\n').slice(-3).join(' ')}`);
}

// The cluster is made beside its place and moved there when it is whole, so that a start that was killed leaves nothing to clean by hand.
async function createCluster(binaries: Binaries, dataDir: string, cluster: string, password: string): Promise<void> {
  for (const name of await readdir(dataDir)) if (name.startsWith('postgres.new-')) await rm(join(dataDir, name), { recursive: true, force: true });
  const fresh = join(dataDir, `postgres.new-${process.pid}`);
  await mkdir(fresh, { mode: 0o700 });
  const passwordFile = join(dataDir, `postgres.new-${process.pid}.password`);
  await writeFile(passwordFile, password, { mode: 0o600 });
  const owner = unprivilegedUser();
  if (owner) {
    await chown(fresh, owner.uid, owner.gid);
    await chown(passwordFile, owner.uid, owner.gid);
  }
  const options = ['-D', fresh, '-U', user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=und'];
  const [command, args] = runAs(binaries.initdb, options, [dataDir, binaries.initdb]);
  await finish(spawn(command, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], ...(command === binaries.initdb ? owner : {}) }), 'Creating the database');
  await rm(passwordFile);
  await rename(fresh, cluster);
}

async function connect(port: number, password: string, database: string): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface Running {
  pid: number;
  port: number;
}

// An orphan that outlived a killed parent is used again; a pid file that nobody answers for is a leftover.
async function findAlive(cluster: string, password: string): Promise<Running | undefined> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = (await readFile(file, 'utf8')).split('\n');
  const running = { pid: Number(lines[0]), port: Number(lines[3]) };
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      process.kill(running.pid, 0);
    } catch {
      break;
    }
    try {
      const client = await connect(running.port, password, 'postgres');
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      await client.end();
      if (rows[0]?.data_directory === cluster) return running;
      break;
    } catch (error) {
      // Starting up or shutting down: ask again. Anything else is somebody else's process.
      if (!(error instanceof Error && 'code' in error && error.code === '57P03')) break;
      await sleep(250);
    }
  }
  await rm(file, { force: true });
  return undefined;
}

async function startCluster(binaries: Binaries, dataDir: string, cluster: string, password: string): Promise<Running> {
  const port = await freePort();
  const log = await open(join(dataDir, 'postgres.log'), 'a');
  const options = ['-D', cluster, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'];
  const [command, args] = runAs(binaries.postgres, options, [dataDir, binaries.postgres]);
  // A group of its own: Ctrl-C reaches the product first, which stops the database when its last request is done.
  const child = spawn(command, args, { cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd], ...(command === binaries.postgres ? unprivilegedUser() : {}) });
  await log.close();
  let ended = false;
  child.once('error', () => (ended = true)).once('exit', () => (ended = true));
  child.unref();
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    if (ended || child.pid === undefined) break;
    try {
      await (await connect(port, password, 'postgres')).end();
      return { pid: child.pid, port };
    } catch {
      await sleep(50);
    }
  }
  const lines = (await readFile(join(dataDir, 'postgres.log'), 'utf8')).trim().split('\n');
  throw new Error(`The embedded database does not start: ${lines.slice(-3).join(' ')}`);
}

async function stopCluster(running: Running): Promise<void> {
  try {
    process.kill(running.pid, 'SIGINT');
    for (let attempt = 0; attempt < 600; attempt += 1) {
      await sleep(50);
      process.kill(running.pid, 0);
    }
  } catch {
    // It is gone, which is what was asked for.
  }
}

/** Starts PostgreSQL in `dataDir`, or attaches to the one that a killed process left alive there. Refuses a folder that a living process uses. */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true });
  if (process.platform !== 'win32' && unprivilegedUser()) await chmod(dataDir, 0o755);
  const password = await readPassword(join(dataDir, 'postgres.password'));
  const cluster = join(dataDir, 'postgres');
  if (!existsSync(cluster)) await createCluster(binaries, dataDir, cluster, password);
  const running = (await findAlive(cluster, password)) ?? (await startCluster(binaries, dataDir, cluster, password));
  const owner = await connect(running.port, password, 'postgres');
  const { rows } = await owner.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [ownerLock]);
  if (!rows[0]?.mine) {
    await owner.end();
    throw new Error(`DATA_DIR ${dataDir} is in use by another running Diwan; stop that one or choose another folder`);
  }
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [user]);
  if (rowCount === 0) await owner.query(`create database ${user}`);
  return {
    connectionString: `postgres://${user}:${password}@127.0.0.1:${running.port}/${user}`,
    stop: async () => {
      await owner.end().catch(() => undefined);
      await stopCluster(running);
    },
  };
}
