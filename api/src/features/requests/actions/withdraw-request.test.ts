import { expect, it } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { silentNotifier } from '#features/messages/notifications.actions.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { WithdrawalRule } from '@diwan/contract/catalogue/fees';
import {
  askToWithdrawRequest,
  grantWithdrawal,
  refuseWithdrawal,
  withdrawRequest,
} from '@diwan/contract/processing/withdrawals';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/request-actions';
import { hasWorkBegun, refundedQuote } from '../model/paid-lines.ts';
import { markPaid } from '../requests.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);

const withdraw = (username: string, requestId: number, version?: number) =>
  stage.performAction(username, withdrawRequest, { requestId, version });
const ask = (username: string, requestId: number, reason = 'I sent it twice') =>
  stage.performAction(username, askToWithdrawRequest, { requestId, reason });
const grant = (username: string, requestId: number) =>
  stage.performAction(username, grantWithdrawal, { requestId });
const paidOf = async (requestId: number) =>
  (await stage.read('individual', requestId)).body.fees.total;

/** The rule of the paid service, of which the first fee alone is refundable. */
async function setRule(rule: WithdrawalRule): Promise<void> {
  const { id } = await stage.findService(paidService);
  const { fees } = await app.database
    .selectFrom('services')
    .select('fees')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await app.database
    .updateTable('services')
    .set({
      withdrawal: JSON.stringify(rule),
      fees: JSON.stringify(fees.map((fee, index) => ({ ...fee, refundable: index === 0 }))),
    })
    .where('id', '=', id)
    .execute();
  await expect
    .poll(async () => (await stage.findService(paidService)).fees.lines[0]?.refundable)
    .toBe(true);
}

it('ends an own request before work begins, with all fees refundable, and tells the applicant', async () => {
  await setRule({ beforeWork: 'full', afterWork: 'part' });
  const { requestId } = await stage.send('individual', paidService);
  await stage.pay(requestId);
  const before = (await stage.read('individual', requestId)).body;
  expect(before.allowedActions).toContain('withdraw');
  expect(before.withdrawal).toEqual({ paid: before.fees.total, refund: before.fees.total });
  const { status, body } = await withdraw('individual', requestId, before.version);
  expect([status, body.statusTone, body.allowedActions]).toEqual([200, 'withdrawn', []]);
  expect(body.refund).toMatchObject({ refundable: before.fees.total, refunded: 0 });
  expect(body.history.at(-1)).toMatchObject({ action: 'withdraw', actorKind: 'you' });
  const messages = await app.callAs('individual', getRequestMessages, {
    query: { RequestId: requestId },
  });
  expect(messages.body.map(({ subject }) => subject).join()).toContain(body.requestNumber);
  // Twice by a lost reply, and by somebody else.
  expect((await withdraw('individual', requestId, before.version)).status).toBe(200);
  expect((await withdraw('individual2', requestId)).refused.error).toBe('RequestNotFound');
  expect((await stage.receive('employee', requestId)).refused.error).toBe('ActionNotAllowed');
});

it('follows the rule that the request was sent under', async () => {
  await setRule({ beforeWork: 'part', afterWork: 'none' });
  const { requestId } = await stage.send('individual', paidService);
  await stage.pay(requestId);
  await setRule({ beforeWork: 'full', afterWork: 'full' });
  const { body } = await withdraw('individual', requestId);
  const [first] = body.fees.lines;
  expect(body.refund?.refundable).toBe((first?.amount ?? 0) + (first?.vat ?? 0));
});

it('leaves the decision to the agency once work has begun', async () => {
  await setRule({ beforeWork: 'full', afterWork: 'part' });
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  expect((await withdraw('individual', requestId)).refused.error).toBe('ActionNotAllowed');
  expect((await ask('individual', requestId, ' \u200e ')).refused.errors).toHaveProperty('reason');
  expect((await ask('individual2', requestId)).refused.error).toBe('RequestNotFound');
  const asked = await ask('individual', requestId);
  expect(asked.body).toMatchObject({ statusTone: 'progress', allowedActions: [] });
  const ofClerk = (await stage.read('employee2', requestId)).body;
  expect(ofClerk.allowedActions).toEqual(['grantWithdrawal', 'refuseWithdrawal']);
  expect(ofClerk.history.at(-1)?.message).toBe('I sent it twice');
  const granted = await grant('employee2', requestId);
  const [first] = granted.body.fees.lines;
  expect(granted.body.statusTone).toBe('withdrawn');
  expect((await stage.read('individual', requestId)).body.refund?.refundable).toBe(
    (first?.amount ?? 0) + (first?.vat ?? 0),
  );
  expect(granted.body.fees.total).toBe(await paidOf(requestId));
});

it('continues with a reason that the applicant reads', async () => {
  const { requestId } = await stage.sendAndReceive('individual', freeService);
  await ask('individual', requestId);
  const refuse = (texts: object) =>
    stage.performAction('employee', refuseWithdrawal, { requestId, ...texts });
  expect((await refuse({})).refused.error).toBe('MessageIncomplete');
  const { body } = await refuse(messageTexts);
  expect(body.allowedActions).toContain('approve');
  const own = (await stage.read('individual', requestId)).body;
  expect(own.history.at(-1)).toMatchObject({ action: 'refuseWithdrawal', actorKind: 'employee' });
  expect(own.history.at(-1)?.message).not.toBe('');
  expect(own.allowedActions).toContain('askToWithdraw');
});

it('gives a request that waited for its applicant to the employee who continues it', async () => {
  const { requestId } = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', calls.returnRequest, {
    requestId,
    requestHistoryRejectionReasonsList: [1],
    ...messageTexts,
  });
  await app.database
    .updateTable('requests')
    .set({ holder_id: null })
    .where('id', '=', requestId)
    .execute();
  await ask('individual', requestId);
  const { body } = await stage.performAction('employee2', refuseWithdrawal, {
    requestId,
    ...messageTexts,
  });
  expect(body.holder?.isYou).toBe(true);
  expect(body.allowedActions).toContain('return');
});

it.each([1, 2, 3, 4, 5])('ends in one way when a clerk receives it meanwhile (%i)', async () => {
  const { requestId } = await stage.send('individual', freeService);
  const { version } = (await stage.read('individual', requestId)).body;
  const answers = await Promise.all([
    withdraw('individual', requestId, version),
    app.callAs('employee', calls.receiveRequest, {
      params: { requestId },
      query: { version },
    }),
  ]);
  const errors = answers.flatMap(({ status, refused }) => (status === 200 ? [] : [refused.error]));
  expect(errors).toEqual(['VersionHasChanged']);
});

it.each([0, 1, 2, 3, 4, 5])(
  'is one of two steps at the same time, never both (%i)',
  async (round) => {
    const both = (acts: (() => Promise<{ status: number }>)[]) =>
      Promise.all((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
    const actionsOf = async (requestId: number) => {
      const { body } = await stage.read('individual', requestId);
      return body.history.map(({ action }) => action);
    };

    const { requestId } = await stage.send('individual', freeService);
    const started = await both([
      () => withdraw('individual', requestId),
      () => stage.receive('employee', requestId),
    ]);
    expect(started.filter(({ status }) => status === 200)).toHaveLength(1);
    const steps = await actionsOf(requestId);
    expect(steps.includes('withdraw')).toBe(!steps.includes('receive'));

    const { requestId: decided } = await stage.sendAndReceive('individual', freeService);
    const [first, second] = await both([
      () => ask('individual', decided),
      () => stage.performAction('employee', calls.approveRequest, { requestId: decided }),
    ]);
    // An approved request can still be asked for; one that is asked for is not approved.
    expect([first?.status, second?.status]).toContain(200);
    if (first?.status === second?.status)
      expect((await actionsOf(decided)).at(-1)).toBe('askToWithdraw');
  },
);

it('pays back a payment that arrives after the withdrawal', async () => {
  const { requestId } = await stage.send('individual', paidService);
  expect((await withdraw('individual', requestId)).body.refund).toBeUndefined();
  const { total } = (await stage.read('individual', requestId)).body;
  await inTransaction(app.database, async (transaction) => {
    const context = {
      workflow: storedWorkflows(transaction),
      calendars: await openCalendars(transaction),
      notifier: silentNotifier,
    };
    await markPaid(context, transaction, requestId, { amount: total });
  });
  const { fees, refund, statusTone } = (await stage.read('individual', requestId)).body;
  expect([statusTone, refund?.refundable]).toEqual(['withdrawn', fees.total]);
});

it('counts work only where staff did something', () => {
  const step = (
    action: 'create' | 'receive' | 'release' | 'return',
    kind: 'applicant' | 'employee',
  ) => ({
    action,
    actor_kind: kind,
  });
  const idle = [
    step('create', 'applicant'),
    step('receive', 'employee'),
    step('release', 'employee'),
  ];
  expect(hasWorkBegun(null, idle)).toBe(false);
  expect(hasWorkBegun('somebody', idle)).toBe(true);
  expect(hasWorkBegun(null, [...idle, step('return', 'employee')])).toBe(true);
});

it('marks the lines that a rule pays back', () => {
  const line = {
    name: 'fee',
    title: { 'ar-EG': '', 'en-US': '', 'ur-PK': '' },
    vatRate: 0,
    vat: 0,
  };
  const quote = {
    lines: [
      { ...line, amount: 100, refundable: true },
      { ...line, amount: 50 },
    ],
    vat: 0,
    total: 150,
  };
  const marks = (refund: 'full' | 'part' | 'none') =>
    refundedQuote(quote as never, refund).lines.map(({ refundable }) => refundable === true);
  expect([marks('full'), marks('part'), marks('none')]).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
});
