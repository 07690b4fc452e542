import { afterAll, expect, it, vi } from 'vitest';
import { findRequestProblems } from '#commands/find-integrity-problems.ts';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';

// So many are moved in one transaction (`move-agencies.actions.ts`).
const atOnce = 200;
const count = 2.5 * atOnce;
const lock = 4242;
const waiting = { timeout: 60_000, interval: 50 };

/** Open requests of the first service, with their history and counts. Returns their ids. */
async function insertRequests(database: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with inserted as (
      insert into requests (
        number, service_id, agency_id, user_id, workflow_id, status_id, form_id, answers, quote, total,
        applicant_name, phone_number, search_text, working_days, calendar_id
      )
      select
        'DW26-99999-' || lpad(n::text, 5, '0'), services.id, services.agency_id, users.id,
        (select max(id) from workflows), 3, (select min(id) from forms), '{}', '{}', 0, 'Ali',
        '+971500000000', 'ali', 5, (select min(id) from calendar_versions)
      from generate_series(1, ${count}::int) as n
      cross join (select id, agency_id from services order by id limit 1) as services
      cross join (select id from users where username = 'individual2') as users
      returning id, agency_id
    ), sent as (
      insert into request_history (request_id, action, to_status_id, actor_kind, actor_name)
      select id, 'create', 3, 'applicant', 'Ali'
      from inserted
    ), counted as (
      insert into request_counts (status_id, partner_id, agency_id, count)
      select 3, 0, agency_id, count(*)
      from inserted
      group by agency_id
    )
    select id
    from inserted
    order by id`.execute(database);
  return rows.map(({ id }) => id);
}

/** The program stops in the middle of the transaction that moves this request, after it has written. */
async function stopAt(database: Database, requestId: number): Promise<void> {
  await sql`
    create function stop_transfer() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${sql.raw(lock)});
      return new;
    end $$`.execute(database);
  await sql`
    create trigger stop_transfer before insert on request_history
    for each row when (new.action = 'transfer' and new.request_id = ${sql.raw(requestId)})
    execute function stop_transfer()`.execute(database);
}

/** The requests that are of the new agency, and those that have a note of it. */
async function movedOf(database: Database, ids: readonly number[], agencyId: number) {
  const { rows } = await sql<{ id: number; is_moved: boolean; notes: number }>`
    select id, agency_id = ${agencyId} as is_moved,
      (
        select count(*)::int
        from request_history
        where request_id = requests.id
          and action = 'transfer'
      ) as notes
    from requests
    where id = any(${[...ids]}::bigint[])
    order by id`.execute(database);
  // Each is moved and noted once, or neither.
  expect(rows.filter(({ is_moved, notes }) => notes !== Number(is_moved))).toEqual([]);
  return rows.filter(({ is_moved }) => is_moved).map(({ id }) => id);
}

afterAll(endPrograms);

it(
  'a service moves whole when the program is killed in the middle of its requests',
  { timeout: 240_000 },
  async () => {
    const data = await cloneProgramData();
    const start = async () => {
      const program = await startProgram({ ...data.settings, LOG_LEVEL: 'silent' });
      await program.waitUntilReady();
      return program;
    };
    const first = await start();
    const database = data.open();
    const ids = await insertRequests(database);
    await stopAt(database, ids[atOnce + 10] ?? 0);
    const { rows: moves } = await sql<{ service_id: number; former: number; agency_id: number }>`
      with former as (
        select id, agency_id
        from services
        order by id
        limit 1
      )
      select former.id as service_id, former.agency_id as former, min(agencies.id) as agency_id
      from former
      join agencies on agencies.id <> former.agency_id
      group by former.id, former.agency_id`.execute(database);
    const [move] = moves;
    if (!move) throw new Error('no agency to move to');
    await database.connection().execute(async (holder) => {
      await sql`select pg_advisory_lock(${lock})`.execute(holder);
      await database
        .updateTable('services')
        .set({ agency_id: move.agency_id })
        .where('id', '=', move.service_id)
        .execute();
      const isStopped = async () =>
        (
          await sql<{ is_stopped: boolean }>`
            select exists (
              select
              from pg_locks
              where locktype = 'advisory' and objid = ${lock} and not granted
            ) as is_stopped`.execute(database)
        ).rows[0]?.is_stopped;
      await vi.waitUntil(isStopped, waiting);
      first.signal('SIGKILL');
      await first.ended;
      await sql`select pg_advisory_unlock(${lock})`.execute(holder);
    });
    // The first transaction is whole; the one that was killed has left nothing.
    expect(await movedOf(database, ids, move.agency_id)).toEqual(ids.slice(0, atOnce));
    expect(await findRequestProblems(database)).toEqual([]);
    await start();
    await vi.waitUntil(
      async () => (await movedOf(database, ids, move.agency_id)).length === ids.length,
      waiting,
    );
    expect(await findRequestProblems(database)).toEqual([]);
    await database.destroy();
    await endPrograms();
    await data.close();
  },
);
