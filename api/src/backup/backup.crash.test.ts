import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { login } from '@diwan/contract/people/users';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { getRequestById } from '@diwan/contract/requests/requests';
import type { Database } from '../platform/database/database.ts';
import { demoPassword } from '../seed/seed.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import {
  endPrograms,
  newDataDir,
  openDataDir,
  startProgram,
  type ProgramData,
  type RunningProgram,
} from '../testing/programs/running-program.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let source: ProgramData & { close(): Promise<void> };
let running: RunningProgram;
let folder: string;
beforeAll(async () => {
  source = await cloneProgramData();
  folder = await newDataDir();
  running = await startProgram(source.settings);
  await running.waitUntilReady();
});
afterAll(async () => {
  await endPrograms();
  await source.close();
});

/** Runs `npm run backup` or `npm run restore` with settings. */
async function run(
  command: 'backup' | 'restore',
  settings: Record<string, string>,
  from = folder,
): Promise<{ code: number; output: string }> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['scripts/backup.mjs', command, from], {
    env: { ...inherited, ...settings },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

// Tables that nothing changes while nobody uses the product: the jobs of the two programs send messages
// and check payments.
const stableTables = [
  'users',
  'companies',
  'partners',
  'services',
  'requests',
  'request_history',
  'attachments',
  'workflows',
  'secrets',
  'settings',
  'request_counts',
  'search_synonyms',
  'sandbox.message_faults',
];

// A job puts the rows of a count together.
const sources: Readonly<Record<string, string>> = {
  request_counts: `(
    select status_id, partner_id, agency_id, sum(count)
    from request_counts
    group by status_id, partner_id, agency_id
  )`,
};

// The number of rows and a hash of the content.
async function describeTables(database: Database): Promise<Record<string, string>> {
  const described: Record<string, string> = {};
  for (const name of stableTables) {
    const { rows } = await sql<{ content: string }>`
      select count(*) || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as content
      from ${sql.raw(sources[name] ?? name)} as t`.execute(database);
    described[name] = rows[0]?.content ?? '';
  }
  return described;
}

async function readDocument(program: RunningProgram, requestId: number): Promise<Buffer> {
  const { body: session } = await program.call(login, {
    body: { username: 'individual', password: demoPassword },
  });
  const { body } = await program.call(getRequestById, {
    token: session.token,
    query: { RequestId: requestId },
  });
  const query = new URLSearchParams({ filePath: body.attachments[0]?.filePath ?? '' });
  const answer = await fetch(`http://127.0.0.1:${program.port}${downloadFile.path}?${query}`, {
    headers: { authorization: `Bearer ${session.token}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe('a backup of a running product', () => {
  let before: Record<string, string>;
  let requestId: number;
  let restored: Record<string, string>;

  it('is taken while it runs, and only its owner can read it', async () => {
    const database = source.open();
    // Characters that the text form of `copy` escapes.
    await sql`update users set full_name = E'a\\tb\\nc\\\\d\\\\.' where username = 'individual2'`.execute(
      database,
    );
    before = await describeTables(database);
    const { rows } = await sql<{ id: number }>`
      select requests.id
      from requests
      join attachments on attachments.request_id = requests.id
      join users on users.id = requests.user_id
      where username = 'individual'
      limit 1`.execute(database);
    requestId = rows[0]?.id ?? 0;
    await database.destroy();
    const { code, output } = await run('backup', source.settings);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Backed up \d{4,} rows of \d{2,} tables, \d{2,} documents$/m),
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'manifest.json'))).mode & 0o777).toBe(0o600);
    expect((await run('backup', source.settings)).output).toContain('is not empty');
  });

  it('is restored into an empty place, where the product reads the same requests and documents', async () => {
    restored = { DATA_DIR: await newDataDir() };
    const { code, output } = await run('restore', restored);
    expect([code, output]).toEqual([0, expect.stringContaining('Restored the backup of')]);
    const program = await startProgram(restored);
    await program.waitUntilReady();
    const database = openDataDir(restored.DATA_DIR ?? '');
    expect(before.requests).not.toMatch(/^0 /);
    expect(await describeTables(database)).toEqual(before);
    // New numbers follow, and the triggers are on again.
    const { rows } = await sql<{ next: number; highest: number }>`
      select nextval('requests_id_seq') as next, max(id) as highest
      from requests`.execute(database);
    expect(rows[0]?.next).toBeGreaterThan(rows[0]?.highest ?? 0);
    await expect(sql`delete from request_history`.execute(database)).rejects.toThrow();
    await database.destroy();
    const document = await readDocument(program, requestId);
    expect(document.length).toBeGreaterThan(100);
    expect(document).toEqual(await readDocument(running, requestId));
    program.signal('SIGINT');
    await program.ended;
  });

  it('is refused where something is, and when it is incomplete', async () => {
    const refusal = async (settings: Record<string, string>) => {
      const { code, output } = await run('restore', settings);
      return [code, output.trim()];
    };
    expect(await refusal(restored)).toEqual([
      1,
      expect.stringMatching(/DATA_DIR .* is not empty$/),
    ]);
    const url = source.settings.DATABASE_URL ?? '';
    expect(await refusal({ DATA_DIR: await newDataDir(), DATABASE_URL: url })).toEqual([
      1,
      expect.stringMatching(/DATABASE_URL .* is not empty$/),
    ]);
    const manifest = join(folder, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('0001-', '9999-'));
    expect(await refusal({ DATA_DIR: await newDataDir() })).toEqual([
      1,
      expect.stringContaining('newer version: 9999-'),
    ]);
    // A copy that somebody has changed.
    for (const [is, becomes] of [
      ['"public.users"', '"public.users; drop table requests"'],
      ['"columns": "id', '"columns": "id) from program \'true\' --'],
    ] as const) {
      expect(text).toContain(is);
      await writeFile(manifest, text.replace(is, becomes));
      expect(await refusal({ DATA_DIR: await newDataDir() })).toEqual([
        1,
        expect.stringContaining('names a table or columns that do not exist'),
      ]);
    }
    await rm(manifest);
    expect(await refusal({ DATA_DIR: await newDataDir() })).toEqual([
      1,
      expect.stringContaining('no complete backup'),
    ]);
  });
});
