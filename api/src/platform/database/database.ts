import { readdir, readFile } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql, type Transaction as KyselyTransaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { serverBusy } from '../core/limiter.ts';
import type { Tables } from './schema.generated.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

// Reads bigint as a number: ids, fils and sizes stay far below 2^53.
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, Number);

const connectionStrings = new WeakMap<Database, string>();

/**
 * A connection to the database outside of its pool, for `listen`. The caller connects it, handles its
 * errors and ends it.
 */
export function openDedicatedClient(database: Database): pg.Client {
  return new pg.Client({
    connectionString: connectionStrings.get(database),
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    keepAlive: true,
  });
}

/**
 * Opens a pool. When the server goes away, the next query fails and the process goes on. A query that
 * gets no connection within `connectTimeoutMs` throws ServerBusy.
 */
export function openDatabase(
  connectionString: string,
  onError: (error: Error) => void,
  connectTimeoutMs = 5000,
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: 20,
    types: parsers,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A connection that breaks during a transaction emits an error. Without a listener the process would
  // end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // A pool that is being closed may report the end of a server that closes right after it.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  // A timeout means that all connections are in use, which is temporary.
  const connect = () =>
    pool.connect().catch((error: Error) => {
      throw error.message === 'timeout exceeded when trying to connect' ? serverBusy() : error;
    });
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { connect, end: () => pool.end(), options: pool.options },
    }),
  });
  connectionStrings.set(database, connectionString);
  return database;
}

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
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
