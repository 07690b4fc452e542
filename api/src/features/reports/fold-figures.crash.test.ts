import { afterAll, expect, it } from 'vitest';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { readFigures } from '#testing/stored-figures.ts';
import { findFigureProblems, rebuildFigures } from './fold-figures.actions.ts';

afterAll(endPrograms);

/** What the fold waits for when the program is killed, in the order of its work. */
const moments = {
  'the changes are taken': sql`lock table request_facts in share mode`,
  'the facts are replaced': sql`lock table request_figures in share mode`,
  'it commits, and does not hear of it': sql`select pg_advisory_xact_lock(4711)`,
};

/** Ends the stage of every request, so that each counts once more. */
const endRequests = (database: Database, round: number) =>
  sql`
    insert into request_history (
      request_id, action, from_status_id, to_status_id, actor_kind, actor_name, at
    )
    select id, 'submitted', 4, 9, 'employee', '', now() - ${round} * interval '1 day'
    from requests`.execute(database);

async function countChanges(database: Database): Promise<number> {
  const { rows } = await sql`select from figure_changes`.execute(database);
  return rows.length;
}

it(
  'figures count each step once, though the program is killed while it folds them',
  { timeout: 120_000 },
  async () => {
    const data = await cloneProgramData();
    const database = data.open();
    await sql`
      create function wait_to_commit() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(4711);
        return null;
      end $$`.execute(database);
    await sql`
      create constraint trigger wait_to_commit after insert on request_figures
        deferrable initially deferred
        for each row execute function wait_to_commit()`.execute(database);
    const start = async () => {
      const started = await startProgram({ ...data.settings, LOG_LEVEL: 'silent' });
      await started.waitUntilReady();
      return started;
    };
    let program = await start();
    await expect.poll(() => countChanges(database), { timeout: 30_000 }).toBe(0);
    for (const [round, [moment, lock]] of Object.entries(moments).entries()) {
      const before = await readFigures(database);
      await inTransaction(database, async (transaction) => {
        await lock.execute(transaction);
        await endRequests(database, round);
        expect(await countChanges(database), moment).toBeGreaterThan(1);
        await expect.poll(() => countLockWaits(database), { timeout: 30_000 }).toBe(1);
        program.signal('SIGKILL');
        await program.ended;
      });
      // Only the transaction that PostgreSQL was asked to commit has taken the changes.
      await expect.poll(() => countLockWaits(database), { timeout: 30_000 }).toBe(0);
      const isCommitted = moment.startsWith('it commits');
      await expect
        .poll(async () => (await countChanges(database)) === 0, { timeout: 10_000 })
        .toBe(isCommitted);
      program = await start();
      await expect.poll(() => countChanges(database), { timeout: 30_000 }).toBe(0);
      const figures = await readFigures(database);
      expect(figures, moment).not.toEqual(before);
      expect(await findFigureProblems(database), moment).toEqual([]);
      await rebuildFigures(database);
      expect(await readFigures(database), moment).toEqual(figures);
    }
    program.signal('SIGKILL');
    await program.ended;
    await database.destroy();
    await data.close();
  },
);
