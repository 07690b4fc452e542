import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  sayWhy,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { returnRequest } from '@diwan/contract/requests/request-actions';
import * as calls from '@diwan/contract/requests/request-lists';
import {
  getRequestByMerchantReference,
  type RequestSummary,
} from '@diwan/contract/requests/requests';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';

const app = useTestApp();
const stage = openRequestStage(app);

type Query = Record<string, string | number>;
const list = async (username: string, query: Query, language: Language = 'en-US') =>
  (
    await app.callAs(username, calls.getRequestsByStatusId, {
      query: { Take: 100, ...query },
      language,
    })
  ).body;
const numbers = async (username: string, query: Query) =>
  (await list(username, query)).items.map(({ requestNumber }) => requestNumber);

describe('lists', () => {
  it('find requests by words of the service and the applicant, and by parts of number and phone', async () => {
    const { requestNumber } = await stage.send('individual', freeService, {
      applicantName: 'Wilhelmina Ahmadović',
      applicantMobile: '0507654321',
    });
    for (const keyword of [
      'wilhelmina',
      'WILHEL labour',
      'Ahmadovic',
      requestNumber,
      requestNumber.slice(5),
      '7654321',
      '٠٥٠٧٦٥٤٣٢١',
    ])
      expect(await numbers('employee', { SearchKeyword: keyword }), keyword).toContain(
        requestNumber,
      );
    for (const keyword of [
      'wilhelmina passport%',
      '%',
      '_',
      '\\',
      '*',
      '‮‮',
      `wilhelmina${'x'.repeat(180)}`,
    ])
      expect((await list('employee', { SearchKeyword: keyword })).totalCount, keyword).toBe(0);
    expect(
      (
        await app.callAs('employee', calls.getRequestsByStatusId, {
          query: { SearchKeyword: 'x'.repeat(201) },
        })
      ).status,
    ).toBe(400);
  });

  it('merge several statuses in order without duplicates, and are empty past the last page', async () => {
    await stage.sendAndReceive('individual');
    await stage.send('individual');
    const both = await list('employee', { StatusIds: '3,4,3' });
    const [one, other] = [
      await list('employee', { StatusId: 3 }),
      await list('employee', { StatusId: 4 }),
    ];
    expect(both.totalCount).toBe(one.totalCount + other.totalCount);
    expect(new Set(both.items.map(({ requestId }) => requestId)).size).toBe(both.totalCount);
    const times = both.items.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(
      (await list('employee', { StatusIds: '3,4', sortOrder: 'asc' })).items.map(
        ({ requestId }) => requestId,
      ),
    ).toEqual(both.items.map(({ requestId }) => requestId).toReversed());
    // A group has the statuses of its tone, of those that are asked for.
    const { body: statuses } = await app.callAs('employee', calls.getAllStatuses);
    const progress = statuses.filter(({ statusTone }) => statusTone === 'progress');
    expect(await list('employee', { StatusGroup: 'progress' })).toEqual(
      await list('employee', { StatusIds: progress.map(({ statusId }) => statusId).join(',') }),
    );
    expect((await list('employee', { StatusGroup: 'finished', StatusIds: '3,4' })).totalCount).toBe(
      0,
    );
    const past = await list('employee', { StatusIds: '3,4', PageNumber: 999_999 });
    expect(past).toEqual({ items: [], pageNumber: 999_999, totalCount: both.totalCount });
    expect(await list('individual', { PageNumber: 5000 })).toMatchObject({
      items: [],
      totalCount: (await list('individual', {})).totalCount,
    });
  });

  it('are the same in both calls, and refuse an end before the start', async () => {
    const query = { StatusId: 3, Take: 100 };
    const answer = await app.callAs('employee', calls.getAllRequestsByStatusId, { query });
    expect(answer.body).toEqual(await list('employee', query));
    for (const call of [calls.getAllRequestsByStatusId, calls.getRequestsByStatusId]) {
      const { status, refused } = await app.callAs('employee', call, {
        query: { DateFrom: '2026-02-02', DateTo: '2026-02-01' },
      });
      expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['DateTo']]);
    }
  });
});

describe('lists by due day', () => {
  const set = (requestId: number, dueOn: string | null) =>
    app.database
      .updateTable('requests')
      .set({ due_on: dueOn })
      .where('id', '=', requestId)
      .execute();
  const day = (days: number) => dayAfter(todayInDubai(), days);
  const byDue = { StatusIds: '3,4', SortBy: 'due', sortOrder: 'asc' };

  it('begin with the request that is due first, and end with those without a day', async () => {
    const sent = [];
    for (const days of [3, -2, null, 0])
      sent.push({ ...(await stage.send('individual')), dueOn: days === null ? null : day(days) });
    for (const { requestId, dueOn } of sent) await set(requestId, dueOn);
    const { items, totalCount } = await list('employee', byDue);
    const days = items.map(({ promisedBy }) => promisedBy ?? '9999');
    expect(days).toEqual(days.toSorted());
    expect(days.at(-1)).toBe('9999');
    expect(items).toHaveLength(totalCount);
    // A page after the requests with a due day, and pages that hold both.
    const pages = [];
    for (let page = 1; page <= Math.ceil(totalCount / 3); page += 1)
      pages.push(...(await list('employee', { ...byDue, Take: 3, PageNumber: page })).items);
    expect(pages.map(({ requestId }) => requestId)).toEqual(
      items.map(({ requestId }) => requestId),
    );
    const reversed = await list('employee', { ...byDue, sortOrder: 'desc' });
    const dated = items.filter(({ promisedBy }) => promisedBy);
    expect(reversed.items.slice(0, dated.length).map(({ requestId }) => requestId)).toEqual(
      dated.map(({ requestId }) => requestId).toReversed(),
    );
    // Of a service provider too, whose requests are those of another index.
    const provided = await list('supervisor', { SortBy: 'due', sortOrder: 'asc' });
    const providedDays = provided.items.map(({ promisedBy }) => promisedBy ?? '9999');
    expect(providedDays).toEqual(providedDays.toSorted());
    const late = await list('employee', { Due: 'late' });
    expect(late.items.map(({ requestId }) => requestId)).toContain(sent[1]?.requestId);
    expect(late.items.every(({ promisedBy = '9999' }) => promisedBy < day(0))).toBe(true);
    const today = (await list('employee', { Due: 'today' })).items;
    expect(new Set(today.map(({ promisedBy }) => promisedBy))).toEqual(new Set([day(0)]));
    const week = await list('employee', { Due: 'week', SortBy: 'due' });
    expect(week.items.map(({ requestId }) => requestId)).toEqual(
      expect.arrayContaining([sent[0]?.requestId, sent[3]?.requestId]),
    );
  });

  it('can be sorted by every other column, in the language of the caller, page after page', async () => {
    const collator = { 'ar-EG': new Intl.Collator('ar-EG'), 'en-US': new Intl.Collator('en-US') };
    await stage.sendAndReceive('individual2');
    for (const language of ['ar-EG', 'en-US'] as const)
      for (const [column, value] of [
        ['number', (request: RequestSummary) => request.requestNumber],
        ['service', (request: RequestSummary) => request.serviceName],
        ['agency', (request: RequestSummary) => request.governmentAgency.name],
        ['applicant', (request: RequestSummary) => request.applicantName],
        ['total', (request: RequestSummary) => String(request.total).padStart(12, '0')],
        ['holder', (request: RequestSummary) => request.holder?.name ?? '\uffff'],
      ] as const)
        for (const sortOrder of ['asc', 'desc'] as const) {
          const sorted = { SortBy: column, sortOrder, Take: '100' };
          const { items } = await list('employee', sorted, language);
          const what = `${language} ${column} ${sortOrder}`;
          expect(items.length, what).toBeGreaterThan(4);
          const sign = sortOrder === 'asc' ? 1 : -1;
          for (const [index, request] of items.slice(1).entries()) {
            const before = items[index] as RequestSummary;
            const order = collator[language].compare(value(before), value(request));
            // Requests that nobody holds are the last in both orders.
            if (column !== 'holder' || (before.holder && request.holder))
              expect(order * sign, what).toBeLessThanOrEqual(0);
            else expect([!before.holder, !request.holder], what).not.toEqual([true, false]);
            if (order === 0) expect(before.createdAt >= request.createdAt, what).toBe(true);
          }
          if (language === 'en-US') continue;
          const pages = [];
          for (let page = 1; pages.length < items.length; page += 1)
            pages.push(
              ...(await list('employee', { ...sorted, Take: 3, PageNumber: page }, language)).items,
            );
          expect(pages.map(({ requestId }) => requestId)).toEqual(
            items.map(({ requestId }) => requestId),
          );
        }
    // A status stands where the workflow has it, and requests of others stay hidden.
    const byStatus = await list('supervisor', { SortBy: 'status', sortOrder: 'asc' });
    const ids = byStatus.items.map(({ statusId }) => statusId);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(byStatus.totalCount).toBe((await list('supervisor', {})).totalCount);
    // Who does not see holders cannot read them from an order.
    expect((await list('supervisor', { SortBy: 'holder' })).items).toEqual(
      (await list('supervisor', {})).items,
    );
    // A search by words stays in the order of sending.
    const found = { SearchKeyword: 'demo' };
    expect(
      (await list('employee', { ...found, SortBy: 'number', sortOrder: 'asc' })).items,
    ).toEqual((await list('employee', found)).items);
  });

  it('know the day that the record shows, after each step', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const stored = async () => {
      const { rows } = await sql<{ due_on: string | null }>`
        select due_on::text
        from requests
        where id = ${requestId}`.execute(app.database);
      return rows[0]?.due_on ?? undefined;
    };
    const check = async () => {
      const { promisedBy } = (await stage.read('employee', requestId)).body;
      expect(await stored()).toBe(promisedBy);
      return promisedBy;
    };
    expect(await check()).toBeDefined();
    await stage.performAction('employee', returnRequest, {
      requestId,
      messageAr: 'أ',
      messageEn: 'a',
      messageUr: 'ا',
    });
    expect(await check()).toBeUndefined();
  });
});

describe('filters', () => {
  it('find requests of a service, an agency and a holder', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const service = await stage.findService(freeService);
    const { governmentAgency } = (await stage.read('employee', requestId)).body;
    const holder = await app.idOf('employee');
    const ofService = await list('employee', { ServiceId: service.id });
    expect(new Set(ofService.items.map(({ serviceId }) => serviceId))).toEqual(
      new Set([service.id]),
    );
    const ofAgency = await list('employee', { GovernmentAgencyId: governmentAgency.id });
    expect(new Set(ofAgency.items.map((item) => item.governmentAgency.id))).toEqual(
      new Set([governmentAgency.id]),
    );
    expect(ofAgency.totalCount).toBeGreaterThanOrEqual(ofService.totalCount);
    expect(
      await list('employee', { GovernmentAgencyId: governmentAgency.id + 1000 }),
    ).toMatchObject({ items: [], totalCount: 0 });
    const held = await list('employee2', { Holder: holder, StatusId: 4 });
    expect(held.items.map((item) => item.requestId)).toContain(requestId);
    expect(held.items.every((item) => item.holder && !item.holder.isYou)).toBe(true);
    const free = await list('employee', { Holder: 'nobody' });
    expect(free.items.length).toBeGreaterThan(0);
    expect(free.items.some((item) => item.holder)).toBe(false);
    // Only clerks see holders.
    for (const username of ['individual', 'supervisor', 'company'])
      for (const Holder of [holder, 'nobody'])
        expect((await list(username, { Holder })).totalCount, username).toBe(0);
  });
});

it('refuse one of many far pages of a user, and serve the others, first pages and short lists in any order', async () => {
  const token = await app.signIn('employee');
  const ask = (query: Query) => app.call(calls.getRequestsByStatusId, { token, query });
  const statuses: number[] = [];
  // While the table is locked, no page can be read.
  const pages = await inTransaction(app.database, async (transaction) => {
    await sql`lock table requests in access exclusive mode`.execute(transaction);
    const far = Array.from({ length: 6 }, async () => {
      const { status } = await ask({ PageNumber: 100, Take: 100 });
      statuses.push(status);
    });
    const queries: Query[] = [{ PageNumber: 1 }, { SortBy: 'applicant' }];
    const near = queries.map(async (query) => {
      const { status } = await ask(query);
      return status;
    });
    await expect.poll(() => statuses).toEqual([503, 503]);
    return [...far, ...near];
  });
  expect((await Promise.all(pages)).slice(-2)).toEqual([200, 200]);
  expect(statuses).toEqual([503, 503, 200, 200, 200, 200]);
});

describe('requests by number, phone or payment', () => {
  it('are summaries of requests that the caller may see', async () => {
    const mobile = '0567000111';
    const own = await stage.send('individual', freeService, { applicantMobile: mobile });
    const other = await stage.send('individual2', freeService, { applicantMobile: mobile });
    const ask = async (username: string, SearchKeyword: string) =>
      (
        await app.callAs(username, calls.getRequestByRequestNoOrMobileNoV2, {
          query: { SearchKeyword },
        })
      ).body;
    expect((await ask('employee', mobile)).items.map(({ requestNumber }) => requestNumber)).toEqual(
      [other.requestNumber, own.requestNumber],
    );
    expect((await ask('individual', mobile)).items).toMatchObject([
      { requestId: own.requestId, allowedActions: ['withdraw'] },
    ]);
    expect(await ask('individual', other.requestNumber)).toEqual({
      items: [],
      pageNumber: 1,
      totalCount: 0,
    });
    expect((await ask('employee', 'Sara')).items).toEqual([]);
  });

  it('are found by merchant reference for their owner and staff', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const MerchantReference =
      (await stage.read('individual', requestId)).body.payments[0]?.merchantReference ?? '';
    const ask = async (username: string, query = { MerchantReference }) =>
      app.callAs(username, getRequestByMerchantReference, { query });
    await sayWhy(app, 'admin', requestId);
    for (const username of ['individual', 'employee', 'admin'])
      expect((await ask(username)).body.requestId).toBe(requestId);
    for (const username of ['individual2', 'company', 'supervisor', 'supervisor2'])
      expect((await ask(username)).refused.error, username).toBe('RequestNotFound');
    expect((await ask('employee', { MerchantReference: 'none' })).refused.error).toBe(
      'RequestNotFound',
    );
  });
});

// The last test, since it changes the catalogue, which this server reads again only after a moment.
it('finds requests by the current name of their service, deleted services included', async () => {
  const { requestNumber } = await stage.send('individual');
  const { id } = await stage.findService(freeService);
  const { name } = await app.database
    .selectFrom('services')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await app.database
    .updateTable('services')
    .set({
      name: JSON.stringify({ ...name, 'en-US': 'Zanzibar grievances' }),
      deleted_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
  await expect
    .poll(() => numbers('employee', { SearchKeyword: 'zanzibar' }))
    .toContain(requestNumber);
  await app.database
    .updateTable('services')
    .set({ name: JSON.stringify(name), deleted_at: null })
    .where('id', '=', id)
    .execute();
});
