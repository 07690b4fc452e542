import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { acquireNamedLock } from './named-lock.ts';
import { sql } from './sql.ts';
import { inTransaction } from './unit-of-work.ts';

const databaseFolder = new URL('../../../database/', import.meta.url);
const migrationsFolder = new URL('migrations/', databaseFolder);
const functionsFolder = new URL('functions/', databaseFolder);

const listFiles = async (folder: URL): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

/** The names of all migrations, in their order. */
export const listMigrations = (): Promise<string[]> => listFiles(migrationsFolder);

/** The database has migrations that this version does not know. */
export class NewerDatabase extends Error {}

// Migrations after this one leave the release before them working, except where a comment says what
// has ended: tools/check/expand-and-contract.mjs.
const lastFree = '0156-sorts-from-an-index.sql';

/** The last migration that a version must know to work on the schema of all of them. */
export const oldestUsable = (migrations: readonly (readonly [name: string, text: string])[]) =>
  migrations.findLast(([, text]) => /^-- contract \d/m.test(text))?.[0] ?? lastFree;

/** The schema says which versions can work on it. */
async function noteUsable(database: Database, name: string): Promise<void> {
  await sql.raw(`comment on table kysely_migration is 'usable with ${name}'`).execute(database);
}

/**
 * Whether a newer version has migrated the database, which this one can use all the same: a process
 * that starts again during an upgrade. Throws NewerDatabase where it cannot be used.
 */
async function isNewerAndUsable(database: Database, known: readonly string[]): Promise<boolean> {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name
  `.execute(database);
  if (!tables[0]?.name) return false;
  const { rows } = await sql<{ name: string }>`
    select name
    from kysely_migration
    order by name
  `.execute(database);
  const unknown = rows.filter(({ name }) => !known.includes(name));
  if (unknown.length === 0) return false;
  const { rows: notes } = await sql<{ note: string | null }>`
    select obj_description('kysely_migration'::regclass) as note`.execute(database);
  const usable = /^usable with (.+)$/.exec(notes[0]?.note ?? '')?.[1];
  // guard: version that the schema is too new for (migrations)
  if (usable === undefined || !known.includes(usable))
    throw new NewerDatabase(
      `The database is of a newer version of Diwan (migration ${unknown.at(-1)?.name} is not known ` +
        'here): start that version, or restore a backup from before the upgrade',
    );
  return true;
}

/**
 * Applies all new migrations, or those up to `last`, and returns their names. Migrations only go
 * forward. Several processes may call it at the same time. Without `last` the functions of the
 * database are then those of their files. A newer database that this version can use stays as it is.
 */
export async function migrate(database: Database, last?: string): Promise<string[]> {
  const names = await listMigrations();
  if (await isNewerAndUsable(database, names)) return [];
  const texts = await Promise.all(
    names.map((name) => readFile(new URL(name, migrationsFolder), 'utf8')),
  );
  const migrations = Object.fromEntries(
    names.map((name, index) => [
      name,
      {
        up: (db: Kysely<unknown>) =>
          sql
            .raw(texts[index] ?? '')
            .execute(db)
            .then(() => undefined),
      },
    ]),
  );
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
  });
  const { error, results } = await (last ? migrator.migrateTo(last) : migrator.migrateToLatest());
  if (error) throw error;
  const applied = (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
  if (last === undefined) {
    await applyFunctions(database);
    await noteUsable(database, oldestUsable(names.map((name, at) => [name, texts[at] ?? ''])));
  }
  if (applied.length > 0) await vacuumRewrittenTables(database);
  return applied;
}

// The comment of a function names the text that made it. A migration that makes a function makes it
// without a comment.
async function applyFunctions(database: Database): Promise<void> {
  const files = await Promise.all(
    (await listFiles(functionsFolder)).map(async (file) => {
      const text = await readFile(new URL(file, functionsFolder), 'utf8');
      const hash = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { name: file.replace(/\.sql$/, ''), text, comment: `functions/${file} ${hash}` };
    }),
  );
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'functions');
    const { rows } = await sql<{ name: string; comment: string | null }>`
      select proname as name, obj_description(oid, 'pg_proc') as comment
      from pg_proc
      where pronamespace = 'public'::regnamespace
    `.execute(transaction);
    const comments = new Map(rows.map(({ name, comment }) => [name, comment]));
    for (const { name, text, comment } of files) {
      if (comments.get(name) === comment) continue;
      await sql.raw(text).execute(transaction);
      await sql.raw(`comment on function ${name} is '${comment}'`).execute(transaction);
    }
  });
}

// PostgreSQL would do this only after a fifth of the rows has changed; until then each index-only scan
// reads the rows too.
async function vacuumRewrittenTables(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind = 'r'
      and relallvisible = 0
      and pg_relation_size(oid) > 0
  `.execute(database);
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.id(name)}`.execute(database);
}
