import { beforeAll, describe, expect, it, vi } from 'vitest';
import { getNotifiedRequest, notificationFacts } from '#features/messages/messages.store.ts';
import { findRule } from '#features/payments/routing/routing.store.ts';
import { findFigureProblems } from '#features/reports/fold-figures.actions.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  messageTexts,
  openRequestStage,
  paidService,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { otherService } from '#testing/requests/team-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { deleteService } from '@diwan/contract/catalogue/services';
import { emirates } from '@diwan/contract/forms/emirates';
import { exportPaymentList, type PaymentListName } from '@diwan/contract/payments/payment-lists';
import { savePaymentRule } from '@diwan/contract/payments/providers';
import { getVatReportLines } from '@diwan/contract/payments/vat-report';
import { getInvoicePathByRequestId } from '@diwan/contract/requests/payments';
import { getFigureGroups } from '@diwan/contract/requests/reports';
import { rejectRequest } from '@diwan/contract/requests/request-actions';
import {
  findAnything,
  getRequestByRequestNoOrMobileNo,
  getRequestsByStatusId,
  getVisibleServices,
} from '@diwan/contract/requests/request-lists';
import type { QueryInputOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { vatCategories } from '@diwan/contract/wire/money';

// A service moves from the agency of `employee-rta` to that of `employee-moi`.
const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
const stage = openRequestStage(app);
const waiting = { timeout: 20_000, interval: 50 };

interface Agency {
  id: number;
  name: string;
}
let ended: SentRequest;
let open: SentRequest;
let from: Agency;
let to: Agency;
let serviceId: number;

/** A payment with everything that lists of money show of it. */
async function insertMoney({ requestId, requestNumber }: SentRequest): Promise<void> {
  const { id } = await app.database
    .selectFrom('payments')
    .select('id')
    .where('request_id', '=', requestId)
    .where('status', '=', 'paid')
    .executeTakeFirstOrThrow();
  await sql`
    insert into refunds (payment_id, request_id, amount, currency, reason, state, idempotency_key)
    values (${id}, ${requestId}, 1, 'AED', 'requested', 'refused', ${`moved ${requestId}`})`.execute(
    app.database,
  );
  await sql`
    insert into payment_cases (kind, cause, payment_id, merchant_reference, provider, amount, currency)
    values ('wrongAmount', ${`moved ${requestId}`}, ${id}, '', 'paypro', 900, 'AED')`.execute(
    app.database,
  );
  await sql`
    with file as (
      insert into settlement_files (provider, day, digest, lines)
      values ('paypro', '2026-03-01', ${`moved ${requestId}`}, 1)
      returning id
    ), line as (
      insert into settlement_lines (
        file_id, row, line_id, kind, merchant_reference, refund_id, amount, charge, currency,
        occurred_at, payment_id
      )
      select id, 1, ${`L-${requestId}`}, 'payment', ${requestNumber}, '', 31500, 473, 'AED',
        '2026-03-01T10:00:00Z'::timestamptz, ${id}::bigint
      from file
      returning id, file_id
    )
    insert into settlement_differences (
      kind, provider, day, file_id, line_id, expected, actual, currency
    )
    select 'otherAmount', 'paypro', '2026-03-01', file_id, id, 31600, 31500, 'AED'
    from line`.execute(app.database);
  // Issues the invoice and the receipt.
  const { status } = await app.callAs('individual', getInvoicePathByRequestId, {
    query: { RequestId: requestId },
  });
  expect(status).toBe(200);
}

beforeAll(async () => {
  const agenciesOf = async (username: string) =>
    (
      await sql<Agency>`
        select agencies.id, agencies.name ->> 'en-US' as name
        from staff_agencies
        join agencies on agencies.id = agency_id
        where user_id = ${await app.idOf(username)}`.execute(app.database)
    ).rows;
  const service = await stage.findService(paidService);
  serviceId = service.id;
  [from, to] = [
    (await agenciesOf('employee-rta')).find(({ id }) => id === service.governmentAgency.id),
    (await agenciesOf('employee-moi'))[0],
  ] as [Agency, Agency];
  expect(from.id).not.toBe(to.id);
  ended = await stage.sendAndReceive('individual', paidService);
  open = await stage.sendAndReceive('individual', paidService);
  const rejected = await stage.performAction('employee', rejectRequest, {
    requestId: ended.requestId,
    requestHistoryRejectionReasonId: 1,
    ...messageTexts,
  });
  expect(rejected.status).toBe(200);
  for (const request of [ended, open]) await insertMoney(request);
  await app.database
    .updateTable('services')
    .set({ agency_id: to.id })
    .where('id', '=', serviceId)
    .execute();
  const agencyOf = async ({ requestId }: SentRequest) =>
    (
      await app.database
        .selectFrom('requests')
        .select('agency_id')
        .where('id', '=', requestId)
        .executeTakeFirstOrThrow()
    ).agency_id;
  await vi.waitUntil(async () => (await agencyOf(open)) === to.id, waiting);
  expect(await agencyOf(ended)).toBe(from.id);
});

const list = async (username: string, query: QueryInputOf<typeof getRequestsByStatusId>) =>
  (
    await app.callAs(username, getRequestsByStatusId, {
      query: { ...query, Take: 100 },
      language: 'en-US',
    })
  ).body.items.filter(({ serviceId: id }) => id === serviceId);
const numbersIn = (items: readonly { requestNumber: string }[]) =>
  items
    .map(({ requestNumber }) => requestNumber)
    .filter((number) => [ended, open].some(({ requestNumber }) => requestNumber === number));

describe('an ended request of a service that moved', () => {
  it('is seen by the staff of its former agency, and not by those of the new one', async () => {
    for (const [username, seen, unseen] of [
      ['employee-rta', ended, open],
      ['employee-moi', open, ended],
    ] as const) {
      expect(numbersIn(await list(username, {}))).toEqual([seen.requestNumber]);
      expect((await stage.read(username, seen.requestId)).status).toBe(200);
      expect((await stage.read(username, unseen.requestId)).status).toBe(404);
      for (const { requestId, requestNumber } of [seen, unseen]) {
        const expected = requestId === seen.requestId ? [requestNumber] : [];
        const found = await app.callAs(username, findAnything, { query: { Text: requestNumber } });
        expect(numbersIn(found.body.requests)).toEqual(expected);
        const { number: Text } = await app.database
          .selectFrom('invoices')
          .select('number')
          .where('request_id', '=', requestId)
          .where('kind', '=', 'invoice')
          .executeTakeFirstOrThrow();
        const { documents } = (await app.callAs(username, findAnything, { query: { Text } })).body;
        expect(numbersIn(documents)).toEqual(expected);
      }
    }
  });

  it('has the name of its own agency in lists, the record and the inquiry', async () => {
    const names = new Map([
      [ended.requestNumber, from],
      [open.requestNumber, to],
    ]);
    const listed = await list('employee', {});
    expect(numbersIn(listed)).toHaveLength(2);
    for (const { requestNumber, governmentAgency } of listed)
      if (names.has(requestNumber))
        expect(governmentAgency).toMatchObject(names.get(requestNumber) as Agency);
    for (const { requestId, requestNumber } of [ended, open]) {
      const agency = names.get(requestNumber) as Agency;
      const { body } = await app.callAs('individual', getRequestByRequestNoOrMobileNo, {
        query: { SearchKeyword: requestNumber },
        language: 'en-US',
      });
      expect(body.items[0]?.governmentAgencyName).toBe(agency.name);
      expect((await stage.read('individual', requestId)).body.governmentAgency.id).toBe(agency.id);
      expect((await notificationFacts(requestId).execute(app.database)).rows[0]).toMatchObject({
        agency_name: { 'en-US': agency.name },
      });
      expect(
        await inTransaction(app.database, (transaction) =>
          getNotifiedRequest(transaction, requestId),
        ),
      ).toMatchObject({ agency_name: { 'en-US': agency.name } });
    }
  });

  it('is found, filtered and sorted by its own agency', async () => {
    for (const order of ['asc', 'desc'] as const)
      for (const extra of [{}, { SearchKeyword: 'vehicle' }, { SortBy: 'due' as const }]) {
        const query = { ...extra, sortOrder: order };
        for (const [agency, { requestNumber }] of [
          [from, ended],
          [to, open],
        ] as const)
          expect(
            numbersIn(await list('employee', { ...query, GovernmentAgencyId: String(agency.id) })),
          ).toEqual([requestNumber]);
      }
    for (const [agency, own, other] of [
      [from, ended, open],
      [to, open, ended],
    ] as const) {
      const found = numbersIn(await list('individual', { SearchKeyword: agency.name }));
      expect([agency.name, found]).toEqual([
        agency.name,
        expect.arrayContaining([own.requestNumber]),
      ]);
      expect([agency.name, found]).not.toEqual([
        agency.name,
        expect.arrayContaining([other.requestNumber]),
      ]);
    }
    const sorted = numbersIn(await list('individual', { SortBy: 'agency', sortOrder: 'asc' }));
    const inOrder = [ended, open].map(({ requestNumber }) => requestNumber);
    expect(sorted).toEqual(from.name < to.name ? inOrder : inOrder.toReversed());
  });

  it('counts in the figures of its own agency, also when they are folded again', async () => {
    const groups = async () => {
      const { body } = await app.callAs('admin', getFigureGroups, {
        query: { By: 'agency', DateFrom: todayInDubai(), DateTo: todayInDubai() },
      });
      const of = ({ id }: Agency) => body.groups.find((group) => group.id === String(id));
      return { from: of(from), to: of(to) };
    };
    await expect
      .poll(groups, waiting)
      .toMatchObject({ from: { open: 0, created: 1, refused: 1 }, to: { created: 1, refused: 0 } });
    expect(await findFigureProblems(app.database)).toEqual([]);
  });

  it('stays with its own agency in every list and export of money', async () => {
    // A difference is named by the reference of its payment.
    const isOf = ({ requestId, requestNumber }: SentRequest, row: string) =>
      row.includes(requestNumber) || row.includes(`paid-${requestId}-`);
    const read = async (List: PaymentListName, agency: Agency) =>
      (
        await app.server.inject({
          url: `${exportPaymentList.path}?${new URLSearchParams({
            List,
            Format: 'csv',
            AgencyId: String(agency.id),
          })}`,
          headers: {
            authorization: `Bearer ${await app.signIn('admin')}`,
            'accept-language': 'en-US',
          },
        })
      ).payload
        .split('\r\n')
        .filter((row) => [ended, open].some((request) => isOf(request, row)));
    for (const name of [
      'payments',
      'refunds',
      'cases',
      'differences',
      'charges',
      'documents',
    ] as const)
      for (const [agency, own, other] of [
        [from, ended, open],
        [to, open, ended],
      ] as const) {
        const rows = await read(name, agency);
        expect([name, rows.length]).not.toEqual([name, 0]);
        for (const row of rows) {
          expect([name, isOf(own, row), isOf(other, row)]).toEqual([name, true, false]);
          expect([name, row]).toEqual([name, expect.stringContaining(agency.name)]);
        }
      }
  });

  it('keeps its agency in the report for the VAT return', async () => {
    const lines = [];
    const period = { From: dayAfter(todayInDubai(), -1), Until: dayAfter(todayInDubai(), 1) };
    for (const Emirate of [...emirates, 'none'] as const)
      for (const Category of vatCategories)
        lines.push(
          ...(
            await app.callAs('admin', getVatReportLines, {
              query: { ...period, Emirate, Category, Take: 100 },
              language: 'en-US',
            })
          ).body.items,
        );
    for (const [agency, { requestNumber }] of [
      [from, ended],
      [to, open],
    ] as const)
      expect(
        new Set(
          lines
            .filter((line) => line.requestNumber === requestNumber)
            .map(({ agencyName }) => agencyName),
        ),
      ).toEqual(new Set([agency.name]));
  });

  it('is paid by the rules of its own agency', async () => {
    const { status } = await app.callAs('admin', savePaymentRule, {
      body: { agencyId: from.id, provider: 'reserve', minimum: 1, maximum: 77 },
    });
    expect(status).toBe(200);
    const ruleOf = async (agency: Agency) =>
      findRule(app.database, { serviceId, agencyId: agency.id, due: 77, method: 'card' });
    expect((await ruleOf(from))?.agency_id).toBe(from.id);
    expect((await ruleOf(to))?.agency_id).not.toBe(from.id);
  });

  it('can be filtered by its service, which is offered to whose list holds it and to nobody else', async () => {
    const offered = async (username: string, query: QueryInputOf<typeof getVisibleServices>) =>
      (await app.callAs(username, getVisibleServices, { query, language: 'en-US' })).body.map(
        ({ id }) => id,
      );
    const listed = async (username: string) =>
      new Set(
        (
          await app.callAs(username, getRequestsByStatusId, { query: { Take: 100 } })
        ).body.items.map((item) => item.serviceId),
      );
    const readAll = async () => {
      for (const username of ['employee-rta', 'employee-moi', 'employee', 'auditor'])
        expect([username, new Set(await offered(username, {}))]).toEqual([
          username,
          await listed(username),
        ]);
    };
    const ServiceId = String(serviceId);
    await readAll();
    for (const username of ['employee-rta', 'employee-moi'])
      for (const query of [{ SearchKeyword: 'vehicle' }, { ServiceId }]) {
        expect(await offered(username, query)).toContain(serviceId);
        expect(numbersIn(await list(username, { ServiceId })).length).toBe(1);
      }
    // The former agency has no request of a service whose requests have all followed it.
    const { requestId } = await stage.send('individual', otherService);
    const { id: followed } = await stage.findService(otherService);
    expect(await offered('employee-rta', { ServiceId: String(followed) })).toEqual([followed]);
    await app.database
      .updateTable('services')
      .set({ agency_id: to.id })
      .where('id', '=', followed)
      .execute();
    const isRead = async () => (await stage.read('employee-moi', requestId)).status;
    await expect.poll(isRead, waiting).toBe(200);
    expect(await offered('employee-rta', { ServiceId: String(followed) })).toEqual([]);
    await expect
      .poll(() => offered('employee-moi', { ServiceId: String(followed) }), waiting)
      .toEqual([followed]);
    await readAll();
    // The service that moved goes on having requests when it is no longer offered.
    const removed = await app.callAs('admin', deleteService, { params: { serviceId } });
    expect(removed.status).toBe(200);
    await readAll();
    for (const query of [{ SearchKeyword: 'vehicle' }, { ServiceId }])
      expect(await offered('employee-rta', query)).toContain(serviceId);
  });
});
