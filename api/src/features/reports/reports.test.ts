import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { submittedRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { readPeriod } from './reports.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);

async function figures(username: string, query: { DateFrom?: string; DateTo?: string } = {}) {
  return app.callAs(username, getRequestFigures, { query });
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('figures', () => {
  it('agree with the lists of the same caller', async () => {
    for (const username of ['admin', 'supervisor', 'supervisor2', 'company', 'company2']) {
      const token = await app.signIn(username);
      const period = { DateFrom: dayAfter(todayInDubai(), -330), DateTo: todayInDubai() };
      const { body } = await figures(username, period);
      const listed = (StatusId?: number) =>
        app
          .call(getRequestsByStatusId, { token, query: StatusId ? { StatusId } : {} })
          .then((list) => list.body.totalCount);
      expect(sum(body.standing.map(({ count }) => count)), username).toBe(await listed());
      for (const { statusId, count } of body.standing)
        expect([username, statusId, count]).toEqual([username, statusId, await listed(statusId)]);
    }
  });

  it('contain each of the last thirty days, and the days add up to the period', async () => {
    const { body } = await figures('admin');
    expect(body.days).toHaveLength(30);
    expect([body.days[0]?.day, body.days.at(-1)?.day]).toEqual([body.fromDay, body.toDay]);
    expect(sum(body.days.map(({ created }) => created))).toBe(body.current.created);
    expect(sum(body.days.map(({ completed }) => completed))).toBe(body.current.completed);
    expect(body.current.created).toBeGreaterThan(0);
    expect(body.current.medianSeconds).toBeGreaterThan(0);
    expect(body.previous.completed).toBeGreaterThan(0);
  });

  it('change when a request is sent, paid and completed', async () => {
    const before = (await figures('admin')).body;
    const sent = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', submittedRequest, { requestId: sent.requestId });
    const after = (await figures('admin')).body;
    expect([
      after.current.created - before.current.created,
      after.current.completed - before.current.completed,
    ]).toEqual([1, 1]);
    expect(after.days.at(-1)?.completed).toBe((before.days.at(-1)?.completed ?? 0) + 1);
    expect(after.current.feesCollected).toBe(before.current.feesCollected);
  });

  it('include the fees of each settled payment once', async () => {
    const before = (await figures('admin')).body.current.feesCollected;
    const ofOther = (await figures('supervisor2')).body.current.feesCollected;
    const { requestId } = await stage.send('individual2', paidService);
    const payment = {
      request_id: requestId,
      merchant_reference: 'figures-1',
      amount: 12_345,
      currency: 'AED',
      status: 'paid' as const,
    };
    const { id } = await app.database
      .insertInto('payments')
      .values(payment)
      .returning('id')
      .executeTakeFirstOrThrow();
    const event = {
      payment_id: id,
      kind: 'paid' as const,
      amount: 12_345,
      currency: 'AED',
      occurred_at: new Date(),
    };
    await app.database
      .insertInto('payment_events')
      .values([
        { ...event, id: 'figures-a' },
        { ...event, id: 'figures-b' },
      ])
      .execute();
    expect((await figures('admin')).body.current.feesCollected - before).toBe(12_345);
    // The fees of another partner are not included.
    expect((await figures('supervisor2')).body.current.feesCollected).toBe(ofOther);
    await app.database
      .updateTable('payments')
      .set({ status: 'cancelled' })
      .where('id', '=', id)
      .execute();
    expect((await figures('admin')).body.current.feesCollected).toBe(before);
  });

  it('measure the time from payment to completion, and due dates in working days', async () => {
    const { id: serviceId } = await stage.findService(paidService);
    const userId = await app.idOf('individual2');
    const template = await app.database
      .selectFrom('requests')
      .selectAll()
      .where('service_id', '=', serviceId)
      .limit(1)
      .executeTakeFirstOrThrow();
    // Friday to Tuesday is two working days and 12.5 hours (a half Friday from 10:00, Monday, Tuesday
    // until 10:00), Friday to Wednesday three days; the weekend has no hours. All in one week of 2021,
    // when nothing else happened.
    const cases = [
      ['P1', '2021-01-08T06:00:00Z', '2021-01-12T06:00:00Z'],
      ['P2', '2021-01-08T06:00:00Z', '2021-01-13T08:00:00Z'],
      ['P3', '2021-01-09T06:00:00Z', '2021-01-10T07:00:00Z'],
    ] as const;
    for (const [number, paidAt, endedAt] of cases) {
      const { id: _, ...row } = template;
      const { id } = await app.database
        .insertInto('requests')
        .values({
          ...row,
          hold_reason: null,
          withdrawal: null,
          special_consents: null,
          number,
          working_days: 2,
          user_id: userId,
          company_id: null,
          status_id: 9,
          created_at: new Date('2021-01-04T00:00:00Z'),
          updated_at: new Date(endedAt),
          evidence_rules: null,
          answers: JSON.stringify(row.answers),
          quote: JSON.stringify(row.quote),
          acted_for: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const line = {
        request_id: id,
        actor_kind: 'employee' as const,
        actor_id: null,
        actor_name: '',
        reasons: '[]',
        message: null,
      };
      await app.database
        .insertInto('request_history')
        .values([
          { ...line, action: 'pay', from_status_id: 2, to_status_id: 3, at: new Date(paidAt) },
          {
            ...line,
            action: 'submitted',
            from_status_id: 4,
            to_status_id: 9,
            at: new Date(endedAt),
          },
        ])
        .execute();
    }
    const { body } = await figures('admin', { DateFrom: '2021-01-10', DateTo: '2021-01-13' });
    expect(body.current).toMatchObject({ created: 0, completed: 3, medianSeconds: 12.5 * 3600 });
    expect(body.current.withinPromise).toBeCloseTo(2 / 3);
    expect(body.days.map(({ completed }) => completed)).toEqual([1, 0, 1, 1]);
    // No request was created in the four days of the previous period; 4 January is outside of it.
    expect(body.previous).toMatchObject({ created: 0, completed: 0 });
    await app.database
      .updateTable('services')
      .set({ working_days: 1 })
      .where('id', '=', serviceId)
      .execute();
    // A change of the service does not change the past.
    expect(
      (await figures('admin', { DateFrom: '2021-01-10', DateTo: '2021-01-13' })).body.current,
    ).toEqual(body.current);
  });

  it('are null or zero when there are no requests', async () => {
    const { body } = await figures('company2', { DateFrom: '2001-01-01', DateTo: '2001-01-07' });
    expect(body.current).toEqual({
      created: 0,
      completed: 0,
      refused: 0,
      feesCollected: 0,
      medianSeconds: null,
      withinPromise: null,
    });
    expect([body.days.length, body.services]).toEqual([7, []]);
  });

  it('name services, agencies and statuses in the language of the caller', async () => {
    const token = await app.signIn('admin');
    const [arabic, english] = await Promise.all(
      (['ar-EG', 'en-US'] as const).map(
        async (language) =>
          (await app.call(getRequestFigures, { token, language, query: {} })).body,
      ),
    );
    expect(arabic?.services[0]?.name).toMatch(/[\u0600-\u06FF]/);
    expect(english?.services[0]?.name).toMatch(/[A-Za-z]/);
    expect(arabic?.services.map(({ serviceId }) => serviceId)).toEqual(
      english?.services.map(({ serviceId }) => serviceId),
    );
    expect(english?.standing.find(({ statusId }) => statusId === 9)).toMatchObject({
      statusName: 'Completed',
      statusTone: 'done',
      waitsForMe: false,
    });
  });

  it('mark the statuses that wait for the caller', async () => {
    const waiting = async (username: string) =>
      (await figures(username)).body.standing
        .filter(({ waitsForMe }) => waitsForMe)
        .map(({ statusId }) => statusId);
    expect(await waiting('supervisor')).toEqual([6, 7]);
    expect(await waiting('company')).toEqual([2, 5, 8]);
    expect(await waiting('admin')).toEqual([3, 4, 6, 7, 13, 14, 15]);
  });
});

describe('refusals', () => {
  it('refuse days in the wrong order, too many days and invalid days', async () => {
    for (const query of [
      { DateFrom: '2026-02-02', DateTo: '2026-02-01' },
      { DateFrom: '2024-01-01', DateTo: '2026-01-01' },
      { DateFrom: '0000-01-01' },
      { DateTo: '9999-12-31' },
      { DateFrom: '2026-02-30' },
      { DateFrom: "'; drop table requests" },
    ]) {
      const { status, refused } = await figures('admin', query);
      expect([JSON.stringify(query), status]).toEqual([JSON.stringify(query), 400]);
      expect(Object.keys(refused.errors ?? {})[0]).toMatch(/^Date(From|To)$/);
    }
  });

  it('limit a supervisor to the own partner, and a company to itself', async () => {
    const all = (await figures('admin')).body.current.created;
    const own = await Promise.all(
      ['supervisor', 'supervisor2', 'company', 'company2'].map(
        async (username) => (await figures(username)).body,
      ),
    );
    expect(
      own[0]?.services
        .map(({ serviceId }) => serviceId)
        .some((id) => own[1]?.services.some(({ serviceId }) => serviceId === id)),
    ).toBe(false);
    for (const { current } of own) expect(current.created).toBeLessThan(all);
    await sql`update users set partner_id = null where username = 'supervisor2'`.execute(
      app.database,
    );
    const { body } = await figures('supervisor2');
    expect([body.current.created, sum(body.standing.map(({ count }) => count))]).toEqual([0, 0]);
    const { body: counted } = await app.callAs('supervisor2', getRequestsCount);
    expect(counted.newRequestsCount).toBe(0);
  });

  it('are those of the agencies for their administrator, who reads none of the requests', async () => {
    const groupsOf = async (username: string, By: 'agency' | 'service') =>
      (await app.callAs(username, getFigureGroups, { query: { By } })).body;
    const { groups: all } = await groupsOf('admin', 'agency');
    const own = await groupsOf('agency-rta', 'agency');
    const [group] = own.groups;
    // What waits differs: the one waits for administrators, the other for employees.
    const ofAll = { ...all.find(({ id }) => id === group?.id), waiting: group?.waiting };
    expect(own.groups).toHaveLength(1);
    expect(group).toEqual({ ...ofAll, oldestAt: group?.oldestAt });
    expect(own.total.open).toBeGreaterThan(0);
    expect(own.total.open).toBeLessThan(all.reduce((open, group) => open + group.open, 0));
    // What waits for the agency is what waits for its employees.
    expect(own.total.waiting).toBeGreaterThan(0);
    const services = await groupsOf('agency-rta', 'service');
    expect(new Set(services.groups.map(({ agencyName }) => agencyName)).size).toBe(1);
    const { body } = await figures('agency-rta');
    expect(body.current.created).toBe(own.total.created);
    expect(sum(body.standing.map(({ count }) => count))).toBeGreaterThan(0);
    const { body: listed } = await app.callAs('agency-rta', getRequestsByStatusId, { query: {} });
    expect(listed.totalCount).toBe(0);
    for (const By of ['partner', 'employee'] as const)
      expect(
        (await app.callAs('agency-rta', getFigureGroups, { query: { By } })).refused.error,
      ).toBe('YouAreUnauthorized');
  });

  it('refuse individuals and employees', async () => {
    for (const username of ['individual', 'employee'])
      expect((await figures(username)).refused.error).toBe('YouAreUnauthorized');
    expect((await app.call(getRequestFigures, { query: {} })).refused.error).toBe(
      'YouHaveToLoginFirst',
    );
  });
});

it('a day begins at midnight in Dubai', () => {
  expect(readPeriod({}, new Date('2026-03-31T20:00:00Z'))).toEqual({
    fromDay: '2026-03-03',
    toDay: '2026-04-01',
    length: 30,
  });
  expect(readPeriod({}, new Date('2026-03-31T19:59:59Z')).toDay).toBe('2026-03-31');
  expect(readPeriod({ fromDay: '2026-03-30', toDay: '2026-03-30' }, new Date())).toMatchObject({
    length: 1,
  });
});
