import { describe, expect, it, vi } from 'vitest';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { insertSpareAdmin } from '#testing/well-formed/accounts.ts';
import { getChanges } from '@diwan/contract/people/changes';
import { getProfile } from '@diwan/contract/people/users';
import { undoAction, getHeldActions } from '@diwan/contract/processing/pending-actions';
import { decideCharge, getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { previewMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/request-actions';

const limit = 100_000;
const app = useTestApp({ CHARGE_APPROVAL_ABOVE: String(limit) });
const stage = openRequestStage(app);

const approve = (requestId: number, charges: object = {}, as = 'employee') =>
  stage.performAction(as, calls.approveRequest, { requestId, ...charges });
const waiting = async () => (await app.callAs('admin', getWaitingCharges, {})).body;
const received = () => stage.sendAndReceive('individual', paidService);
const messagesOf = (requestId: number) =>
  app.database.selectFrom('messages').select('id').where('request_id', '=', requestId).execute();

/** A request on which the fine of a clerk waits. */
async function charged(fines = limit + 1) {
  const { requestId } = await received();
  await app.database.deleteFrom('messages').where('request_id', '=', requestId).execute();
  const { body } = await approve(requestId, { fines });
  const { heldActionId } = (await waiting()).find((each) => each.requestId === requestId) ?? {};
  return { requestId, heldActionId: heldActionId ?? 0, record: body };
}

const decide = (
  token: string,
  body: { requestId: number; heldActionId: number },
  isConfirmed = true,
) =>
  app.call(decideCharge, {
    token,
    body: { requestId: body.requestId, heldActionId: body.heldActionId, isConfirmed },
  });
const asAdmin = () => app.signIn('admin');
const adminName = async () => (await app.callAs('admin', getProfile, {})).body.fullName;
const statusOf = async (requestId: number) =>
  (await stage.read('employee', requestId)).body.statusId;

let made = 0;
const insertAdmin = () => insertSpareAdmin(app, `charger${(made += 1)}`);

describe('fines and fees above the limit', () => {
  it('wait: the clerk sees it, the applicant sees nothing, and no other action is possible', async () => {
    const before = await received();
    const status = await statusOf(before.requestId);
    const { requestId, heldActionId, record } = await charged();
    expect(record).toMatchObject({
      statusId: status,
      allowedActions: [],
      heldAction: { action: 'approve', isYou: true, waiting: { heldActionId, amount: limit + 1 } },
    });
    const own = (await app.callAs('employee', getHeldActions, {})).body;
    expect(own.find((each) => each.requestId === requestId)).toMatchObject({
      waitsWith: limit + 1,
    });
    const seen = (await stage.read('individual', requestId)).body;
    expect(seen.heldAction).toBeUndefined();
    expect(JSON.stringify(seen)).not.toContain(String(limit + 1));
    expect(await messagesOf(requestId)).toEqual([]);
    expect((await approve(requestId, { fines: 1 }, 'employee2')).refused.error).toBe('ActionHeld');
    // The job of every second does not carry it out.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await statusOf(requestId)).toBe(status);
  });

  it('take effect in the name of the clerk when an administrator confirms them', async () => {
    const { requestId, heldActionId } = await charged();
    expect((await decide(await asAdmin(), { requestId, heldActionId })).status).toBe(200);
    await vi.waitFor(async () => {
      const { history, fees } = (await stage.read('employee', requestId)).body;
      expect(history.at(-1)).toMatchObject({ action: 'approve', confirmedBy: await adminName() });
      expect(fees.lines.some(({ amount }) => amount === limit + 1)).toBe(true);
    }, 8000);
    const seen = (await stage.read('individual', requestId)).body;
    expect(seen.history.some(({ confirmedBy }) => confirmedBy !== undefined)).toBe(false);
    const [entry] = await app.database
      .selectFrom('request_history')
      .select(['actor_id', 'confirmed_by', 'added'])
      .where('request_id', '=', requestId)
      .where('action', '=', 'approve')
      .execute();
    expect(entry).toEqual({
      actor_id: await app.idOf('employee'),
      confirmed_by: await app.idOf('admin'),
      added: limit + 1,
    });
    expect((await messagesOf(requestId)).length).toBeGreaterThan(0);
    const { items } = (
      await app.callAs('admin', getChanges, { query: { Entity: 'charge' } as never })
    ).body;
    expect(items[0]).toMatchObject({ action: 'confirmed', entityId: String(requestId) });
  });

  it('are not added when they are refused, of which the clerk reads', async () => {
    const { requestId, heldActionId } = await charged();
    const { body } = await decide(await asAdmin(), { requestId, heldActionId }, false);
    expect(body.allowedActions).toBeDefined();
    const own = (await app.callAs('employee', getHeldActions, { language: 'en-US' })).body;
    expect(own.find((each) => each.requestId === requestId)?.failure).toBe(
      'Another person did not confirm the fines and fees.',
    );
    expect((await approve(requestId)).status).toBe(200);
  });

  it('can be taken back by who asked for them', async () => {
    const { requestId, heldActionId, record } = await charged();
    const { version } = record;
    const { status } = await stage.performAction('employee', undoAction, {
      requestId,
      version,
    });
    expect(status).toBe(200);
    expect((await decide(await asAdmin(), { requestId, heldActionId })).refused.error).toBe(
      'DecisionNotPossible',
    );
  });

  it('need nobody up to the limit, and in parts no less', async () => {
    const { requestId } = await received();
    const { body } = await approve(requestId, { fines: limit });
    expect(body.heldAction).toBeUndefined();
    const other = await received();
    await app.database
      .insertInto('request_history')
      .values({
        request_id: other.requestId,
        action: 'receive',
        to_status_id: 4,
        actor_kind: 'employee',
        actor_id: await app.idOf('employee'),
        actor_name: 'Clerk',
        added: limit,
      })
      .execute();
    const second = await approve(other.requestId, { fines: 1 });
    expect(second.body.heldAction?.waiting?.amount).toBe(1);
  });

  it('are previewed as they will be sent', async () => {
    const { requestId } = await received();
    const { body } = await app.callAs('employee', previewMessages, {
      body: { action: 'approve', requestId, fines: limit + 1 } as never,
    });
    expect(body.messages.length).toBeGreaterThan(0);
    expect((await waiting()).some((each) => each.requestId === requestId)).toBe(false);
  });
});

describe('the second person', () => {
  it('is not who asked, nobody whom they made an administrator, and no newcomer', async () => {
    const asker = await insertAdmin();
    const body = await charged();
    await app.database
      .updateTable('held_actions')
      .set({ user_id: asker.id })
      .where('id', '=', body.heldActionId)
      .execute();
    expect((await decide(asker.token, body)).refused.error).toBe('DecisionNeedsSecondPerson');
    const made2 = await insertAdmin();
    await app.database
      .updateTable('users')
      .set({ admin_by: asker.id })
      .where('id', '=', made2.id)
      .execute();
    expect((await decide(made2.token, body)).refused.error).toBe('SecondPersonNotIndependent');
    const newcomer = await insertAdmin();
    await app.database
      .updateTable('users')
      .set({ admin_since: new Date() })
      .where('id', '=', newcomer.id)
      .execute();
    expect((await decide(newcomer.token, body)).refused.error).toBe('SecondPersonNotIndependent');
    expect((await decide(await asAdmin(), body)).status).toBe(200);
  });

  it('decides once when two do at the same moment', async () => {
    const { requestId, heldActionId } = await charged();
    const other = await insertAdmin();
    const tokens = [await asAdmin(), other.token];
    const replies = await Promise.all(
      tokens.map((token, index) => decide(token, { requestId, heldActionId }, index === 0)),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(replies.find(({ status }) => status === 400)?.refused.error).toBe('DecisionNotPossible');
  });
});
