import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/payments/journal';
import type { LedgerAccount } from '@diwan/contract/payments/ledger';
import { createPayment } from '@diwan/contract/requests/payments';
import { dayAfter, startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { selectTrialBalance } from './journal.store.ts';
import { postEntry } from './ledger.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
// Before the days of the demo.
const day = '2024-03-05';
const at = (of: string, hour: number) => new Date(startOfDay(of).getTime() + hour * 3_600_000);
let paymentId = 0;
let requestId = 0;
let merchantReference = '';
let requestNumber = '';
let agencyId = 0;
let count = 0;

beforeAll(async () => {
  const token = await app.signIn('individual');
  const request = await insertDemoRequest(app, 'individual');
  requestId = request.requestId;
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  merchantReference = body.merchantReference;
  const row = await app.database
    .selectFrom('payments')
    .innerJoin('requests', 'requests.id', 'payments.request_id')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .select(['payments.id', 'requests.number', 'requests.agency_id'])
    .where('merchant_reference', '=', merchantReference)
    .executeTakeFirstOrThrow();
  [paymentId, requestNumber, agencyId] = [row.id, row.number, row.agency_id];
});

/** Books an amount from a credit account to a debit account. */
const book = (
  occurredAt: Date,
  [debit, credit]: readonly [LedgerAccount, LedgerAccount],
  amount: number,
  more: { requestId?: number; paymentId?: number; currency?: string; note?: string } = {},
) =>
  inTransaction(app.serverDatabase, (transaction) =>
    postEntry(transaction, {
      kind: 'correction',
      source: `journal test ${(count += 1)}`,
      currency: 'AED',
      occurredAt,
      agencyId,
      ...more,
      lines: [
        { account: debit, provider: 'paypro', amount },
        { account: credit, provider: 'paypro', amount: -amount },
      ],
    }),
  );
const journal = (query: Record<string, string | number>) =>
  app.callAs('admin', calls.getJournal, { query });
const file = async (path: string, query: Record<string, string>, language: Language = 'en-US') => {
  const reply = await app.server.inject({
    url: `${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${await app.signIn('admin')}`, 'accept-language': language },
  });
  expect(reply.statusCode).toBe(200);
  return reply.rawPayload;
};
async function open(content: Buffer) {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(content as unknown as Parameters<typeof book.xlsx.load>[0]);
  const [sheet] = book.worksheets;
  if (!sheet) throw new Error('no sheet');
  return sheet;
}

describe('the journal', () => {
  beforeAll(async () => {
    const of = { requestId, paymentId, note: '=1+1' };
    await book(at(day, 15), ['providerCash', 'receivable'], 10_500, of);
    await book(at(day, 9), ['receivable', 'revenue'], 10_000, of);
    await book(at(day, 9), ['receivable', 'vat'], 500);
    await book(at(dayAfter(day, 1), 1), ['bank', 'providerCash'], 700, { currency: 'USD' });
  });

  it('lists the entries of a period by time and then id, in pages, with the sums', async () => {
    const period = { From: day, Until: day };
    const { body } = await journal({ ...period, Take: 100 });
    expect(body.items.map(({ lines }) => lines[0])).toEqual([
      expect.objectContaining({ account: 'receivable', debit: 10_000, credit: 0 }),
      expect.objectContaining({ account: 'receivable', debit: 500, credit: 0 }),
      expect.objectContaining({ account: 'providerCash', debit: 10_500, provider: 'paypro' }),
    ]);
    expect(body.items[0]?.lines[1]).toMatchObject({ account: 'revenue', credit: 10_000 });
    expect(body.items[0]?.lines[1]?.agencyName).toBeTruthy();
    expect(body.sums).toEqual([{ currency: 'AED', debits: 21_000, credits: 21_000 }]);
    expect(body.items[0]).toMatchObject({ requestNumber, merchantReference, day });
    const pages = await Promise.all(
      [1, 2, 3, 4].map(
        async (PageNumber) => (await journal({ ...period, Take: 1, PageNumber })).body,
      ),
    );
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
      body.items.map(({ id }) => id),
    );
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([3, 3, 3, 3]);
  });

  it('is filtered by account, agency, provider, request and payment, and so are its sums', async () => {
    const period = { From: day, Until: dayAfter(day, 1) };
    const found = async (query: Record<string, string | number>) => {
      const { body } = await journal({ ...query, Take: 100 });
      return [
        body.totalCount,
        ...body.sums.map((sum) => `${sum.currency} ${sum.debits} ${sum.credits}`),
      ];
    };
    expect(await found({ ...period, Account: 'vat' })).toEqual([1, 'AED 0 500']);
    expect(await found({ ...period, Account: 'providerCash' })).toEqual([
      2,
      'AED 10500 0',
      'USD 0 700',
    ]);
    expect(await found({ ...period, AgencyId: agencyId })).toEqual([
      4,
      'AED 21000 21000',
      'USD 700 700',
    ]);
    expect(await found({ ...period, AgencyId: 2_000_000_000 })).toEqual([0]);
    expect(await found({ ...period, Provider: 'reserve' })).toEqual([0]);
    expect((await found({ RequestNumber: requestNumber }))[0]).toBe(2);
    expect((await found({ MerchantReference: merchantReference }))[0]).toBe(2);
    expect(await found({ RequestNumber: 'DW26-00000-00000' })).toEqual([0]);
  });

  it('needs a period of at most a year', async () => {
    const refusal = async (query: Record<string, string>) => (await journal(query)).refused?.error;
    expect(await refusal({})).toBe('StatementPeriodWrong');
    expect(await refusal({ From: day })).toBe('StatementPeriodWrong');
    expect(await refusal({ Account: 'vat', Until: day })).toBe('StatementPeriodWrong');
    expect(await refusal({ From: day, Until: dayAfter(day, -1) })).toBe('StatementPeriodWrong');
    expect(await refusal({ From: day, Until: dayAfter(day, 366) })).toBe('StatementPeriodWrong');
    expect(await refusal({ From: day, Until: dayAfter(day, 365) })).toBeUndefined();
  });

  it('is a workbook of typed cells, in Arabic from right to left, and CSV', async () => {
    const query = { From: day, Until: dayAfter(day, 1) };
    const sheet = await open(
      await file(calls.exportJournal.path, { ...query, Format: 'xlsx' }, 'ar-EG'),
    );
    expect(sheet.views[0]?.rightToLeft).toBe(true);
    // A header, a row for each line, and a sum for each currency.
    expect(sheet.rowCount).toBe(1 + 8 + 2);
    const row = sheet.getRow(2);
    expect(row.getCell(1).value).toEqual(new Date(`${day}T00:00:00Z`));
    expect(row.getCell(2).value).toEqual(new Date(`${day}T09:00:00Z`));
    expect(row.getCell(1).numFmt).toBe('yyyy-mm-dd');
    expect([row.getCell(10).value, row.getCell(10).numFmt]).toEqual([100, '#,##0.00']);
    expect([10, 11, 12].map((cell) => sheet.getRow(10).getCell(cell).value)).toEqual([
      210,
      210,
      'AED',
    ]);
    expect(
      (await open(await file(calls.exportJournal.path, { ...query, Format: 'xlsx' }))).views[0],
    ).not.toMatchObject({ rightToLeft: true });
    const csv = (await file(calls.exportJournal.path, { ...query, Format: 'csv' })).toString();
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toHaveLength(9);
    expect(lines[1]).toMatch(
      /^"2024-03-05","2024-03-05T05:00:00\.000000Z",\d+,"Correction","Receivable/,
    );
    expect(lines[1]).toContain(`,100,0,"AED","'=1+1",`);
  });

  it('reads all entries of an export in batches', async () => {
    const of = '2024-03-20';
    await sql`
      with entry as (
        insert into ledger_entries (kind, source, currency, occurred_at)
        select 'correction', 'batch ' || number, 'AED', ${at(of, 8)}::timestamptz + number % 7 * interval '1 us'
        from generate_series(1, 2100) as number
        returning id
      )
      insert into ledger_lines (entry_id, account, amount)
      select id, account, amount
      from entry
      cross join (values ('bank', 1), ('differences', -1)) as line (account, amount)`.execute(
      app.database,
    );
    const csv = (
      await file(calls.exportJournal.path, { From: of, Until: of, Format: 'csv' })
    ).toString();
    const ids = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2]);
    expect(ids).toHaveLength(4200);
    expect(new Set(ids).size).toBe(2100);
  });
});

describe('the trial balance', () => {
  /** The same by adding one line after the other. */
  async function slowly(from: string, until: string) {
    const { rows } = await sql<{ day: string; account: string; currency: string; amount: number }>`
      select day, account, currency, amount
      from ledger_lines
      join ledger_entries
        on ledger_entries.id = entry_id`.execute(app.database);
    const sums = new Map<string, Record<'opening' | 'debits' | 'credits' | 'closing', number>>();
    for (const line of rows.filter((each) => each.day <= until)) {
      const key = `${line.currency} ${line.account}`;
      const sum = sums.get(key) ?? { opening: 0, debits: 0, credits: 0, closing: 0 };
      if (line.day < from) sum.opening += line.amount;
      else if (line.amount > 0) sum.debits += line.amount;
      else sum.credits -= line.amount;
      sum.closing += line.amount;
      sums.set(key, sum);
    }
    return Object.fromEntries(sums);
  }
  const compare = async (from: string, until: string) => {
    const rows = await selectTrialBalance(app.serverDatabase, { From: from, Until: until });
    const found = Object.fromEntries(
      rows.map(({ account, currency, ...sums }) => [`${currency} ${account}`, sums]),
    );
    expect(found).toEqual(await slowly(from, until));
    for (const currency of new Set(rows.map((row) => row.currency))) {
      const own = rows.filter((row) => row.currency === currency);
      const sum = (field: 'opening' | 'debits' | 'credits' | 'closing') =>
        own.reduce((total, row) => total + row[field], 0);
      expect([sum('opening'), sum('debits'), sum('closing')]).toEqual([0, sum('credits'), 0]);
    }
  };

  it('is that of all lines, one by one, also behind closed days', async () => {
    const accounts = ['receivable', 'providerCash', 'bank', 'vat', 'revenue', 'refunds'] as const;
    const last = 20;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            offset: fc.nat(last),
            pair: fc.shuffledSubarray([...accounts], { minLength: 2, maxLength: 2 }),
            amount: fc.integer({ min: 1, max: 100_000_000 }),
            currency: fc.constantFrom('AED', 'USD'),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.nat(last),
        fc.nat(last),
        fc.boolean(),
        async (entries, one, other, closes) => {
          for (const { offset, pair, amount, currency } of entries)
            await book(
              at(dayAfter(day, offset), 12),
              [pair[0] ?? 'bank', pair[1] ?? 'vat'],
              amount,
              {
                currency,
              },
            );
          if (closes) await closeNext();
          const [from, until] = [Math.min(one, other), Math.max(one, other)];
          await compare(dayAfter(day, from), dayAfter(day, until));
        },
      ),
      { numRuns: 15 },
    );
  });

  /** Closes the first day that is open. */
  async function closeNext(): Promise<void> {
    await sql`
      insert into ledger_days (day, totals, entries)
      select first.day,
        (
          select jsonb_agg(total)
          from (
            select account, currency, sum(amount) as amount
            from ledger_lines
            join ledger_entries
              on ledger_entries.id = entry_id
            where ledger_entries.day = first.day
            group by account, currency
          ) as total
        ),
        0
      from (
        select min(day) as day
        from ledger_entries
        where day > coalesce((select max(day) from ledger_days), '-infinity')
      ) as first`.execute(app.database);
  }

  it('is a workbook with the sums, which are equal', async () => {
    const query = { From: day, Until: dayAfter(day, 30) };
    const { body } = await app.callAs('admin', calls.getTrialBalance, { query });
    const sheet = await open(await file(calls.exportTrialBalance.path, query));
    expect(sheet.getRow(2).getCell(2).value).toEqual(new Date(`${day}T00:00:00Z`));
    const currencies = new Set(body.map(({ currency }) => currency)).size;
    expect(sheet.rowCount).toBe(4 + body.length + currencies);
    const sum = sheet.getRow(5 + body.length);
    expect(sum.getCell(1).value).toBe('Sum');
    expect(sum.getCell(4).value).toBe(sum.getCell(5).value);
    expect(sum.getCell(4).value).toBeGreaterThan(0);
    const refused = await app.callAs('admin', calls.getTrialBalance, {
      query: { From: day, Until: dayAfter(day, -1) },
    });
    expect(refused.refused.error).toBe('StatementPeriodWrong');
  });
});
