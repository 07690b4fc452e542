import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { reassignRequest } from '@diwan/contract/processing/assignments';
import { getHeldActions } from '@diwan/contract/processing/pending-actions';
import * as calls from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getNotifications } from '@diwan/contract/staff/notifications';
import {
  changeUserRoles,
  getUserById,
  restoreUser,
  suspendUser,
} from '@diwan/contract/staff/user-administration';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

// The clerk sees two agencies: that of `paidService`, which `employee-rta` has, and of `freeService`.
const app = useTestApp();
const stage = openRequestStage(app);
const clerk = 'employee-moi';
const waiting = { timeout: 15_000, interval: 50 };

const agencyOf = async (service: string) => (await stage.findService(service)).governmentAgency.id;
const account = async () =>
  (await app.callAs('admin', getUserById, { query: { UserId: await app.idOf(clerk) } })).body;
async function setAgencies(...services: string[]): Promise<void> {
  const { id: userId, version } = await account();
  const agencyIds = await Promise.all(services.map(agencyOf));
  const { status } = await app.callAs('admin', changeUserRoles, {
    body: { userId, version, roles: ['Employee'], agencyIds },
  });
  expect(status).toBe(200);
}

/** A request that the clerk has in hand. */
async function take(service: string): Promise<number> {
  const { requestId } = await stage.send('individual', service);
  if (service === paidService) await stage.pay(requestId);
  expect((await stage.receive(clerk, requestId)).status).toBe(200);
  return requestId;
}
const stored = (id: number) =>
  app.database
    .selectFrom('requests')
    .select(['status_id', 'holder_id', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const holderOf = async (id: number) => (await stored(id)).holder_id;
const lastStep = async (username: string, id: number) =>
  (await stage.read(username, id)).body.history.at(-1);
const countNew = async (username: string) =>
  (await app.callAs(username, getRequestsCount)).body.newRequestsCount;

beforeEach(() => setAgencies(paidService, freeService));
afterEach(async () => {
  const { id: userId, version, isSuspended } = await account();
  if (isSuspended) await app.callAs('admin', restoreUser, { body: { userId, version } });
});

it('an employee who loses an agency no longer has its requests, which go back to the queue', async () => {
  const [lost, kept] = [await take(paidService), await take(freeService)];
  const before = await countNew('employee-rta');
  await setAgencies(freeService);
  await expect.poll(() => holderOf(lost), waiting).toBeNull();
  expect(await stored(lost)).toMatchObject({ status_id: 3 });
  expect(await holderOf(kept)).toBe(await app.idOf(clerk));
  // A colleague of the agency finds it in the list and reads why; the applicant does not.
  expect(await countNew('employee-rta')).toBe(before + 1);
  const { items } = (
    await app.callAs('employee-rta', getRequestsByStatusId, {
      query: { StatusIds: '3', Take: 100 },
    })
  ).body;
  expect(items.map(({ requestId }) => requestId)).toContain(lost);
  expect(await lastStep('employee-rta', lost)).toMatchObject({
    action: 'release',
    actorKind: 'schedule',
    message: expect.stringContaining('may no longer see'),
  });
  expect(await lastStep('individual', lost)).toMatchObject({ action: 'release', message: '' });
  expect((await stage.receive('employee-rta', lost)).status).toBe(200);
  // The one who lost it finds it nowhere, nor hears of it.
  expect((await stage.read(clerk, lost)).status).toBe(404);
  const notices = (await app.callAs(clerk, getNotifications, { query: {} })).body.items;
  expect(notices.filter(({ requestId }) => requestId === lost)).toEqual([]);
  await expect
    .poll(() => app.database.selectFrom('access_losses').select('user_id').execute(), waiting)
    .toEqual([]);
});

it('what the employee can still undo fails, and says so', async () => {
  const requestId = await take(freeService);
  const approved = await stage.performAction(clerk, calls.approveRequest, {
    requestId,
    version: 2,
    isUndoable: true,
  });
  expect(approved.status).toBe(200);
  await setAgencies(paidService);
  await expect.poll(() => holderOf(requestId), waiting).toBeNull();
  const { body } = await app.callAs(clerk, getHeldActions);
  expect(body.filter((each) => each.requestId === requestId)).toMatchObject([
    { requestId, action: 'approve', failure: expect.any(String) },
  ]);
  expect((await stored(requestId)).status_id).toBe(3);
  // A decision that was begun on the page, and a hand-over, find nothing either.
  const late = [
    await stage.performAction(clerk, calls.approveRequest, { requestId, version: 2 }),
    await stage.performAction(clerk, reassignRequest, {
      requestId,
      version: 2,
      holderId: await app.idOf('employee'),
    }),
  ];
  expect(late.map(({ refused }) => refused.error)).toEqual(['RequestNotFound', 'RequestNotFound']);
});

it('a request on hold goes back once it is no longer on hold', async () => {
  const requestId = await take(paidService);
  await stage.performAction(clerk, calls.holdRequest, {
    requestId,
    holdUntil: dayAfter(todayInDubai(), 10),
    ...messageTexts,
  });
  const other = await take(paidService);
  await setAgencies(freeService);
  await expect.poll(() => holderOf(other), waiting).toBeNull();
  expect(await stored(requestId)).toMatchObject({ status_id: 11 });
  await stage.performAction('admin', calls.resumeRequest, { requestId });
  await expect.poll(() => holderOf(requestId), waiting).toBeNull();
  expect((await stored(requestId)).status_id).toBe(3);
});

it('an employee who gets the agency back in time keeps the requests', async () => {
  const requestId = await take(paidService);
  await app.database
    .insertInto('access_losses')
    .values({ user_id: await app.idOf(clerk) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await expect
    .poll(() => app.database.selectFrom('access_losses').select('user_id').execute(), waiting)
    .toEqual([]);
  expect(await stored(requestId)).toMatchObject({ status_id: 4, holder_id: await app.idOf(clerk) });
});

it('a suspended employee has no requests', async () => {
  const requestId = await take(freeService);
  const { id: userId, version } = await account();
  await app.callAs('admin', suspendUser, { body: { userId, version, reason: 'Left' } });
  await expect.poll(() => holderOf(requestId), waiting).toBeNull();
  expect((await lastStep('employee', requestId))?.message).toContain('is suspended');
});
