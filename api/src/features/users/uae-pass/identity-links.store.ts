import { createHash } from 'node:crypto';
import type { Identity } from '#platform/core/identity.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { attemptMinutes } from './identity-attempts.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'identity_links.identity': Identity;
  }
}

const hashOf = (browser: string): string =>
  createHash('sha256').update(`link ${browser}`).digest('base64url');
const isRecent = sql<boolean>`created_at > now() - make_interval(mins => ${attemptMinutes})`;

/** Stores the identity of a browser. It replaces an earlier one. */
export async function storeLink(
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
      .where(isRecent)
      .executeTakeFirst()
  )?.identity;
}

/** Consumes the identity of a browser. */
export async function consumeLink(
  transaction: Transaction,
  browser: string,
): Promise<Identity | undefined> {
  return (
    await transaction
      .deleteFrom('identity_links')
      .where('browser_hash', '=', hashOf(browser))
      .where(isRecent)
      .returning('identity')
      .executeTakeFirst()
  )?.identity;
}

export async function deleteOldLinks(database: Database): Promise<void> {
  await sql`
    delete from identity_links
    where created_at < now() - interval '1 hour'`.execute(database);
}
