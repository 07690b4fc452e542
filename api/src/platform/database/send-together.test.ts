import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { countRoundTrips } from '#testing/round-trips.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Transaction } from './database.ts';
import { inTransaction, sendWithCommit, sendTogether } from './send-together.ts';
import { sql } from './sql.ts';

const app = useTestApp();

const read = (value: number) => async (part: Transaction) =>
  (await sql<{ value: number }>`select ${value}::int as value`.execute(part)).rows[0]?.value;
const add = (code: string) => (part: Transaction) =>
  sql`insert into referral_codes (code, name) values (${code}, '{}')`.execute(part);
const fail = (part: Transaction) => sql`select 1 / 0`.execute(part);
const codes = async () =>
  (await app.database.selectFrom('referral_codes').select('code').orderBy('code').execute()).map(
    ({ code }) => code,
  );

it('sends statements in their order, in one round trip with the begin', async () => {
  const { result, statements, trips } = await countRoundTrips(() =>
    inTransaction(app.database, async (transaction) => {
      const first = await sendTogether(transaction, [
        read(1),
        async () => 'no statement',
        (part) => sendTogether(part, [read(2)]),
        async (part) =>
          (await part.selectFrom('companies').select('id').where('id', '<', 0).execute()).length,
      ]);
      return [first, await sendWithCommit(transaction, [read(3), read(4)])];
    }),
  );
  expect(result).toEqual([
    [1, 'no statement', [2], 0],
    [3, 4],
  ]);
  expect(statements.map((text) => text.split(' ', 1)[0])).toEqual([
    'begin',
    'select',
    'select',
    'select',
    'select',
    'select',
    'commit',
  ]);
  expect(trips).toBe(2);
});

it('a transaction without statements sends nothing, and one without last ones commits', async () => {
  const empty = await countRoundTrips(() => inTransaction(app.database, async () => 1));
  expect([empty.result, empty.statements]).toEqual([1, []]);
  await inTransaction(app.database, (transaction) => add('PLAIN')(transaction));
  expect(await codes()).toContain('PLAIN');
});

it('a failed statement undoes all others, also those that were sent with the commit', async () => {
  const before = await codes();
  for (const send of [sendTogether, sendWithCommit]) {
    const done = inTransaction(app.database, async (transaction) => {
      await add('EARLY')(transaction);
      await send(transaction, [add('ONE'), fail, add('TWO')]);
    });
    await expect(done).rejects.toMatchObject({ code: '22012' });
  }
  expect(await codes()).toEqual(before);
  // The connections serve the next ones.
  await Promise.all(Array.from({ length: 30 }, () => read(5)(app.database as Transaction)));
});

it.each([
  ['throws', () => Promise.reject(new Error('thrown'))],
  ['cannot be sent', (part: Transaction) => sql`select ${{ n: 1n }}::jsonb`.execute(part)],
])('nothing is committed when a last statement %s', async (_, wrong) => {
  const before = await codes();
  const done = inTransaction(app.database, (transaction) =>
    sendWithCommit(transaction, [add('FIRST'), wrong, add('THIRD')]),
  );
  await expect(done).rejects.toThrow();
  expect(await codes()).toEqual(before);
});

it('a part of a larger transaction does not commit it', async () => {
  const before = await codes();
  const done = app.database.transaction().execute(async (whole) => {
    Object.assign(whole, {
      transaction: () => ({
        execute: (work: (part: Transaction) => Promise<unknown>) => work(whole),
      }),
    });
    await inTransaction(whole, (part) => sendWithCommit(part, [add('PART')]));
    throw new Error('undone');
  });
  await expect(done).rejects.toThrow('undone');
  expect(await codes()).toEqual(before);
});

it('a commit that gets no answer is an error', async () => {
  const lost = vi.spyOn(pg.Client.prototype, 'query');
  const done = inTransaction(app.database, async (transaction) => {
    await sql`select 1 as connection_of_this_test`.execute(transaction);
    // Jobs of the app use other connections meanwhile.
    const own = lost.mock.calls.findIndex(([query]) =>
      JSON.stringify(query).includes('connection_of_this_test'),
    );
    const client = lost.mock.contexts[own] as unknown as {
      connection: { stream: { destroy(): void } };
    };
    const last = sendWithCommit(transaction, [add('LOST')]);
    client.connection.stream.destroy();
    await last;
  });
  await expect(done).rejects.toMatchObject({ failure: 'connectionLost' });
  lost.mockRestore();
  expect(await codes()).not.toContain('LOST');
});
