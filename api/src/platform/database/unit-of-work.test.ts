import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { countRoundTrips } from '#testing/round-trips.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Transaction } from './database.ts';
import { acquireNamedLock } from './named-lock.ts';
import { sql } from './sql.ts';
import {
  inRepeatableTransaction,
  inSnapshot,
  inTransaction,
  sendTogether,
  type Query,
} from './unit-of-work.ts';

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
    inTransaction(app.database, async (unit) => {
      const first = await unit.send({
        one: read(1),
        none: async () => 'no statement',
        built: async (part) =>
          (await part.selectFrom('companies').select('id').where('id', '<', 0).execute()).length,
      });
      unit.add(add('ADDED'));
      return [first, await unit.commit({ two: read(2), three: read(3) })];
    }),
  );
  expect(result).toEqual([
    { one: 1, none: 'no statement', built: 0 },
    { two: 2, three: 3 },
  ]);
  expect(statements.map((text) => text.split(' ', 1)[0])).toEqual([
    'begin',
    'select',
    'select',
    'insert',
    'select',
    'select',
    'commit',
  ]);
  expect(trips).toBe(2);
  expect(await codes()).toContain('ADDED');
});

it.each([
  ['together', async (wrong: Query) => void (await sendTogether(app.database, { wrong }))],
  [
    'with the commit',
    (wrong: Query) => inTransaction(app.database, async (unit) => unit.add(add('OTHER'), wrong)),
  ],
])('a query that executes a second statement is refused: %s', async (_, send) => {
  const twice = async (part: Transaction) => {
    await read(1)(part);
    await read(2)(part);
  };
  await expect(send(twice)).rejects.toThrow('A query executes one statement');
});

it('what was collected is sent before a statement that may read it', async () => {
  const found = await inTransaction(app.database, async (unit) => {
    unit.write({ added: sql`insert into referral_codes (code, name) values ('EARLIER', '{}')` });
    return unit.selectFrom('referral_codes').select('code').where('code', '=', 'EARLIER').execute();
  });
  expect(found).toEqual([{ code: 'EARLIER' }]);
});

it('sends nothing without statements, one statement alone, and several as a transaction', async () => {
  const run = (...queries: Query[]) =>
    countRoundTrips(() => inTransaction(app.database, async (unit) => unit.add(...queries)));
  expect((await run()).statements).toEqual([]);
  const alone = await run(add('ALONE'));
  expect(alone.statements.map((text) => text.split(' ', 1)[0])).toEqual(['insert']);
  const several = await run(add('FIRSTOFTWO'), add('SECONDOFTWO'));
  expect(several.statements.map((text) => text.split(' ', 1)[0])).toEqual([
    'begin',
    'insert',
    'insert',
    'commit',
  ]);
  expect(await codes()).toEqual(expect.arrayContaining(['ALONE', 'FIRSTOFTWO', 'SECONDOFTWO']));
});

it('a failed statement undoes all others, also those that were sent with the commit', async () => {
  const before = await codes();
  const wrong = { one: add('ONE'), fail, two: add('TWO') };
  for (const end of ['send', 'commit'] as const) {
    const done = inTransaction(app.database, async (unit) => {
      await add('EARLY')(unit);
      await unit[end](wrong);
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
  const done = inTransaction(app.database, (unit) =>
    unit.commit({ first: add('FIRST'), wrong, third: add('THIRD') }),
  );
  await expect(done).rejects.toThrow();
  expect(await codes()).toEqual(before);
});

it('a part of a larger unit of work ends with it', async () => {
  const before = await codes();
  const ended: string[] = [];
  const run = (isUndone: boolean) =>
    inTransaction(app.database, async (whole) => {
      await inTransaction(whole, async (part) => {
        part.afterCommit(() => ended.push('part'));
        part.add(add('PART'));
        expect(await part.commit({ value: read(6) })).toEqual({ value: 6 });
      });
      expect(ended).toEqual([]);
      if (isUndone) throw new Error('undone');
    });
  await expect(run(true)).rejects.toThrow('undone');
  expect([await codes(), ended]).toEqual([before, []]);
  await run(false);
  expect([(await codes()).includes('PART'), ended]).toEqual([true, ['part']]);
});

it('nothing is sent after the commit', async () => {
  const late = inTransaction(app.database, async (unit) => {
    await unit.commit({ value: read(1) });
    await read(2)(unit);
  });
  await expect(late).rejects.toThrow('A statement comes after the commit');
});

it('a snapshot does not see what others commit meanwhile', async () => {
  const counts = await inSnapshot(app.database, async (unit) => {
    const count = async () =>
      (await unit.selectFrom('referral_codes').select('code').execute()).length;
    const before = await count();
    await add('MEANWHILE')(app.database as Transaction);
    return [before, await count()];
  });
  expect(counts[0]).toBe(counts[1]);
});

it('work that a deadlock ended is done again, and work that may not be repeated fails', async () => {
  // Each of the two takes one lock, and then wants the lock of the other.
  const cross = async (run: typeof inTransaction) => {
    let holding = 0;
    let go: () => void = () => undefined;
    const bothHold = new Promise<void>((resolve) => {
      go = resolve;
    });
    const lockBoth = (first: string, second: string) =>
      run(app.database, async (unit) => {
        await acquireNamedLock(unit, first);
        if ((holding += 1) >= 2) go();
        await bothHold;
        await acquireNamedLock(unit, second);
      });
    const ends = await Promise.allSettled([lockBoth('one', 'two'), lockBoth('two', 'one')]);
    return [holding, ends.filter(({ status }) => status === 'fulfilled').length];
  };
  expect(await cross(inTransaction)).toEqual([2, 1]);
  expect(await cross(inRepeatableTransaction)).toEqual([3, 2]);
});

it('a commit that gets no answer is an error', async () => {
  const lost = vi.spyOn(pg.Client.prototype, 'query');
  const done = inTransaction(app.database, async (unit) => {
    await sql`select 1 as connection_of_this_test`.execute(unit);
    // Jobs of the app use other connections meanwhile.
    const own = lost.mock.calls.findIndex(([query]) =>
      JSON.stringify(query).includes('connection_of_this_test'),
    );
    const client = lost.mock.contexts[own] as unknown as {
      connection: { stream: { destroy(): void } };
    };
    const last = unit.commit({ lost: add('LOST') });
    client.connection.stream.destroy();
    await last;
  });
  await expect(done).rejects.toMatchObject({ failure: 'connectionLost' });
  lost.mockRestore();
  expect(await codes()).not.toContain('LOST');
});
