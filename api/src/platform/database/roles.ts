import type { Database } from './database.ts';
import { acquireNamedLock } from './named-lock.ts';
import { sql, type Sql } from './sql.ts';
import { inTransaction } from './unit-of-work.ts';

/**
 * Gives the role of the server what the product needs in a migrated database: reading and changing
 * rows, and only reading and adding them in the tables that are append-only. `owner` is connected as
 * the owner of the tables. It can be repeated, and several processes may call it at the same time.
 */
export async function grantTables(owner: Database, role: string): Promise<void> {
  const server = sql.id(role);
  await inTransaction(owner, async (transaction) => {
    await acquireNamedLock(transaction, 'grants');
    const run = (statement: Sql) => statement.execute(transaction);
    await run(sql`grant usage on schema public, sandbox to ${server}`);
    await run(
      sql`grant select, insert, update, delete on all tables in schema public, sandbox to ${server}`,
    );
    await run(sql`grant usage on all sequences in schema public, sandbox to ${server}`);
    const { rows } = await sql<{ name: string }>`
      select distinct tgrelid::regclass::text as name
      from pg_trigger
      where tgfoid = 'refuse_change'::regproc
    `.execute(transaction);
    for (const { name } of rows)
      await run(sql`revoke update, delete on ${sql.raw(name)} from ${server}`);
    await run(
      sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock from ${server}`,
    );
  });
}
