import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getPaymentCases, getPayments, getRefunds } from '@diwan/contract/payments/events';
import { getSettlementDifferences } from '@diwan/contract/payments/ledger';
import {
  exportPaymentList,
  getProviderChargeLines,
  paymentLists,
  type PaymentListName,
} from '@diwan/contract/payments/payment-lists';
import { getPayouts } from '@diwan/contract/payments/payouts';
import { getPaymentRouting } from '@diwan/contract/payments/providers';
import { findAnything } from '@diwan/contract/requests/request-lists';
import type { QueryInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();
const stage = openRequestStage(app);

const lists = {
  payments: getPayments,
  refunds: getRefunds,
  cases: getPaymentCases,
  differences: getSettlementDifferences,
  charges: getProviderChargeLines,
  payouts: getPayouts,
};
type Filter = QueryInputOf<typeof exportPaymentList>;

const numbers: Record<string, string> = {};
const agencies: number[] = [];

/** A payment of a request, with a time that is the hour in Asia/Dubai. */
async function insertPayment(
  requestId: number,
  row: { reference: string; amount: number; at: string; provider?: string; method?: string },
) {
  const { rows } = await sql<{ id: number }>`
    insert into payments (
      request_id, round, merchant_reference, provider_reference, amount, currency, status, provider,
      method, created_at
    )
    values (
      ${requestId}, (select count(*) + 1 from payments where request_id = ${requestId}),
      ${row.reference}, ${`cs_Test_${row.reference}`}, ${row.amount}, 'AED', 'paid',
      ${row.provider ?? 'paypro'}, ${row.method ?? 'card'}, ${`${row.at}+04`}::timestamptz
    )
    returning id`.execute(app.database);
  const id = rows[0]?.id ?? 0;
  await sql`
    insert into payment_events (id, payment_id, kind, amount, currency, occurred_at)
    values (${`lists ${id}`}, ${id}, 'paid', ${row.amount}, 'AED', now())`.execute(app.database);
  return id;
}

beforeAll(async () => {
  const first = await stage.send('individual', paidService);
  const second = await stage.send('individual2', freeService);
  const { rows } = await sql<{ agency_id: number }>`
    select requests.agency_id
    from requests
    join services
      on services.id = service_id
    where requests.id in (${first.requestId}, ${second.requestId})
    order by requests.id`.execute(app.database);
  agencies.push(...rows.map((row) => row.agency_id));
  expect(agencies[0]).not.toBe(agencies[1]);
  numbers.request = first.requestNumber;
  const id = await insertPayment(first.requestId, {
    reference: `${first.requestNumber}-a1b2c3d4`,
    amount: 31_500,
    at: '2026-03-01 23:59:59',
  });
  await insertPayment(first.requestId, {
    reference: 'second-one',
    amount: 50_001,
    at: '2026-03-02 00:00:00',
    provider: 'reserve',
  });
  await insertPayment(second.requestId, {
    reference: 'other-agency',
    amount: 50_001,
    at: '2026-03-02 12:00:00',
    method: 'bankAccount',
  });
  await sql`
    insert into invoice_counters (series, last_sequence)
    values ('INV-2019', 10), ('RCT-2019', 10), ('CN-2019', 10), ('CRT-2019', 10)`.execute(
    app.database,
  );
  const admin = await app.idOf('admin');
  await sql`
    with given_back as (
      insert into request_refunds (request_id, amount, reference, recorder_name)
      values (${first.requestId}, 100, 'bank', 'Admin')
      returning id
    )
    insert into invoices (
      kind, series, sequence, number, request_id, payment_id, refund_id, total, content, issued_at
    )
    select kind, series, 10, series || '-000010', ${first.requestId}, payment, refund, 100, '{}', now()
    from (
      select 'invoice' as kind, 'INV-2019' as series, ${id}::bigint as payment, null::bigint as refund
      union all
      select 'receipt', 'RCT-2019', ${id}, null
      union all
      select 'creditNote', 'CN-2019', null, id
      from given_back
    ) as issued`.execute(app.database);
  await sql`
    insert into certificates (request_id, series, sequence, number, content, issued_at)
    values (${first.requestId}, 'CRT-2019', 10, 'CRT-2019-000010', '{}', now())`.execute(
    app.database,
  );
  await sql`
    insert into refunds (
      payment_id, request_id, amount, currency, reason, state, idempotency_key, requested_by,
      outside_reference, created_at
    )
    values (
      ${id}, ${first.requestId}, 500, 'AED', 'requested', 'waiting', 'lists 1', ${admin},
      null, '2026-03-01'
    ), (
      null, ${first.requestId}, 700, 'AED', 'recorded', 'withdrawn', 'lists 2', ${admin},
      'Bank/77 812', '2026-03-05'
    )`.execute(app.database);
  await sql`
    insert into payment_cases (
      kind, cause, payment_id, merchant_reference, provider, amount, currency, created_at, decision,
      decided_by, decided_at, note
    )
    values (
      'wrongAmount', '1', ${id}, ${`${first.requestNumber}-a1b2c3d4`}, 'paypro', 900, 'AED',
      '2026-03-01', null, null, null, ''
    ), (
      'unknownReference', '2', null, 'STRAY-99-XY', 'reserve', 400, 'USD', '2026-03-02', 'close',
      ${admin}, '2026-03-03', '=1+1'
    )`.execute(app.database);
  await sql`
    with file as (
      insert into settlement_files (provider, day, digest, lines)
      values ('paypro', '2026-03-01', 'lists', 2)
      returning id
    ), line as (
      insert into settlement_lines (
        file_id, row, line_id, kind, merchant_reference, refund_id, amount, charge, currency,
        occurred_at, payment_id
      )
      select id, 1, 'L-1', 'payment', ${`${first.requestNumber}-a1b2c3d4`}, '', 31500, 473, 'AED',
        '2026-03-01T10:00:00Z'::timestamptz, ${id}::bigint
      from file
      union all
      select id, 2, 'L-2', 'refund', 'STRAY-99-XY', '', 400, 0, 'AED', '2026-03-01T11:00:00Z', null
      from file
      returning id, file_id, row
    )
    insert into settlement_differences (
      kind, provider, day, file_id, line_id, expected, actual, currency
    )
    select case row when 1 then 'otherAmount' else 'missingHere' end, 'paypro', '2026-03-01', file_id,
      id, case row when 1 then 31600 end, case row when 1 then 31500 else 400 end, 'AED'
    from line`.execute(app.database);
  await sql`
    insert into payouts (agency_id, amount, currency, reference, paid_on, state, requested_by)
    values (${agencies[0]}, 120000, 'AED', 'ENBD 5501', '2026-03-04', 'waiting', ${admin})`.execute(
    app.database,
  );
});

const march = { From: '2026-03-01', Until: '2026-03-31' };
const ask = async (list: keyof typeof lists, query: Partial<Filter>, username = 'admin') =>
  app.callAs(username, lists[list] as never, { query: { ...query } as never }) as unknown as {
    status: number;
    refused: { errors: Record<string, string[]> };
    body: { items: Record<string, unknown>[]; totalCount: number; sums: unknown[] };
  };
const references = async (query: Partial<Filter>) =>
  (await ask('payments', { ...march, ...query })).body.items.map(
    ({ merchantReference }) => merchantReference,
  );

describe('filters of payments', () => {
  it('are by days in Asia/Dubai, the newest first', async () => {
    const first = `${numbers.request}-a1b2c3d4`;
    expect(await references({})).toEqual(['other-agency', 'second-one', first]);
    expect(await references({ Until: '2026-03-01' })).toEqual([first]);
    expect(await references({ From: '2026-03-02' })).toEqual(['other-agency', 'second-one']);
  });

  it('are by agency, provider, method, state and amount, and combine', async () => {
    const [own, other] = agencies;
    expect(await references({ AgencyId: String(other) })).toEqual(['other-agency']);
    expect(await references({ Provider: 'reserve' })).toEqual(['second-one']);
    expect(await references({ Method: 'bankAccount' })).toEqual(['other-agency']);
    expect(await references({ State: 'declined' })).toEqual([]);
    expect(await references({ MinAmount: '50001' })).toEqual(['other-agency', 'second-one']);
    expect(await references({ MaxAmount: '50000' })).toHaveLength(1);
    expect(
      await references({ MinAmount: '31500', AgencyId: String(own), Provider: 'paypro' }),
    ).toHaveLength(1);
    expect(await references({ Method: 'bankAccount', Provider: 'reserve' })).toEqual([]);
  });

  it('give the number and the sum of the whole list, not of the page', async () => {
    const { body } = await ask('payments', { ...march, Take: '1' } as never);
    expect(body.items).toHaveLength(1);
    expect(body.totalCount).toBe(3);
    expect(body.sums).toEqual([{ currency: 'AED', count: 3, amount: 131_502 }]);
    const cases = await ask('cases', { ...march, State: 'decided' });
    expect(cases.body.sums).toEqual([{ currency: 'USD', count: 1, amount: 400 }]);
    expect((await ask('payments', { ...march, State: 'held' })).body.sums).toEqual([]);
  });

  it('that contradict each other are refused at their field', async () => {
    for (const list of Object.keys(lists) as (keyof typeof lists)[]) {
      const days = await ask(list, { From: '2026-03-02', Until: '2026-03-01' });
      expect([list, days.status, Object.keys(days.refused.errors)]).toEqual([list, 400, ['Until']]);
      const amounts = await ask(list, { MinAmount: '2', MaxAmount: '1' });
      expect(Object.keys(amounts.refused.errors)).toEqual(['MaxAmount']);
    }
    for (const query of [
      { MinAmount: '9999999999999' },
      { MinAmount: '-1' },
      { MaxAmount: '1.5' },
      { From: '2026-02-30' },
      { State: 'open' },
    ])
      expect([query, (await ask('payments', query as never)).status]).toEqual([query, 400]);
  });
});

it('every list has its filters', async () => {
  const count = async (list: keyof typeof lists, query: Partial<Filter>) =>
    (await ask(list, { ...march, ...query })).body.totalCount;
  const own = String(agencies[0]);
  const other = String(agencies[1]);
  for (const list of ['refunds', 'cases', 'differences', 'charges', 'payouts'] as const) {
    expect([list, await count(list, { AgencyId: own })]).not.toEqual([list, 0]);
    expect([list, await count(list, { AgencyId: other })]).toEqual([list, 0]);
    expect([list, await count(list, { MinAmount: '999999999999' })]).toEqual([list, 0]);
    expect([list, await count(list, { From: '2026-03-30' })]).toEqual([list, 0]);
    expect([list, await count(list, { Provider: 'stripe' })]).toEqual([list, 0]);
    expect([list, await count(list, { Method: 'bankAccount' })]).toEqual([list, 0]);
  }
  expect(await count('refunds', { State: 'withdrawn' })).toBe(1);
  expect(await count('cases', {})).toBe(1);
  expect(await count('differences', { State: 'resolved' })).toBe(0);
  expect(await count('charges', { State: 'refund' })).toBe(1);
  expect(await count('payouts', { State: 'waiting' })).toBe(1);
  const { body } = await ask('differences', march);
  expect(body.sums).toEqual([{ currency: 'AED', count: 2, amount: 300 }]);
});

describe('a number', () => {
  const spellings = (text: string) => [
    text,
    text.toLowerCase(),
    ` ${text.replaceAll('-', ' ')} `,
    `\u200F\u2066${text.replaceAll('-', '\u2013')}\u2069`,
    text.replaceAll('0', '٠'),
  ];

  it('of a request or a document finds its payments, in any spelling', async () => {
    for (const number of ['INV-2019-000010', 'RCT-2019-000010'])
      for (const Keyword of spellings(number))
        expect([Keyword, (await references({ Keyword })).length]).toEqual([Keyword, 1]);
    for (const number of [numbers.request ?? '', 'CN-2019-000010', 'CRT-2019-000010'])
      for (const Keyword of spellings(number))
        expect([Keyword, (await references({ Keyword })).length]).toEqual([Keyword, 2]);
    expect(await references({ Keyword: 'A1B2 C3D4' })).toHaveLength(1);
    expect(await references({ Keyword: 'CS_TEST_second one' })).toEqual(['second-one']);
    for (const Keyword of ['%', '_', '- -', 'INV-2019-000011'])
      expect([Keyword, await references({ Keyword })]).toEqual([Keyword, []]);
  });

  it('is found in every list', async () => {
    const found = async (list: keyof typeof lists, Keyword: string, State?: Filter['State']) =>
      (await ask(list, { Keyword, ...(State ? { State } : {}) })).body.totalCount;
    for (const list of ['refunds', 'cases', 'differences', 'charges'] as const)
      expect([list, await found(list, 'inv 2019 000010')]).toEqual([list, 1]);
    expect(await found('refunds', 'crt2019000010')).toBe(2);
    expect(await found('refunds', 'BANK 77812')).toBe(1);
    expect(await found('cases', 'stray99xy', 'decided')).toBe(1);
    for (const list of ['differences', 'charges'] as const)
      expect(await found(list, 'stray 99 xy')).toBe(1);
    expect(await found('payouts', 'enbd-5501')).toBe(1);
  });

  it('is found by the palette, for who may read what it names', async () => {
    const find = async (username: string, Text: string) =>
      (await app.callAs(username, findAnything, { query: { Text } })).body;
    for (const [number, kind] of [
      ['INV-2019-000010', 'invoice'],
      ['RCT-2019-000010', 'receipt'],
      ['CN-2019-000010', 'creditNote'],
      ['CRT-2019-000010', 'certificate'],
    ] as const)
      for (const Text of spellings(number))
        for (const username of ['admin', 'employee'])
          expect([Text, (await find(username, Text)).documents]).toEqual([
            Text,
            [{ number, kind, requestNumber: numbers.request }],
          ]);
    const payment = { merchantReference: 'second-one', status: 'paid', currency: 'AED' };
    await sql`update payments set provider_reference = 'pi_9F3' where merchant_reference = 'second-one'`.execute(
      app.database,
    );
    expect((await find('admin', 'PI 9f3')).payments).toMatchObject([payment]);
    expect((await find('employee', 'PI 9f3')).payments).toEqual([]);
    // The provider sees the request when it has come to them, and not its documents.
    await sql`update requests set came_to_provider = true where number = ${numbers.request}`.execute(
      app.database,
    );
    expect(
      await Promise.all(
        ['supervisor', 'supervisor2'].map(async (username) => {
          const { requests } = await find(username, numbers.request ?? '');
          return requests.length;
        }),
      ),
    ).toContain(1);
    for (const username of ['supervisor', 'supervisor2', 'content'])
      expect(await find(username, 'INV-2019-000010')).toMatchObject({
        documents: [],
        payments: [],
      });
    for (const Text of spellings(numbers.request ?? ''))
      expect([Text, (await find('employee', Text)).requests.length]).toEqual([Text, 1]);
  });
});

describe('an export', () => {
  async function download(list: PaymentListName, query: Partial<Filter>, language = 'ar-EG') {
    const address = new URLSearchParams({ List: list, ...(query as Record<string, string>) });
    const { statusCode, rawPayload, headers } = await app.server.inject({
      url: `${exportPaymentList.path}?${address}`,
      headers: {
        authorization: `Bearer ${await app.signIn('admin')}`,
        'accept-language': language,
      },
    });
    expect([list, statusCode]).toEqual([list, 200]);
    return { content: rawPayload, type: headers['content-type'] };
  }
  async function readSheet(list: PaymentListName, query: Partial<Filter>, language?: string) {
    const workbook = new ExcelJS.Workbook();
    const { content } = await download(list, { Format: 'xlsx', ...query }, language);
    await workbook.xlsx.load(content as never);
    return workbook.worksheets[0] as ExcelJS.Worksheet;
  }

  it('as a workbook has typed cells, and runs from right to left in Arabic', async () => {
    const sheet = await readSheet('payments', { ...march, MinAmount: '50001' });
    expect(sheet.views[0]?.rightToLeft).toBe(true);
    expect(sheet.rowCount).toBe(3);
    const row = sheet.getRow(2).values as ExcelJS.CellValue[];
    expect(row.slice(1)).toEqual([
      'second-one',
      numbers.request,
      expect.stringMatching(/[\u0600-\u06FF]/),
      new Date('2026-03-02T00:00:00Z'),
      expect.stringMatching(/[\u0600-\u06FF]/),
      500.01,
      0,
      'AED',
      expect.any(String),
      expect.any(String),
    ]);
    expect(sheet.getRow(2).getCell(6).numFmt).toBe('#,##0.00');
    const english = await readSheet('payments', march, 'en-US');
    expect(english.views[0]?.rightToLeft).toBeFalsy();
    expect(english.getRow(1).getCell(1).value).toBe('Payment reference');
  });

  it('as CSV has the rows of the filters, and no formula', async () => {
    const { content, type } = await download(
      'cases',
      {
        Format: 'csv',
        ...march,
        State: 'decided',
      },
      'en-US',
    );
    expect(type).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = content.toString().trimEnd().split('\r\n');
    expect(header).toMatch(/^\uFEFF"Reason","Payment reference",/);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(',4,,"USD",');
    expect(rows[0]).toContain(`"'=1+1"`);
  });

  it('exists of every list, with as many rows as the list has', async () => {
    for (const list of Object.keys(paymentLists) as PaymentListName[]) {
      const sheet = await readSheet(list, march, 'en-US');
      // Documents have no page of their own.
      if (list !== 'documents')
        expect([list, sheet.rowCount]).toEqual([
          list,
          (await ask(list, march)).body.totalCount + 1,
        ]);
      for (let at = 1; at <= sheet.columnCount; at += 1)
        expect([list, sheet.getRow(1).getCell(at).text]).not.toEqual([list, '']);
    }
  });

  it('is written while it is read, a batch at a time', async () => {
    await sql`
      insert into payment_cases (kind, cause, provider, merchant_reference, created_at)
      select 'unknownReference', 'many ' || n, 'paypro', 'M-' || n, '2026-05-01'
      from generate_series(1, 1201) as n`.execute(app.database);
    const { content } = await download('cases', { Format: 'csv', From: '2026-05-01' });
    const rows = content.toString().trim().split('\r\n').slice(1);
    expect(new Set(rows).size).toBe(1201);
  });

  it('refuses what the list refuses, before its first byte', async () => {
    const { status } = await app.callAs('admin', exportPaymentList, {
      query: { List: 'payments', Format: 'csv', From: '2026-03-02', Until: '2026-03-01' },
    });
    expect(status).toBe(400);
  });
});

it('shows an employee of some agencies the refunds of their requests alone', async () => {
  const seen = async (username: string) =>
    (await app.callAs(username, getRefunds, { query: { Take: 100 } })).body.items.map(
      ({ requestNumber }) => requestNumber,
    );
  const all = await seen('employee');
  const { rows } = await sql<{ number: string }>`
    select requests.number
    from requests
    join agencies on agencies.id = requests.agency_id
    where slug = 'roads-and-transport-authority-dubai'`.execute(app.database);
  const ofRoads = new Set(rows.map(({ number }) => number));
  expect(all.some((number) => ofRoads.has(number))).toBe(true);
  expect(await seen('employee-rta')).toEqual(all.filter((number) => ofRoads.has(number)));
  expect(await seen('employee-moi')).toEqual([]);
});

it('offers each provider that has payments, also one that is not set up', async () => {
  const offered = async () =>
    (await app.callAs('finance', getPaymentRouting)).body.providers.filter(
      ({ name, isConfigured, hasPayments }) => name === 'stripe' && hasPayments && !isConfigured,
    );
  expect(await offered()).toEqual([]);
  const { requestId } = await stage.send('individual', freeService);
  await insertPayment(requestId, {
    reference: 'unknown-provider',
    amount: 100,
    at: '2026-01-02 10:00',
    provider: 'stripe',
  });
  expect(await offered()).toHaveLength(1);
});
