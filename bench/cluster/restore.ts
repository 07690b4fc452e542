// npm run test:cluster -- --faults=restore [--gigabytes=number]: backs the cluster up by pgBackRest while
// clients work, restores it to a time into an empty place, and compares that place with what was
// acknowledged (docs/operations/backup.md).
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { login } from '@diwan/contract/people/users';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { sql } from '../../api/src/platform/database/sql.ts';
import { demoPassword } from '../../api/src/seed/seed.ts';
import { root } from '../../scripts/install.mjs';
import { ensureProgram } from '../../scripts/programs.mjs';
import type { Act } from './check-history.ts';
import type { Clients } from './clients.ts';
import type { Cluster } from './cluster.ts';
import { readCommitted, withDatabase } from './committed.ts';
import { readUnit, restoreScript } from './configurations.ts';

const run = promisify(execFile);
const port = 5432;

/** What a restore showed; times in seconds, sizes in bytes. */
interface Restored {
  size: number;
  lines: string[];
  problems: string[];
}

/** Fills a table that nothing reads, so that the database has a size; its rows compress as texts do. */
async function fill(url: string, gigabytes: number): Promise<void> {
  await withDatabase(url, async (database) => {
    await sql`create schema filler`.execute(database);
    await sql`create table filler.texts (id bigserial primary key, text text)`.execute(database);
    // About 1.06 KB a row: 32 hashes, of which half repeats.
    for (let part = 0; part < gigabytes * 10; part += 1)
      await sql`
        insert into filler.texts (text)
        select string_agg(md5((n % 16 + row * 16)::text), '')
        from generate_series(1, 95000) as row
        cross join generate_series(0, 31) as n
        group by row`.execute(database);
  });
}

async function sizeOf(url: string): Promise<number> {
  return withDatabase(url, async (database) => {
    const { rows } = await sql<{ size: number }>`
      select sum(pg_database_size(oid))::bigint as size from pg_database`.execute(database);
    return rows[0]?.size ?? 0;
  });
}

/** Acknowledged acts before the time that are not in the restored place, and acts after it that are. */
async function compare(
  url: string,
  { acts, users, at }: { acts: readonly Act[]; users: readonly string[]; at: number },
): Promise<string[]> {
  const committed = await withDatabase(url, (database) => readCommitted(database, users));
  const marks = new Set(committed.flatMap(({ steps }) => steps.flatMap((step) => [...step.marks])));
  const versions = new Map(committed.map(({ requestId, version }) => [requestId, version]));
  // The history has no text of an act that takes a request: its version tells.
  const isThere = ({ mark, action, requestId = 0, version = 0 }: Act) =>
    action === 'receive' ? (versions.get(requestId) ?? 0) >= version : marks.has(mark);
  const before = acts.filter(({ outcome, end }) => outcome === 'done' && end < at);
  const after = acts.filter(({ begin, action }) => begin > at && action !== 'receive');
  const missing = before.filter((act) => !isThere(act)).length;
  const early = after.filter(({ mark }) => marks.has(mark)).length;
  return [
    ...(before.length === 0 || after.length === 0 ? ['no acts on both sides of the time'] : []),
    ...(missing > 0 ? [`${missing} acts of before the time are missing`] : []),
    ...(early > 0 ? [`${early} acts of after the time are there`] : []),
  ];
}

/** Opens every document of the newest requests of the clients. Returns how many, and what is wrong. */
async function openDocuments(
  address: string,
  url: string,
  users: readonly string[],
): Promise<{ count: number; problems: string[] }> {
  const call = async (path: string, options: RequestInit = {}) =>
    fetch(`${address}${path}`, { ...options, signal: AbortSignal.timeout(30_000) });
  const { rows } = await withDatabase(url, (database) =>
    sql<{ id: number; username: string }>`
      select requests.id, username
      from requests
      join users
        on users.id = requests.user_id
      where username = any(${[...users]}::text[])
      order by requests.id desc
      limit 40`.execute(database),
  );
  const tokens = new Map<string, string>();
  let count = 0;
  const problems: string[] = [];
  for (const { id, username } of rows) {
    if (!tokens.has(username)) {
      const signedIn = await call(login.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: demoPassword }),
      });
      tokens.set(username, ((await signedIn.json()) as { token: string }).token);
    }
    const headers = { authorization: `Bearer ${tokens.get(username)}` };
    const read = await call(`${getRequestById.path}?RequestId=${id}`, { headers });
    const { attachments = [] } = (await read.json()) as {
      attachments?: { filePath: string; size: number }[];
    };
    for (const { filePath, size } of attachments) {
      const query = new URLSearchParams({ filePath });
      const answer = await call(`${downloadFile.path}?${query}`, { headers });
      const content = Buffer.from(await answer.arrayBuffer());
      count += 1;
      if (answer.status !== 200 || content.length !== size)
        problems.push(`a document of request ${id}: ${answer.status}, ${content.length} bytes`);
    }
  }
  return { count, problems: count === 0 ? ['no document was opened'] : problems };
}

/** Backs up, works, restores to a time between, and compares. */
export async function tryRestore(
  cluster: Cluster,
  { clients, users }: { clients: Clients; users: readonly string[] },
  { gigabytes, say }: { gigabytes: number; say: (line: string) => void },
): Promise<Restored> {
  const pgBackRest = ensureProgram('pgbackrest');
  const lines: string[] = [];
  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    const result = await work();
    const seconds = (performance.now() - began) / 1000;
    lines.push(`| ${what} | ${seconds.toFixed(1)} |`);
    say(`${what}: ${seconds.toFixed(1)} s`);
    return result;
  };
  const primaryUrl = await cluster.databaseUrl();
  await fill(primaryUrl, gigabytes);
  const size = await sizeOf(primaryUrl);
  const gb = size / 1e9;
  const backUp = async (type: 'full' | 'diff') =>
    cluster.runAsPostgres(await cluster.primary(), [
      pgBackRest,
      '--stanza=diwan',
      `--type=${type}`,
      // The log of what was filled in may be archived later than the backup.
      '--archive-timeout=900',
      'backup',
    ]);
  await timed(`full backup of ${gb.toFixed(2)} GB`, () => backUp('full'));

  clients.begin();
  const work = clients.run();
  await sleep(15_000);
  await timed('differential backup while clients work', () => backUp('diff'));
  await sleep(10_000);
  const [at, time] = [performance.now(), new Date()];
  await sleep(15_000);
  clients.end();
  await work;
  const acts = [...clients.acts];
  await timed('the rest of the log is archived', async () =>
    cluster.runAsPostgres(await cluster.primary(), [
      pgBackRest,
      '--stanza=diwan',
      '--archive-timeout=900',
      'check',
    ]),
  );

  const { address } = cluster.machines.restored;
  const own = `${cluster.folder}/restored`;
  const place = `${own}/data`;
  const restored = await timed('restore of the database to the time, until it takes calls', () =>
    cluster.runAsPostgres(
      'restored',
      [restoreScript, time.toISOString().replace('T', ' ').replace('Z', '+00'), place, `${port}`],
      { PGLISTEN: address },
    ),
  );
  say(restored.trim().split('\n').at(-1) ?? '');
  const toPlace = (text: string) => text.replace('@127.0.0.1:5000', `@${address}:${port}`);
  const settings = Object.fromEntries(
    Object.entries({
      ...cluster.settings,
      FILE_STORE: 'folder',
      SECOND_FILE_STORE: 's3',
      DATA_DIR: `${own}/product`,
      HOST: address,
      PUBLIC_URL: `http://${address}:3000`,
      TRUST_PROXY: '',
    }).map(([name, value]) => [name, toPlace(value)]),
  );
  const { PATH = '', HOME = '' } = process.env;
  const diwan = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, ['scripts/diwan.mjs', ...args], {
      cwd: root,
      env: { PATH, HOME, ...settings },
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${args.join(' ')}: ${error.stdout}${error.stderr}`);
    });
    return stdout.trim().split('\n');
  };
  const marked = await timed('mark-restored, with the former database', () =>
    diwan('mark-restored', '--to', time.toISOString(), '--former', primaryUrl),
  );
  for (const line of marked) say(`  ${line}`);
  const moved = await timed('documents into the file store of the place', () =>
    diwan('move-files', '--from', 's3', '--to', 'folder'),
  );
  say(`  ${moved.at(-1)}`);
  const problems: string[] = [];
  const integrity = await timed('check-integrity', () => diwan('check-integrity'));
  if (integrity.at(-1) !== 'No problems') problems.push(...integrity);

  const unit = readUnit();
  const url = new URL(primaryUrl);
  url.host = `${address}:${port}`;
  await timed('start of the product, and opening of documents', async () => {
    cluster.machines.restored.run(unit.command, {
      cwd: root,
      log: `${cluster.folder}/log/restored.log`,
      env: { ...unit.settings, ...settings, SECOND_FILE_STORE: '' },
    });
    const portal = `http://${address}:3000`;
    const until = Date.now() + 120_000;
    const isReady = () =>
      fetch(`${portal}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (Date.now() > until) throw new Error('the product does not start in the restored place');
      await sleep(250);
    }
    const opened = await openDocuments(portal, url.toString(), users);
    problems.push(...opened.problems);
    say(`  ${opened.count} documents were opened`);
  });
  problems.push(...(await compare(url.toString(), { acts, users, at })));
  await cluster.runAsPostgres('restored', [
    '/usr/lib/postgresql/15/bin/pg_ctl',
    `--pgdata=${place}`,
    '--mode=immediate',
    'stop',
  ]);
  return { size, lines, problems };
}
