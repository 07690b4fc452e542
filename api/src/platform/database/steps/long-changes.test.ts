import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { sql } from '../sql.ts';
import { continueLongChanges, type LongChange } from './long-changes.ts';

const app = useTestApp();
const rows = 1000;

/** Doubles a column, two hundred rows at a time; `fail` says whether a step fails at its end. */
const doubling = (name: string, seen: number[], fail = () => false): LongChange => ({
  name,
  async step(transaction, after = '0') {
    const changed = await sql<{ id: number }>`
      update numbers
      set doubled = value * 2, changes = changes + 1
      where id in (
        select id from numbers where id > ${after}::int order by id limit 200 for update
      )
      returning id`.execute(transaction);
    seen.push(changed.rows.length);
    if (fail()) throw new Error('killed');
    const last = Math.max(...changed.rows.map(({ id }) => id));
    return changed.rows.length === 0 ? undefined : String(last);
  },
});

async function makeNumbers(): Promise<void> {
  await sql`drop table if exists numbers`.execute(app.database);
  await sql`
    create table numbers as
    select id, id * 7 as value, null::int as doubled, 0 as changes
    from generate_series(1, ${rows}) as id`.execute(app.database);
}
const wrong = async () =>
  (
    await sql`select from numbers where doubled is distinct from value * 2 or changes <> 1`.execute(
      app.database,
    )
  ).rows.length;

it('changes every row once, in short steps, and goes on after the last one that was stored', async () => {
  await makeNumbers();
  const seen: number[] = [];
  // Killed at the end of the third step: what it has changed is undone with its position.
  const killed = doubling('doubling', seen, () => seen.length === 3);
  await expect(continueLongChanges(app.database, [killed])).rejects.toThrow('killed');
  expect(await wrong()).toBe(rows - 400);
  // Without time it begins nothing.
  expect(await continueLongChanges(app.database, [doubling('doubling', seen)], -1)).toBe(false);
  expect(await continueLongChanges(app.database, [doubling('doubling', seen)])).toBe(true);
  expect([await wrong(), seen]).toEqual([0, [200, 200, 200, 200, 200, 200, 0]]);
  expect(await continueLongChanges(app.database, [doubling('doubling', seen)])).toBe(true);
  expect(seen).toHaveLength(7);
});

it('lets several processes work on one change, and people between its steps', async () => {
  await makeNumbers();
  const seen: number[] = [];
  let isFinished = false;
  const processes = Promise.all(
    [1, 2, 3].map(() => continueLongChanges(app.database, [doubling('shared', seen)], 20_000)),
  ).finally(() => (isFinished = true));
  while (!isFinished)
    // A person changes a row of the table.
    await sql`update numbers set value = value where id = 900`.execute(app.database);
  expect(await processes).toEqual([true, true, true]);
  expect(await wrong()).toBe(0);
  expect(seen.filter((count) => count > 0)).toHaveLength(5);
});
