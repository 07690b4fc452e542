import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { getPaymentCases } from '@diwan/contract/payments/events';
import { createPayment } from '@diwan/contract/requests/payments';
import type { Call } from '@diwan/contract/wire/call';

const app = useTestApp();
const stage = openRequestStage(app);

interface Page {
  items: { id: number }[];
  totalCount: number;
}

const isPaged = (call: Call) =>
  call.method === 'GET' && 'query' in call && call.query?.shape.PageNumber !== undefined;
const paged = Object.values(allCalls).filter(isPaged);

/** The lists whose rows are counted beside the page. */
const counted = [
  'getPayments',
  'getPaymentCases',
  'getRefunds',
  'getPayouts',
  'getProviderChargeLines',
  'getSettlementDifferences',
  'getLedgerDays',
  'getSearchTerms',
  'getRetiredServices',
];

beforeAll(async () => {
  const { requestId } = await stage.send('individual', paidService);
  await app.callAs('individual', createPayment, { params: { requestId } });
  await sql`
    insert into payment_cases (kind, cause, provider, decision, decided_by, decided_at)
    select 'unknown', 'cause ' || n, (select min(name) from payment_providers),
      case when n > 5 then 'closed' end,
      case when n > 5 then (select id from users where username = 'admin') end,
      case when n > 5 then timestamptz '2026-01-01' end
    from generate_series(1, 45) as n`.execute(app.database);
  await sql`
    insert into refunds (payment_id, request_id, amount, currency, reason, state, idempotency_key)
    select id, request_id, 1, 'AED', 'cancelled', 'refused', 'page-totals ' || id
    from payments`.execute(app.database);
  await sql`
    insert into payouts (provider, amount, currency, reference, paid_on, state, requested_by)
    select min(name), 1, 'AED', 'R-1', '2026-01-01', 'waiting', (
      select id from users where username = 'admin'
    )
    from payment_providers`.execute(app.database);
  await sql`
    with file as (
      insert into settlement_files (provider, day, digest, lines)
      select min(name), '2026-01-01', 'page totals', 0
      from payment_providers
      returning id, provider
    ), line as (
      insert into settlement_lines (
        file_id, row, line_id, kind, merchant_reference, refund_id, amount, charge, currency, occurred_at
      )
      select id, 1, 'L-1', 'payment', 'R-1', '', 100, 2, 'AED', '2026-01-01'
      from file
    )
    insert into settlement_differences (kind, provider, day, file_id, currency)
    select 'missing', provider, '2026-01-01', id, 'AED'
    from file`.execute(app.database);
  await sql`
    insert into search_terms (day, language, text, searches, results)
    values (current_date, 'en-US', 'visa', 1, 1)`.execute(app.database);
  await sql`
    update services
    set deleted_at = now()
    where id = (select max(id) from services)`.execute(app.database);
});

describe('a page behind the end of a list', () => {
  it('knows the lists', () => {
    expect(paged.map(({ name }) => name)).toEqual(expect.arrayContaining(counted));
    expect(paged.length).toBeGreaterThan(15);
  });

  it.each(paged.map((call) => [call.name, call] as const))('%s', async (name, call) => {
    const ask = async (PageNumber: number) => {
      const { status, body } = await app.callAs(
        'admin',
        call as never,
        {
          query: { PageNumber },
        } as never,
      );
      return { status, body: body as unknown as Page };
    };
    const first = await ask(1);
    const last = await ask(1000);
    expect([first.status, last.status]).toEqual([first.status, first.status]);
    if (first.status !== 200) return;
    expect(last.body).toMatchObject({ items: [], totalCount: first.body.totalCount });
    if (counted.includes(name)) expect(first.body.totalCount).toBeGreaterThan(0);
  });
});

it('decided cases of one moment are on one page each', async () => {
  const ids: number[] = [];
  for (let PageNumber = 1; PageNumber <= 6; PageNumber += 1) {
    const { body } = await app.callAs('admin', getPaymentCases, {
      query: { State: 'decided', PageNumber, Take: 7 } as never,
    });
    ids.push(...body.items.map(({ id }) => id));
  }
  expect(ids).toHaveLength(40);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});
