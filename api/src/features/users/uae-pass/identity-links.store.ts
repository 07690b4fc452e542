import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Identity } from '../../../platform/integrations/uae-pass-profile.ts';
import { attemptMinutes } from './identity-attempts.store.ts';

const hashOf = (browser: string): string =>
  createHash('sha256').update(`link ${browser}`).digest('base64url');
const isYoung = sql<boolean>`created_at > now() - make_interval(mins => ${attemptMinutes})`;

/** Keeps an identity for the browser that brought it; a later one takes its place. */
export async function keepLink(
  database: Database,
  browser: string,
  identity: Identity,
): Promise<void> {
  const link = { identity: JSON.stringify(identity), created_at: new Date() };
  await database
    .insertInto('identity_links')
    .values({ browser_hash: hashOf(browser), ...link })
    .onConflict((conflict) => conflict.column('browser_hash').doUpdateSet(link))
    .execute();
}

export async function findLink(database: Database, browser: string): Promise<Identity | undefined> {
  return (
    await database
      .selectFrom('identity_links')
      .select('identity')
      .where('browser_hash', '=', hashOf(browser))
      .where(isYoung)
      .executeTakeFirst()
  )?.identity;
}

/** Takes the identity, once. */
export async function takeLink(
  transaction: Transaction,
  browser: string,
): Promise<Identity | undefined> {
  return (
    await transaction
      .deleteFrom('identity_links')
      .where('browser_hash', '=', hashOf(browser))
      .where(isYoung)
      .returning('identity')
      .executeTakeFirst()
  )?.identity;
}

export async function deleteOldLinks(database: Database): Promise<void> {
  await sql`delete from identity_links where created_at < now() - interval '1 hour'`.execute(
    database,
  );
}
