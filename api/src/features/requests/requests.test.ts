import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { calendarOfRequest, dueDayByDay } from '#testing/requests/day-by-day.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  messageTexts,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { deleteService } from '@diwan/contract/catalogue/services';
import * as rejectionReasons from '@diwan/contract/requests/rejection-reasons';
import { getRequestFigures } from '@diwan/contract/requests/reports';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as costCalls from '@diwan/contract/requests/request-costs';
import * as listCalls from '@diwan/contract/requests/request-lists';
import * as calls from '@diwan/contract/requests/requests';

const app = useTestApp();
const stage = openRequestStage(app);

type ListQuery = Parameters<typeof app.call<typeof listCalls.getRequestsByStatusId>>[1];
async function list(username: string, query: NonNullable<ListQuery>['query'] = {}) {
  return app.callAs(username, listCalls.getRequestsByStatusId, { query: { Take: 100, ...query } });
}

async function statusIdOf(key: string): Promise<number> {
  const { body } = await app.callAs('admin', listCalls.getAllStatuses);
  return body.find((status) => status.key === key)?.statusId ?? 0;
}

describe('GetRequestById', () => {
  it('replies in the language of the caller', async () => {
    const { requestId } = await stage.send('individual', freeService);
    const token = await app.signIn('individual');
    const ask = async (language: 'ar-EG' | 'ur-PK') =>
      (await app.call(calls.getRequestById, { token, query: { RequestId: requestId }, language }))
        .body;
    expect((await ask('ar-EG')).statusName).toBe('وصل، بانتظار المراجعة');
    expect((await ask('ur-PK')).statusName).toBe('موصول، جائزے کا انتظار');
    expect((await ask('ar-EG')).history[0]?.statusName).toBe('وصل، بانتظار المراجعة');
  });

  it('names a status for the reader: staff, and the applicant', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    const namesFor = async (username: string) => {
      const { statusName, history } = (await stage.read(username, requestId)).body;
      const listed = (await app.callAs(username, listCalls.getAllStatuses, {})).body;
      return [
        statusName,
        history.find(({ action }) => action === 'receive')?.fromStatusName,
        listed.find(({ key }) => key === 'returned')?.statusName,
      ];
    };
    const forStaff = ['Returned to applicant', 'New', 'Returned to applicant'];
    expect(await namesFor('employee2')).toEqual(forStaff);
    expect(await namesFor('admin')).toEqual(forStaff);
    expect(await namesFor('individual')).toEqual([
      'Returned to you',
      'Received, waiting for review',
      'Returned to you',
    ]);
    const inFigures = async (username: string) =>
      (await app.callAs(username, getRequestFigures)).body.standing.find(
        ({ statusId }) => statusId === 5,
      )?.statusName;
    expect(await inFigures('supervisor')).toBe('Returned to applicant');
    expect(await inFigures('company')).toBe('Returned to you');
  });

  it('hides the names of staff from applicants and shows them to staff', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const forOwner = (await stage.read('individual', requestId)).body.history;
    expect(
      forOwner.map(({ action, actorKind, actorName }) => [action, actorKind, actorName]),
    ).toEqual([
      ['create', 'you', 'Sara Al Demo'],
      ['pay', 'payment', ''],
      ['receive', 'employee', ''],
    ]);
    const forOther = (await stage.read('employee2', requestId)).body.history;
    expect(forOther.map(({ actorKind, actorName }) => [actorKind, actorName])).toEqual([
      ['applicant', 'Sara Al Demo'],
      ['payment', ''],
      ['employee', 'Mariam Al Demo'],
    ]);
    expect((await stage.read('employee', requestId)).body.history[2]).toMatchObject({
      actorKind: 'you',
      fromStatusName: 'New',
      statusName: 'Being processed',
    });
  });

  it('is visible to the owner, their company and staff, and not found for others', async () => {
    const own = await stage.send('individual', paidService);
    const ofCompany = await stage.send('company', paidService);
    const seen = async (requestId: number) => {
      const names = [
        'individual',
        'individual2',
        'company',
        'company2',
        'supervisor',
        'supervisor2',
        'employee',
        'admin',
      ];
      const answers = await Promise.all(
        names.map(async (name) => ({ name, ...(await stage.read(name, requestId)) })),
      );
      for (const { status, refused } of answers)
        if (status !== 200) expect([status, refused.error]).toEqual([404, 'RequestNotFound']);
      return answers.filter(({ status }) => status === 200).map(({ name }) => name);
    };
    expect(await seen(own.requestId)).toEqual(['individual', 'employee', 'admin']);
    expect(await seen(ofCompany.requestId)).toEqual(['company', 'employee', 'admin']);
    expect(await seen(99_999_999)).toEqual([]);
    expect(
      (await app.call(calls.getRequestById, { query: { RequestId: own.requestId } })).status,
    ).toBe(401);
  });

  it('is visible to the partner of its service from the approval on', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    expect((await stage.read('supervisor', requestId)).status).toBe(404);
    await stage.performAction('employee', actionCalls.approveRequest, { requestId });
    expect((await stage.read('supervisor', requestId)).body.allowedActions).toEqual([
      'accept',
      'reject',
    ]);
    expect((await stage.read('supervisor2', requestId)).status).toBe(404);
    await stage.performAction('employee', actionCalls.submittedRequest, { requestId });
    expect((await stage.read('supervisor', requestId)).body).toMatchObject({
      statusName: 'Completed',
      allowedActions: [],
    });
  });

  it('stays readable when its service is deleted', async () => {
    const service = await stage.findService('tourist-visa');
    const sent = await stage.send('individual', 'tourist-visa');
    expect(
      (await app.callAs('admin', deleteService, { params: { serviceId: service.id } })).status,
    ).toBe(200);
    expect((await stage.read('individual', sent.requestId)).body.serviceName).toBe(service.name);
    expect(
      (await list('individual', { SearchKeyword: sent.requestNumber })).body.items,
    ).toHaveLength(1);
    const again = await stage.create('individual', {
      serviceId: service.id,
      answers: {},
      attachmentIds: [],
      agreeToTermsAndConditions: true,
    });
    expect(again.refused.error).toBe('ServiceNotFound');
  });
});

describe('GetRequestsByStatusId', () => {
  it('lists exactly the requests that the caller may see', async () => {
    await Promise.all(
      ['individual', 'individual2', 'company', 'company2'].map((name) =>
        stage.send(name, freeService),
      ),
    );
    const rows = await app.database
      .selectFrom('requests')
      .select(['id', 'user_id', 'company_id', 'partner_id'])
      .execute();
    const users = await app.database.selectFrom('users').selectAll().execute();
    const user = (name: string) =>
      users.find(({ username }) => username === name) ?? { id: '', company_id: -1, partner_id: -1 };
    const idsOf = async (name: string) =>
      (await list(name)).body.items.map(({ requestId }) => requestId).sort((a, b) => a - b);
    const expected = (isExpected: (row: (typeof rows)[number]) => boolean) =>
      rows
        .filter(isExpected)
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    for (const name of ['individual', 'individual2'])
      expect(await idsOf(name)).toEqual(expected((row) => row.user_id === user(name).id));
    for (const name of ['company', 'company2'])
      expect(await idsOf(name)).toEqual(
        expected((row) => row.company_id === user(name).company_id),
      );
    for (const name of ['employee', 'admin'])
      expect(await idsOf(name)).toEqual(expected(() => true));
    const came = await app.database
      .selectFrom('request_history')
      .select('request_id')
      .distinct()
      .where('to_status_id', 'in', [
        await statusIdOf('approved'),
        await statusIdOf('withServiceProvider'),
      ])
      .execute();
    for (const name of ['supervisor', 'supervisor2']) {
      const theirs = expected(
        (row) =>
          row.partner_id === user(name).partner_id &&
          came.some(({ request_id }) => request_id === row.id),
      );
      expect(theirs.length).toBeGreaterThan(0);
      expect(await idsOf(name)).toEqual(theirs);
    }
    expect((await app.call(listCalls.getRequestsByStatusId, {})).status).toBe(401);
  });

  it('has exact totals and pages without duplicates, in both orders', async () => {
    const all = (await list('employee')).body;
    expect(all.totalCount).toBe(all.items.length);
    const pages = await Promise.all(
      [1, 2, 3, 4].map(
        async (PageNumber) => (await list('employee', { PageNumber, Take: 7 })).body,
      ),
    );
    expect(pages.flatMap(({ items }) => items.map(({ requestId }) => requestId))).toEqual(
      all.items.slice(0, 28).map(({ requestId }) => requestId),
    );
    expect(new Set(pages.map(({ totalCount }) => totalCount))).toEqual(new Set([all.totalCount]));
    const backwards = (await list('employee', { sortOrder: 'asc' })).body.items.map(
      ({ requestId }) => requestId,
    );
    expect(backwards).toEqual(all.items.map(({ requestId }) => requestId).reverse());
    expect((await list('employee', { PageNumber: 1_000_000 })).body).toEqual({
      items: [],
      pageNumber: 1_000_000,
      totalCount: all.totalCount,
    });
    const own = (await list('individual', { Take: 2 })).body;
    expect(own.totalCount).toBe((await list('individual')).body.items.length);
  });

  it('filters by status, with matching totals', async () => {
    for (const username of ['employee', 'supervisor', 'individual']) {
      const all = (await list(username)).body.items;
      for (const statusId of new Set(all.map((item) => item.statusId))) {
        const { body } = await list(username, { StatusId: statusId });
        expect(body.items).toEqual(all.filter((item) => item.statusId === statusId));
        expect(body.totalCount).toBe(body.items.length);
      }
    }
    for (const StatusId of [4711, 2 ** 31 - 1])
      expect((await list('employee', { StatusId })).body).toEqual({
        items: [],
        pageNumber: 1,
        totalCount: 0,
      });
  });

  it('finds by number, name, phone, service and agency in any language and spelling', async () => {
    const { requestId, requestNumber } = await stage.send('individual2', paidService, {
      applicantName: 'أحمد الإماراتي',
      applicantMobile: '0502223344',
    });
    const isFound = async (SearchKeyword: string) =>
      (await list('employee', { SearchKeyword })).body.items.some(
        (item) => item.requestId === requestId,
      );
    for (const keyword of [
      requestNumber,
      requestNumber.toLowerCase().replaceAll('-', ''),
      'احمد',
      'الاماراتى',
      '0502223344',
      '+971 50 222 3344',
      '٠٥٠٢٢٢٣٣٤٤',
      'vehicle',
      'ROADS and transport',
      'تجديد',
      'احمد vehicle',
    ]) {
      expect([keyword, await isFound(keyword)]).toEqual([keyword, true]);
    }
    for (const keyword of ['%', '_', '%%%', 'احمد passport', "'; drop table requests; --", '\\'])
      expect([keyword, await isFound(keyword)]).toEqual([keyword, false]);
    expect((await list('individual', { SearchKeyword: requestNumber })).body.totalCount).toBe(0);
    expect((await list('employee', { SearchKeyword: requestNumber })).body.totalCount).toBe(1);
    expect((await list('employee', { SearchKeyword: '   ' })).body.totalCount).toBe(
      (await list('employee')).body.totalCount,
    );
  });

  it('filters by days of Asia/Dubai, both included', async () => {
    const { requestId } = await stage.send('individual', freeService);
    const at = async (instant: string) =>
      app.database
        .updateTable('requests')
        .set({ created_at: new Date(instant) })
        .where('id', '=', requestId)
        .execute();
    const isThere = async (DateFrom?: string, DateTo?: string) =>
      (
        await list('individual', {
          ...(DateFrom ? { DateFrom } : {}),
          ...(DateTo ? { DateTo } : {}),
        })
      ).body.items.some((item) => item.requestId === requestId);
    await at('2025-03-09T20:00:00Z');
    expect(await isThere('2025-03-10', '2025-03-10')).toBe(true);
    expect(await isThere('2025-03-09', '2025-03-09')).toBe(false);
    await at('2025-03-10T19:59:59.999Z');
    expect(await isThere('2025-03-10', '2025-03-10')).toBe(true);
    expect(await isThere('2025-03-11')).toBe(false);
    expect(await isThere(undefined, '2025-03-10')).toBe(true);
    expect(
      (await list('employee', { DateFrom: '2025-03-10', DateTo: '2025-03-10' })).body,
    ).toMatchObject({ totalCount: 1, items: [{ requestId }] });
    expect((await list('employee', { DateTo: '2025-03-10' })).body.totalCount).toBe(1);
    expect(
      (await list('individual', { DateFrom: '0001-01-01', DateTo: '9999-12-31' })).status,
    ).toBe(200);
  });

  it('refuses an end before the start, and invalid days', async () => {
    const { status, refused } = await list('employee', {
      DateFrom: '2026-02-02',
      DateTo: '2026-02-01',
    });
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['DateTo']]);
    expect((await list('employee', { DateFrom: '2026-02-30' })).status).toBe(400);
  });
});

describe('each request of a list', () => {
  it.each(['individual', 'company', 'employee', 'supervisor', 'admin'])(
    'has the same allowed actions for %s as its record',
    async (username) => {
      const { body } = await list(username);
      expect(body.items.length).toBeGreaterThan(0);
      for (const item of body.items.slice(0, 20)) {
        const record = await stage.read(username, item.requestId);
        expect(item.allowedActions).toEqual(record.body.allowedActions);
      }
    },
  );

  it('has a due date while it is in progress, counted from the last payment or correction', async () => {
    const { requestId, requestNumber } = await stage.send('individual', paidService);
    const service = await stage.findService(paidService);
    const inList = async (username: string) =>
      (await list(username, { SearchKeyword: requestNumber })).body.items[0]?.promisedBy;
    const dueDates = async () => [
      await inList('individual'),
      await inList('employee'),
      (await stage.read('individual', requestId)).body.promisedBy,
    ];
    expect(await dueDates()).toEqual([undefined, undefined, undefined]);
    await stage.pay(requestId);
    const { at } = (await stage.read('individual', requestId)).body.history.at(-1) ?? { at: '' };
    const calendar = await calendarOfRequest(app.database, requestId);
    const day = dueDayByDay(calendar, new Date(at), service.workingDays);
    expect(await dueDates()).toEqual([day, day, day]);
    // A change of the service does not change what was promised.
    await app.database
      .updateTable('services')
      .set({ working_days: service.workingDays + 3 })
      .where('id', '=', service.id)
      .execute();
    expect(await dueDates()).toEqual([day, day, day]);
    await stage.receive('employee', requestId);
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
      ...messageTexts,
    });
    expect(await dueDates()).toEqual([undefined, undefined, undefined]);
  });
});

describe('GetRequestsCount', () => {
  /** The counts; count-sequence.test.ts is about the sequence. */
  const count = async (username: string) => {
    const { status, body } = await app.callAs(username, listCalls.getRequestsCount);
    const { newRequestsCount, processingRequestsCount } = body;
    return { status, body: { newRequestsCount, processingRequestsCount } };
  };
  it('counts new and processing requests like the lists, for providers those of their partner', async () => {
    const before = {
      staff: (await count('employee')).body,
      theirs: (await count('supervisor')).body,
      others: (await count('supervisor2')).body,
    };
    const { requestId } = await stage.send('individual', paidService);
    expect((await count('employee')).body).toEqual(before.staff);
    await stage.pay(requestId);
    expect((await count('admin')).body).toEqual({
      ...before.staff,
      newRequestsCount: before.staff.newRequestsCount + 1,
    });
    await stage.receive('employee', requestId);
    expect((await count('employee')).body).toEqual({
      newRequestsCount: before.staff.newRequestsCount,
      processingRequestsCount: before.staff.processingRequestsCount + 1,
    });
    expect((await count('supervisor')).body).toEqual(before.theirs);
    await stage.performAction('employee', actionCalls.approveRequest, { requestId });
    expect((await count('supervisor')).body).toEqual({
      ...before.theirs,
      newRequestsCount: before.theirs.newRequestsCount + 1,
    });
    await stage.performAction('supervisor', actionCalls.acceptRequest, { requestId });
    const token = await app.signIn('supervisor');
    const statuses = (await app.call(listCalls.getAllStatuses, { token })).body;
    const listed = await Promise.all(
      (['new', 'processing'] as const).map(async (group) => {
        const StatusIds = statuses
          .flatMap(({ countsAs, statusId }) => (countsAs === group ? [statusId] : []))
          .join(',');
        return (await app.call(listCalls.getRequestsByStatusId, { token, query: { StatusIds } }))
          .body.totalCount;
      }),
    );
    const { newRequestsCount, processingRequestsCount } = (await count('supervisor')).body;
    expect([newRequestsCount, processingRequestsCount]).toEqual(listed);
    expect(processingRequestsCount).toBe(before.theirs.processingRequestsCount + 1);
    expect((await count('supervisor2')).body).toEqual(before.others);
  });

  it('is for staff and providers', async () => {
    expect((await count('individual')).status).toBe(403);
    expect((await app.call(listCalls.getRequestsCount)).status).toBe(401);
  });
});

describe('GetRequestIdByRequestNumber', () => {
  it('finds a request in any spelling of its number, for callers who may see it', async () => {
    const { requestId, requestNumber } = await stage.send('individual', freeService);
    const ask = async (username: string, RequestNumber: string) =>
      app.callAs(username, calls.getRequestIdByRequestNumber, { query: { RequestNumber } });
    for (const text of [requestNumber, requestNumber.replaceAll('-', ' ').toLowerCase()])
      expect((await ask('individual', text)).body).toEqual({ requestId });
    for (const [username, text] of [
      ['individual2', requestNumber],
      ['supervisor2', requestNumber],
      ['individual', 'DW00-00000-00000'],
      ['individual', 'nonsense'],
    ] as const) {
      expect((await ask(username, text)).refused.error).toBe('RequestNotFound');
    }
  });
});

describe('CalculateTotalCost', () => {
  it('returns the fee lines of a service without a sign-in', async () => {
    const service = await stage.findService(paidService);
    const { body } = await app.call(costCalls.calculateTotalCost, {
      query: { serviceId: service.id },
    });
    expect(body).toEqual(service.fees);
    expect(body.total).toBe(body.lines.reduce((sum, line) => sum + line.amount + line.vat, 0));
    expect(
      (await app.call(costCalls.calculateTotalCost, { query: { serviceId: 999_999 } })).refused
        .error,
    ).toBe('ServiceNotFound');
  });
});

describe('GetAllStatuses and RejectionReasonCollection', () => {
  it('are in the language of the caller', async () => {
    const statuses = (
      await app.callAs('individual', listCalls.getAllStatuses, { language: 'ar-EG' })
    ).body;
    expect(statuses.find(({ key }) => key === 'new')).toMatchObject({
      statusName: 'وصل، بانتظار المراجعة',
      countsAs: 'new',
      statusTone: 'progress',
    });
    const reasons = (
      await app.callAs('supervisor', rejectionReasons.rejectionReasonCollection, {
        language: 'ur-PK',
      })
    ).body;
    expect(reasons).toHaveLength(8);
    expect(reasons[0]?.name).toBe('مطلوبہ دستاویز منسلک نہیں');
  });

  it('are refused to strangers, the reasons to applicants too', async () => {
    expect((await app.call(listCalls.getAllStatuses)).status).toBe(401);
    expect(
      (await app.callAs('individual', rejectionReasons.rejectionReasonCollection)).status,
    ).toBe(403);
  });
});

it('the history of a request cannot be changed', async () => {
  const { requestId } = await stage.send('individual');
  for (const change of [
    sql`update request_history set message = null where request_id = ${requestId}`,
    sql`delete from request_history where request_id = ${requestId}`,
  ])
    await expect(change.execute(app.database)).rejects.toThrow('append-only');
});
