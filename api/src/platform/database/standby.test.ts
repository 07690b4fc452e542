import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { roleMatrix } from '#system-tests/every-call/role-matrix.ts';
import { people } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { readStandby, StandbyConnections } from './calls/standby.ts';
import { openDatabase, withoutTimeLimits, type Database } from './database.ts';
import { sql } from './sql.ts';
import { inSnapshot, inTransaction } from './unit-of-work.ts';

// A copy of the template that gets no change any more, and refuses writes: a standby that lags.
const name = `diwan_standby_${randomBytes(6).toString('hex')}`;
const addressOf = (base: string) => {
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
};
let admin: pg.Client;
let standby: Database;
let stage: RoleStage;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  await admin.query(`create database ${name} template ${inject('template')} strategy file_copy`);
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  standby = openDatabase(addressOf(inject('databaseServer')), () => undefined);
  stage = await openRoleStage(undefined, standby);
});
afterAll(async () => {
  await stage.app.close();
  await standby.destroy();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});
afterEach(() => vi.restoreAllMocks());

const count = async (database: Database) =>
  (await sql<{ count: number }>`select count(*)::int as count from snippets`.execute(database))
    .rows[0]?.count;
const isStandby = async (database: Database) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(database)).rows[0]
    ?.name === name;

describe('what may lag', () => {
  it('reads the standby; transactions, and all other code, read the primary', async () => {
    const { serverDatabase: database } = stage.app;
    const before = await count(database);
    await sql`
      insert into snippets (user_id, name, texts)
      select id, ${randomBytes(6).toString('hex')}, '{}' from users where username = 'employee'
    `.execute(stage.app.database);
    expect(await count(database)).toBe((before ?? 0) + 1);
    await readStandby(async () => {
      expect(await count(database)).toBe(before);
      expect(await count(withoutTimeLimits(database))).toBe(before);
      expect(await inSnapshot(database, count)).toBe(before);
      expect(await inTransaction(database, isStandby)).toBe(false);
    });
    expect(await isStandby(database)).toBe(false);
  });

  it('reads the primary where the standby lags too much, or has gone', async () => {
    const server = new URL(inject('databaseServer'));
    const other = openDatabase(addressOf(server.href), () => undefined);
    server.pathname = '/postgres';
    const open = (maximumLagSeconds: number) =>
      openDatabase(server.href, () => undefined, {
        standby: { database: other, maximumLagSeconds },
      });
    const [quick, slow] = [open(30), open(-1)];
    const read = (database: Database) => readStandby(() => isStandby(database));
    expect([await read(quick), await read(slow)]).toEqual([true, false]);
    await other.destroy();
    const gone = open(30);
    expect(await read(gone)).toBe(false);
    for (const each of [quick, slow, gone]) await each.destroy();
  });
});

const marked = allCalls.filter(({ mayLag }) => mayLag);
const rows = Object.values(roleMatrix).flatMap((group) => Object.entries(group));

describe('calls', () => {
  it('that may lag only read', () => {
    expect(marked.map(({ name: call }) => call).toSorted()).toEqual([
      'exportAuditLog',
      'exportJournal',
      'exportPaymentList',
      'exportTrialBalance',
      'exportVatReport',
      'getFigureGroups',
      'getRequestFigures',
      'getVatReport',
      'getVatReportLines',
    ]);
    for (const { method } of marked) expect(method).toBe('GET');
  });

  it.each(marked)('$name is answered by a standby that refuses writes', async (call) => {
    const [, statuses = ''] = rows.find(([row]) => row === call.name) ?? [];
    const person = people[statuses.split(' ').indexOf('200')];
    if (!person) throw new Error(call.name);
    const borrowed = vi.spyOn(StandbyConnections.prototype, 'borrow');
    const parts = await stage.calls[call.name]?.make(person);
    const { status } = await stage.send(call, person, parts ?? {});
    expect(status).toBe(200);
    const lent = await Promise.all(borrowed.mock.results.map(({ value }) => value as unknown));
    expect(lent.filter(Boolean).length).toBeGreaterThan(0);
  });

  it('that people make after an act read the primary', async () => {
    const borrowed = vi.spyOn(StandbyConnections.prototype, 'borrow');
    for (const name of ['getRequestById', 'getRequestsByStatusId']) {
      const call = allCalls.find((each) => each.name === name);
      if (!call) throw new Error(name);
      const { status } = await stage.send(
        call,
        'individual',
        (await stage.calls[name]?.make('individual')) ?? {},
      );
      expect([name, status]).toEqual([name, 200]);
    }
    expect(borrowed.mock.results.length).toBeGreaterThan(0);
    const lent = await Promise.all(borrowed.mock.results.map(({ value }) => value as unknown));
    expect(lent.filter(Boolean)).toEqual([]);
  });
});
