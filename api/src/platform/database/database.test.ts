import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './database.ts';

// What nobody listens to ends the process; vitest fails a run in which that happens.
it('outlives a server that goes away in the middle of a transaction, and connects again', async () => {
  const lost: string[] = [];
  const database = openDatabase(inject('databaseServer'), (error) => lost.push(error.message));
  const broken = database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      transaction,
    );
    await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(database);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await sql`select 1`.execute(transaction);
  });
  await expect(broken).rejects.toThrow();
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([
    { one: 1 },
  ]);
  await database.destroy();
});

it('is busy, not at fault, where every connection is in use for longer than anybody waits', async () => {
  // Long enough to open twenty connections beside everything else that this machine does.
  const database = openDatabase(inject('databaseServer'), () => undefined, 2000);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = 0;
  const holding = Array.from({ length: 20 }, () =>
    database.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      begun += 1;
      await ended;
    }),
  );
  await expect.poll(() => begun).toBe(20);
  await expect(sql`select 1`.execute(database)).rejects.toMatchObject({
    refusal: 'ServerBusy',
    status: 503,
    params: { retryAfter: 3 },
  });
  end();
  await Promise.all(holding);
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([
    { one: 1 },
  ]);
  await database.destroy();
});
