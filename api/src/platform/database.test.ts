import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './database.ts';

// What nobody listens to ends the process; vitest fails a run in which that happens.
it('outlives a server that goes away in the middle of a transaction, and connects again', async () => {
  const lost: string[] = [];
  const database = openDatabase(inject('databaseServer'), (error) => lost.push(error.message));
  const broken = database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(database);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await sql`select 1`.execute(transaction);
  });
  await expect(broken).rejects.toThrow();
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
  await database.destroy();
});
