import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { combineWrites, insertRows, sql } from './sql.ts';

const app = useTestApp();
const numbersOf = (first: unknown, second: unknown) =>
  sql`select ${first}::int as first, ${second}::int as second`;
const run = async (first: unknown, second: unknown) => {
  const { rows } = await numbersOf(first, second).execute(app.database);
  return rows[0];
};

it('a statement that is known takes its own values', async () => {
  expect(await run(1, 2)).toEqual({ first: 1, second: 2 });
  expect(await run(3, null)).toEqual({ first: 3, second: null });
  expect(await run(undefined, 4)).toEqual({ first: null, second: 4 });
});

it('a part in the place of a value is another statement, and its values keep their order', async () => {
  const sum = (one: unknown, other: unknown) => sql`(${one}::int + ${other}::int)`;
  expect(await run(sum(1, 2), 4)).toEqual({ first: 3, second: 4 });
  expect(await run(4, sum(1, 2))).toEqual({ first: 4, second: 3 });
  expect(await run(sum(5, 6), sum(7, sum(8, 9)))).toEqual({ first: 11, second: 24 });
  expect(await run(1, 2)).toEqual({ first: 1, second: 2 });
});

it('a query of Kysely may be among the values', async () => {
  for (const value of [5, 6]) {
    const query = app.database.selectNoFrom(sql<number>`${value}::int * 2`.as('double'));
    const { rows } = await numbersOf(sql`(${query})`, value).execute(app.database);
    expect(rows).toEqual([{ first: value * 2, second: value }]);
  }
});

it('names and lists are part of the shape of a statement', async () => {
  const sumOf = async (name: string, values: readonly number[]) => {
    const numbers = sql.join(
      values.map((value) => sql`${value}::int`),
      ' + ',
    );
    const { rows } = await sql`select ${numbers} as ${sql.raw(name)}`.execute(app.database);
    return rows;
  };
  expect(await sumOf('one', [1])).toEqual([{ one: 1 }]);
  expect(await sumOf('three', [1, 2, 3])).toEqual([{ three: 6 }]);
  expect(await sumOf('three', [4, 5, 6])).toEqual([{ three: 15 }]);
  const nothing = sql`select 1 as one ${sql.join([], ' and ')}`;
  expect((await nothing.execute(app.database)).rows).toEqual([{ one: 1 }]);
});

it('a name is quoted', async () => {
  const named = sql`select 1 as ${sql.id('a "name".of')}, ${sql.id('one', 'id')} from (select 2 as id) as one`;
  expect((await named.execute(app.database)).rows).toEqual([{ 'a "name".of': 1, id: 2 }]);
});

it('a statement is right after very many others, which are forgotten', async () => {
  for (let shape = 0; shape < 1200; shape += 1) {
    const select = sql`select ${sql.raw(`${shape} as number`)}, ${'own'} as text`;
    const { rows } = await select.execute(app.database);
    expect(rows).toEqual([{ number: shape, text: 'own' }]);
  }
  expect(await run(1, 2)).toEqual({ first: 1, second: 2 });
});

it('writes that are undefined are left out, and each sees the rows of those before it', async () => {
  const row = (name: string) => ({ name, value: JSON.stringify(name) });
  const inserts = [
    insertRows('settings', [row('one')]),
    insertRows('settings', [row('two'), row('three')]),
    insertRows('settings', [row('four')]),
  ];
  const found: unknown[] = [];
  for (const insert of inserts) {
    const combined = combineWrites({
      settings: sql`${insert} returning name`,
      nothing: undefined,
      named: sql`select name || ${'!'} as name from settings`,
    });
    const { rows } = await sql`${combined} select name from named`.execute(app.database);
    found.push(rows);
  }
  expect(found).toEqual([
    [{ name: 'one!' }],
    [{ name: 'two!' }, { name: 'three!' }],
    [{ name: 'four!' }],
  ]);
});
