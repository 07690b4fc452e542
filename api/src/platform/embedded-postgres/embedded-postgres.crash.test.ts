import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '#config.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { createDataDir } from './postgres-process.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let dataDir: string;
let pidFile: string;
let running: EmbeddedPostgres;
const lines: string[] = [];
const reasons: string[] = [];
const supervision = {
  report: (line: string) => lines.push(line),
  giveUp: (reason: string) => reasons.push(reason),
  restartDelaysMs: [0, 100, 200, 400, 800, 1600, 3200],
};

// The tests of killed starts and stops are in main.test.ts.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-embedded-'));
  await mkdir(join(folder, 'private'), { mode: 0o700 });
  dataDir = join(folder, 'private', 'data');
  await mkdir(dataDir, { mode: 0o700 });
  pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  running = await startEmbeddedPostgres(dataDir, supervision);
});
afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function query(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: running.connectionString });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows.flatMap((row) => Object.values(row));
}

it('createDataDir makes a folder that only its owner may enter, and leaves an existing one', async () => {
  const made = join(folder, 'new', 'data');
  await createDataDir(made, true);
  const { mode, uid } = await stat(made);
  expect(mode & 0o777).toBe(0o700);
  if (isRoot) expect(uid).not.toBe(0);
  const existing = join(folder, 'existing');
  await mkdir(existing, { mode: 0o755 });
  await createDataDir(existing, true);
  expect((await stat(existing)).mode & 0o777).toBe(0o755);
  await writeFile(join(folder, 'file'), '');
  await expect(createDataDir(join(folder, 'file'), true)).rejects.toThrow('EEXIST');
});

describe('startEmbeddedPostgres', () => {
  it.skipIf(!isRoot)(
    'runs as root in a folder that only root may enter, and does not change its permissions',
    async () => {
      expect(await query('select 1')).toEqual([1]);
      for (const path of [folder, join(folder, 'private'), dataDir, join(dataDir, 'postgres')])
        expect((await stat(path)).mode & 0o777, path).toBe(0o700);
      expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    },
  );

  it('sorts words by ICU rules, and has the extension pg_trgm', async () => {
    await query('create extension pg_trgm');
    expect(
      await query(
        "select word from unnest(array['zebra', 'Émile', 'apple', 'Zoo']) as word order by word",
      ),
    ).toEqual(['apple', 'Émile', 'zebra', 'Zoo']);
    expect(await query("select upper('istanbul'), 'ab' < 'B'")).toEqual(['ISTANBUL', true]);
  });

  it('runs a statement in one process, and keeps 256 MB of data in memory', async () => {
    expect(await query('show max_parallel_workers_per_gather')).toEqual(['0']);
    expect(await query('show shared_buffers')).toEqual(['256MB']);
  });

  it('serves the product as a role without rights, also after a restart', async () => {
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await running.stop();
        running = await startEmbeddedPostgres(dataDir);
      }
      const client = new pg.Client({ connectionString: running.serverConnectionString });
      await client.connect();
      const { rows } = await client.query(
        'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
      );
      expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false }]);
      await expect(client.query("copy (select 1) to program 'true'")).rejects.toMatchObject({
        code: '42501',
      });
      await client.end();
    }
  });

  it('never starts a second server on a cluster whose server it cannot reach', async () => {
    const passwordFile = join(dataDir, 'postgres.password');
    const [password, pid] = [await readFile(passwordFile, 'utf8'), await readFile(pidFile, 'utf8')];
    await writeFile(passwordFile, 'lost');
    const refusal = await startEmbeddedPostgres(dataDir).catch((error: unknown) => error);
    await writeFile(passwordFile, password);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toMatch(/^Error: Setting DATA_DIR cannot be used: [^\n]+$/);
    expect(await readFile(pidFile, 'utf8')).toBe(pid);
    expect(await query('select 1')).toEqual([1]);
  });

  it('starts with an old pid file that names a process of another program', async () => {
    const oldPidFile = (await readFile(pidFile, 'utf8')).split('\n');
    await running.stop();
    expect(existsSync(pidFile)).toBe(false);
    // As if the machine had lost its power and another program had got the process id.
    const otherProgram = spawn('sleep', ['60']);
    await writeFile(pidFile, [otherProgram.pid, ...oldPidFile.slice(1)].join('\n'));
    running = await startEmbeddedPostgres(dataDir, supervision).finally(() => otherProgram.kill());
    expect(await query('select 1')).toEqual([1]);
    expect(Number((await readFile(pidFile, 'utf8')).split('\n')[0])).not.toBe(otherProgram.pid);
  });

  const serverId = async () => Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  const isAnswering = () =>
    query('select 1').then(
      () => true,
      () => false,
    );

  it('starts its server again with its data, and holds the folder, when the server is killed', async () => {
    await query('create table kept as select 1 as one');
    const killed = await serverId();
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(() => lines, { timeout: 60_000 })
      .toEqual([
        expect.stringMatching(/^The embedded PostgreSQL ended unexpectedly and was started again/),
      ]);
    expect(await serverId()).not.toBe(killed);
    expect(await query('select one from kept')).toEqual([1]);
    await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(/in use/);
  });

  it('holds the folder again when only the connection with the lock ends', async () => {
    const holders = () => query("select pid from pg_locks where locktype = 'advisory'");
    const [holder] = await holders();
    await query(`select pg_terminate_backend(${String(holder)})`);
    await expect
      .poll(async () => (await holders()).filter((pid) => pid !== holder).length, {
        timeout: 60_000,
      })
      .toBe(1);
    expect(lines).toHaveLength(1);
  });

  it('gives up with one reason when its server cannot start again', async () => {
    const [cluster, away] = [join(dataDir, 'postgres'), join(dataDir, 'away')];
    const killed = await serverId();
    await rename(cluster, away);
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(() => reasons, { timeout: 120_000 })
      .toEqual([
        expect.stringMatching(/^The embedded PostgreSQL ended and cannot be started again: .+/),
      ]);
    await rename(away, cluster);
    expect(await isAnswering()).toBe(false);
    running = await startEmbeddedPostgres(dataDir, supervision);
    expect(await query('select one from kept')).toEqual([1]);
  }, 180_000);
});
