import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

const newSecret = () => randomBytes(32).toString('base64url');

/**
 * The secret of this name: 32 random bytes in base64url that all processes on the database share. It
 * is created at the first call.
 */
export async function getOrCreateSecret(
  database: Database | Transaction,
  name: string,
): Promise<string> {
  await database
    .insertInto('secrets')
    .values({ name, value: newSecret() })
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

/** A secret; the first one of its name has been active for ever. Times are milliseconds since 1970. */
interface SecretRow {
  name: string;
  value: string;
  activatesAt: number;
}

/** All secrets with their successors, the newest of each name first. */
export async function selectSecrets(database: Database): Promise<SecretRow[]> {
  const { rows } = await sql<{ name: string; value: string; activates_at: Date | null }>`
    select name, value, activates_at
    from secret_successors
    union all
    select name, value, null
    from secrets
    order by name, activates_at desc nulls last, value`.execute(database);
  return rows.map(({ name, value, activates_at: at }) => ({
    name,
    value,
    activatesAt: at?.getTime() ?? 0,
  }));
}

/**
 * Stores a successor that is active some seconds from now. False where one waits already, or where
 * there is nothing to succeed.
 */
export async function insertSuccessor(
  transaction: Transaction,
  name: string,
  noticeSeconds: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into secret_successors (name, value, activates_at)
    select name, ${newSecret()}, now() + make_interval(secs => ${noticeSeconds})
    from secrets
    where name = ${name}
      and not exists (
        select from secret_successors where name = ${name} and activates_at > now()
      )`.execute(transaction);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Deletes the secrets of a name whose successor has been active for these seconds. */
export async function deleteReplacedSecrets(
  database: Database | Transaction,
  name: string,
  seconds: number,
): Promise<void> {
  await sql`
    with newest as (
      select name, value, activates_at
      from secret_successors
      where name = ${name} and activates_at <= now() - make_interval(secs => ${seconds})
      order by activates_at desc, value
      limit 1
    ),
    moved as (
      update secrets
      set value = newest.value
      from newest
      where secrets.name = newest.name
    )
    delete from secret_successors as old
    using newest
    where old.name = newest.name and old.activates_at <= newest.activates_at`.execute(database);
}
