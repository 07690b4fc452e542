import { beforeEach, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { closeReconciledDays } from '#features/ledger/days.actions.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  writeSettlementFile,
  type SettlementLine,
} from '#platform/integrations/settlement-file.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import { openSettlementStage } from '#testing/requests/settlement-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as ledger from '@diwan/contract/payments/ledger';
import * as calls from '@diwan/contract/payments/settlement-files';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400', REFUND_APPROVAL_ABOVE: '50000' });
let day = dayAfter(todayInDubai(), -600);
// Each test has its own days, before those of the demo.
beforeEach(() => {
  day = dayAfter(day, 3);
});

const { paid, lineOf } = openSettlementStage(app, () => day);
const send = async (lines: readonly SettlementLine[], of = day) =>
  (
    await app.callAs('admin', ledger.importSettlement, {
      query: { Provider: 'paypro', Day: of },
      body: Buffer.from(writeSettlementFile([...lines])),
    })
  ).body;
const files = async () =>
  (await app.callAs('admin', calls.getSettlementFiles, { query: { Take: 100 } })).body.items;
const newest = async () => {
  const [file] = await files();
  if (!file) throw new Error('no file');
  return file;
};
const withdraw = (id: number) =>
  app.callAs('admin', calls.withdrawSettlement, { body: { id, reason: 'Of another provider' } });
const decide = (id: number, isConfirmed = true) =>
  app.callAs('admin', calls.decideWithdrawal, { body: { id, isConfirmed } });
/** Makes the withdrawal of a file that of another person. */
const askedBy = async (username: string, fileId: number) =>
  app.database
    .updateTable('settlement_withdrawals')
    .set({ asked_by: await app.idOf(username) })
    .where('file_id', '=', fileId)
    .execute();
const open = async (of = day) =>
  (await app.callAs('admin', ledger.getSettlementDifferences, { query: { Take: 100 } })).body.items
    .filter((row) => row.day === of)
    .map(({ kind }) => kind);
const balances = async () => {
  const { rows } = await sql<{ account: string; amount: number }>`
    select account, sum(amount)::bigint as amount
    from ledger_lines
    group by account
    order by account`.execute(app.database);
  return Object.fromEntries(
    rows.filter(({ amount }) => amount !== 0).map(({ account, amount }) => [account, amount]),
  );
};
const byDay = async (of: string) => {
  const { rows } = await sql<{ account: string; amount: number }>`
    select account, sum(amount)::bigint as amount
    from ledger_lines
    join ledger_entries
      on ledger_entries.id = entry_id
    where day = ${of}::date
      and kind in ('settled', 'correction', 'settlementWithdrawn')
    group by account`.execute(app.database);
  return rows.filter(({ amount }) => amount !== 0);
};

describe('a settlement file that is withdrawn', () => {
  it('settles nothing, and is turned round by entries; the right file comes after it', async () => {
    const [one, other] = [await paid(), await paid(7000)];
    const before = await balances();
    // Of a wrong amount, corrected, and with a payment that is not ours.
    const wrong = [
      lineOf(one),
      lineOf(other, { amount: 6000 }),
      lineOf({ merchant_reference: 'X', amount: 90 }),
    ];
    await send(wrong);
    const { body } = await app.callAs('admin', ledger.getSettlementDifferences, {
      query: { Take: 100 },
    });
    const [corrected] = body.items.filter((row) => row.day === day && row.kind === 'otherAmount');
    await app.callAs('admin', ledger.decideSettlementDifference, {
      body: { id: corrected?.id ?? 0, version: 1, decision: 'correct', note: 'As they say' },
    });
    expect(await balances()).not.toEqual(before);
    const entries = await app.database.selectFrom('ledger_entries').select('id').execute();
    const file = await newest();
    expect(file).toMatchObject({ state: 'imported', lines: 3, matched: 2, isClosed: false });
    expect((await withdraw(file.id)).body).toMatchObject({
      state: 'waiting',
      isOwn: true,
      reason: 'Of another provider',
    });
    expect((await withdraw(file.id)).refused.error).toBe('SettlementIsWithdrawn');
    expect((await decide(file.id)).refused.error).toBe('DecisionNeedsSecondPerson');
    await askedBy('employee', file.id);
    const { body: done } = await decide(file.id);
    expect(done).toMatchObject({ state: 'withdrawn', isOwn: false });
    expect(await balances()).toEqual(before);
    expect(await byDay(day)).toEqual([]);
    expect(await open()).toEqual([]);
    // Nothing is deleted: the file, its lines and each entry are there.
    expect((await newest()).lines).toBe(3);
    const kept = await app.database
      .selectFrom('ledger_entries')
      .select('id')
      .where(
        'id',
        'in',
        entries.map(({ id }) => id),
      )
      .execute();
    expect(kept).toHaveLength(entries.length);
    expect(await findLedgerProblems(app.database)).toEqual([]);
    // The same file again, and the right one.
    expect(await send(wrong)).toMatchObject({ isKnown: false, matched: 2, differences: 2 });
    const again = await newest();
    await withdraw(again.id);
    await askedBy('employee', again.id);
    await decide(again.id);
    expect(await send([lineOf(one), lineOf(other)])).toMatchObject({ matched: 2, differences: 0 });
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('opens again what it had found, and names what is missing in files that are left', async () => {
    const [found, late] = [await paid(), await paid(4000)];
    const right = [lineOf(await paid(900))];
    // The wrong file came first: it settled what the right one lacks.
    await send([lineOf(late)], dayAfter(day, 1));
    const early = await newest();
    await send(right);
    expect(await open()).toEqual(['missingThere']);
    await send([lineOf(found)], dayAfter(day, 1));
    expect(await open()).toEqual([]);
    const wrong = await newest();
    for (const file of [wrong, early]) {
      await withdraw(file.id);
      await askedBy('employee', file.id);
      expect((await decide(file.id)).body.state).toBe('withdrawn');
    }
    expect(await open()).toEqual(['missingThere', 'missingThere']);
    expect(await open(dayAfter(day, 1))).toEqual([]);
  });

  it('without matched money needs no second person, and its day lacks a file again', async () => {
    await paid();
    await send([]);
    expect(await open()).toEqual(['missingThere']);
    const { id } = await newest();
    expect((await withdraw(id)).body.state).toBe('withdrawn');
    expect(await open()).toEqual([]);
    const { body } = await app.callAs('admin', ledger.getLedgerDays, { query: { Take: 100 } });
    expect(body.items.find((each) => each.day === day)?.missingSettlements).toEqual(['paypro']);
    // A missing payment is named again by the next file.
    await send([lineOf({ merchant_reference: 'Y', amount: 5 })]);
    expect((await open()).toSorted()).toEqual(['missingHere', 'missingThere']);
    expect((await withdraw(99_999_999)).status).toBe(404);
    expect((await decide(id)).refused.error).toBe('RecordHasChanged');
  });

  it('is confirmed by an independent person, once, and may be kept', async () => {
    await send([lineOf(await paid())]);
    const { id } = await newest();
    await withdraw(id);
    expect((await decide(id, false)).body).toMatchObject({ state: 'imported' });
    await withdraw(id);
    await askedBy('employee', id);
    const setMaker = (admin_by: string | null) =>
      app.database.updateTable('users').set({ admin_by }).where('username', '=', 'admin').execute();
    await setMaker(await app.idOf('employee'));
    expect((await decide(id)).refused.error).toBe('SecondPersonNotIndependent');
    await setMaker(null);
    const both = await Promise.all([decide(id), decide(id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await byDay(day)).toEqual([]);
  });

  it('by two people at the same time is withdrawn once', async () => {
    await send([]);
    const { id } = await newest();
    const both = await Promise.all([withdraw(id), withdraw(id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('waits for a file of its provider that is read in, and counts it', async () => {
    const payment = await paid();
    await send([lineOf(payment)]);
    const { id } = await newest();
    await withdraw(id);
    await askedBy('employee', id);
    const { decided, sent } = await inTransaction(app.database, async (first) => {
      await acquireNamedLock(first, 'settlement paypro');
      const confirmation = decide(id);
      await expect.poll(() => countLockWaits(app.database)).toBe(1);
      const next = send([lineOf(payment, { charge: 0 })]);
      await expect.poll(() => countLockWaits(app.database)).toBe(2);
      return { decided: confirmation, sent: next };
    });
    expect((await decided).body.state).toBe('withdrawn');
    // The file after it settles the payment.
    expect(await sent).toMatchObject({ matched: 1, isKnown: false });
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('keeps its day open while it waits, and stays once the day is closed', async () => {
    await app.database
      .insertInto('ledger_days')
      .values({ day: dayAfter(day, -1), totals: '[]', entries: 0 })
      .execute();
    await send([lineOf(await paid())]);
    const { id } = await newest();
    await withdraw(id);
    await closeReconciledDays(app.serverDatabase);
    const close = () => app.callAs('admin', ledger.closeLedgerDay, { body: { day } });
    expect((await close()).refused.error).toBe('DayHasWithdrawal');
    await decide(id, false);
    await withdraw(id);
    await askedBy('employee', id);
    await sql`insert into ledger_days (day, totals, entries) values (${day}::date, '[]', 0)`.execute(
      app.database,
    );
    expect((await decide(id)).refused.error).toBe('DayIsClosed');
    await decide(id, false);
    expect((await newest()).isClosed).toBe(true);
    expect((await withdraw(id)).refused.error).toBe('DayIsClosed');
    await expect(
      app.database.deleteFrom('settlement_files').where('id', '=', id).execute(),
    ).rejects.toThrow('never deleted');
    await expect(
      app.database.updateTable('settlement_lines').set({ amount: 1 }).execute(),
    ).rejects.toThrow('only withdrawn');
  });
});
