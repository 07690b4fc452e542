import { expect, it } from 'vitest';
import { onePlanMark, openStatementNames } from './statement-names.ts';

it('names a statement that is sent again, with one name for one text', () => {
  const nameOf = openStatementNames();
  expect(nameOf('select 1')).toBeUndefined();
  const prepared = nameOf('select 1');
  expect(prepared?.name).toMatch(/^[\w-]{27}$/);
  expect(nameOf('select 1')).toBe(prepared);
  nameOf('select 2');
  expect(nameOf('select 2')?.name).not.toBe(prepared?.name);
});

it('says which statements have one plan for all values', () => {
  const nameOf = openStatementNames();
  const marked = `select 1 ${onePlanMark}`;
  for (const text of ['select 1', marked]) nameOf(text);
  expect(['select 1', marked].map((text) => nameOf(text)?.hasOnePlan)).toEqual([false, true]);
});

it.each([
  'begin',
  'set local role x',
  'select * from users',
  'select "users".* from users',
  'insert into users values ($1) returning *',
])('sends as a text: %s', (text) => {
  const nameOf = openStatementNames();
  for (let time = 0; time < 3; time += 1) expect(nameOf(text)).toBeUndefined();
});

it('names at most 200 statements, and forgets texts that are sent once', () => {
  const nameOf = openStatementNames();
  for (let text = 0; text < 5000; text += 1) nameOf(`select ${text}`);
  const named = Array.from({ length: 300 }, (_, at) => {
    nameOf(`select 'again', ${at}`);
    return nameOf(`select 'again', ${at}`);
  });
  expect(named.filter((name) => name !== undefined)).toHaveLength(200);
});
