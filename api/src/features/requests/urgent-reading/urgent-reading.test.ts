import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAnyTrue, isOpenedUrgently } from '#features/requests/model/requests.store.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { demoPassword } from '#seed/seed.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTeamStage, otherService } from '#testing/requests/team-stage.ts';
import { listMessagesTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { setUrgentRight, urgentOpeningOf } from '#testing/well-formed/urgent-reading.ts';
import { login, logout } from '@diwan/contract/people/users';
import { downloadFile, markAttachmentViewed } from '@diwan/contract/requests/attachments';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as actions from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById, getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { getRequestReads } from '@diwan/contract/staff/access-log';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { changeTeamReach } from '@diwan/contract/staff/teams';
import {
  getUrgentOpenings,
  openUrgently,
  reviewUrgentOpening,
  urgentMinutes,
} from '@diwan/contract/staff/urgent-reading';
import { changeUserRoles, getUserById } from '@diwan/contract/staff/user-administration';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { todayInDubai } from '@diwan/contract/wire/days';

// Neither service is of the agency of `employee-moi`; `agency-rta` administers that of `paidService`.
const app = useTestApp();
const stage = openRequestStage(app);
const reader = 'employee-moi';
const today = { From: todayInDubai(), Until: todayInDubai() };

beforeEach(() => setUrgentRight(app, reader));

const open = (token: string, number: string, own: Partial<BodyInputOf<typeof openUrgently>> = {}) =>
  app.call(openUrgently, { token, body: { ...urgentOpeningOf(number), ...own } });
const read = (token: string, RequestId: number) =>
  app.call(getRequestById, { token, query: { RequestId } });
const openings = async (username: string) =>
  (await app.callAs(username, getUrgentOpenings, { query: today })).body;
const opened = async (service = freeService) => {
  const sent = await stage.send('individual', service);
  const token = await app.signIn(reader);
  const { status, body } = await open(token, sent.requestNumber);
  expect(status).toBe(200);
  return { ...sent, token, until: body.until };
};
const signInAnew = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const review = (username: string, openingId: number) =>
  app.callAs(username, reviewUrgentOpening, {
    body: { openingId, finding: 'notJustified', findingText: 'The hospital knew nothing of it' },
  });

describe('the urgent right', () => {
  it('opens one request of another agency for an hour, for reading only', async () => {
    const sent = await stage.sendAndReceive('individual', paidService);
    const other = await stage.send('individual', freeService);
    const token = await app.signIn(reader);
    expect((await read(token, sent.requestId)).status).toBe(404);
    const before = Date.now();
    const { body } = await open(token, sent.requestNumber);
    expect(body).toMatchObject({ requestId: sent.requestId, requestNumber: sent.requestNumber });
    expect(Math.abs(Date.parse(body.until) - before - urgentMinutes * 60_000)).toBeLessThan(60_000);
    const { body: record } = await read(token, sent.requestId);
    expect(record).toMatchObject({
      openedUrgentlyUntil: body.until,
      allowedActions: [],
      chargingActions: [],
      requiredInputs: {},
    });
    expect((await read(token, other.requestId)).status).toBe(404);
    for (const call of [
      app.call(getRequestIdByRequestNumber, {
        token,
        query: { RequestNumber: sent.requestNumber },
      }),
      app.call(getRequestMessages, { token, query: { RequestId: sent.requestId } }),
      app.call(downloadFile, { token, query: { filePath: record.attachments[0]!.filePath } }),
    ])
      expect((await call).status).toBe(200);
    const list = await app.call(getRequestsByStatusId, { token, query: { Take: 100 } });
    expect(list.body.items.map(({ requestId }) => requestId)).not.toContain(sent.requestId);
  });

  it('is accepted by no call that changes something', async () => {
    const sent = await stage.sendAndReceive('individual', paidService);
    const token = await app.signIn(reader);
    await open(token, sent.requestNumber);
    const { requestId } = sent;
    const refused = await Promise.all([
      app.call(actions.receiveRequest, { token, params: { requestId } }),
      app.call(actions.approveRequest, { token, body: { requestId } }),
      app.call(actions.releaseRequest, { token, body: { requestId } }),
      app.call(markAttachmentViewed, {
        token,
        body: { requestAttachmentId: sent.attachmentIds[0] ?? '' },
      }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('notifies the applicant and the administrators', async () => {
    const { requestId, requestNumber } = await opened(paidService);
    const { body: log } = await app.callAs('individual', getRequestReads, {
      query: { RequestId: requestId },
    });
    expect(log[0]).toMatchObject({
      readerKind: 'employee',
      reason: 'urgent',
      reasonText: urgentOpeningOf(requestNumber).reasonText,
    });
    const { body: notices } = await app.callAs('individual', getNotifications, {});
    expect(notices.items[0]).toMatchObject({ kind: 'openedUrgently', requestNumber });
    for (const address of ['individual@example.com', 'admin@example.com', 'agency-rta@example.com'])
      await expect
        .poll(async () => (await listMessagesTo(app, address)).map(({ subject }) => subject), {
          timeout: 10_000,
        })
        .toContainEqual(expect.stringContaining(requestNumber));
    const others = (await listMessagesTo(app, 'agency-moi@example.com')).map(
      (each) => each.subject,
    );
    expect(others.join(' ')).not.toContain(requestNumber);
  });

  it('asks for the password, the confirmation and words of enough length', async () => {
    const { requestNumber } = await stage.send('individual');
    const token = await app.signIn(reader);
    const before = (await openings('admin')).length;
    for (const password of [undefined, '', 'wrong'])
      expect((await open(token, requestNumber, { password })).refused.error).toBe(
        'IncorrectPassword',
      );
    for (const own of [{ reasonText: ' too short         ' }, { isConfirmed: false as true }])
      expect(Object.keys((await open(token, requestNumber, own)).refused.errors ?? {})).toEqual(
        Object.keys(own),
      );
    expect((await openings('admin')).length).toBe(before);
  });

  it('is for who has it, and for what they cannot open otherwise', async () => {
    const { requestNumber } = await stage.send('individual', paidService);
    const token = await app.signIn('employee-rta');
    expect((await open(token, requestNumber)).refused.error).toBe('UrgentRightMissing');
    await setUrgentRight(app, 'employee-rta');
    expect((await open(token, requestNumber)).refused.error).toBe('RequestInScope');
    expect((await open(token, 'DW-2026-000000')).refused.error).toBe('RequestNotFound');
    await setUrgentRight(app, 'employee-rta', false);
  });

  it('ends at the exact moment', async () => {
    const { requestId, until } = await opened();
    const row = await app.database
      .selectFrom('urgent_openings')
      .select('session_id')
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    await inTransaction(app.database, async (transaction) => {
      const isOpen = async () => {
        const { rows } = await sql<{ is_open: boolean }>`
          select ${isAnyTrue([isOpenedUrgently(row.session_id)])} as is_open
          from requests
          where id = ${requestId}`.execute(transaction);
        return rows[0]?.is_open;
      };
      const endAt = (microseconds: number) =>
        sql`
          update urgent_openings
          set opened_at = now() - interval '1 hour',
            until = now() + ${microseconds} * interval '1 microsecond'
          where request_id = ${requestId}`.execute(transaction);
      await sql`alter table urgent_openings disable trigger user`.execute(transaction);
      expect(await isOpen()).toBe(true);
      await endAt(1);
      expect(await isOpen()).toBe(true);
      await endAt(0);
      expect(await isOpen()).toBe(false);
      await sql`
        update urgent_openings
        set opened_at = now(), until = ${until}
        where request_id = ${requestId}`.execute(transaction);
      await sql`alter table urgent_openings enable trigger user`.execute(transaction);
    });
  });

  it('ends with the session', async () => {
    const { requestId, requestNumber } = await stage.send('individual');
    const [token, second] = [await signInAnew(reader), await signInAnew(reader)];
    await open(token, requestNumber);
    expect((await read(token, requestId)).status).toBe(200);
    expect((await read(second, requestId)).status).toBe(404);
    await app.call(logout, { token });
    expect((await read(token, requestId)).status).toBe(401);
  });

  it('ends when the right is taken, and when the request moves to another agency', async () => {
    const { requestId, token } = await opened();
    await setUrgentRight(app, reader, false);
    expect((await read(token, requestId)).status).toBe(404);
    await setUrgentRight(app, reader);
    expect((await read(token, requestId)).status).toBe(200);
    const { agency_id } = await app.database
      .selectFrom('requests')
      .select('agency_id')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const move = (id: number) =>
      app.database
        .updateTable('requests')
        .set({ agency_id: id })
        .where('id', '=', requestId)
        .execute();
    const other = await app.database
      .selectFrom('staff_agencies')
      .innerJoin('users', 'users.id', 'user_id')
      .select('agency_id')
      .where('username', '=', 'agency-rta')
      .where('agency_id', '<>', agency_id)
      .executeTakeFirstOrThrow();
    await move(other.agency_id);
    expect((await read(token, requestId)).status).toBe(404);
    await move(agency_id);
  });

  it('stays as it is at a second use, and is stored again after its end', async () => {
    const { requestId, requestNumber, token, until } = await opened();
    const count = async () =>
      (await openings('admin')).filter((each) => each.requestNumber === requestNumber).length;
    expect((await open(token, requestNumber)).body).toMatchObject({ requestId, until });
    expect(await count()).toBe(1);
    const second = await signInAnew(reader);
    expect((await open(second, requestNumber)).status).toBe(200);
    expect(await count()).toBe(2);
  });
});

describe('the review of an urgent reading', () => {
  const waiting = async () => {
    const { requestNumber } = await opened(paidService);
    const found = (await openings('admin')).find((each) => each.requestNumber === requestNumber);
    expect(found).toMatchObject({ reason: 'danger', username: reader, mayReview: true });
    expect(found).not.toHaveProperty('finding');
    return { openingId: found!.openingId, requestNumber };
  };

  it('is by an administrator of the agency, once, and stays', async () => {
    const { openingId, requestNumber } = await waiting();
    expect((await review('agency-moi', openingId)).refused.error).toBe('NotFound');
    expect((await openings('agency-moi')).map((each) => each.openingId)).not.toContain(openingId);
    expect((await review('agency-rta', openingId)).status).toBe(200);
    expect((await review('admin', openingId)).refused.error).toBe('RecordHasChanged');
    const found = (await openings('auditor')).find((each) => each.requestNumber === requestNumber);
    expect(found).toMatchObject({ finding: 'notJustified', mayReview: false });
    for (const table of ['urgent_openings', 'urgent_reviews'] as const)
      await expect(app.database.deleteFrom(table).execute()).rejects.toThrow();
  });

  it('is by another person than the reader', async () => {
    const { openingId } = await waiting();
    const before = await app.database
      .selectFrom('users')
      .select('roles')
      .where('username', '=', reader)
      .executeTakeFirstOrThrow();
    const setRoles = (roles: string[]) =>
      app.database.updateTable('users').set({ roles }).where('username', '=', reader).execute();
    await setRoles(['Employee', 'AgencyAdmin']);
    const { agency_id } = await app.database
      .selectFrom('urgent_openings')
      .select('agency_id')
      .where('id', '=', openingId)
      .executeTakeFirstOrThrow();
    const user_id = await app.idOf(reader);
    await app.database.insertInto('staff_agencies').values({ user_id, agency_id }).execute();
    expect((await review(reader, openingId)).refused.error).toBe('NotOnOwnReading');
    await app.database
      .deleteFrom('staff_agencies')
      .where('user_id', '=', user_id)
      .where('agency_id', '=', agency_id)
      .execute();
    await setRoles(before.roles);
  });
});

describe('the urgent right within an agency', () => {
  const member = 'employee-rta';
  const teams = openTeamStage(app);
  const work = async () => {
    await teams.save('Vehicles', [member], { services: [otherService] });
    await setUrgentRight(app, member);
    const { requestId, requestNumber } = await stage.send('individual', paidService);
    return { requestId, requestNumber, token: await app.signIn(member) };
  };
  afterEach(async () => {
    await teams.clear();
    await setUrgentRight(app, member, false);
  });

  it('reads a request of another team, which the applicant and its administrator learn of', async () => {
    const { requestId, requestNumber, token } = await work();
    expect((await read(token, requestId)).status).toBe(404);
    expect((await open(token, requestNumber)).status).toBe(200);
    const { status, body: record } = await read(token, requestId);
    expect([status, record.allowedActions]).toEqual([200, []]);
    const list = await app.call(getRequestsByStatusId, { token, query: { Take: 100 } });
    expect(list.body.items.map((each) => each.requestId)).not.toContain(requestId);
    expect((await app.call(actions.receiveRequest, { token, params: { requestId } })).status).toBe(
      404,
    );
    const { body: log } = await app.callAs('individual', getRequestReads, {
      query: { RequestId: requestId },
    });
    expect(log[0]).toMatchObject({
      readerKind: 'employee',
      reason: 'urgent',
      reasonText: urgentOpeningOf(requestNumber).reasonText,
    });
    const { body: notices } = await app.callAs('individual', getNotifications, {});
    expect(notices.items[0]).toMatchObject({ kind: 'openedUrgently', requestNumber });
    const subjects = async (address: string) =>
      (await listMessagesTo(app, address)).map(({ subject }) => subject).join();
    for (const address of ['agency-rta@example.com', 'admin@example.com'])
      await expect.poll(() => subjects(address), { timeout: 10_000 }).toContain(requestNumber);
    expect(await subjects('agency-moi@example.com')).not.toContain(requestNumber);
    const found = (await openings('agency-rta')).find(
      (each) => each.requestNumber === requestNumber,
    );
    expect(found).toMatchObject({ username: member, reason: 'danger', mayReview: true });
    expect((await review('agency-rta', found!.openingId)).status).toBe(200);
  });

  it('is not needed, and not used, once the member sees the whole agency', async () => {
    const { requestId, requestNumber, token } = await work();
    await app.callAs('agency-rta', changeTeamReach, {
      body: {
        agencyId: await teams.agency(),
        userId: await app.idOf(member),
        seesWholeAgency: true,
      },
    });
    const { refused } = await open(token, requestNumber);
    expect(refused.error).toBe('RequestInScope');
    expect((await openings('admin')).map((each) => each.requestNumber)).not.toContain(
      requestNumber,
    );
    expect((await read(token, requestId)).refused.error).toBe('ReasonForReadingRequired');
  });
});

describe('who gives the urgent right', () => {
  const change = async (
    by: string,
    username: string,
    position: Omit<BodyInputOf<typeof changeUserRoles>, 'userId' | 'version'>,
  ) => {
    const userId = await app.idOf(username);
    const { body } = await app.callAs('admin', getUserById, { query: { UserId: userId } });
    return app.callAs(by, changeUserRoles, {
      body: { userId, version: body.version, ...position },
    });
  };

  it('is an administrator of the portal, to employees only', async () => {
    const given = await change('admin', 'employee-rta', {
      roles: ['Employee'],
      readsUrgently: true,
    });
    expect(given.body.readsUrgently).toBe(true);
    const kept = await change('admin', 'employee-rta', { roles: ['Employee'] });
    expect(kept.body.readsUrgently).toBe(true);
    const agencyIds = kept.body.agencies.map(({ id }) => id);
    for (const readsUrgently of [true, false]) {
      const { refused } = await change('agency-rta', 'employee-rta', {
        roles: ['Employee'],
        agencyIds,
        readsUrgently,
      });
      expect(Object.keys(refused.errors ?? {})).toEqual(['readsUrgently']);
    }
    const wrong = await change('admin', 'finance', { roles: ['Finance'], readsUrgently: true });
    expect(Object.keys(wrong.refused.errors ?? {})).toEqual(['readsUrgently']);
    const lost = await change('admin', 'employee-rta', { roles: ['Auditor'], allAgencies: true });
    expect(lost.body.readsUrgently).toBe(false);
    await change('admin', 'employee-rta', { roles: ['Employee'], allAgencies: false, agencyIds });
  });
});
