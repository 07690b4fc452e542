import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { countSmsSegments } from '#platform/messages/sms.ts';
import { listenTo, type Listener } from '#testing/hub-client.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import {
  acceptRequest,
  approveRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { getRequestById, getRequestState } from '@diwan/contract/requests/requests';
import {
  getNotifications,
  getNotificationSettings,
  markNotifications,
  ownNotificationKinds,
  saveNotificationSetting,
  workNotificationKinds,
  type NotificationSetting,
} from '@diwan/contract/staff/notifications';
import { deleteOldNotices } from './notices.store.ts';

const app = useTestApp();
const stage = openRequestStage(app);
const open: Listener[] = [];
let base: string | undefined;
// Events arrive immediately unless the machine is busy.
const waiting = { timeout: 20_000, interval: 10 };
// The demo has requests on which colleagues worked.
beforeAll(() => app.database.deleteFrom('notifications').execute());
afterAll(() => Promise.all(open.map(({ connection }) => connection.stop())));

async function listen(username: string, hub = '/hubs/request'): Promise<Listener> {
  base ??= await app.server.listen({ port: 0, host: '127.0.0.1' });
  const listener = await listenTo({
    url: `${base}${hub}`,
    token: await app.signIn(username),
    skipNegotiation: true,
    hearsTopics: true,
  });
  open.push(listener);
  return listener;
}

const list = async (username: string, query: object = {}) =>
  (await app.callAs(username, getNotifications, { query })).body;
const changes = ({ received }: Listener) =>
  received.filter(({ event }) => event === 'notificationsChanged').length;
const userOf = (username: string) =>
  app.database
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();

async function reassign(requestId: number, from: string, to: string): Promise<void> {
  const { body: colleagues } = await app.callAs(from, getColleagues);
  const { id: holderId } = await userOf(to);
  expect(colleagues.map(({ userId }) => userId)).toContain(holderId);
  const { body } = await app.callAs(from, getRequestState, { query: { RequestId: requestId } });
  const { status } = await app.callAs(from, reassignRequest, {
    body: { requestId, version: body.version, holderId },
  });
  expect(status).toBe(200);
}

it('tells the clerk who holds a request and the provider whom it reaches, not who acted', async () => {
  const [clerk, supervisor] = [await listen('employee2'), await listen('supervisor2')];
  const other = await listen('admin');
  const { requestId } = await stage.sendAndReceive('individual', freeService);
  expect((await list('employee')).items).toEqual([]);
  await reassign(requestId, 'employee', 'employee2');
  await expect.poll(() => changes(clerk), waiting).toBe(1);
  // The lists of all others show the holder.
  await expect.poll(() => other.events().at(-1), waiting).toBe('listsChanged');
  const assigned = await list('employee2');
  expect(assigned).toMatchObject({ totalCount: 1, unreadCount: 1 });
  expect(assigned.items).toMatchObject([
    {
      kind: 'assigned',
      requestId,
      isRead: false,
      actorName: (await userOf('employee')).full_name,
    },
  ]);

  // The holder acts: nothing for them, and the provider hears of it.
  await stage.performAction('employee2', approveRequest, { requestId });
  await expect.poll(() => changes(supervisor), waiting).toBe(1);
  expect((await list('supervisor2')).items).toMatchObject([{ kind: 'arrived', requestId }]);
  expect((await list('supervisor')).items).toEqual([]);
  expect(await list('employee2')).toMatchObject({ totalCount: 1 });
});

it('marks one or all as read in all windows, and nobody marks those of others', async () => {
  const clerk = await listen('employee2');
  const { items } = await list('employee2');
  const ids = items.map(({ id }) => id);
  const mark = async (username: string, body: { ids?: number[]; isRead: boolean }) =>
    (await app.callAs(username, markNotifications, { body })).body.unreadCount;
  expect(await mark('employee', { ids, isRead: true })).toBe(0);
  expect(await mark('employee', { isRead: true })).toBe(0);
  expect((await list('employee2')).unreadCount).toBe(1);
  expect(await mark('employee2', { ids, isRead: true })).toBe(0);
  await expect.poll(() => changes(clerk), waiting).toBe(1);
  expect((await list('employee2', { Unread: 'true' })).items).toEqual([]);
  expect((await list('employee2')).items[0]?.isRead).toBe(true);
  // Marking again changes nothing, and says nothing.
  expect(await mark('employee2', { ids, isRead: true })).toBe(0);
  expect(await mark('employee2', { ids, isRead: false })).toBe(1);
  await expect.poll(() => changes(clerk), waiting).toBe(2);
  expect(await mark('employee2', { isRead: true })).toBe(0);
});

it('follows the settings of each user: not in the portal, or by mail', async () => {
  const { body: settings } = await app.callAs('supervisor2', getNotificationSettings);
  const arrived = {
    kind: 'arrived' as const,
    inPortal: true,
    byMail: false,
    bySms: false,
    byPush: true,
  };
  expect(settings).toContainEqual(arrived);
  const changed = { ...arrived, inPortal: false, byMail: true };
  const { body: saved } = await app.callAs('supervisor2', saveNotificationSetting, {
    body: changed,
  });
  expect(saved).toContainEqual(changed);
  const before = (await list('supervisor2')).totalCount;
  const { requestId, requestNumber } = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', approveRequest, { requestId });
  expect((await list('supervisor2')).totalCount).toBe(before);
  const { id } = await userOf('supervisor2');
  const mails = () =>
    app.database
      .selectFrom('messages')
      .select(['body', 'channel'])
      .where('subject', 'like', `%${requestNumber}%`)
      .where('user_id', '=', id)
      .execute();
  await expect.poll(mails, waiting).toMatchObject([{ channel: 'email' }]);
  expect((await mails())[0]?.body).toContain(requestNumber);
  expect(await app.callAs('supervisor', getNotificationSettings)).toMatchObject({
    body: expect.arrayContaining([arrived]) as unknown,
  });
  await stage.performAction('supervisor2', acceptRequest, { requestId });
});

it('sends an SMS to a verified number only, in one part', async () => {
  const { id } = await userOf('supervisor2');
  const wanted = {
    kind: 'arrived' as const,
    inPortal: true,
    byMail: false,
    bySms: true,
    byPush: false,
  };
  const verify = (at: Date | null) =>
    app.database
      .updateTable('users')
      .set({ phone_verified_at: at, phone_number: '+971501234567', language: 'ar-EG' })
      .where('id', '=', id)
      .execute();
  const save = () => app.callAs('supervisor2', saveNotificationSetting, { body: wanted });
  await verify(null);
  expect((await save()).refused.error).toBe('AddressNotProved');
  await verify(new Date());
  expect((await save()).body).toContainEqual(wanted);
  const arrive = async () => {
    const { requestId, requestNumber } = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', approveRequest, { requestId });
    return requestNumber;
  };
  const number = await arrive();
  const texts = (about: string) =>
    app.database
      .selectFrom('messages')
      .select(['body', 'recipient'])
      .where('channel', '=', 'sms')
      .where('user_id', '=', id)
      .where('body', 'like', `%${about}%`)
      .execute();
  await expect.poll(() => texts(number), waiting).toMatchObject([{ recipient: '+971501234567' }]);
  expect(countSmsSegments((await texts(number))[0]?.body ?? '')).toBe(1);

  // A number that is no longer verified gets nothing; the list still has the notification.
  await verify(null);
  const other = await arrive();
  expect((await list('supervisor2')).items[0]?.requestNumber).toBe(other);
  const { rows } = await sql<{ due_at: Date | null }>`
    select due_at
    from notifications
    where user_id = ${id}
    order by id desc
    limit 1`.execute(app.database);
  expect(rows).toEqual([{ due_at: null }]);
});

describe('an applicant', () => {
  const kinds = async (username: string) => (await list(username)).items.map(({ kind }) => kind);
  const messagesOf = (requestNumber: string) =>
    app.database
      .selectFrom('messages')
      .innerJoin('requests', 'requests.id', 'messages.request_id')
      .select('messages.channel')
      .where('requests.number', '=', requestNumber)
      .orderBy('messages.channel')
      .execute();
  const settingOf = async (kind: string) => {
    const { body } = await app.callAs('individual', getNotificationSettings);
    return body.find((each) => each.kind === kind) as NotificationSetting;
  };
  const save = async (kind: string, changed: Partial<NotificationSetting>) =>
    app.callAs('individual', saveNotificationSetting, {
      body: { ...(await settingOf(kind)), ...changed },
    });

  it('has what others did to the own requests, without their names, immediately and read or unread', async () => {
    await app.callAs('individual', markNotifications, { body: { isRead: true } });
    const page = await listen('individual', '/hubs/account');
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    // Neither what the applicant did nor a step of which the workflow notifies nobody.
    expect((await list('individual')).unreadCount).toBe(0);
    const heard = page.received.length;
    await stage.performAction('employee', approveRequest, { requestId });
    await expect.poll(() => page.received.length, waiting).toBeGreaterThan(heard);
    expect(await list('individual')).toMatchObject({ unreadCount: 1 });
    expect((await list('individual')).items[0]).toMatchObject({
      kind: 'progressed',
      requestId,
      actorName: '',
      isRead: false,
    });
    expect((await list('individual2')).items.some((item) => item.requestId === requestId)).toBe(
      false,
    );
    const before = changes(page);
    const { body } = await app.callAs('individual', markNotifications, { body: { isRead: true } });
    expect(body.unreadCount).toBe(0);
    await expect.poll(() => changes(page), waiting).toBe(before + 1);
  });

  it('of a company has those of the requests that they sent', async () => {
    const { requestId } = await stage.sendAndReceive('company', freeService);
    const before = (await list('company')).totalCount;
    await stage.performAction('employee', returnRequest, { requestId, ...messageTexts });
    expect((await list('company')).totalCount).toBe(before + 1);
    expect((await list('company')).items[0]).toMatchObject({ kind: 'returned', requestId });
  });

  it('turns off each way of a kind, but not both messages about what waits for them', async () => {
    expect(
      (await app.callAs('individual', getNotificationSettings)).body.map(({ kind }) => kind),
    ).toEqual([...ownNotificationKinds]);
    expect(
      (await app.callAs('employee', getNotificationSettings)).body.map(({ kind }) => kind),
    ).toEqual([...workNotificationKinds, 'digest']);
    const work = {
      kind: 'worked',
      inPortal: true,
      byMail: false,
      bySms: false,
      byPush: true,
    } as const;
    expect(
      (await app.callAs('individual', saveNotificationSetting, { body: work })).refused.error,
    ).toBe('ValidationFailed');
    expect((await save('returned', { byMail: false, bySms: false })).refused.error).toBe(
      'NotificationNeeded',
    );

    const off = { inPortal: false, byMail: false, bySms: false, byPush: false };
    expect((await save('progressed', off)).body).toContainEqual({ kind: 'progressed', ...off });
    const before = await list('individual');
    const approved = await stage.sendAndReceive('individual', freeService);
    const created = await messagesOf(approved.requestNumber);
    await stage.performAction('employee', approveRequest, { requestId: approved.requestId });
    expect(await messagesOf(approved.requestNumber)).toEqual(created);
    expect((await list('individual')).totalCount).toBe(before.totalCount);
    const { body: record } = await app.callAs('employee', getRequestById, {
      query: { RequestId: approved.requestId },
    });
    expect(record.history.at(-1)?.notice?.outcome).toBe('unwanted');

    // In the list alone.
    await save('progressed', { inPortal: true });
    const other = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', approveRequest, { requestId: other.requestId });
    expect((await list('individual')).totalCount).toBe(before.totalCount + 1);
  });

  it('whose only wanted address is verified no longer still hears of what waits for them', async () => {
    const { id } = await userOf('individual');
    const user = app.database.updateTable('users').where('id', '=', id);
    await user.set({ email_verified_at: new Date(), phone_verified_at: new Date() }).execute();
    expect((await save('returned', { byMail: false, bySms: true })).status).toBe(200);
    await user.set({ phone_verified_at: null }).execute();
    const { requestId, requestNumber } = await stage.sendAndReceive('individual', freeService);
    const before = (await messagesOf(requestNumber)).length;
    await stage.performAction('employee', returnRequest, { requestId, ...messageTexts });
    expect((await messagesOf(requestNumber)).slice(before)).toEqual([{ channel: 'email' }]);
    expect((await kinds('individual'))[0]).toBe('returned');
    expect((await save('returned', { byMail: false, bySms: true })).refused.error).toBe(
      'NotificationNeeded',
    );
  });
});

it('keeps the latest 200 of a user, for 90 days', async () => {
  const { id: user_id } = await userOf('employee2');
  const { request_id } = await app.database
    .selectFrom('notifications')
    .select('request_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  await app.database
    .insertInto('notifications')
    .values(
      Array.from({ length: 205 }, () => ({
        user_id,
        kind: 'paid',
        request_id,
        actor_name: '',
        is_hidden: false,
      })),
    )
    .execute();
  await deleteOldNotices(app.database, app.config.NOTIFICATION_DAYS);
  const { items, totalCount } = await list('employee2', { Take: '50', PageNumber: '4' });
  expect([totalCount, items.length, items.at(-1)?.kind]).toEqual([200, 50, 'paid']);
  await sql`
    update notifications
    set created_at = now() - interval '91 days'
    where user_id = ${user_id}
      and id <> ${items[0]?.id ?? 0}`.execute(app.database);
  await deleteOldNotices(app.database, app.config.NOTIFICATION_DAYS);
  expect((await list('employee2')).items.map(({ id }) => id)).toEqual([items[0]?.id]);
});
