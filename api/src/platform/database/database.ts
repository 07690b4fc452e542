import { readdir, readFile } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql, type Transaction as KyselyTransaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { serverBusy } from '../core/at-most.ts';
import type { Tables } from './database-types.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

// bigint as a number: ids, fils and sizes stay far below 2^53.
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, Number);

const addresses = new WeakMap<Database, string>();

/**
 * A connection of its own to the server of a database, outside its pool; for who listens. The
 * caller connects, hears its errors and ends it.
 */
export function openClient(database: Database): pg.Client {
  return new pg.Client({
    connectionString: addresses.get(database),
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    keepAlive: true,
  });
}

/**
 * Opens a pool. A server that goes away is noticed by the next query, never by a crash of the
 * process. Who finds no free connection within `patienceMs` is refused with ServerBusy.
 */
export function openDatabase(
  connectionString: string,
  onError: (error: Error) => void,
  patienceMs = 5000,
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: 20,
    types: parsers,
    connectionTimeoutMillis: patienceMs,
  });
  // A connection that breaks while a transaction holds it tells nobody but its listeners; without
  // one the process ends.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // A pool that is being closed may hear from a server that is closed right after it.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  // All connections are in use for longer than anybody waits; that is no fault, and passes.
  const connect = () =>
    pool.connect().catch((error: Error) => {
      throw error.message === 'timeout exceeded when trying to connect' ? serverBusy() : error;
    });
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { connect, end: () => pool.end(), options: pool.options },
    }),
  });
  addresses.set(database, connectionString);
  return database;
}

const folder = new URL('../../../migrations/', import.meta.url);

/**
 * Brings the database to the newest migration, forward only. Safe with several processes at once.
 * Returns the names of those just applied.
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
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
  const { error, results } = await new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
