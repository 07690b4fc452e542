import { openDatabase, withoutTimeLimits, type Database } from './database.ts';
import { migrate } from './migrations.ts';
import { grantTables } from './roles.ts';

/**
 * Migrates the database as the owner of its tables, who may be another role than the server's.
 * Returns the names of the migrations that were applied.
 */
export async function prepareTables(
  database: Database,
  ownerUrl: string,
  serverUrl: string,
): Promise<string[]> {
  if (ownerUrl === serverUrl) return migrate(withoutTimeLimits(database));
  const owner = openDatabase(ownerUrl, () => undefined);
  try {
    const applied = await migrate(owner);
    await grantTables(owner, decodeURIComponent(new URL(serverUrl).username));
    return applied;
  } finally {
    await owner.destroy();
  }
}
