import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { combineWrites, insertRows, part } from './statement-parts.ts';

const app = useTestApp();
const numbersOf = (first: unknown, second: unknown) =>
  part`select ${first}::int as first, ${second}::int as second`;
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
  const sum = (one: unknown, other: unknown) => part`(${one}::int + ${other}::int)`;
  expect(await run(sum(1, 2), 4)).toEqual({ first: 3, second: 4 });
  expect(await run(4, sum(1, 2))).toEqual({ first: 4, second: 3 });
  expect(await run(sum(5, 6), sum(7, sum(8, 9)))).toEqual({ first: 11, second: 24 });
  expect(await run(1, 2)).toEqual({ first: 1, second: 2 });
});

it('a query of Kysely may be among the values', async () => {
  for (const value of [5, 6]) {
    const { rows } = await numbersOf(sql`(${value}::int * 2)`, value).execute(app.database);
    expect(rows).toEqual([{ first: value * 2, second: value }]);
  }
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
      settings: part`${insert} returning name`,
      nothing: undefined,
      named: part`select name || ${'!'} as name from settings`,
    });
    const { rows } = await part`${combined} select name from named`.execute(app.database);
    found.push(rows);
  }
  expect(found).toEqual([
    [{ name: 'one!' }],
    [{ name: 'two!' }, { name: 'three!' }],
    [{ name: 'four!' }],
  ]);
});
