import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { createDataDir } from './postgres-process.ts';

/** The addresses of a database: that of the server, and that of the owner of the tables. */
interface DatabaseAddresses {
  url: string;
  ownerUrl: string;
  /** The server's role; the same as `url` where one role does both. */
  serverUrl: string;
}

/**
 * Uses the database of the settings while the product runs or not: that of DATABASE_URL, else the
 * embedded one, which is started where it does not run and stopped after the use.
 */
export async function withRunningDatabase<Result>(
  {
    DATABASE_URL,
    MIGRATIONS_DATABASE_URL,
    DATA_DIR,
  }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Config, 'MIGRATIONS_DATABASE_URL'>>,
  use: (addresses: DatabaseAddresses) => Promise<Result>,
): Promise<Result> {
  if (DATABASE_URL)
    return use({
      url: DATABASE_URL,
      ownerUrl: MIGRATIONS_DATABASE_URL ?? DATABASE_URL,
      serverUrl: DATABASE_URL,
    });
  await createDataDir(DATA_DIR, true);
  const running = existsSync(join(DATA_DIR, 'postgres'))
    ? await findEmbeddedPostgres(DATA_DIR)
    : undefined;
  if (running) return use({ url: running, ownerUrl: running, serverUrl: running });
  const embedded = await startEmbeddedPostgres(DATA_DIR);
  return use({
    url: embedded.connectionString,
    ownerUrl: embedded.connectionString,
    serverUrl: embedded.serverConnectionString,
  }).finally(() => embedded.stop());
}
