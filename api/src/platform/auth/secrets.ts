import type { Config } from '#config.ts';
import type { Database } from '../database/database.ts';
import { getOrCreateSecret } from './secrets.store.ts';

/** The keys that encrypt second factors: those of the setting, else a generated one. */
export async function secondFactorKeys(
  database: Database,
  config: Pick<Config, 'SECOND_FACTOR_KEY'>,
): Promise<Buffer[]> {
  return (config.SECOND_FACTOR_KEY ?? [await getOrCreateSecret(database, 'second-factors')]).map(
    (key) => Buffer.from(key, 'base64'),
  );
}

/** The key that signs messages to browsers: that of the setting, else a generated one. */
export async function pushKey(
  database: Database,
  config: Pick<Config, 'WEB_PUSH_KEY'>,
): Promise<Buffer> {
  const key = config.WEB_PUSH_KEY ?? (await getOrCreateSecret(database, 'web-push'));
  return Buffer.from(key, 'base64');
}

/** The keys that encrypt links to requests: those of the setting, else a generated one. */
export async function requestLinkKeys(
  database: Database,
  config: Pick<Config, 'REQUEST_LINK_KEY'>,
): Promise<Buffer[]> {
  return (config.REQUEST_LINK_KEY ?? [await getOrCreateSecret(database, 'request-links')]).map(
    (key) => Buffer.from(key, 'base64'),
  );
}
