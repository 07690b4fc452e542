import { randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Database } from '../database/database.ts';

/**
 * A secret that the product made for itself under this name, 32 random bytes in base64url, the same
 * in every process on the database.
 */
export async function ownSecret(database: Database, name: string): Promise<string> {
  await database
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (
    await database
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).value;
}

/**
 * The keys that second factors are sealed with: those of the setting, else one that the product
 * made for itself.
 */
export async function secondFactorKeys(
  database: Database,
  config: Pick<Config, 'SECOND_FACTOR_KEY'>,
): Promise<Buffer[]> {
  return (config.SECOND_FACTOR_KEY ?? [await ownSecret(database, 'second-factors')]).map((key) =>
    Buffer.from(key, 'base64'),
  );
}

/**
 * The keys of the links to requests: those of the setting, else one that the product made for
 * itself.
 */
export async function linkKeys(
  database: Database,
  config: Pick<Config, 'REQUEST_LINK_KEY'>,
): Promise<Buffer[]> {
  return (config.REQUEST_LINK_KEY ?? [await ownSecret(database, 'request-links')]).map((key) =>
    Buffer.from(key, 'base64'),
  );
}
