import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { z } from 'zod';
import { markRestored, type MarkedRestore } from '../commands/restored/mark-restored.ts';
import { ConfigError, type Config } from '../config.ts';
import { openDatabase } from '../platform/database/database.ts';
import { listMigrations, migrate } from '../platform/database/migrations.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createDataDir } from '../platform/embedded-postgres/postgres-process.ts';
import { withRunningDatabase } from '../platform/embedded-postgres/running-database.ts';
import { CopyIn, CopyOut } from './table-copy.ts';

type Place = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'FILE_STORE' | 'SECOND_FILE_STORE'>;

// Written last: a folder without it is not a complete backup. Tables are in an order in which each one
// refers only to those before it and to itself.
const manifestSchema = z.object({
  format: z.literal(1),
  /** When the copying of the tables began: what came later may be missing. */
  takenAt: z.string(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.string(), rows: z.int() })),
  sequences: z.array(z.object({ name: z.string(), last: z.int() })),
  /** Null where documents are in Azure Blob Storage. */
  files: z.int().nullable(),
});

type Manifest = z.output<typeof manifestSchema>;

const tableFile = (folder: string, name: string) => join(folder, 'database', `${name}.copy.gz`);

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  return client;
}

async function select<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
): Promise<Row[]> {
  return (await client.query<Row>(text)).rows;
}

// The columns are quoted names with commas between, as `copy` takes them.
async function listTables(client: pg.Client): Promise<{ name: string; columns: string }[]> {
  const tables = await select<{ name: string; columns: string; refers_to: string[] }>(
    client,
    `select format('%I.%I', n.nspname, c.relname) as name,
      (
        select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid
          and a.attnum > 0
          and not a.attisdropped
          and a.attgenerated = ''
      ) as columns,
      array(
        select distinct format('%I.%I', m.nspname, r.relname)
        from pg_constraint f
        join pg_class r on r.oid = f.confrelid
        join pg_namespace m on m.oid = r.relnamespace
        where f.conrelid = c.oid
          and f.contype = 'f'
          and f.confrelid <> c.oid
      ) as refers_to
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'sandbox')
      and c.relkind = 'r'
      and c.relname not like 'kysely\\_%'
    order by n.nspname, c.relname`,
  );
  const ordered: typeof tables = [];
  const names = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, refers_to: others }) => !names.has(name) && others.every((one) => names.has(one)),
    );
    if (next.length === 0) throw new Error('The tables refer to each other in a circle');
    for (const table of next) names.add(table.name);
    ordered.push(...next);
  }
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

// One snapshot of all tables, while the product continues to write.
async function dumpDatabase(
  url: string,
  folder: string,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  const client = await connect(url);
  try {
    await client.query('begin isolation level repeatable read read only');
    const migrations = await select<{ name: string }>(
      client,
      'select name from kysely_migration order by name',
    );
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of await listTables(client)) {
      const copy = client.query(new CopyOut(`copy ${name} (${columns}) to stdout`));
      await pipeline(
        copy,
        createGzip(),
        createWriteStream(tableFile(folder, name), { mode: 0o600 }),
      );
      tables.push({ name, columns, rows: copy.rows });
    }
    // Sequences are not part of the snapshot: their numbers are the same or higher.
    const sequences = await select<{ name: string; last: string }>(
      client,
      `select format('%I.%I', schemaname, sequencename) as name, last_value as last
      from pg_sequences
      where schemaname in ('public', 'sandbox')
        and last_value is not null
      order by 1`,
    );
    await client.query('commit');
    return {
      migrations: migrations.map(({ name }) => name),
      tables,
      sequences: sequences.map(({ name, last }) => ({ name, last: Number(last) })),
    };
  } finally {
    await client.end();
  }
}

// Stored files never change. Those in `incoming` are not complete, and one that is deleted meanwhile
// belongs to nothing.
async function copyFiles(from: string, to: string): Promise<number> {
  let count = 0;
  for (const part of existsSync(from) ? await readdir(from) : []) {
    if (part === 'incoming') continue;
    await mkdir(join(to, part), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(from, part)))
      await copyFile(join(from, part, name), join(to, part, name), constants.COPYFILE_FICLONE).then(
        () => (count += 1),
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      );
  }
  return count;
}

async function isEmptyFolder(path: string): Promise<boolean> {
  return !existsSync(path) || (await readdir(path)).length === 0;
}

/**
 * Copies the database and then the documents into an empty folder, while the product runs or not. A
 * document that is added in between is copied without a record, which is harmless. Throws a
 * `ConfigError`.
 */
export async function takeBackup(place: Place, folder: string): Promise<Manifest> {
  if (!(await isEmptyFolder(folder))) throw new ConfigError(`${folder} is not empty`);
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 });
  if (!place.DATABASE_URL && !existsSync(join(place.DATA_DIR, 'postgres')))
    throw new ConfigError(`Setting DATA_DIR cannot be used: ${place.DATA_DIR} has no database`);
  const takenAt = new Date().toISOString();
  const dump = await withRunningDatabase(place, ({ url }) => dumpDatabase(url, folder));
  const files = ![place.FILE_STORE, place.SECOND_FILE_STORE].includes('folder')
    ? null
    : await copyFiles(join(place.DATA_DIR, 'files'), join(folder, 'files'));
  const manifest: Manifest = {
    format: 1,
    takenAt,
    ...dump,
    files,
  };
  const path = join(folder, 'manifest.json');
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '{}');
  const { success, data } = manifestSchema.safeParse(JSON.parse(text));
  if (!success) throw new ConfigError(`${folder} is no complete backup: it has no manifest.json`);
  const known = new Set(await listMigrations());
  const unknown = data.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new ConfigError(`${folder} was made by a newer version: ${unknown.join(', ')}`);
  return data;
}

// Names of the manifest become parts of statements and of paths, as the owner of the tables: they are
// those of the database that the migrations have made.
function requireKnownTables(
  folder: string,
  manifest: Manifest,
  known: Awaited<ReturnType<typeof listTables>>,
): void {
  const columnsOf = new Map(known.map(({ name, columns }) => [name, columns]));
  const wrong = manifest.tables.find(({ name, columns }) => columnsOf.get(name) !== columns);
  if (wrong)
    throw new ConfigError(
      `${folder} is damaged: the manifest names a table or columns that do not exist: ${wrong.name}`,
    );
}

// All or nothing: one transaction. The triggers would count, check and announce a second time.
async function loadDatabase(url: string, folder: string, manifest: Manifest): Promise<void> {
  const client = await connect(url);
  try {
    await client.query('begin');
    const known = await listTables(client);
    requireKnownTables(folder, manifest, known);
    const tables = known.map(({ name }) => name);
    for (const name of tables) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${tables.join(', ')}`);
    for (const { name, columns, rows } of manifest.tables) {
      const copy = client.query(new CopyIn(`copy ${name} (${columns}) from stdin`));
      await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), copy);
      if (copy.rows !== rows)
        throw new Error(`${name}: ${copy.rows} rows of ${rows}; the backup is damaged`);
    }
    for (const { name, last } of manifest.sequences)
      await client.query('select setval($1::regclass, $2)', [name, last]);
    for (const name of tables) await client.query(`alter table ${name} enable trigger user`);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

async function restoreDatabase(
  url: string,
  { folder, manifest, former }: { folder: string; manifest: Manifest; former: string | undefined },
): Promise<MarkedRestore> {
  const client = await connect(url);
  const existing = await select(
    client,
    "select from pg_tables where schemaname in ('public', 'sandbox') limit 1",
  ).finally(() => client.end());
  if (existing.length > 0)
    throw new ConfigError('Setting DATABASE_URL cannot be used: the database is not empty');
  const database = openDatabase(url, () => undefined);
  try {
    // The tables as they were. Newer migrations follow.
    await migrate(database, manifest.migrations.at(-1));
    await loadDatabase(url, folder, manifest);
    await migrate(database);
    return await markRestored(database, new Date(manifest.takenAt), former);
  } finally {
    await database.destroy();
  }
}

/**
 * Fills an empty database and an empty DATA_DIR from a backup, and marks the database as restored. The
 * product must not run. `former`: see `markRestored`. Throws a `ConfigError`.
 */
export async function restoreBackup(
  place: Place,
  folder: string,
  former?: string,
): Promise<Manifest & { marked: MarkedRestore }> {
  const manifest = await readManifest(folder);
  const { DATA_DIR, DATABASE_URL } = place;
  const hasCluster = DATABASE_URL === undefined && existsSync(join(DATA_DIR, 'postgres'));
  if (hasCluster || !(await isEmptyFolder(join(DATA_DIR, 'files'))))
    throw new ConfigError(`Setting DATA_DIR cannot be used: ${DATA_DIR} is not empty`);
  await createDataDir(DATA_DIR, DATABASE_URL === undefined);
  const restored = { folder, manifest, former };
  let marked: MarkedRestore;
  if (DATABASE_URL) marked = await restoreDatabase(DATABASE_URL, restored);
  else {
    const embedded = await startEmbeddedPostgres(DATA_DIR);
    marked = await restoreDatabase(embedded.connectionString, restored).finally(() =>
      embedded.stop(),
    );
  }
  await mkdir(join(DATA_DIR, 'files'), { recursive: true, mode: 0o700 });
  await copyFiles(join(folder, 'files'), join(DATA_DIR, 'files'));
  return { ...manifest, marked };
}
