import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../config.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let dataDir: string;
let pidFile: string;
let running: EmbeddedPostgres;

// Starts and stops that are killed are in main.test.ts.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-embedded-'));
  await mkdir(join(folder, 'private'), { mode: 0o700 });
  dataDir = join(folder, 'private', 'data');
  await mkdir(dataDir, { mode: 0o700 });
  pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  running = await startEmbeddedPostgres(dataDir);
});
afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ask(question: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: running.connectionString });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(question);
  await client.end();
  return rows.flatMap((row) => Object.values(row));
}

describe('startEmbeddedPostgres', () => {
  it.skipIf(!isRoot)(
    'runs as root in a folder that only root may enter, and opens it to nobody',
    async () => {
      expect(await ask('select 1')).toEqual([1]);
      for (const path of [folder, join(folder, 'private'), dataDir, join(dataDir, 'postgres')])
        expect((await stat(path)).mode & 0o777, path).toBe(0o700);
      expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    },
  );

  it('sorts words of all three languages, and knows the three-letter search', async () => {
    await ask('create extension pg_trgm');
    expect(
      await ask(
        "select word from unnest(array['zebra', 'Émile', 'apple', 'Zoo']) as word order by word",
      ),
    ).toEqual(['apple', 'Émile', 'zebra', 'Zoo']);
    expect(await ask("select upper('istanbul'), 'ab' < 'B'")).toEqual(['ISTANBUL', true]);
  });

  it('never sets a second server on a cluster whose server it cannot ask', async () => {
    const passwordFile = join(dataDir, 'postgres.password');
    const [password, pid] = [await readFile(passwordFile, 'utf8'), await readFile(pidFile, 'utf8')];
    await writeFile(passwordFile, 'lost');
    const refusal = await startEmbeddedPostgres(dataDir).catch((error: unknown) => error);
    await writeFile(passwordFile, password);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toMatch(/^Error: Setting DATA_DIR cannot be used: [^\n]+$/);
    expect(await readFile(pidFile, 'utf8')).toBe(pid);
    expect(await ask('select 1')).toEqual([1]);
  });

  it('starts beside a leftover that names a process of somebody else', async () => {
    const left = (await readFile(pidFile, 'utf8')).split('\n');
    await running.stop();
    expect(existsSync(pidFile)).toBe(false);
    // The machine lost its power, and the number went to another program.
    const stranger = spawn('sleep', ['60']);
    await writeFile(pidFile, [stranger.pid, ...left.slice(1)].join('\n'));
    running = await startEmbeddedPostgres(dataDir).finally(() => stranger.kill());
    expect(await ask('select 1')).toEqual([1]);
    expect(Number((await readFile(pidFile, 'utf8')).split('\n')[0])).not.toBe(stranger.pid);
  });
});
