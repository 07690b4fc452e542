import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'signing_keys.private_jwk': Record<string, unknown>;
  }
}

/** How many keys there are, and whether the newest is at least this old; null where there is none. */
export async function readKeyAge(
  transaction: Transaction,
  days: number,
): Promise<{ count: number; isDue: boolean | null }> {
  const { rows } = await sql<{ count: number; isDue: boolean | null }>`
    select count(*)::int as count,
      max(activates_at) <= now() - make_interval(days => ${days}) as "isDue"
    from signing_keys`.execute(transaction);
  return rows[0] ?? { count: 0, isDue: null };
}

/** Stores a key that signs from some seconds after now. */
export async function insertKey(
  transaction: Transaction,
  jwk: object,
  noticeSeconds: number,
): Promise<void> {
  await sql`
    insert into signing_keys (id, private_jwk, activates_at)
    values (
      ${randomUUID()}, ${JSON.stringify(jwk)}, now() + make_interval(secs => ${noticeSeconds})
    )`.execute(transaction);
}

/** Deletes the keys whose successor has signed for this time. */
export async function deleteOldKeys(
  transaction: Transaction,
  usefulSeconds: number,
): Promise<void> {
  await sql`
    delete from signing_keys as old
    where exists (
      select 1
      from signing_keys as next
      where next.activates_at > old.activates_at
        and next.activates_at < now() - make_interval(secs => ${usefulSeconds})
    )`.execute(transaction);
}

/** Whether the newest key does not sign yet. */
export async function isKeyWaiting(transaction: Transaction): Promise<boolean> {
  const { rows } = await sql`select from signing_keys where activates_at > now()`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Deletes all keys but the one that signs. */
export async function deleteFormerKeys(transaction: Transaction): Promise<void> {
  await sql`
    delete from signing_keys
    where activates_at < (select max(activates_at) from signing_keys where activates_at <= now())
  `.execute(transaction);
}

/** All keys, the newest first. */
export const selectKeys = (database: Database) =>
  database
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('activates_at', 'desc')
    .orderBy('id')
    .execute();
