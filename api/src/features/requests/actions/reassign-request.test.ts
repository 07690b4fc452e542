import { expect, it } from 'vitest';
import { messageTexts, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import { undoAction } from '@diwan/contract/processing/pending-actions';
import { holdRequest } from '@diwan/contract/requests/request-actions';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);

const idOf = (username: string) => app.idOf(username);
const reassign = async (username: string, requestId: number, to: string, version?: number) =>
  app.callAs(username, reassignRequest, {
    body: { requestId, version, holderId: await idOf(to) },
  });
const mailsTo = (userId: string) =>
  app.database
    .selectFrom('messages')
    .select(['subject', 'body', 'language'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'request')
    .execute();

it('gives a received request to a colleague, who is notified, and records it', async () => {
  const { requestId, requestNumber } = await stage.sendAndReceive('individual');
  const { version } = (await stage.read('employee', requestId)).body;
  const { status, body } = await reassign('employee', requestId, 'employee2', version);
  expect(status).toBe(200);
  expect(body.holder?.isYou).toBe(false);
  expect(body.allowedActions).not.toContain('approve');
  const { body: theirs } = await stage.read('employee2', requestId);
  expect(theirs.holder?.isYou).toBe(true);
  expect(theirs.allowedActions).toContain('approve');
  expect(theirs.history.at(-1)).toMatchObject({
    action: 'reassign',
    statusId: 4,
    message: theirs.holder?.name,
  });
  const mails = await mailsTo(await idOf('employee2'));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toContain(requestNumber);
  // Neither the applicant nor the messages of the request tell of it.
  const { body: own } = await stage.read('individual', requestId);
  expect(own.history.map(({ action }) => action)).not.toContain('reassign');
  expect(JSON.stringify(own)).not.toContain(theirs.holder?.name);
});

it('sent twice acts once; of two at the same time one is refused', async () => {
  const { requestId } = await stage.sendAndReceive('individual');
  const { version } = (await stage.read('employee', requestId)).body;
  const before = (await mailsTo(await idOf('employee2'))).length;
  const [one, other] = await Promise.all([
    reassign('employee', requestId, 'employee2', version),
    reassign('employee', requestId, 'employee2', version),
  ]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(await mailsTo(await idOf('employee2'))).toHaveLength(before + 1);
  // The first caller saw the request before it changed.
  const late = await reassign('admin', requestId, 'employee', version);
  expect(late.refused.error).toBe('VersionHasChanged');
  expect((await reassign('employee', requestId, 'admin')).refused.error).toBe('ActionNotAllowed');
  expect((await reassign('admin', requestId, 'employee')).status).toBe(200);
});

it('is open to those who may put the request back, and to employees of the same office', async () => {
  const { requestId } = await stage.sendAndReceive('individual');
  expect((await reassign('employee2', requestId, 'admin')).refused.error).toBe('ActionNotAllowed');
  for (const to of ['individual', 'supervisor', 'company', 'employee'])
    expect((await reassign('employee', requestId, to)).refused.error, to).toBe('HolderNotPossible');
  expect((await reassign('individual', requestId, 'employee2')).status).toBe(403);
  const colleague = await idOf('employee2');
  const change = (changed: object) =>
    app.database.updateTable('users').set(changed).where('id', '=', colleague).execute();
  const colleagues = async () =>
    (await app.callAs('employee', getColleagues, {})).body.map(({ userId }) => userId);
  expect(await colleagues()).toContain(colleague);
  expect(await colleagues()).not.toContain(await idOf('employee'));
  expect(await colleagues()).not.toContain(await idOf('supervisor'));
  const { partner_id: partnerId } = await app.database
    .selectFrom('users')
    .select('partner_id')
    .where('username', '=', 'supervisor')
    .executeTakeFirstOrThrow();
  for (const changed of [{ suspended_at: new Date() }, { partner_id: partnerId }]) {
    await change(changed);
    expect(await colleagues()).not.toContain(colleague);
    expect((await reassign('employee', requestId, 'employee2')).refused.error).toBe(
      'HolderNotPossible',
    );
    await change({ suspended_at: null, partner_id: null });
  }
  // Not yet received, there is nothing to give away.
  const fresh = await stage.send('individual');
  expect((await reassign('admin', fresh.requestId, 'employee')).refused.error).toBe(
    'ActionNotAllowed',
  );
});

it('gives nobody their own request', async () => {
  const { requestId } = await stage.sendAndReceive('individual');
  await app.database
    .updateTable('requests')
    .set({ user_id: await idOf('employee2') })
    .where('id', '=', requestId)
    .execute();
  expect((await reassign('employee', requestId, 'employee2')).refused.error).toBe(
    'HolderNotPossible',
  );
});

it('waits for an action that can still be undone, and ends with the undoing', async () => {
  const { requestId } = await stage.sendAndReceive('individual');
  const { version = 0 } = (await stage.read('employee', requestId)).body;
  const { body } = await stage.performAction('employee', holdRequest, {
    requestId,
    version,
    holdUntil: dayAfter(todayInDubai(), 10),
    isUndoable: true,
    ...messageTexts,
  });
  expect(body.heldAction).toMatchObject({ action: 'hold' });
  for (const username of ['employee', 'admin'])
    expect((await reassign(username, requestId, 'employee2', version)).refused.error).toBe(
      'ActionHeld',
    );
  await stage.performAction('employee', undoAction, { requestId, version });
  expect((await reassign('employee', requestId, 'employee2', version)).status).toBe(200);
});

it('is given only to somebody of its agency, and only those are named to an employee of one', async () => {
  // `paidService` is of the agency of `employee-rta`.
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  expect((await reassign('employee', requestId, 'employee-moi')).refused.error).toBe(
    'HolderNotPossible',
  );
  expect((await reassign('employee', requestId, 'employee-rta')).status).toBe(200);
  const named = async (username: string) =>
    (await app.callAs(username, getColleagues)).body.map(({ userId }) => userId);
  const [rta, moi, all] = [
    await idOf('employee-rta'),
    await idOf('employee-moi'),
    await idOf('employee2'),
  ];
  expect(await named('employee')).toEqual(expect.arrayContaining([rta, moi, all]));
  const ofRta = await named('employee-rta');
  expect(ofRta).toContain(all);
  expect(ofRta).not.toContain(moi);
  // For a request those of its agency are named, also to an employee of all agencies.
  const namedFor = async (username: string, RequestIds: string) =>
    (await app.callAs(username, getColleagues, { query: { RequestIds } })).body.map(
      ({ userId }) => userId,
    );
  const forRequest = await namedFor('employee', String(requestId));
  expect(forRequest).toEqual(expect.arrayContaining([rta, all]));
  expect(forRequest).not.toContain(moi);
  // A request that the caller does not see tells nothing about its agency.
  expect(await namedFor('employee-moi', String(requestId))).toEqual(await named('employee-moi'));
});
