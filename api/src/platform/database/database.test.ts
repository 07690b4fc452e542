import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './database.ts';

// An error event without a listener ends the process, and vitest then fails the run.
it('survives a server that goes away during a transaction, and connects again', async () => {
  const errors: string[] = [];
  const database = openDatabase(inject('databaseServer'), (error) => errors.push(error.message));
  const broken = database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      transaction,
    );
    const pid = rows[0]?.pid ?? 0;
    await sql`select pg_terminate_backend(${pid})`.execute(database);
    await expect
      .poll(async () =>
        sql`select from pg_stat_activity where pid = ${pid}`
          .execute(database)
          .then(({ rows: left }) => left.length),
      )
      .toBe(0);
    await sql`select 1`.execute(transaction);
  });
  await expect(broken).rejects.toThrow();
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([
    { one: 1 },
  ]);
  await database.destroy();
});

it('throws ServerBusy when every connection is in use until the timeout', async () => {
  // Long enough to open twenty connections on a busy machine.
  const database = openDatabase(inject('databaseServer'), () => undefined, 2000);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let started = 0;
  const holding = Array.from({ length: 20 }, () =>
    database.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      started += 1;
      await ended;
    }),
  );
  await expect.poll(() => started).toBe(20);
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
