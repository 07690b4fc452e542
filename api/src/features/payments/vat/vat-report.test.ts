import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { silentNotifier } from '#features/messages/notifications.actions.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import { emirates } from '@diwan/contract/forms/emirates';
import { getTrialBalance } from '@diwan/contract/payments/journal';
import * as calls from '@diwan/contract/payments/vat-report';
import { createPayment } from '@diwan/contract/requests/payments';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import { dayAfter, startOfDay, todayInDubai } from '@diwan/contract/wire/days';
import { vatCategories, vatTreatmentOf, type VatCategory } from '@diwan/contract/wire/money';
import { issueDueDocuments } from '../invoices/invoices.actions.ts';
import { emirateCodes } from '../invoices/invoices.store.ts';
import { sellerOf } from '../invoices/sellers.actions.ts';
import { applyEvents } from '../payment-events.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
// Before the days of the demo.
const first = '2023-05-01';
const days = 20;
const requests: { id: number; paymentId: number; agencyId: number }[] = [];
let count = 0;
/** Of the operator and of an agency that sells its own fees. */
const series = ['INV-VAT', 'INV-A7-VAT'] as const;

beforeAll(async () => {
  const token = await app.signIn('individual');
  for (let index = 0; index < 3; index += 1) {
    const { requestId } = await insertDemoRequest(app, 'individual');
    const { body } = await app.call(createPayment, { token, params: { requestId } });
    const row = await app.database
      .selectFrom('payments')
      .innerJoin('requests', 'requests.id', 'payments.request_id')
      .innerJoin('services', 'services.id', 'requests.service_id')
      .select(['payments.id', 'requests.agency_id'])
      .where('merchant_reference', '=', body.merchantReference)
      .executeTakeFirstOrThrow();
    requests.push({ id: requestId, paymentId: row.id, agencyId: row.agency_id });
  }
  await app.database
    .insertInto('invoice_counters')
    .values([...series].map((each) => ({ series: each, last_sequence: 1_000_000 })))
    .execute();
});

interface Document {
  kind: 'invoice' | 'creditNote';
  request: number;
  offset: number;
  series: (typeof series)[number];
  seller: (typeof emirates)[number] | null;
  lines: { category: VatCategory; amount: number; vat: number }[];
}
const issued: Document[] = [];

/** Stores a document as the product issues it. */
async function issue(document: Document): Promise<void> {
  issued.push(document);
  const { kind, offset, seller, lines, series: of } = document;
  const request = requests[document.request] ?? requests[0];
  if (!request) throw new Error('no request');
  const sequence = (count += 1);
  // A payment and a refund of their own: each has one document.
  const { id: paymentId } = await app.database
    .insertInto('payments')
    .values({
      request_id: request.id,
      merchant_reference: `vat ${sequence}`,
      amount: 1,
      currency: 'AED',
      status: 'cancelled',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: refundId } = await app.database
    .insertInto('request_refunds')
    .values({
      request_id: request.id,
      amount: 1,
      reference: `vat ${sequence}`,
      recorder_name: 'Test',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.database
    .insertInto('invoices')
    .values({
      kind,
      series: of,
      sequence,
      number: `${of}-${sequence}`,
      request_id: request.id,
      payment_id: kind === 'invoice' ? paymentId : null,
      refund_id: kind === 'invoice' ? null : refundId,
      total: 1,
      issued_at: new Date(),
      content: JSON.stringify({
        language: 'en-US',
        requestNumber: `DW ${request.id}`,
        seller: {
          name: 'Diwan',
          ...(seller ? { address: { emirate: emirateCodes[seller] } } : {}),
        },
        transfer: { reference: '', day: dayAfter(first, offset), amount: 1 },
        lines: lines.map(({ category, amount, vat }) => ({
          title: 'A fee',
          amount,
          vat,
          ...vatTreatmentOf(category),
        })),
      }),
    })
    .execute();
}

const setEmirate = async (agencyId: number, emirate: (typeof emirates)[number] | null) => {
  const { body } = await app.callAs('admin', getAgencyRecords);
  const agency = body.find(({ id }) => id === agencyId);
  if (!agency) throw new Error('no agency');
  const { id, version, name } = agency;
  return app.callAs('admin', saveAgency, { body: { id, version, name, emirate } });
};
const report = async (from: number, until: number, Seller?: 'operator' | number) =>
  (
    await app.callAs('admin', calls.getVatReport, {
      query: {
        From: dayAfter(first, from),
        Until: dayAfter(first, until),
        ...(Seller === undefined ? {} : { Seller }),
      },
    })
  ).body;

/** The report by adding one line after the other. */
function slowly(
  of: readonly Document[],
  [from, until]: readonly [number, number],
  emirateOf: (agencyId: number) => string | null,
) {
  const sums = new Map<string, number[]>();
  for (const { kind, request, offset, series: by, seller, lines } of of) {
    if (offset < from || offset > until) continue;
    for (const { category, amount, vat } of lines) {
      const agencyId = by === 'INV-A7-VAT' ? 7 : (requests[request]?.agencyId ?? 0);
      const emirate = emirateOf(agencyId) ?? seller ?? 'none';
      const sum = sums.get(`${emirate} ${category}`) ?? [0, 0, 0, 0, 0];
      const at = kind === 'invoice' ? 0 : 2;
      sum[at] = (sum[at] ?? 0) + amount;
      sum[at + 1] = (sum[at + 1] ?? 0) + vat;
      sum[4] = (sum[4] ?? 0) + 1;
      sums.set(`${emirate} ${category}`, sum);
    }
  }
  return Object.fromEntries(sums);
}
const asSums = (rows: calls.VatReportRow[]) =>
  Object.fromEntries(
    rows.map((row) => [
      `${row.emirate ?? 'none'} ${row.category}`,
      [row.supplies, row.vat, row.credited, row.creditedVat, row.lines],
    ]),
  );

const line = fc.constantFrom(...vatCategories).chain((category) =>
  fc.integer({ min: 1, max: 10_000_000 }).map((amount) => ({
    category,
    amount,
    vat: category === 'standard' ? Math.round(amount * 0.05) : 0,
  })),
);

it('adds up every line of random documents, by emirate and category', async () => {
  const emirateOf = new Map<number, (typeof emirates)[number] | null>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          kind: fc.constantFrom('invoice' as const, 'creditNote' as const),
          request: fc.nat(2),
          offset: fc.nat(days),
          series: fc.constantFrom(...series),
          seller: fc.constantFrom(null, ...emirates),
          lines: fc.array(line, { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      fc.nat(days),
      fc.nat(days),
      fc.constantFrom(null, ...emirates),
      async (documents, one, other, emirate) => {
        for (const document of documents) await issue(document);
        const agencyId = requests[0]?.agencyId ?? 0;
        expect((await setEmirate(agencyId, emirate)).status).toBe(200);
        emirateOf.set(agencyId, emirate);
        const [from, until] = [Math.min(one, other), Math.max(one, other)];
        const known = (id: number) =>
          emirateOf.has(id) ? (emirateOf.get(id) ?? null) : stored(id);
        const sold = (by: string) => issued.filter(({ series: of }) => of === by);
        const period = [from, until] as const;
        expect(asSums(await report(from, until))).toEqual(slowly(issued, period, known));
        expect(asSums(await report(from, until, 'operator'))).toEqual(
          slowly(sold('INV-VAT'), period, known),
        );
        expect(asSums(await report(from, until, 7))).toEqual(
          slowly(sold('INV-A7-VAT'), period, known),
        );
      },
    ),
    { numRuns: 10 },
  );
});
/** The emirate of an agency that the test did not change. */
const stored = (agencyId: number) => seeded.get(agencyId) ?? null;
const seeded = new Map<number, string | null>();
beforeAll(async () => {
  const rows = await app.database.selectFrom('agencies').select(['id', 'emirate']).execute();
  for (const { id, emirate } of rows) seeded.set(id, emirate);
});

it('opens the lines of a row, which add up to it, and is a workbook with all of them', async () => {
  await issue({
    kind: 'invoice',
    series: 'INV-VAT',
    request: 0,
    offset: 1,
    seller: null,
    lines: [{ category: 'standard', amount: 10_000, vat: 500 }],
  });
  await setEmirate(requests[0]?.agencyId ?? 0, 'dubai');
  const period = { From: first, Until: dayAfter(first, days) };
  const rows = await report(0, days);
  for (const row of rows) {
    const { body } = await app.callAs('admin', calls.getVatReportLines, {
      query: { ...period, Emirate: row.emirate ?? 'none', Category: row.category, Take: 100 },
    });
    expect(body.totalCount).toBe(row.lines);
    const sum = (field: 'amount' | 'vat') =>
      body.items.reduce((total, each) => total + each[field], 0);
    expect([sum('amount'), sum('vat')]).toEqual([
      row.supplies - row.credited,
      row.vat - row.creditedVat,
    ]);
  }
  const reply = await app.server.inject({
    url: `${calls.exportVatReport.path}?${new URLSearchParams(period)}`,
    headers: { authorization: `Bearer ${await app.signIn('admin')}`, 'accept-language': 'ar-EG' },
  });
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(reply.rawPayload as unknown as Parameters<typeof book.xlsx.load>[0]);
  const [summary, lines] = book.worksheets;
  expect(summary?.views[0]?.rightToLeft).toBe(true);
  expect(summary?.rowCount).toBe(4 + rows.length);
  expect(lines?.rowCount).toBe(1 + rows.reduce((total, row) => total + row.lines, 0));
  expect(lines?.getRow(2).getCell(2).value).toBeInstanceOf(Date);
  expect(typeof lines?.getRow(2).getCell(8).value).toBe('number');
});

it('refuses a period that is longer than a year', async () => {
  const refused = await app.callAs('admin', calls.getVatReport, {
    query: { From: first, Until: dayAfter(first, 366) },
  });
  expect(refused.refused.error).toBe('StatementPeriodWrong');
});

describe('over emirates and categories', () => {
  const today = todayInDubai();
  /** Pays a new request with VAT at a moment, and refunds some percent of it now. */
  async function pay(moment: Date, refunded: number): Promise<void> {
    const { requestId } = await insertDemoRequest(app, 'individual');
    const token = await app.signIn('individual');
    const { body } = await app.call(createPayment, { token, params: { requestId } });
    const payment = await app.database
      .selectFrom('payments')
      .selectAll()
      .where('merchant_reference', '=', body.merchantReference)
      .executeTakeFirstOrThrow();
    const context = {
      workflow: storedWorkflows(app.serverDatabase),
      calendars: await openCalendars(app.serverDatabase),
      notifier: silentNotifier,
      announce: () => undefined,
    };
    await inTransaction(app.serverDatabase, (transaction) =>
      applyEvents(context as unknown as Parameters<typeof applyEvents>[0], transaction, payment, [
        {
          id: `vat event ${(count += 1)}`,
          kind: 'paid',
          amount: payment.amount,
          currency: 'AED',
          occurredAt: moment.toISOString(),
          source: 'message',
        },
      ]),
    );
    const refund = Math.floor((payment.amount * refunded) / 100);
    if (refund === 0) return;
    await app.database
      .updateTable('requests')
      .set({
        refundable: payment.amount,
        quote: sql`jsonb_set(
          quote,
          '{lines}',
          (
            select jsonb_agg(line || '{"refundable": true}')
            from jsonb_array_elements(quote -> 'lines') as line
          )
        )`,
      })
      .where('id', '=', requestId)
      .execute();
    const { status } = await app.callAs('admin', recordRefund, {
      body: { requestId, amount: refund, reference: `vat ${(count += 1)}` },
    });
    expect(status).toBe(200);
  }

  it('is the VAT that the journal has for the same days', async () => {
    const newest = -10;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            // The first and the last second of a day too.
            day: fc.integer({ min: newest, max: -1 }),
            second: fc.oneof(fc.constantFrom(0, 86_399), fc.nat(86_399)),
            refunded: fc.constantFrom(0, 10, 33, 100),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        async (payments) => {
          for (const { day, second, refunded } of payments)
            await pay(
              new Date(startOfDay(dayAfter(today, day)).getTime() + second * 1000),
              refunded,
            );
          const { server, serverDatabase: database } = app;
          const warn = (message: string) => server.log.warn(message);
          const seller = sellerOf(app.config);
          await issueDueDocuments({ database, seller, now: () => new Date(), warn });
          for (const [From, Until] of [
            [dayAfter(today, newest), today],
            [dayAfter(today, -3), dayAfter(today, -2)],
            [today, today],
          ] as const) {
            const query = { From, Until };
            const rows = (await app.callAs('admin', calls.getVatReport, { query })).body;
            const balance = (await app.callAs('admin', getTrialBalance, { query })).body;
            const account = balance.find(
              ({ account: name, currency }) => name === 'vat' && currency === 'AED',
            );
            const sum = (field: 'vat' | 'creditedVat') =>
              rows.reduce((total, row) => total + row[field], 0);
            expect([sum('vat'), sum('creditedVat')]).toEqual([
              account?.credits ?? 0,
              account?.debits ?? 0,
            ]);
          }
        },
      ),
      { numRuns: 8 },
    );
    const { body } = await app.callAs('admin', calls.getVatReport, {
      query: { From: dayAfter(today, newest), Until: today },
    });
    // Something was compared.
    for (const field of ['vat', 'creditedVat'] as const)
      expect(body.some((row) => row[field] > 0)).toBe(true);
  });
});
