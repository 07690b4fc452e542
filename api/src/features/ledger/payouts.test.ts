import ExcelJS from 'exceljs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getLedgerBalances } from '@diwan/contract/payments/ledger';
import * as calls from '@diwan/contract/payments/payouts';
import { checkSealedFile, createPayment } from '@diwan/contract/requests/payments';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { languages } from '@diwan/contract/wire/languages';
import { postMoney } from '../requests/record/postings.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400', REFUND_APPROVAL_ABOVE: '50000' });
const today = todayInDubai();
let agencyId = 0;
let count = 0;

beforeAll(async () => {
  const token = await app.signIn('individual');
  const { requestId } = await insertDemoRequest(app, 'individual');
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  const payment = await app.database
    .updateTable('payments')
    .set({ status: 'paid', amount: 500_000 })
    .where('merchant_reference', '=', body.merchantReference)
    .returningAll()
    .executeTakeFirstOrThrow();
  await app.database
    .insertInto('payment_events')
    .values({
      id: 'charge of a payout',
      payment_id: payment.id,
      kind: 'paid',
      amount: 500_000,
      currency: 'AED',
      occurred_at: new Date(),
    })
    .execute();
  await inTransaction(app.serverDatabase, (transaction) => postMoney(transaction, requestId));
  const sent = await app.database
    .selectFrom('requests')
    .select('agency_id')
    .where('requests.id', '=', requestId)
    .executeTakeFirstOrThrow();
  agencyId = sent.agency_id;
});

const payeeNow = async () => {
  const { body } = await app.callAs('admin', calls.getPayees);
  const found = body.find((row) => row.agencyId === agencyId);
  if (!found) throw new Error('the agency is owed nothing');
  return found;
};
const pay = (amount: number, parts: object = {}) =>
  app.callAs('admin', calls.requestPayout, {
    body: {
      agencyId,
      amount,
      currency: 'AED',
      reference: `FT ${(count += 1)}`,
      paidOn: today,
      note: '',
      ...parts,
    },
  });
const decide = (
  { id, version }: { id: number; version: number },
  decision: 'confirm' | 'refuse' | 'return',
) => app.callAs('admin', calls.decidePayout, { body: { id, version, decision } });
/** A payout of another person that waits. */
async function insertWaiting(
  amount: number,
  reference: string,
  database: Database | Transaction = app.database,
) {
  const employee = await app.database
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'employee')
    .executeTakeFirstOrThrow();
  return database
    .insertInto('payouts')
    .values({
      agency_id: agencyId,
      provider: null,
      amount,
      currency: 'AED',
      reference,
      paid_on: today,
      state: 'waiting',
      requested_by: employee.id,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}
const balanceOf = async (account: string) => {
  const { body } = await app.callAs('admin', getLedgerBalances);
  return body
    .filter((row) => row.account === account && (row.agencyId ?? agencyId) === agencyId)
    .reduce((sum, { balance }) => sum + balance, 0);
};
const statement = async (parts: object) =>
  app.callAs('admin', calls.getPayeeStatement, {
    query: { AgencyId: agencyId, From: today, Until: today, Format: 'pdf', ...parts },
  });
const statementBytes = async (parts: object, language: (typeof languages)[number] = 'en-US') => {
  const of: Record<string, string> = 'Provider' in parts ? {} : { AgencyId: String(agencyId) };
  const query = new URLSearchParams({ ...of, From: today, Until: today, ...parts });
  const reply = await app.server.inject({
    url: `${calls.getPayeeStatement.path}?${query}`,
    headers: {
      authorization: `Bearer ${await app.signIn('admin')}`,
      'accept-language': language,
    },
  });
  expect(reply.statusCode).toBe(200);
  return { content: reply.rawPayload, type: reply.headers['content-type'] };
};

/** Payouts of yesterday, which the limit of a day does not count. */
const makeOld = () =>
  app.database
    .updateTable('payouts')
    .set({ requested_at: new Date(Date.now() - 86_460_000) })
    .execute();

describe('a payout', () => {
  beforeEach(makeOld);

  it('lowers what is owed, and is owed again when the bank returns it', async () => {
    const { owed } = await payeeNow();
    expect(owed).toBe(-(await balanceOf('revenue')) - (await balanceOf('refunds')));
    const bank = await balanceOf('bank');
    const { body: made } = await pay(40_000, { note: 'October' });
    expect(made).toMatchObject({ state: 'booked', decisions: ['return'], paidOn: today });
    expect(await payeeNow()).toMatchObject({ owed: owed - 40_000, waiting: 0, paidOn: today });
    expect([await balanceOf('payouts'), await balanceOf('bank')]).toEqual([40_000, bank - 40_000]);
    const twice = await Promise.all([decide(made, 'return'), decide(made, 'return')]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await payeeNow()).owed).toBe(owed);
    expect(await balanceOf('bank')).toBe(bank);
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('above what is owed, with a known reference, or on a wrong day is refused', async () => {
    const { owed } = await payeeNow();
    const refusal = async (amount: number, parts: object = {}) =>
      (await pay(amount, parts)).refused.error;
    expect(await refusal(owed + 1)).toBe('PayoutAboveOwed');
    expect(await refusal(100, { currency: 'USD' })).toBe('PayoutAboveOwed');
    expect(await refusal(100, { reference: 'ft SAME' })).toBeUndefined();
    expect(await refusal(100, { reference: 'FT same' })).toBe('PayoutReferenceTaken');
    expect(await refusal(100, { paidOn: dayAfter(today, 1) })).toBe('PayoutDayWrong');
    expect(await refusal(100, { paidOn: dayAfter(today, -367) })).toBe('PayoutDayWrong');
    expect(await refusal(100, { agencyId: 2_000_000_000 })).toBe('PayeeNotFound');
    expect(await refusal(100, { provider: 'paypro' })).toBe('PayeeNotFound');
    // The provider holds money of the portal, so it is owed nothing.
    expect(await refusal(100, { agencyId: undefined, provider: 'paypro' })).toBe('PayoutAboveOwed');
    expect((await payeeNow()).owed).toBe(owed - 100);
  });

  it('of a large amount waits for another person, and is booked once', async () => {
    const { owed } = await payeeNow();
    const { body: own } = await pay(60_000);
    expect(own).toMatchObject({ state: 'waiting', decisions: ['refuse'] });
    expect((await decide(own, 'confirm')).refused.error).toBe('DecisionNeedsSecondPerson');
    expect(await payeeNow()).toMatchObject({ owed, waiting: 60_000 });
    // What waits is not paid out a second time.
    expect((await pay(owed - 60_000 + 1)).refused.error).toBe('PayoutAboveOwed');
    expect((await decide(own, 'refuse')).body.state).toBe('refused');
    expect((await decide(own, 'confirm')).refused.error).toBe('RecordHasChanged');
    const other = await insertWaiting(60_000, own.reference);
    expect((await decide(other, 'return')).refused.error).toBe('DecisionNotPossible');
    const twice = await Promise.all([decide(other, 'confirm'), decide(other, 'confirm')]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await payeeNow()).owed).toBe(owed - 60_000);
    const tooMuch = await insertWaiting(owed, `too much ${(count += 1)}`);
    expect((await decide(tooMuch, 'confirm')).refused.error).toBe('PayoutAboveOwed');
    expect((await decide(tooMuch, 'refuse')).status).toBe(200);
    const { body } = await app.callAs('admin', calls.getPayouts, { query: { AgencyId: agencyId } });
    expect(body.items.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['booked', 'refused']),
    );
    expect((await decide({ id: 99_999_999, version: 1 }, 'refuse')).status).toBe(404);
  });

  it('waits where one person pays a payee in parts within a day, also after a return', async () => {
    const first = (await pay(30_000)).body;
    expect((await pay(20_000)).body.state).toBe('booked');
    const { body: third } = await pay(1);
    expect(third.state).toBe('waiting');
    await decide(third, 'refuse');
    await decide(first, 'return');
    expect((await pay(1)).body).toMatchObject({ state: 'waiting' });
    // What another person pays, and what two persons paid, is not the caller's alone.
    await makeOld();
    const other = await insertWaiting(60_000, `of two persons ${(count += 1)}`);
    expect((await decide(other, 'confirm')).body.state).toBe('booked');
    expect((await pay(50_000)).body.state).toBe('booked');
  });

  it('is not confirmed by an administrator whom the asker made one', async () => {
    const other = await insertWaiting(60_000, `of a new person ${(count += 1)}`);
    const { requested_by: admin_by } = await app.database
      .selectFrom('payouts')
      .select('requested_by')
      .where('id', '=', other.id)
      .executeTakeFirstOrThrow();
    const setOrigin = (values: { admin_by: string | null; admin_since: Date | null }) =>
      app.database.updateTable('users').set(values).where('username', '=', 'admin').execute();
    await setOrigin({ admin_by, admin_since: new Date(0) });
    expect((await decide(other, 'confirm')).refused?.error).toBe('SecondPersonNotIndependent');
    await setOrigin({ admin_by: null, admin_since: null });
    expect((await decide(other, 'refuse')).body.state).toBe('refused');
  });

  it('and others at the same time share what is owed', async () => {
    const { owed, waiting } = await payeeNow();
    const part = Math.min(Math.floor((owed - waiting) / 5), 50_000);
    const sent = await Promise.all(Array.from({ length: 8 }, () => pay(part)));
    const made = sent.filter(({ status }) => status === 200);
    const after = await payeeNow();
    expect(after.owed - after.waiting).toBe(owed - waiting - made.length * part);
    expect(after.owed - after.waiting).toBeGreaterThanOrEqual(0);
    // One was below the limit of a day, though all began at the same time.
    expect(made.filter(({ body }) => body.state === 'booked')).toHaveLength(1);
    await expect(
      app.database.deleteFrom('payouts').where('agency_id', '=', agencyId).execute(),
    ).rejects.toThrow('never deleted');
    await expect(app.database.updateTable('payouts').set({ amount: 1 }).execute()).rejects.toThrow(
      'only the state',
    );
  });
});

it('a payout waits while another one is recorded, and counts it', async () => {
  const { owed } = await payeeNow();
  const { payout, second } = await inTransaction(app.database, async (first) => {
    await acquireNamedLock(first, 'payouts');
    const recorded = await insertWaiting(owed, `all of it ${(count += 1)}`, first);
    const paid = pay(100);
    let isOver = false;
    void paid.then(() => (isOver = true));
    await expect.poll(async () => isOver || (await countLockWaits(app.database))).not.toBe(0);
    return { payout: recorded, second: paid };
  });
  expect((await second).refused.error).toBe('PayoutAboveOwed');
  expect((await decide(payout, 'refuse')).status).toBe(200);
});

describe('a statement', () => {
  it('adds up in its workbook, day by day and entry by entry', async () => {
    const { content, type } = await statementBytes({ Format: 'xlsx' });
    expect(type).toContain('spreadsheetml');
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(content as unknown as Parameters<typeof book.xlsx.load>[0]);
    const [summary, entries] = book.worksheets;
    const rowsOf = (sheet: ExcelJS.Worksheet | undefined) =>
      (sheet?.getSheetValues() ?? []).flatMap((row) =>
        Array.isArray(row) ? [row.slice(1) as (string | number)[]] : [],
      );
    const rows = rowsOf(summary);
    const dayOf = (cell: unknown) => (cell as Date).toISOString().slice(0, 10);
    const valueOf = (name: string) => Number(rows.find(([label]) => label === name)?.[1]);
    const [opening, closing] = [valueOf('Owed at the beginning'), valueOf('Owed at the end')];
    expect(Math.round(closing * 100)).toBe((await payeeNow()).owed);
    // Days are dates of the spreadsheet, not texts.
    const movements = rows.filter(
      ([day]) => (day as unknown) instanceof Date && dayOf(day) === today,
    );
    const fils = (value: unknown) => Math.round(Number(value) * 100);
    const sum = (list: unknown[]) => list.reduce<number>((total, each) => total + fils(each), 0);
    expect(fils(opening) + sum(movements.map((row) => row[4]))).toBe(fils(closing));
    expect(fils(movements.at(-1)?.[5])).toBe(fils(closing));
    expect(movements.map((row) => row[2])).toContain('ft SAME');
    const all = rowsOf(entries).slice(1);
    expect(sum(all.map((row) => row[5]))).toBe(fils(closing) - fils(opening));
    expect(all.some((row) => String(row[3]).startsWith('DW'))).toBe(true);
  });

  it.each(languages)('is a sealed PDF, the same each time: %s', async (language) => {
    const [{ content, type }, again] = [
      await statementBytes({ Format: 'pdf' }, language),
      await statementBytes({ Format: 'pdf' }, language),
    ];
    expect(type).toBe('application/pdf');
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(again.content.equals(content)).toBe(true);
    const { body } = await app.call(checkSealedFile, {
      body: { content: content.toString('base64') },
    });
    expect(body.state).toBe('genuine');
    const empty = await statementBytes({ Format: 'pdf', From: '2001-01-01', Until: '2001-12-31' });
    expect(empty.content.equals(content)).toBe(false);
  });

  it('of a provider says what it holds; a wrong period or payee is refused', async () => {
    const { content } = await statementBytes({ Provider: 'paypro', Format: 'xlsx' });
    expect(content.subarray(0, 2).toString()).toBe('PK');
    const refusal = async (parts: object) => (await statement(parts)).refused.error;
    expect(await refusal({ From: dayAfter(today, 1) })).toBe('StatementPeriodWrong');
    expect(await refusal({ From: dayAfter(today, -366) })).toBe('StatementPeriodWrong');
    expect(await refusal({ AgencyId: 2_000_000_000 })).toBe('PayeeNotFound');
    expect(await refusal({ Provider: 'paypro' })).toBe('PayeeNotFound');
  });
});
