import { expect, inject, it } from 'vitest';
import { addressThrough, openTcpProxy } from '#testing/programs/tcp-proxy.ts';
import {
  findDatabaseFailure,
  isPoolStuck,
  openDatabase,
  withoutTimeLimits,
  type Database,
} from './database.ts';
import { sql } from './sql.ts';
import { onePlanMark } from './statement-names.ts';
import { inTransaction } from './unit-of-work.ts';

const processId = async (database: Database): Promise<number | undefined> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)).rows[0]?.pid;

/** The address of the server with settings for its sessions. */
function addressWith(settings: Record<string, string>, user?: string): string {
  const url = new URL(inject('databaseServer'));
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', options.join(' '));
  if (user) url.username = user;
  return url.toString();
}

// An error event without a listener ends the process, and vitest then fails the run.
it('survives a server that goes away during a transaction, and connects again', async () => {
  const errors: string[] = [];
  const database = openDatabase(inject('databaseServer'), (line) => errors.push(line));
  const broken = inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      transaction,
    );
    const pid = rows[0]?.pid ?? 0;
    await sql`select pg_terminate_backend(${pid})`.execute(database);
    await expect
      .poll(async () =>
        sql`select from pg_stat_activity where pid = ${pid}`
          .execute(database)
          .then(({ rows: left }) => left.length),
      )
      .toBe(0);
    await sql`select 1`.execute(transaction);
  });
  await expect(broken).rejects.toThrow();
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([
    { one: 1 },
  ]);
  await database.destroy();
});

it('throws ServerBusy when every connection is in use until the timeout', async () => {
  // Long enough to open twenty connections on a busy machine.
  const database = openDatabase(inject('databaseServer'), () => undefined, {
    connectMs: 2000,
  });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let started = 0;
  const holding = Array.from({ length: 20 }, () =>
    inTransaction(database, async (transaction) => {
      await sql`select 1`.execute(transaction);
      started += 1;
      await ended;
    }),
  );
  await expect.poll(() => started).toBe(20);
  await expect(sql`select 1`.execute(database)).rejects.toMatchObject({
    refusal: 'ServerBusy',
    status: 503,
    params: { retryAfter: 3 },
  });
  end();
  await Promise.all(holding);
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([
    { one: 1 },
  ]);
  await database.destroy();
});

it('destroys a connection without an answer in time, and gives its place to another one', async () => {
  const proxy = await openTcpProxy(inject('databaseServer'));
  const lines: string[] = [];
  const database = openDatabase(
    addressThrough(proxy, inject('databaseServer')),
    (line) => lines.push(line),
    { connections: 1, connectMs: 5000, queryMs: 1000 },
  );
  const first = await processId(database);
  await proxy.setMode('silence');
  await expect(
    inTransaction(database, async (transaction) => {
      await sql`select 1`.execute(transaction);
    }),
  ).rejects.toMatchObject({ refusal: 'ServerBusy', failure: 'timeout' });
  await proxy.setMode('pass');
  await expect.poll(() => processId(database).catch(() => first)).not.toBe(first);
  await database.destroy();
  await proxy.close();
});

it('leaves a commit the time that the waits of its transaction have not used', async () => {
  const proxy = await openTcpProxy(inject('databaseServer'));
  const address = addressThrough(proxy, inject('databaseServer'));
  const database = openDatabase(address, () => undefined, { connections: 1, queryMs: 6000 });
  await processId(database);
  const begun = performance.now();
  await expect(
    inTransaction(database, async (transaction) => {
      await sql`select pg_sleep(3)`.execute(transaction);
      await proxy.setMode('silence');
    }),
  ).rejects.toMatchObject({ refusal: 'ServerBusy', failure: 'timeout' });
  expect(performance.now() - begun).toBeLessThan(8000);
  await proxy.setMode('pass');
  await database.destroy();
  await proxy.close();
});

it('ends statements and transactions that take too long, except for those without limits', async () => {
  const lines: string[] = [];
  const database = openDatabase(inject('databaseServer'), (line) => lines.push(line), {
    connections: 1,
    connectMs: 20_000,
    statementMs: 1500,
    idleTransactionMs: 1500,
  });
  const pid = await processId(database);
  const failure = { refusal: 'ServerBusy', failure: 'timeout' };
  await expect(sql`select pg_sleep(60)`.execute(database)).rejects.toMatchObject(failure);
  await expect.poll(() => lines).toEqual([expect.stringContaining('took too long')]);
  expect(await processId(database)).toBe(pid);

  const unlimited = withoutTimeLimits(database);
  await sql`select pg_sleep(2)`.execute(unlimited);
  const isOpen = async () =>
    (await sql`select from pg_stat_activity where pid = ${pid}`.execute(unlimited)).rows.length > 0;
  await expect(
    inTransaction(database, async (transaction) => {
      await sql`select 1`.execute(transaction);
      await expect.poll(isOpen).toBe(false);
      await sql`select 1`.execute(transaction);
    }),
  ).rejects.toMatchObject({ refusal: 'ServerBusy', failure: 'connectionLost' });
  expect(await processId(database)).not.toBe(pid);
  await database.destroy();
  await expect(sql`select 1`.execute(unlimited)).rejects.toThrow();
});

it('names what the database lacks, and continues with what works', async () => {
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const readOnly = openDatabase(addressWith({ default_transaction_read_only: 'on' }), report);
  expect(await findDatabaseFailure(readOnly)).toBe('readOnly');
  const change = sql`create table never_made ()`;
  await expect(change.execute(readOnly)).rejects.toMatchObject({ failure: 'readOnly' });
  expect(await processId(readOnly)).toEqual(expect.any(Number));
  await readOnly.destroy();

  const noSpace = openDatabase(addressWith({ temp_file_limit: '0', work_mem: '64kB' }), report);
  const large = sql`select count(*) from (select n from generate_series(1, 100000) n order by -n) s`;
  await expect(large.execute(noSpace)).rejects.toMatchObject({ failure: 'noResources' });
  expect(await processId(noSpace)).toEqual(expect.any(Number));
  await noSpace.destroy();

  const admin = openDatabase(inject('databaseServer'), () => undefined);
  const role = `limited_${process.pid}`;
  const { password } = new URL(inject('databaseServer'));
  await sql
    .raw(`create role ${role} login connection limit 1 password '${password}'`)
    .execute(admin);
  const limited = openDatabase(addressWith({}, role), report);
  await limited.connection().execute(async (connection) => {
    await sql`select 1`.execute(connection);
    await expect(processId(limited)).rejects.toMatchObject({ failure: 'tooManyConnections' });
  });
  expect(await processId(limited)).toEqual(expect.any(Number));
  await limited.destroy();
  await expect
    .poll(() =>
      sql
        .raw(`drop role ${role}`)
        .execute(admin)
        .then(
          () => true,
          () => false,
        ),
    )
    .toBe(true);
  await admin.destroy();
  expect(lines.map((line) => line.split(' (')[0])).toEqual([
    'Database unavailable: it accepts no changes',
    'Database unavailable: it has no disk space or memory left',
    'Database unavailable: it has no connection left',
  ]);
});

it('reads times in any zone as pg reads them', async () => {
  for (const zone of ['UTC', 'Asia/Dubai', 'Asia/Kolkata', 'America/St_Johns']) {
    const database = openDatabase(addressWith({ timezone: zone }), () => undefined);
    const { rows } = await sql<{ at: Date; milliseconds: number }>`
      select at, floor(extract(epoch from at) * 1000)::float8 as milliseconds
      from unnest(array[
        '2026-02-28 23:59:59.999999Z', '2026-03-01 08:30:00Z', '1969-12-31 23:59:59.5Z',
        '0099-12-31 12:00:00Z', '12026-01-01 00:00:00.25Z'
      ]::timestamptz[]) as at
    `.execute(database);
    expect(rows.map(({ at }) => at.getTime())).toEqual(rows.map((row) => row.milliseconds));
    await database.destroy();
  }
});

it('leaves errors of queries as they are', async () => {
  const lines: string[] = [];
  const database = openDatabase(inject('databaseServer'), (line) => lines.push(line));
  await expect(sql`select 1 / 0`.execute(database)).rejects.toMatchObject({ code: '22012' });
  expect(lines).toEqual([]);
  await database.destroy();
});

it('is stuck while no connection is given back, and no longer when one is', async () => {
  const database = openDatabase(inject('databaseServer'), () => undefined, {
    connections: 1,
    connectMs: 1000,
  });
  await database.connection().execute(async (connection) => {
    await sql`select 1`.execute(connection);
    expect(isPoolStuck(database, 0)).toBe(false);
    await expect(processId(database)).rejects.toMatchObject({ refusal: 'ServerBusy' });
    await expect.poll(() => isPoolStuck(database, 0)).toBe(true);
    expect(isPoolStuck(database)).toBe(false);
  });
  expect(isPoolStuck(database, 0)).toBe(false);
  await database.destroy();
});

it('reads a day as a text, in every time zone of the process', async () => {
  const database = openDatabase(inject('databaseServer'), () => undefined);
  const { rows } = await sql<{ day: string; none: string | null }>`
    select date '2027-03-01' as day, null::date as none`.execute(database);
  expect(rows).toEqual([{ day: '2027-03-01', none: null }]);
  await database.destroy();
});

it('plans marked statements once for all values, and the others as PostgreSQL chooses', async () => {
  const database = openDatabase(inject('databaseServer'), () => undefined, {
    connections: 1,
    prepares: true,
  });
  const ask = async (mark: string, executor: Database = database) => {
    const { rows } = await sql<{ mode: string }>`
      select current_setting('plan_cache_mode') as mode ${sql.raw(mark)}
    `.execute(executor);
    return rows[0]?.mode;
  };
  for (const mark of ['', onePlanMark]) await ask(mark);
  expect([await ask(onePlanMark), await ask(''), await ask(onePlanMark)]).toEqual([
    'force_generic_plan',
    'auto',
    'force_generic_plan',
  ]);
  // The end of a transaction that failed takes its settings back.
  const failed = inTransaction(database, async (transaction) => {
    expect(await ask('', transaction as never)).toBe('auto');
    throw new Error('undone');
  });
  await expect(failed).rejects.toThrow('undone');
  expect([await ask(''), await ask(onePlanMark)]).toEqual(['auto', 'force_generic_plan']);
  await database.destroy();
});
