import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/** Seconds: the longest wait, and the time without attempts after which the count starts again. */
const longestWait = 900;
const forgottenAfter = 86_400;

/**
 * Counts an attempt before its password is verified, so that parallel attempts cannot bypass the
 * limit. Each attempt from number `free` on doubles the wait before the next one. Returns `false`,
 * without counting, while the wait is not over, else the number of attempts.
 */
export async function countAttempt(
  database: Database,
  key: string,
  free: number,
): Promise<number | false> {
  const tries = sql`case
    when made.last_at < now() - make_interval(secs => ${forgottenAfter}) then 1
    else made.tries + 1
  end`;
  const wait = (count: typeof tries) =>
    sql`now() + make_interval(secs => case
      when ${count} < ${free}::int then 0
      else least(${longestWait}::float8, power(2, least(${count} - ${free}::int, 20)))
    end)`;
  const { rows } = await sql<{ tries: number }>`
    insert into sign_in_tries as made (key, tries, wait_until)
    values (${key}, 1, ${wait(sql`1`)})
    on conflict (key) do update
    set tries = ${tries}, wait_until = ${wait(tries)}, last_at = now()
    where made.wait_until <= now()
    returning tries`.execute(database);
  return rows[0]?.tries ?? false;
}

/**
 * Takes back an attempt, the one with this number, that could not be verified. Its wait ends: the
 * wait before it was over.
 */
export async function uncountAttempt(
  database: Database,
  key: string,
  number: number,
): Promise<void> {
  await sql`
    update sign_in_tries
    set
      tries = greatest(tries - 1, 0),
      wait_until = case when tries <= ${number} then least(wait_until, now()) else wait_until end
    where key = ${key}`.execute(database);
}

/** Returns the seconds until the next attempt is allowed; at least 1. */
export async function getWaitSeconds(database: Database, key: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from wait_until - clock_timestamp()))::int as seconds
    from sign_in_tries
    where key = ${key}`.execute(database);
  return Math.max(1, rows[0]?.seconds ?? 1);
}

/** Changes an hourly count, which delays no attempt, and returns it. */
export async function adjustHourlyCount(
  database: Database,
  key: string,
  change: 1 | -1,
): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    insert into sign_in_tries as made (key, tries, wait_until)
    values (${key}, greatest(${change}::int, 0), now())
    on conflict (key) do update
    set
      tries = case
        when made.wait_until < now() - interval '1 hour' then greatest(${change}::int, 0)
        else greatest(made.tries + ${change}::int, 0)
      end,
      wait_until = case
        when made.wait_until < now() - interval '1 hour' then now()
        else made.wait_until
      end,
      last_at = now()
    returning tries`.execute(database);
  return rows[0]?.tries ?? 0;
}

export async function clearAttempts(database: Database, key: string): Promise<void> {
  await database.deleteFrom('sign_in_tries').where('key', '=', key).execute();
}

export async function deleteOldLoginAttempts(database: Database): Promise<void> {
  await sql`
    delete from sign_in_tries
    where last_at < now() - make_interval(secs => ${2 * forgottenAfter})`.execute(database);
}
