import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { readFigures } from '#testing/stored-figures.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  findFigureProblems,
  foldAllFigures,
  foldFigures,
  rebuildFigures,
} from './fold-figures.actions.ts';

// The job of the app runs as well: it is another process that folds.
const app = useTestApp();
const stage = openRequestStage(app);

const createdToday = async () => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(amount), 0)::int as count
    from request_figures
    where scope = 0 and grain = 'total' and kind = 'created' and day = day_in_dubai(now())`.execute(
    app.database,
  );
  return rows[0]?.count ?? 0;
};

const announce = (database: Database | Transaction, id: number) =>
  sql`insert into figure_changes (request_id) values (${id})`.execute(database);

type Step =
  | { kind: 'end'; status: number; hours: number }
  | { kind: 'pay' | 'reopen'; hours: number }
  | { kind: 'report' | 'withdraw'; hours: number; amount: number }
  | { kind: 'handOver'; partner: number }
  | { kind: 'fold' };

const hours = fc.integer({ min: -2000, max: 0 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('end' as const), status: fc.constantFrom(9, 10), hours }),
    fc.record({ kind: fc.constantFrom('pay' as const, 'reopen' as const), hours }),
    fc.record({
      kind: fc.constantFrom('report' as const, 'withdraw' as const),
      hours,
      amount: fc.integer({ min: 1, max: 9999 }),
    }),
    fc.record({ kind: fc.constant('handOver' as const), partner: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ kind: fc.constant('fold' as const) }),
  ),
  { minLength: 1, maxLength: 12 },
);
let made = 0;

async function perform(id: number, step: Step): Promise<void> {
  made += 1;
  const { database } = app;
  if (step.kind === 'fold') await foldFigures(app.serverDatabase);
  else if (step.kind === 'handOver')
    await sql`
      update requests
      set partner_id = ${step.partner}, came_to_provider = true
      where id = ${id}`.execute(database);
  else if (step.kind === 'withdraw')
    await sql`update payments set status = 'cancelled' where request_id = ${id}`.execute(database);
  else if (step.kind === 'report')
    await sql`
      with paid as (
        insert into payments (request_id, round, merchant_reference, amount, currency, status)
        values (${id}, ${made}, ${`fold-${made}`}, ${step.amount}, 'AED', 'paid')
        returning id
      )
      insert into payment_events (id, payment_id, kind, amount, currency, occurred_at)
      select ${`fold-${made}`}, id, 'paid', ${step.amount}, 'AED',
        now() + ${step.hours} * interval '1 hour'
      from paid`.execute(database);
  else
    await sql`
      insert into request_history (
        request_id, action, from_status_id, to_status_id, actor_kind, actor_name, at
      )
      values (
        ${id}, ${step.kind === 'pay' ? 'pay' : 'submitted'}, 4,
        ${step.kind === 'end' ? step.status : 3}, 'employee', '',
        now() + ${step.hours} * interval '1 hour'
      )`.execute(database);
}

it('whatever happens to requests, the fold is what a rebuild makes from nothing', async () => {
  const ids: number[] = [];
  for (const user of ['individual', 'company'])
    ids.push((await stage.send(user, freeService)).requestId);
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 2 }), async (stories) => {
      await Promise.all(
        stories.map(async (story, index) => {
          for (const step of story) await perform(ids[index] ?? 0, step);
        }),
      );
      await foldAllFigures(app.serverDatabase);
      const folded = await readFigures(app.database);
      expect(await findFigureProblems(app.serverDatabase)).toEqual([]);
      await rebuildFigures(app.serverDatabase);
      expect(folded).toEqual(await readFigures(app.database));
    }),
    { numRuns: 12 },
  );
});

it('a step that commits after later ones is not skipped', async () => {
  await foldAllFigures(app.serverDatabase);
  const before = await createdToday();
  const early = (await stage.send('individual', freeService)).requestId;
  await foldAllFigures(app.serverDatabase);
  // As if the early one were new: its announcement is not committed yet.
  await sql`delete from request_facts where request_id = ${early}`.execute(app.database);
  await inTransaction(app.database, async (transaction) => {
    await announce(transaction, early);
    await stage.send('individual', freeService);
    await foldAllFigures(app.serverDatabase);
    expect(await createdToday()).toBe(before + 2);
  });
  await foldAllFigures(app.serverDatabase);
  expect(await createdToday()).toBe(before + 3);
  await rebuildFigures(app.serverDatabase);
  expect(await createdToday()).toBe(before + 2);
});

it('several processes fold each change once', async () => {
  await foldAllFigures(app.serverDatabase);
  const before = await createdToday();
  for (let count = 0; count < 5; count += 1) await stage.send('individual2', freeService);
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      foldAllFigures(index % 2 === 0 ? app.serverDatabase : app.database),
    ),
  );
  expect(await createdToday()).toBe(before + 5);
  expect(await findFigureProblems(app.serverDatabase)).toEqual([]);
});

it('a process that dies while it folds loses nothing, and the next one folds', async () => {
  await foldAllFigures(app.serverDatabase);
  const before = await readFigures(app.database);
  const { requestId } = await stage.send('individual2', freeService);
  // The connection ends with the changes taken and the sums not committed, as after kill -9.
  await expect(
    inTransaction(app.database, async (transaction) => {
      await acquireNamedLock(transaction, 'figures');
      await sql`delete from figure_changes`.execute(transaction);
      await sql`
        insert into request_figures (scope, grain, day, kind, amount)
        values (0, 'total', '2020-01-01', 'refused', 5)`.execute(transaction);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
        transaction,
      );
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(app.database);
      await sql`select 1`.execute(transaction);
    }),
  ).rejects.toThrow();
  await foldAllFigures(app.serverDatabase);
  const after = await readFigures(app.database);
  expect(after).not.toEqual(before);
  expect(await findFigureProblems(app.serverDatabase)).toEqual([]);
  await announce(app.database, requestId);
  await foldAllFigures(app.serverDatabase);
  expect(await readFigures(app.database)).toEqual(after);
});

it('the job folds without anybody who reads', async () => {
  const before = await createdToday();
  await stage.send('individual2', freeService);
  await expect.poll(createdToday, { timeout: 15_000 }).toBe(before + 1);
});
