import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { openJobsByHand } from '#testing/test-app.ts';
import { people, type Parts, type Person, type WellFormed } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { revokeCertificate } from '@diwan/contract/content/issued-certificates';
import { repeatsOf, type Call } from '@diwan/contract/wire/call';
import { roleMatrix } from './role-matrix.ts';

// A job would change the tables between two readings of them.
const jobs = openJobsByHand();
let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage(jobs.open);
});
afterAll(() => stage.app.close());

const original = pg.Client.prototype.query;
afterEach(async () => {
  pg.Client.prototype.query = original;
  // The server has not heard of the commit; its jobs read what it changed.
  await jobs.run();
});

interface Statement {
  text?: string;
}

/**
 * Loses the answer to the next commit of a call with a key: PostgreSQL has committed, and the
 * connection ends before the server hears of it.
 */
function loseCommit(): { isLost: () => boolean } {
  let isLost = false;
  const lossy = new WeakSet<pg.Client>();
  let committed: Promise<unknown> | undefined;
  const query = original as unknown as (this: unknown, ...sent: unknown[]) => Promise<unknown>;
  const lose = (connection: pg.Client) => {
    isLost = true;
    (
      connection as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
    throw new Error('Connection terminated unexpectedly');
  };
  pg.Client.prototype.query = async function loseAnswer(this: pg.Client, ...sent: unknown[]) {
    const { text = '' } = (sent[0] ?? {}) as Statement;
    if (!isLost && text.includes('insert into call_answers')) {
      lossy.add(this);
      await query.apply(this, sent);
      // The commit is sent in the same packet.
      await committed;
      return lose(this);
    }
    if (!lossy.has(this) || text !== 'commit') return query.apply(this, sent);
    committed = query.apply(this, sent);
    await committed;
    return lose(this);
  } as never;
  return { isLost: () => isLost };
}

// What the outbox and the hubs write, and what each call of a session notes.
const othersWrite = /^(messages|sessions|hub_\w+)$/;

/** Changes with each committed change of the database, those of a table excepted. */
async function fingerprint(except = ''): Promise<string> {
  const { database } = stage.app;
  const tables = await sql<{ name: string }>`
    select relname as name
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by relname`.execute(database);
  const names = tables.rows
    .map(({ name }) => name)
    .filter((name) => !othersWrite.test(name) && name !== except);
  const counted = names.map(
    (name) =>
      `select '${name}' as name, count(*) as rows, sum(xmin::text::bigint) as versions from "${name}"`,
  );
  const all = await database.executeQuery<{ name: string; rows: number; versions: string | null }>(
    CompiledQuery.raw(counted.join(' union all ')),
  );
  return all.rows.map(({ name, rows, versions }) => `${name} ${rows} ${versions}`).join('\n');
}

const insert = (table: 'receipt_runs' | 'ledger_closings', row: object) =>
  stage.app.database
    .insertInto(table)
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow();

/** A request of `individual` with a certificate. */
async function certified(): Promise<{ requestId: number }> {
  const { body } = (await stage.calls.revokeCertificate?.make('employee')) ?? {};
  const { requestId } = body as { requestId: number };
  const series = 'CRT-2026';
  await sql`
    insert into invoice_counters (series, last_sequence)
    values (${series}, 1000000)
    on conflict do nothing`.execute(stage.app.database);
  await sql`
    insert into certificates (request_id, series, sequence, number, content, issued_at)
    values (${requestId}, ${series}, 1000000 + ${requestId}, ${`CRT-${requestId}`}, '{}', now())
  `.execute(stage.app.database);
  return { requestId };
}

/** What calls send whose well-formed call is refused by a rule for every user. */
const done: Record<string, () => Promise<Parts>> = {
  async cancelReceiptRun() {
    // One runs at a time.
    await stage.app.database
      .updateTable('receipt_runs')
      .set({ state: 'done' })
      .where('state', '=', 'running')
      .execute();
    const { id } = await insert('receipt_runs', {
      from_day: '2026-01-01',
      until_day: '2026-01-31',
      total: 5,
      created_by: await stage.app.idOf('admin'),
      creator_name: 'Aisha Al Demo',
      worker: randomUUID(),
    });
    return { body: { runId: id } };
  },
  async decideLedgerClosing() {
    const { id } = await insert('ledger_closings', {
      from_day: '2001-01-01',
      until_day: '2001-01-31',
      state: 'waiting',
      asked_by: await stage.app.idOf('employee'),
    });
    return { body: { id, isConfirmed: false } };
  },
  revokeCertificate: async () => ({ body: { ...(await certified()), reason: 'issuedInError' } }),
  async restoreCertificate() {
    const { requestId } = await certified();
    await stage.app.callAs('employee', revokeCertificate, {
      body: { requestId, reason: 'issuedInError' },
    });
    return { body: { requestId, reason: 'revokedInError' } };
  },
};

const rows = Object.values(roleMatrix).flatMap((group) => Object.entries(group));
const callOf = (row: string): Call | undefined =>
  allCalls.find(({ name }) => name === row.split(' ')[0]);
const keyedRows = rows.flatMap(([row, statuses]) => {
  const call = callOf(row);
  const index = statuses.split(' ').indexOf(row in done ? '404' : '200');
  const person = people[index];
  return call && repeatsOf(call) === 'byKey' && person ? [{ row, call, person }] : [];
});

const make = async (row: string, person: Person): Promise<Parts> => {
  const { make: makeParts }: WellFormed = stage.calls[row] ?? { make: () => ({}) };
  return (done[row] ?? makeParts)(person);
};

const storedAnswer = async (key: string) =>
  stage.app.database.selectFrom('call_answers').select('answer').where('key', '=', key).execute();

// The act takes the caller to the page that says what they wait for.
const refusedAfterwards: Record<string, string> = { registerPartner: 'ServiceProviderInactive' };

describe('an answer that is lost between the commit and the server', () => {
  it('is tried with every call that repeats by key', () => {
    const names = new Set(keyedRows.map(({ call }) => call.name));
    const missing = allCalls.filter((call) => repeatsOf(call) === 'byKey' && !names.has(call.name));
    expect(missing).toEqual([]);
  });

  it.each(keyedRows)(
    '$row: the repeat gets it, and changes nothing',
    async ({ row, call, person }) => {
      const key = randomUUID();
      const parts = { ...(await make(row, person)), key };
      const loss = loseCommit();
      const first = await stage.send(call, person, parts);
      pg.Client.prototype.query = original;
      expect([loss.isLost(), first.status, first.error]).toEqual([true, 503, 'ServerBusy']);
      const stored = await storedAnswer(key);
      expect(stored).toHaveLength(1);

      // That an export was sent again is recorded.
      const recorded = call.isExport ? 'audit_events' : '';
      const before = await fingerprint(recorded);
      const repeat = await stage.send(call, person, parts);
      if (call.name in refusedAfterwards) expect(repeat.error).toBe(refusedAfterwards[call.name]);
      else expect([repeat.status, repeat.body]).toEqual([200, stored[0]?.answer]);
      expect(await fingerprint(recorded)).toBe(before);
      await stage.restore();
    },
  );
});
