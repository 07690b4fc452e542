import { readdir, readFile } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/** The names of all migrations, in their order. */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
}

/**
 * Applies all new migrations, or those up to `last`, and returns their names. Migrations only go
 * forward. Several processes may call it at once.
 */
export async function migrate(database: Database, last?: string): Promise<string[]> {
  const names = await listMigrations();
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
  if (applied.length > 0) await vacuumRewrittenTables(database);
  return applied;
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
