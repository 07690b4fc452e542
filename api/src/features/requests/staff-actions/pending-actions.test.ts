import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { demoPassword } from '#seed/seed.ts';
import { openRequestStage, messageTexts } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { endSessions } from '@diwan/contract/people/accounts';
import { changeUserPassword, login, logout, refreshToken } from '@diwan/contract/people/users';
import {
  undoAction,
  getHeldActions,
  dismissFailedAction,
} from '@diwan/contract/processing/pending-actions';
import * as calls from '@diwan/contract/requests/request-actions';
import { endUserSessions } from '@diwan/contract/staff/user-administration';
import type { BodyInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();
const stage = openRequestStage(app);

const approve = (username: string, body: BodyInputOf<typeof calls.approveRequest>) =>
  stage.performAction(username, calls.approveRequest, body);
const undo = (username: string, requestId: number, version = 2) =>
  stage.performAction(username, undoAction, { requestId, version });
const listPending = async (username: string) =>
  (await app.callAs(username, getHeldActions, {})).body;

async function approveUndoably(more: Partial<BodyInputOf<typeof calls.approveRequest>> = {}) {
  const { requestId } = await stage.sendAndReceive('individual');
  await clearNews(requestId);
  const { status, body } = await approve('employee', {
    requestId,
    version: 2,
    isUndoable: true,
    ...more,
  });
  expect(status).toBe(200);
  return { requestId, body };
}

/** Lets a held action take effect now. */
const makeDue = (requestId: number) =>
  app.database
    .updateTable('held_actions')
    .set({ acts_at: sql<Date>`now()` })
    .where('request_id', '=', requestId)
    .execute();
const clearNews = async (requestId: number) => {
  await app.database.deleteFrom('messages').where('request_id', '=', requestId).execute();
};
const countMessages = async (requestId: number) =>
  (
    await app.database
      .selectFrom('messages')
      .select('id')
      .where('request_id', '=', requestId)
      .execute()
  ).length;
const latestHubEvent = async () =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from hub_news`.execute(app.database))
    .rows[0]?.id ?? 0;
const actionsOf = async (requestId: number) =>
  (await stage.read('employee', requestId)).body.history.map(({ action }) => action);
const untilActed = (requestId: number) =>
  vi.waitFor(async () => expect((await actionsOf(requestId)).at(-1)).not.toBe('receive'), 8000);

describe('an action with isUndoable', () => {
  it('is pending: nothing changes, nobody hears of it, and staff read who acts', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await clearNews(requestId);
    const before = await latestHubEvent();
    const { body } = await approve('employee', { requestId, version: 2, isUndoable: true });
    expect(body).toMatchObject({
      version: 2,
      statusName: 'Being processed',
      allowedActions: [],
      heldAction: { action: 'approve', name: 'Mariam Al Demo', isYou: true },
    });
    expect(body.heldAction?.actsInMs).toBeGreaterThan(5000);
    expect(body.heldAction?.actsInMs).toBeLessThanOrEqual(8000);
    expect(await countMessages(requestId)).toBe(0);
    // A job removes old events, and a new one would have a larger id.
    expect(await latestHubEvent()).toBeLessThanOrEqual(before);
    const seen = (await stage.read('employee2', requestId)).body;
    expect(seen.heldAction).toMatchObject({ name: 'Mariam Al Demo', isYou: false });
    expect((await stage.read('individual', requestId)).body).not.toHaveProperty('heldAction');
    expect(await listPending('employee')).toMatchObject([
      { requestId, action: 'approve', version: 2 },
    ]);
    expect(await listPending('employee2')).toEqual([]);
    await undo('employee', requestId);
  });

  it('takes effect once after its time, also when the session has ended', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await clearNews(requestId);
    const token = await app.signIn('employee');
    await approve('employee', { requestId, version: 2, isUndoable: true });
    await app.database
      .updateTable('sessions')
      .set({ ended_at: new Date() })
      .where('ended_at', 'is', null)
      .where('user_id', '=', (eb) =>
        eb.selectFrom('users').select('id').where('username', '=', 'employee'),
      )
      .execute();
    expect((await app.call(getHeldActions, { token })).status).toBe(401);
    await makeDue(requestId);
    await vi.waitFor(
      async () =>
        expect((await stage.read('admin', requestId)).body).toMatchObject({
          version: 3,
          statusName: 'Approved',
        }),
      8000,
    );
    const { history } = (await stage.read('admin', requestId)).body;
    expect(history.filter(({ action }) => action === 'approve')).toMatchObject([
      { actorName: 'Mariam Al Demo' },
    ]);
    expect(await countMessages(requestId)).toBeGreaterThan(0);
    await app.database
      .updateTable('sessions')
      .set({ ended_at: null })
      .where('user_id', '=', (eb) =>
        eb.selectFrom('users').select('id').where('username', '=', 'employee'),
      )
      .execute();
  });

  it('is pending once for a double click, and succeeds again after a lost reply', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const body = { requestId, version: 2, isUndoable: true };
    const both = await Promise.all([approve('employee', body), approve('employee', body)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await listPending('employee')).toHaveLength(1);
    await makeDue(requestId);
    await untilActed(requestId);
    expect((await approve('employee', body)).status).toBe(200);
    expect((await actionsOf(requestId)).filter((action) => action === 'approve')).toHaveLength(1);
    expect(await listPending('employee')).toEqual([]);
  });

  it('is checked when it is sent', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const isUndoable = true;
    expect((await approve('employee2', { requestId, isUndoable })).refused.error).toBe(
      'ActionNotAllowed',
    );
    expect((await approve('employee', { requestId, version: 1, isUndoable })).refused.error).toBe(
      'VersionHasChanged',
    );
    expect(
      (await stage.performAction('employee', calls.returnRequest, { requestId, isUndoable }))
        .refused.error,
    ).toBe('MessageIncomplete');
    expect(await listPending('employee')).toEqual([]);
  });

  it('returns with its message, and completes and rejects too', async () => {
    const returned = await stage.sendAndReceive('individual');
    const completed = await stage.sendAndReceive('individual');
    const rejected = await stage.sendAndReceive('individual');
    const common = { version: 2, isUndoable: true };
    await stage.performAction('employee', calls.returnRequest, {
      ...common,
      requestId: returned.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    await stage.performAction('employee', calls.submittedRequest, {
      ...common,
      requestId: completed.requestId,
      shouldNotifyClient: false,
    });
    await stage.performAction('employee', calls.rejectRequest, {
      ...common,
      requestId: rejected.requestId,
      requestHistoryRejectionReasonId: 1,
      ...messageTexts,
    });
    for (const { requestId } of [returned, completed, rejected]) await makeDue(requestId);
    for (const { requestId } of [returned, completed, rejected]) await untilActed(requestId);
    const latest = async (requestId: number) =>
      (await stage.read('employee', requestId)).body.history.at(-1);
    expect(await latest(returned.requestId)).toMatchObject({
      action: 'return',
      message: messageTexts.messageEn,
    });
    expect(await latest(completed.requestId)).toMatchObject({
      action: 'submitted',
      notice: { outcome: 'switchedOff' },
    });
    expect(await latest(rejected.requestId)).toMatchObject({ action: 'reject' });
  });

  it('locks the request for other actions, which read who acts and when', async () => {
    const { requestId } = await approveUndoably();
    const release = await stage.performAction('admin', calls.releaseRequest, { requestId });
    expect(release.refused.error).toBe('ActionHeld');
    expect(release.refused.message).toMatch(/Approved by .Mariam Al Demo.\. .* in \d s\./);
    const other = await stage.performAction('employee', calls.submittedRequest, {
      requestId,
      version: 2,
      isUndoable: true,
    });
    expect(other.refused.error).toBe('ActionHeld');
    await undo('employee', requestId);
    expect((await stage.performAction('admin', calls.releaseRequest, { requestId })).status).toBe(
      200,
    );
  });
});

describe('UndoAction', () => {
  it('takes the action back, and succeeds twice', async () => {
    const { requestId } = await approveUndoably();
    for (const _ of [1, 2]) {
      const { status, body } = await undo('employee', requestId);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('heldAction');
      expect(body).toMatchObject({ version: 2, statusName: 'Being processed' });
      expect(body.allowedActions).toContain('approve');
    }
    expect(await listPending('employee')).toEqual([]);
    expect(await countMessages(requestId)).toBe(0);
  });

  it('is for the user who acted', async () => {
    const { requestId } = await approveUndoably();
    const other = await undo('employee2', requestId);
    expect(other.body.heldAction).toMatchObject({ isYou: false });
    expect(await listPending('employee')).toHaveLength(1);
    await undo('employee', requestId);
  });

  it('is refused after the action has taken effect', async () => {
    const { requestId } = await approveUndoably();
    await makeDue(requestId);
    await untilActed(requestId);
    expect((await undo('employee', requestId)).refused.error).toBe('TooLateToUndo');
    expect(await actionsOf(requestId)).toContain('approve');
  });

  it('and the action at the same moment: exactly one of them wins', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const { requestId } = await approveUndoably();
      await makeDue(requestId);
      // The job runs every second: the undo arrives around that time.
      await new Promise((resolve) => setTimeout(resolve, 160 * round));
      const { status, refused } = await undo('employee', requestId);
      const hasActed = (await actionsOf(requestId)).includes('approve');
      expect(hasActed).toBe(status !== 200);
      if (hasActed) expect(refused.error).toBe('TooLateToUndo');
      else await vi.waitFor(async () => expect(await listPending('employee')).toEqual([]));
      expect(await actionsOf(requestId)).toHaveLength(hasActed ? 3 : 2);
      expect((await countMessages(requestId)) > 0).toBe(hasActed);
      outcomes.add(hasActed ? 'acted' : 'undone');
    }
    expect([...outcomes].sort()).toEqual(['acted', 'undone']);
  });
});

describe('a pending action that fails', () => {
  it('is shown to its user until dismissed, changes nothing and frees the request', async () => {
    const { requestId } = await approveUndoably();
    await app.database
      .updateTable('requests')
      .set({ version: 3 })
      .where('id', '=', requestId)
      .execute();
    await makeDue(requestId);
    const [failed] = await vi.waitFor(async () => {
      const pending = await listPending('employee');
      expect(pending).toMatchObject([{ requestId, failure: expect.stringMatching(/has changed/) }]);
      return pending;
    }, 8000);
    expect(await actionsOf(requestId)).not.toContain('approve');
    expect(await countMessages(requestId)).toBe(0);
    expect((await stage.read('employee', requestId)).body).not.toHaveProperty('heldAction');
    const dismiss = (username: string) =>
      stage.performAction(username, dismissFailedAction, {
        heldActionId: failed?.heldActionId ?? 0,
      });
    await dismiss('employee2');
    expect(await listPending('employee')).toHaveLength(1);
    await dismiss('employee');
    expect(await listPending('employee')).toEqual([]);
  });

  it('is refused when its user was suspended meanwhile', async () => {
    const { requestId } = await approveUndoably();
    const suspend = (at: Date | null) =>
      app.database
        .updateTable('users')
        .set({ suspended_at: at })
        .where('username', '=', 'employee')
        .execute();
    await suspend(new Date());
    await makeDue(requestId);
    await vi.waitFor(async () => {
      const { rows } = await sql<{ refusal: string }>`
        select refusal from held_actions where request_id = ${requestId}`.execute(app.database);
      expect(rows).toEqual([{ refusal: 'YouAreUnauthorized' }]);
    }, 8000);
    await suspend(null);
    expect(await actionsOf(requestId)).not.toContain('approve');
  });
});

describe('a pending action and the end of its session', () => {
  const refusalOf = async (requestId: number) =>
    (
      await app.database
        .selectFrom('held_actions')
        .select('refusal')
        .where('request_id', '=', requestId)
        .executeTakeFirst()
    )?.refusal;

  const signInAgain = async () =>
    (await app.call(login, { body: { username: 'employee', password: demoPassword } })).body.token;

  /** Opens the session again with which the tests act. */
  const reopenFirstSession = async () => {
    await app.database
      .updateTable('sessions')
      .set({ ended_at: null })
      .where('id', '=', String(decodeJwt(await app.signIn('employee')).sid))
      .execute();
  };

  /** Approves by a session of its own; returns the request, the token and the id of the session. */
  async function approveInSession() {
    const { requestId } = await stage.sendAndReceive('individual');
    const token = await signInAgain();
    const body = { requestId, version: 2, isUndoable: true };
    expect((await app.call(calls.approveRequest, { token, body })).status).toBe(200);
    return { requestId, token, sessionId: String(decodeJwt(token).sid) };
  }

  const ways: [string, (sent: { token: string; sessionId: string }) => Promise<unknown>][] = [
    [
      'an administrator ends this session',
      async ({ sessionId }) => {
        const userId = await app.idOf('employee');
        return app.callAs('admin', endUserSessions, { body: { userId, sessionId } });
      },
    ],
    [
      'an administrator ends all sessions, after this one was signed out',
      async ({ token }) => {
        await app.call(logout, { token });
        const userId = await app.idOf('employee');
        return app.callAs('admin', endUserSessions, { body: { userId } });
      },
    ],
    [
      'the owner ends it from another browser',
      async ({ sessionId }) =>
        app.call(endSessions, { token: await signInAgain(), body: { sessionId } }),
    ],
    [
      'the owner changes the password in another browser',
      async () => {
        const token = await signInAgain();
        const users = () => app.database.updateTable('users').where('username', '=', 'employee');
        const { password_hash } = await app.database
          .selectFrom('users')
          .select('password_hash')
          .where('username', '=', 'employee')
          .executeTakeFirstOrThrow();
        const newPassword = 'Quiet-Lanterns-7042!';
        await app.call(changeUserPassword, {
          token,
          body: { oldPassword: demoPassword, newPassword, confirmNewPassword: newPassword },
        });
        await users().set({ password_hash }).execute();
      },
    ],
    [
      'an old token of the session is used again',
      async ({ token, sessionId }) => {
        await app.call(refreshToken, { body: { token } });
        await app.database
          .updateTable('sessions')
          .set({ rotated_at: new Date(0) })
          .where('id', '=', sessionId)
          .execute();
        await app.call(refreshToken, { body: { token } });
      },
    ],
  ];

  it.each(ways)('stops when %s', async (_name, end) => {
    const { requestId, ...session } = await approveInSession();
    await end(session);
    await reopenFirstSession();
    // Nobody waits for it: the request is free immediately, and the clerk reads why.
    expect(await refusalOf(requestId)).toBe('SessionEnded');
    expect((await stage.read('admin', requestId)).body).not.toHaveProperty('heldAction');
    await makeDue(requestId);
    const later = await approveUndoably();
    await makeDue(later.requestId);
    await untilActed(later.requestId);
    expect(await actionsOf(requestId)).not.toContain('approve');
    expect(
      (await listPending('employee')).find((each) => each.requestId === requestId)?.failure,
    ).toContain('session has ended');
  });

  it('continues when the clerk signs out, and when another session is ended', async () => {
    const { requestId, token } = await approveInSession();
    const other = String(decodeJwt(await signInAgain()).sid);
    const userId = await app.idOf('employee');
    await app.callAs('admin', endUserSessions, { body: { userId, sessionId: other } });
    expect((await app.call(logout, { token })).status).toBe(200);
    expect(await refusalOf(requestId)).toBeNull();
    await makeDue(requestId);
    await untilActed(requestId);
    expect(await actionsOf(requestId)).toContain('approve');
  });
});
