import { beforeEach, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { closeReconciledDays } from '#features/ledger/days.actions.ts';
import { postMoney } from '#features/requests/record/postings.actions.ts';
import { getOrCreateSecret } from '#platform/auth/secrets.store.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  readSettlementFile,
  writeSettlementFile,
  type SettlementLine,
} from '#platform/integrations/settlement-file.ts';
import { openSettlementStage } from '#testing/requests/settlement-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/payments/ledger';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { matchLines } from './match-lines.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400', REFUND_APPROVAL_ABOVE: '50000' });
const today = todayInDubai();
let day = dayAfter(today, -600);
// Each test has its own day, before those of the demo.
beforeEach(() => {
  day = dayAfter(day, 2);
});

const { paid, lineOf } = openSettlementStage(app, () => day);
const upload = (content: string | Buffer, of = day) =>
  app.callAs('admin', calls.importSettlement, {
    query: { Provider: 'paypro', Day: of },
    body: Buffer.from(content),
  });
const send = (...lines: SettlementLine[]) => upload(writeSettlementFile(lines));
const open = async () =>
  (
    await app.callAs('admin', calls.getSettlementDifferences, { query: { Take: 100 } })
  ).body.items.filter((row) => row.day === day);
const decide = (row: { id: number; version: number }, decision: 'accept' | 'correct') =>
  app.callAs('admin', calls.decideSettlementDifference, {
    body: { id: row.id, version: row.version, decision, note: 'Checked with the bank' },
  });
const sumsOf = async (paymentId: number | null) => {
  const { rows } = await sql<{ account: string; amount: number }>`
    select account, sum(amount)::bigint as amount
    from ledger_entries
    join ledger_lines
      on entry_id = ledger_entries.id
    where payment_id is not distinct from ${paymentId}
      and kind in ('received', 'settled', 'correction')
      and account <> 'receivable'
    group by account
    order by account`.execute(app.database);
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
};

describe('a settlement file', () => {
  it('that agrees moves the money to the bank less the charge, and again changes nothing', async () => {
    const [one, other] = [await paid(), await paid(7000)];
    const lines = [lineOf(one), lineOf(other)];
    const [first, again] = await Promise.all([send(...lines), send(...lines)]);
    expect([first?.body.isKnown, again?.body.isKnown].toSorted()).toEqual([false, true]);
    const found = { lines: 2, matched: 2, differences: 0, problems: [] };
    expect([first?.body, again?.body]).toMatchObject([found, found]);
    // Written differently and with another line, it is another file with the same lines.
    const more = await send(...lines, lineOf(one, { merchantReference: 'X', lineId: 'more' }));
    expect(more.body).toMatchObject({ isKnown: false, matched: 0, differences: 1 });
    expect(await sumsOf(one.id)).toEqual({ bank: 10_342, providerCash: 0, providerCharges: 158 });
    expect(await sumsOf(other.id)).toMatchObject({ bank: 6842, providerCash: 0 });
  });

  it('names every kind of difference', async () => {
    await app.callAs('admin', calls.saveProviderCharge, {
      body: { provider: 'paypro', rate: 150, fixed: 0, version: 0 },
    });
    const [amount, currency, charge, late, twice, missing] = [
      await paid(),
      await paid(),
      await paid(),
      await paid(),
      await paid(),
      await paid(),
    ];
    const doubled = lineOf(twice);
    const { body } = await send(
      lineOf(amount, { amount: 10_400, charge: 156 }),
      lineOf(currency, { currency: 'USD' }),
      lineOf(charge, { charge: 200 }),
      lineOf(late, { occurredAt: `${dayAfter(day, 1)}T06:00:00.000Z` }),
      doubled,
      doubled,
      lineOf(twice),
      lineOf({ merchant_reference: 'NOT-OURS', amount: 100 }, { charge: 2 }),
      lineOf(twice, { kind: 'refund', refundId: 'rf-nobody', charge: 0 }),
    );
    expect(body).toMatchObject({ lines: 9, matched: 5, differences: 9 });
    expect(
      (await open()).map((row) => [row.kind, row.merchantReference, row.expected, row.actual]),
    ).toEqual([
      ['otherAmount', amount.merchant_reference, 10_500, 10_400],
      ['otherCurrency', currency.merchant_reference, 10_500, 10_500],
      ['otherCharge', charge.merchant_reference, 158, 200],
      ['otherDay', late.merchant_reference, 10_500, 10_500],
      ['doubled', twice.merchant_reference, undefined, 10_500],
      ['doubled', twice.merchant_reference, undefined, 10_500],
      ['missingHere', 'NOT-OURS', undefined, 100],
      ['unknownRefund', twice.merchant_reference, undefined, -10_500],
      ['missingThere', missing.merchant_reference, 10_500, undefined],
    ]);
    // What the provider holds by the books is what its file did not settle.
    expect([await sumsOf(amount.id), await sumsOf(twice.id), await sumsOf(missing.id)]).toEqual([
      { bank: 10_244, providerCash: 100, providerCharges: 156 },
      { bank: 10_342, providerCash: 0, providerCharges: 158 },
      { providerCash: 10_500 },
    ]);
    for (const row of await open())
      expect([row.kind, (await decide(row, row.decisions.at(-1) as 'accept')).status]).toEqual([
        row.kind,
        200,
      ]);
    expect(await open()).toEqual([]);
    expect([await sumsOf(amount.id), await sumsOf(missing.id)]).toEqual([
      { bank: 10_244, providerCash: 0, providerCharges: 156, differences: 100 },
      { providerCash: 0, differences: 10_500 },
    ]);
    expect(await sumsOf(twice.id)).toEqual({
      bank: 3 * 10_500 - 3 * 158 - 10_500,
      providerCash: 0,
      providerCharges: 3 * 158,
      differences: -10_500,
    });
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('with a line twice settles one of two charges, and books no line in another currency', async () => {
    const payment = await paid();
    // The provider charged twice; one of its lines is there twice, the other one is missing.
    await app.database
      .insertInto('payment_events')
      .values({
        id: `again ${payment.id}`,
        payment_id: payment.id,
        kind: 'paid',
        amount: payment.amount,
        currency: 'AED',
        occurred_at: new Date(`${day}T06:00:00Z`),
      })
      .execute();
    await inTransaction(app.serverDatabase, (transaction) =>
      postMoney(transaction, payment.request_id),
    );
    const other = await paid();
    const line = lineOf(payment);
    await send(line, line, lineOf(other, { currency: 'USD' }));
    expect((await open()).map(({ kind }) => kind).toSorted()).toEqual([
      'doubled',
      'missingThere',
      'otherCurrency',
    ]);
    expect(await sumsOf(payment.id)).toEqual({
      bank: 10_342,
      providerCash: 10_500,
      providerCharges: 158,
    });
    expect(await sumsOf(other.id)).toEqual({ providerCash: 10_500 });
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('of a later day resolves what was missing', async () => {
    const payment = await paid();
    await send();
    const [row] = await open();
    expect(row?.kind).toBe('missingThere');
    const later = lineOf(payment, { occurredAt: `${dayAfter(day, 1)}T06:00:00.000Z` });
    await upload(writeSettlementFile([later]), dayAfter(day, 1));
    expect(await open()).toEqual([]);
    const { body } = await app.callAs('admin', calls.getSettlementDifferences, {
      query: { State: 'resolved', Take: 100 },
    });
    expect(body.items.find(({ id }) => id === row?.id)?.decision).toBe('found');
  });

  it('that is broken, too large or too early is refused, with row and column', async () => {
    const good = writeSettlementFile([lineOf({ merchant_reference: 'A', amount: 1 })]);
    const problems = async (content: string | Buffer) =>
      (await upload(content)).body.problems.map(({ row, column }) => [row, column]);
    expect(await problems(good.replace(',0.01,', ',1.2.3,').replace('payment', 'pay'))).toEqual([
      [2, 'kind'],
      [2, 'amount'],
    ]);
    expect(await problems(good.replace('AED', 'Dirham').replace('T06:00', 'T26:00'))).toEqual([
      [2, 'currency'],
      [2, 'occurred_at'],
    ]);
    expect(await problems(good.slice(0, -30))).toEqual([[2, '']]);
    expect(await problems(good.replace('charge', 'fee'))).toEqual([[1, 'charge']]);
    expect(await problems(Buffer.from([0xff, 0xfe, 0x00]))).toEqual([[1, '']]);
    expect((await upload(Buffer.alloc(10_000_000, 'x'))).refused.error).toBe(
      'SettlementFileTooLarge',
    );
    expect((await upload(good, today)).refused.error).toBe('DayIsNotOver');
    expect(readSettlementFile(Buffer.from(good)).lines).toHaveLength(1);
  });
});

describe('a decision', () => {
  it('about a large amount waits for another person, and is made once', async () => {
    await paid(60_000);
    await send();
    const [row] = await open();
    if (!row) throw new Error('no difference');
    const proposed = (await decide(row, 'correct')).body;
    expect(proposed).toMatchObject({ state: 'waiting', isOwn: true, decisions: [] });
    const confirm = (isConfirmed = true, version = proposed.version) =>
      app.callAs('admin', calls.confirmSettlementDifference, {
        body: { id: row.id, version, isConfirmed },
      });
    expect((await confirm()).refused.error).toBe('DecisionNeedsSecondPerson');
    const another = await app.database
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'employee')
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('settlement_differences')
      .set({ proposed_by: another.id })
      .where('id', '=', row.id)
      .execute();
    const setMaker = (admin_by: string | null) =>
      app.database.updateTable('users').set({ admin_by }).where('username', '=', 'admin').execute();
    await setMaker(another.id);
    expect((await confirm()).refused?.error).toBe('SecondPersonNotIndependent');
    await setMaker(null);
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await decide(row, 'accept')).refused.error).toBe('DifferenceIsResolved');
    expect((await decide({ id: 99_999_999, version: 1 }, 'accept')).status).toBe(404);
  });

  it('that is sent back can be made again; another day is only accepted', async () => {
    const payment = await paid(60_000);
    await send(lineOf(payment, { occurredAt: `${dayAfter(day, 1)}T06:00:00.000Z`, charge: 900 }));
    const [row] = await open();
    if (!row) throw new Error('no difference');
    expect((await decide(row, 'correct')).refused.error).toBe('DecisionNotPossible');
    const { body } = await decide(row, 'accept');
    const back = await app.callAs('admin', calls.confirmSettlementDifference, {
      body: { id: row.id, version: body.version, isConfirmed: false },
    });
    expect(back.body).toMatchObject({ state: 'open', decisions: ['accept'] });
    expect((await decide(row, 'accept')).refused.error).toBe('RecordHasChanged');
    await decide(back.body, 'accept');
  });
});

describe('a day', () => {
  const closeOf = (of: string) => app.callAs('admin', calls.closeLedgerDay, { body: { day: of } });

  it('is closed when every file came and nothing differs, by the job or an admin', async () => {
    // The days of the demo and of the tests before.
    const before = dayAfter(day, -1);
    await app.database
      .insertInto('ledger_days')
      .values({ day: before, totals: '[]', entries: 0 })
      .execute();
    const payment = await paid();
    await closeReconciledDays(app.serverDatabase);
    expect((await closeOf(today)).refused.error).toBe('DayIsNotOver');
    expect((await closeOf(day)).refused.error).toBe('SettlementIsMissing');
    await send(lineOf(payment, { amount: 10_400, charge: 156 }));
    expect((await closeOf(day)).refused.error).toBe('DayHasDifferences');
    for (const row of await open()) await decide(row, 'correct');
    const both = await Promise.all([closeOf(day), closeOf(day)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const closed = both.find(({ status }) => status === 200)?.body;
    expect(closed).toMatchObject({ day, missingSettlements: [], openDifferences: 0 });
    expect(closed?.totals.find(({ account }) => account === 'revenue')?.amount).toBeLessThan(0);
    expect((await closeOf(before)).refused.error).toBe('DayIsClosed');
    // What comes late is booked on the next open day, and the totals stay.
    await paid();
    const { body } = await app.callAs('admin', calls.getLedgerDays, { query: { Take: 100 } });
    const [next, last] = [dayAfter(day, 1), day].map((of) =>
      body.items.find((each) => each.day === of),
    );
    expect(last).toEqual(closed);
    expect(next).toMatchObject({ entries: 2, missingSettlements: ['paypro'] });
    day = dayAfter(day, 1);
    await closeReconciledDays(app.serverDatabase);
    const stateOf = async () =>
      (await app.callAs('admin', calls.getLedgerDays, { query: { Take: 100 } })).body.items.find(
        (each) => each.day === day,
      );
    expect(await stateOf()).not.toHaveProperty('closedAt');
  });

  it('adds up: all balances are zero together', async () => {
    const { body } = await app.callAs('admin', calls.getLedgerBalances);
    expect(body.length).toBeGreaterThan(4);
    expect(body.reduce((sum, { balance }) => sum + balance, 0)).toBe(0);
    expect(body.filter(({ account }) => account === 'revenue')[0]?.agencyName).toBeTruthy();
  });
});

it('fetches the settlement from the sandbox, with differences where its switch is on', async () => {
  const [one, other] = [await paid(), await paid()];
  const key = await getOrCreateSecret(app.database, 'sandbox');
  const post = (path: string, body: string, type: string) =>
    fetch(`${app.paymentsUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${key}` },
      body,
      redirect: 'manual',
    });
  const past = [one, other].map((payment) => ({
    merchantReference: payment.merchant_reference,
    eventId: `past ${payment.id}`,
    amount: payment.amount,
    currency: 'AED',
    paidAt: `${day}T06:00:00Z`,
  }));
  // The payments of the page are open there; a second account has none of them.
  await post('/reserve/past-payments', JSON.stringify(past), 'application/json');
  await app.database
    .updateTable('payments')
    .set({ provider: 'reserve' })
    .where('id', 'in', [one.id, other.id])
    .execute();
  await sql`
    with replaced as (
      insert into ledger_entries (kind, source, currency, occurred_at, payment_id)
      select 'received', 'reserve ' || id, 'AED', ${`${day}T06:00:00Z`}::timestamptz, id
      from payments
      where id in (${one.id}, ${other.id})
      returning id
    )
    insert into ledger_lines (entry_id, account, provider, amount)
    select id, account, 'reserve', 10500 * sign
    from replaced
    cross join (values ('providerCash', 1), ('receivable', -1)) as line (account, sign)`.execute(
    app.database,
  );
  expect((await fetch(`${app.paymentsUrl}/reserve/settlements/${day}`)).status).toBe(401);
  const load = (provider: 'reserve' | 'stripe') =>
    app.callAs('admin', calls.fetchSettlement, { body: { provider, day } });
  const switches = new URLSearchParams({
    account: 'reserve',
    fault: 'none',
    hasSettlementDifference: 'on',
  });
  await post('/switches', switches.toString(), 'application/x-www-form-urlencoded');
  expect((await load('reserve')).body).toMatchObject({ lines: 4, matched: 2 });
  expect((await open()).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['otherAmount', 'missingHere', 'doubled']),
  );
  expect((await load('stripe')).refused.error).toBe('SettlementNotOffered');
});

it('takes a refund whose answer came after midnight, and names any other day', () => {
  const line = {
    lineId: 'r1',
    kind: 'refund' as const,
    merchantReference: 'DW26-1',
    refundId: 'rf',
    amount: 100,
    charge: 0,
    currency: 'AED',
    occurredAt: '2026-11-20T19:59:59Z',
  };
  const kindsOf = (day: string, kind: 'refund' | 'payment' = 'refund') => {
    const booked = {
      entryId: 1,
      kind,
      merchantReference: 'DW26-1',
      paymentId: 1,
      requestId: 1,
      refundId: kind === 'refund' ? 'rf' : '',
      amount: kind === 'refund' ? -100 : 100,
      currency: 'AED',
      day,
      isSettled: false,
    };
    const [found] = matchLines([{ ...line, kind }], [booked], new Map(), undefined);
    return found?.differences.map((each) => each.kind);
  };
  expect(kindsOf('2026-11-20')).toEqual([]);
  expect(kindsOf('2026-11-21')).toEqual([]);
  expect(kindsOf('2026-11-22')).toEqual(['otherDay']);
  expect(kindsOf('2026-11-19')).toEqual(['otherDay']);
  expect(kindsOf('2026-11-21', 'payment')).toEqual(['otherDay']);
});
