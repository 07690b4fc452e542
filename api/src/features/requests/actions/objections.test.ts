import { describe, expect, it } from 'vitest';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '#testing/requests/request-stage.ts';
import { setStatus } from '#testing/requests/workflow-cells.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  grantObjection,
  objectToDecision,
  refuseObjection,
} from '@diwan/contract/processing/objections';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/request-actions';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

// Above this a refund waits for a second person.
const alone = 10_000;
const app = useTestApp({ REFUND_APPROVAL_ABOVE: String(alone) });
const stage = openRequestStage(app);

const reject = (username: string, requestId: number) =>
  stage.performAction(username, calls.rejectRequest, {
    requestId,
    requestHistoryRejectionReasonId: 1,
    ...messageTexts,
  });
const object = (username: string, requestId: number, reason = 'The document was there') =>
  stage.performAction(username, objectToDecision, { requestId, reason });
const grant = (username: string, requestId: number) =>
  stage.performAction(username, grantObjection, { requestId });
const refuse = (username: string, requestId: number) =>
  stage.performAction(username, refuseObjection, { requestId, ...messageTexts });
const own = async (requestId: number) => (await stage.read('individual', requestId)).body;

async function rejected(service = freeService) {
  const { requestId } = await stage.sendAndReceive('individual', service);
  expect((await reject('employee', requestId)).status).toBe(200);
  return requestId;
}

/** A request with a fine of 100 dirhams that waits for its payment. */
async function fined() {
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  const { total } = (await own(requestId)).fees;
  await stage.performAction('employee', calls.approveRequest, { requestId, fines: 10_000 });
  return { requestId, total };
}

it('says with a rejection how and until when, and gives the objection to another person', async () => {
  const requestId = await rejected();
  const until = dayAfter(todayInDubai(), 30);
  const record = await own(requestId);
  expect([record.objectUntil, record.allowedActions]).toEqual([until, ['object']]);
  const { body: messages } = await app.callAs('individual', getRequestMessages, {
    query: { RequestId: requestId },
  });
  expect(messages.map(({ text }) => text).join()).toContain(String(Number(until.slice(8))));
  const seenBy = async (username: string) =>
    (await stage.read(username, requestId)).body.objectUntil;
  expect([await seenBy('employee'), await seenBy('employee2'), await seenBy('auditor')]).toEqual([
    until,
    until,
    until,
  ]);
  expect((await object('individual', requestId, ' ')).refused.errors).toHaveProperty('reason');
  expect((await object('individual2', requestId)).refused.error).toBe('RequestNotFound');
  const { body } = await object('individual', requestId);
  expect([body.statusTone, body.objectUntil, body.promisedBy !== undefined]).toEqual([
    'progress',
    undefined,
    true,
  ]);
  // Who rejected it decides neither way, nor does an administrator who did.
  for (const act of [grant, refuse])
    expect((await act('employee', requestId)).refused.error).toBe('AnotherApproverNeeded');
  expect((await stage.read('employee', requestId)).body.needsAnotherApprover).toBe(true);
  const seen = (await stage.read('employee2', requestId)).body;
  expect(seen.allowedActions).toEqual(['grantObjection', 'refuseObjection']);
  expect(seen.history.at(-1)?.message).toBe('The document was there');
});

it('processes the request again, by who accepted the objection, and keeps the first decision', async () => {
  const requestId = await rejected();
  const decision = async () => {
    const { history } = await own(requestId);
    const { notice: _, ...entry } = history.find(({ action }) => action === 'reject')!;
    return entry;
  };
  const first = await decision();
  await object('individual', requestId);
  const { body } = await grant('employee2', requestId);
  expect([body.holder?.isYou, body.allowedActions.includes('approve')]).toEqual([true, true]);
  expect(body.promisedBy).toBeDefined();
  const record = await own(requestId);
  expect(await decision()).toEqual(first);
  expect(record.refund).toBeUndefined();
  // A second rejection is a new decision.
  await reject('employee2', requestId);
  expect((await own(requestId)).allowedActions).toEqual(['object']);
});

it('confirms a rejection for good', async () => {
  const requestId = await rejected();
  await object('individual', requestId);
  const without = await stage.performAction('employee2', refuseObjection, { requestId });
  expect(without.refused.error).toBe('MessageIncomplete');
  expect((await refuse('employee2', requestId)).body.statusTone).toBe('refused');
  const record = await own(requestId);
  expect([record.allowedActions, record.objectUntil]).toEqual([[], undefined]);
  expect((await object('individual', requestId)).refused.error).toBe('ActionNotAllowed');
});

it.each([
  ['the last day', 0, 200, undefined],
  ['the day after it', -1, 400, 'ObjectionTooLate'],
])('is judged by the day in Asia/Dubai: %s', async (_, days, status, error) => {
  const requestId = await rejected();
  await app.database
    .updateTable('requests')
    .set({ objection_until: dayAfter(todayInDubai(), days) })
    .where('id', '=', requestId)
    .execute();
  expect((await own(requestId)).allowedActions).toEqual(status === 200 ? ['object'] : []);
  const { objectUntil } = (await stage.read('employee', requestId)).body;
  expect(objectUntil !== undefined).toBe(status === 200);
  const answer = await object('individual', requestId);
  expect([answer.status, answer.status === 200 ? undefined : answer.refused.error]).toEqual([
    status,
    error,
  ]);
});

it('is not offered where the service has no days for it', async () => {
  await app.database
    .updateTable('services')
    .set({ objection_days: 0 })
    .where('replaced_name', '=', freeService)
    .execute();
  const record = await own(await rejected());
  expect([record.allowedActions, record.objectUntil]).toEqual([[], undefined]);
  await app.database
    .updateTable('services')
    .set({ objection_days: 30 })
    .where('replaced_name', '=', freeService)
    .execute();
});

it('refunds nothing more until it is decided, and the same as before afterwards', async () => {
  const requestId = await rejected(paidService);
  await app.database
    .updateTable('requests')
    .set({ refundable: 5000 })
    .where('id', '=', requestId)
    .execute();
  const record = (amount: number) =>
    app.callAs('admin', recordRefund, { body: { requestId, amount, reference: `O-${amount}` } });
  expect((await record(2000)).status).toBe(200);
  await object('individual', requestId);
  expect((await record(1000)).refused.error).toBe('RefundTooLarge');
  await grant('employee2', requestId);
  // What was paid back is not charged again.
  expect((await own(requestId)).due).toBe(0);
});

it('removes an unpaid fine, and leads on where nothing else is due', async () => {
  const { requestId, total } = await fined();
  const before = await own(requestId);
  expect(before.fees.total).toBeGreaterThan(total);
  expect(before.allowedActions).toContain('object');
  const { body } = await object('individual', requestId);
  expect(body.allowedActions).not.toContain('pay');
  expect((await grant('employee', requestId)).refused.error).toBe('AnotherApproverNeeded');
  const granted = await grant('employee2', requestId);
  expect([granted.status, granted.body.statusId, granted.body.fees.total]).toEqual([200, 6, total]);
  const { due, history } = await own(requestId);
  expect([due, history.at(-1)?.notice?.outcome]).toEqual([0, 'sent']);
});

it('leads back to the payment of a confirmed fine, which leads on as before', async () => {
  const { requestId } = await fined();
  const before = await own(requestId);
  await object('individual', requestId);
  const { body } = await refuse('employee2', requestId);
  expect(body.statusId).toBe(before.statusId);
  const after = await own(requestId);
  expect([after.due, after.allowedActions]).toEqual([before.due, ['pay', 'withdraw']]);
  await stage.pay(requestId);
  expect((await own(requestId)).statusId).toBe(6);
});

it('ends in one way when a fine is paid while its owner objects', async () => {
  const { requestId } = await fined();
  const [objection, isMoved] = await Promise.all([
    object('individual', requestId),
    stage.pay(requestId),
  ]);
  const { statusId } = await own(requestId);
  if (objection.status === 200) {
    // The payment arrived before the objection or during it: refusing it does not ask for it again.
    expect(statusId).toBe(15);
    await refuse('employee2', requestId);
    const { statusId: after, due } = await own(requestId);
    expect([after, due]).toEqual([6, 0]);
  } else expect([statusId, isMoved]).toEqual([6, true]);
});

describe('a fine that was paid', () => {
  const fine = 8000;
  async function paid(requestId?: number) {
    const id = requestId ?? (await stage.sendAndReceive('individual', paidService)).requestId;
    await stage.performAction('employee', calls.approveRequest, { requestId: id, fines: fine });
    await stage.pay(id);
    return id;
  }
  const refund = (requestId: number, amount: number) =>
    app.callAs('admin', recordRefund, {
      body: { requestId, amount, reference: `F-${requestId}-${amount}` },
    });
  const refundableOf = async (requestId: number) => (await own(requestId)).refund?.refundable ?? 0;

  it('is cancelled by another person than who charged it, and refunded once', async () => {
    const requestId = await paid();
    const until = dayAfter(todayInDubai(), 30);
    // The provider goes on; the days of the fine are those of its notice.
    await stage.performAction('supervisor', calls.acceptRequest, { requestId });
    const before = await own(requestId);
    expect([before.statusId, before.objectUntil, before.allowedActions]).toEqual([
      7,
      until,
      ['object'],
    ]);
    expect((await object('individual2', requestId)).refused.error).toBe('RequestNotFound');
    const { body } = await object('individual', requestId);
    expect([body.statusId, body.allowedActions, body.due]).toEqual([15, [], 0]);
    expect((await stage.read('supervisor', requestId)).body.allowedActions).toEqual([]);
    for (const act of [grant, refuse])
      expect((await act('employee', requestId)).refused.error).toBe('AnotherApproverNeeded');
    const decided = await Promise.all([grant('employee2', requestId), grant('admin', requestId)]);
    expect(decided.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 400,
    ]);
    const after = await own(requestId);
    expect([after.statusId, after.due, after.fees.total]).toEqual([7, 0, before.fees.total]);
    expect([after.refund?.refundable, after.objectUntil]).toEqual([fine, undefined]);
    // Each entry of before is as it was, but for the state of its messages.
    const entries = (record: typeof after) =>
      record.history.map(({ action, at, message }) => ({ action, at, message }));
    expect(entries(after).slice(0, before.history.length)).toEqual(entries(before));
    expect((await object('individual', requestId)).refused.error).toBe('ActionNotAllowed');
    const { body: messages } = await app.callAs('individual', getRequestMessages, {
      query: { RequestId: requestId },
    });
    expect(messages.map(({ text }) => text).join()).toMatch(/pay back to you: AED\s80\.00/);
    expect((await refund(requestId, fine + 1)).refused.error).toBe('RefundTooLarge');
    expect((await refund(requestId, fine)).body.refunded).toBe(fine);
    expect((await refund(requestId, 1)).refused.error).toBe('RefundTooLarge');
    // Its end does not refund it again.
    await stage.performAction('supervisor', calls.rejectRequest, {
      requestId,
      requestHistoryRejectionReasonId: 1,
      ...messageTexts,
    });
    const lines = (await own(requestId)).fees.lines.filter((line) => line.refundable);
    const ofLines = lines.reduce((sum, { amount, vat }) => sum + amount + vat, 0);
    expect(await refundableOf(requestId)).toBe(fine + ofLines);
  });

  it('stays, and the request continues where it was, also after its end', async () => {
    const requestId = await paid();
    await stage.performAction('employee', calls.submittedRequest, { requestId });
    const sent = await Promise.all([
      object('individual', requestId),
      object('individual', requestId),
    ]);
    expect(sent.map(({ status }) => status)).toContain(200);
    const { history } = await own(requestId);
    expect(history.filter(({ action }) => action === 'object')).toHaveLength(1);
    const { body } = await refuse('employee2', requestId);
    expect([body.statusId, body.refund]).toEqual([9, undefined]);
    expect((await own(requestId)).allowedActions).toEqual([]);
  });

  it('begins the days of the service again after the objection', async () => {
    const requestId = await paid();
    const promised = (await own(requestId)).promisedBy;
    await object('individual', requestId);
    expect((await own(requestId)).promisedBy).not.toBe(promised);
    await refuse('employee2', requestId);
    expect((await own(requestId)).promisedBy).toBe(promised);
  });

  it.each([
    ['the last day', 0, 200],
    ['the first minute after it', -1, 400],
  ])('has the days of its notice: %s', async (_, days, status) => {
    const requestId = await paid();
    await app.database
      .updateTable('requests')
      .set({ objection_until: dayAfter(todayInDubai(), days) })
      .where('id', '=', requestId)
      .execute();
    expect((await own(requestId)).allowedActions).toEqual(status === 200 ? ['object'] : []);
    expect((await object('individual', requestId)).status).toBe(status);
  });

  it('adds to what is refundable while the refund of an earlier fine waits', async () => {
    const requestId = await paid();
    await object('individual', requestId);
    await grant('employee2', requestId);
    await setStatus(app, requestId, 4);
    await paid(requestId);
    expect((await refund(requestId, 3000)).status).toBe(200);
    await object('individual', requestId);
    // The refund of the earlier fine goes on.
    expect((await refund(requestId, 5000)).status).toBe(200);
    await grant('employee2', requestId);
    expect(await refundableOf(requestId)).toBe(2 * fine);
    // The limit of one person counts all refunds of the request.
    const { body } = await refund(requestId, fine);
    expect([body.refunded, body.waiting]).toEqual([fine, fine]);
    expect((await refund(requestId, 1)).refused.error).toBe('RefundTooLarge');
  });

  it('is refunded where its payment arrived during the objection', async () => {
    const { requestId } = await fined();
    await object('individual', requestId);
    await stage.pay(requestId);
    await grant('employee2', requestId);
    const { statusId, due, refund: back } = await own(requestId);
    expect([statusId, due, back?.refundable]).toEqual([6, 0, 10_000]);
  });

  it('can be objected to when its service is no longer offered', async () => {
    const requestId = await paid();
    const offer = (deletedAt: Date | null) =>
      app.database
        .updateTable('services')
        .set({ deleted_at: deletedAt })
        .where('replaced_name', '=', paidService)
        .execute();
    await offer(new Date());
    expect((await object('individual', requestId)).status).toBe(200);
    expect((await grant('employee2', requestId)).status).toBe(200);
    expect(await refundableOf(requestId)).toBe(fine);
    await offer(null);
  });
});
