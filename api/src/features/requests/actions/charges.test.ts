import { describe, expect, it } from 'vitest';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { previewMessages } from '@diwan/contract/requests/messages';
import {
  checkRequestIsPaid,
  createPayment,
  postPayProPaymentResult,
} from '@diwan/contract/requests/payments';
import {
  chargeReasonCollection,
  rejectionReasonCollection,
  saveRejectionReason,
} from '@diwan/contract/requests/rejection-reasons';
import * as calls from '@diwan/contract/requests/request-actions';
import {
  calculateDetailedCost,
  calculatePendingPaymentRequestCost,
} from '@diwan/contract/requests/request-costs';
import { getRequestState } from '@diwan/contract/requests/requests';

const app = useTestApp({ FINES_GATEWAY_FEE_RATE: '200' });
const stage = openRequestStage(app);

const approve = (requestId: number, charges: object = {}, as = 'employee') =>
  stage.performAction(as, calls.approveRequest, { requestId, ...charges });
const pending = async (requestId: number, as = 'individual') =>
  (await app.callAs(as, calculatePendingPaymentRequestCost, { query: { RequestId: requestId } }))
    .body;
const detailed = async (requestId: number) =>
  (await app.callAs('individual', calculateDetailedCost, { query: { RequestId: requestId } })).body;
const begin = async (requestId: number) =>
  app.callAs('individual', createPayment, { params: { requestId } });

async function payAtProvider(requestId: number): Promise<number> {
  const { body } = await begin(requestId);
  const response = await fetch(body.paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl), {
    method: 'POST',
    body: new URLSearchParams({ decision: 'paid' }),
    redirect: 'manual',
  });
  const back = new URL(response.headers.get('location') ?? '');
  await app.call(postPayProPaymentResult, {
    query: { paymentSummary: back.searchParams.get('paymentSummary') ?? '' },
  });
  return (
    await app.database
      .selectFrom('payments')
      .select('amount')
      .where('merchant_reference', '=', body.merchantReference)
      .executeTakeFirstOrThrow()
  ).amount;
}

describe('fines and fees with an approval', () => {
  it('are paid once and exactly, and the request then moves to the next status', async () => {
    const { requestId, requestNumber } = await stage.send('individual', paidService);
    const first = await pending(requestId);
    expect(first).toMatchObject({ isPayable: true, due: (await detailed(requestId)).total });
    expect(await payAtProvider(requestId)).toBe(first.due);
    expect(await pending(requestId)).toMatchObject({ due: 0, lines: [], isPayable: false });
    await stage.receive('employee', requestId);
    expect((await stage.read('employee', requestId)).body.chargingActions).toEqual(['approve']);
    expect((await stage.read('individual', requestId)).body.chargingActions).toEqual([]);

    const { body: record } = await approve(requestId, {
      fines: 60_000,
      totalAdminstrativeFees: 5_000,
      totalAdminstrativeFeesVatValue: 250,
    });
    const added = 60_000 + 1_200 + 5_250;
    expect(record).toMatchObject({ statusId: 8, due: added, total: first.due + added });
    expect((await stage.read('individual', requestId)).body.allowedActions).toEqual([
      'pay',
      'withdraw',
      'object',
    ]);
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: false, lastPayment: 'paid' });
    const cost = await detailed(requestId);
    expect(
      cost.lines.slice(-3).map(({ name, amount, vat, paid }) => [name, amount, vat, paid]),
    ).toEqual([
      ['fines', 60_000, 0, 0],
      ['finesGatewayFee', 1_200, 0, 0],
      ['administrativeFees', 5_000, 250, 0],
    ]);
    expect([cost.paid, cost.due, cost.lines.reduce((sum, { paid }) => sum + paid, 0)]).toEqual([
      first.due,
      added,
      first.due,
    ]);
    expect((await pending(requestId)).lines.map(({ name, due, vat }) => [name, due, vat])).toEqual([
      ['fines', 60_000, 0],
      ['finesGatewayFee', 1_200, 0],
      ['administrativeFees', 5_250, 250],
    ]);
    // The payment page of the provider names the charges.
    const { body: open } = await begin(requestId);
    expect(
      await (await fetch(open.paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl))).text(),
    ).toContain(
      `${requestNumber} · Renew Vehicle Ownership · Fines, Payment gateway fee on fines, and Administrative fees<`,
    );

    expect(await payAtProvider(requestId)).toBe(added);
    expect((await begin(requestId)).refused.error).toBe('RequestAlreadyPaid');
    expect((await stage.read('individual', requestId)).body).toMatchObject({ statusId: 6, due: 0 });
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: true });
    const history = await app.database
      .selectFrom('request_history')
      .select(['action', 'charged'])
      .where('request_id', '=', requestId)
      .orderBy('id')
      .execute();
    expect(history.filter(({ charged }) => charged > 0)).toEqual([
      { action: 'approve', charged: added },
    ]);
  });

  it('are paid once when several browsers pay at the same time', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    await approve(requestId, { fines: 10_000 });
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(requestId)));
    expect(new Set(begun.map(({ body }) => body.merchantReference)).size).toBe(1);
    expect(await payAtProvider(requestId)).toBe(10_200);
    const paid = await app.database
      .selectFrom('payments')
      .select('round')
      .where('request_id', '=', requestId)
      .where('status', '=', 'paid')
      .orderBy('round')
      .execute();
    expect(paid.map(({ round }) => round)).toEqual([1, 2]);
    await expect(
      app.database
        .insertInto('payments')
        .values({
          request_id: requestId,
          round: 2,
          merchant_reference: 'second',
          amount: 1,
          currency: 'AED',
        })
        .execute(),
    ).rejects.toThrow(/payments_one_alive/);
  });

  it('can be added to a free request', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect((await approve(requestId, { totalAdminstrativeFees: 100 })).body).toMatchObject({
      statusId: 8,
      total: 105,
    });
    expect(await payAtProvider(requestId)).toBe(105);
    expect((await stage.read('employee', requestId)).body.statusId).toBe(6);
  });

  it('that include the gateway fee are not charged it again', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect(
      (await approve(requestId, { fines: 10_200, isPaymentGatewayFeesOfFinesCalculated: true }))
        .body.due,
    ).toBe(10_200);
  });

  it('name their reasons on the page, in the message and in the history', async () => {
    const { body: reasons } = await app.callAs('employee', chargeReasonCollection, {});
    const [fine, fee] = (['fine', 'fee'] as const).map((kind) =>
      reasons.find((each) => each.kind === kind),
    );
    if (!fine || !fee) throw new Error('The demo has reasons of both kinds');
    const { requestId } = await stage.sendAndReceive('individual');
    const charges = { fines: 10_000, totalAdminstrativeFees: 5_000 };
    const chosen = { requestHistoryRejectionReasonsList: [fee.id, fine.id] };
    const preview = await app.callAs('employee', previewMessages, {
      body: { requestId, action: 'approve', ...charges, ...chosen },
    });
    expect(preview.body.messages[0]?.text).toContain(`- ${fee.names['en-US']}`);
    await approve(requestId, { ...charges, ...chosen });
    const { lines } = await detailed(requestId);
    expect(lines.map(({ title }) => title)).toEqual(
      expect.arrayContaining([`Fines: ${fine.name}`, `Administrative fees: ${fee.name}`]),
    );
    const { history } = (await stage.read('individual', requestId)).body;
    expect(history.at(-1)?.reasons.toSorted()).toEqual([fine.name, fee.name].toSorted());
  });

  it('refuse a reason of another kind, a second one, one that is retired, and one without its amount', async () => {
    const { body: reasons } = await app.callAs('admin', saveRejectionReason, {
      body: { kind: 'fine', nameAr: 'سبب للتجربة', nameEn: 'A trial', nameUr: 'آزمائش' },
    });
    const added = reasons.find(({ names }) => names['en-US'] === 'A trial');
    if (!added) throw new Error('The reason was not added');
    expect(added.kind).toBe('fine');
    const { id, version } = added;
    const other = reasons.find((each) => each.kind === 'fine' && each.id !== id);
    const { requestId } = await stage.sendAndReceive('individual');
    const refusal = async (list: number[], charges: object = { fines: 100 }) =>
      (await approve(requestId, { ...charges, requestHistoryRejectionReasonsList: list })).refused
        .error;
    expect(await refusal([1])).toBe('RejectionReasonNotFound');
    expect(await refusal([id, other?.id ?? 0])).toBe('RejectionReasonNotFound');
    expect(await refusal([id], { totalAdminstrativeFees: 100 })).toBe('RejectionReasonNotFound');
    const names = { nameAr: 'سبب للتجربة', nameEn: 'A trial', nameUr: 'آزمائش' };
    await app.callAs('admin', saveRejectionReason, {
      body: { id, version, ...names, isRetired: true },
    });
    expect(await refusal([id])).toBe('RejectionReasonNotFound');
    // Reasons of charges are not offered for returns, nor accepted there.
    const offered = (await app.callAs('employee', rejectionReasonCollection, {})).body;
    expect(offered.some((each) => each.id === other?.id)).toBe(false);
    // Without an amount nothing is charged, so that a list of reasons means nothing.
    expect(await refusal([1], {})).toBeUndefined();
  });

  it('of zero lead to the next status without a payment', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect(
      (
        await approve(requestId, {
          fines: 0,
          totalAdminstrativeFees: 0,
          totalAdminstrativeFeesVatValue: 0,
        })
      ).body,
    ).toMatchObject({ statusId: 6, due: 0 });
  });

  it.each([
    [{ totalAdminstrativeFees: 5_000, totalAdminstrativeFeesVatValue: 249 }, 'ChargeVatWrong'],
    [{ totalAdminstrativeFeesVatValue: 5 }, 'ChargeVatWrong'],
    [{ statusId: 5 }, 'VersionHasChanged'],
  ])('refuses %j by name and changes nothing', async (charges, name) => {
    const { requestId } = await stage.sendAndReceive('individual');
    // The outbox changes `notice` at any time; links are signed anew for each reply.
    const readContent = async () => {
      const record = (await stage.read('employee', requestId)).body;
      return {
        ...record,
        history: record.history.map((entry) => ({ ...entry, notice: undefined })),
        attachments: record.attachments.map(({ attachmentId }) => attachmentId),
        requestLink: undefined,
      };
    };
    const before = await readContent();
    expect((await approve(requestId, charges)).refused.error).toBe(name);
    expect(await readContent()).toEqual(before);
  });

  it.each([
    { fines: -1 },
    { fines: 0.5 },
    { fines: 10_000_000_001 },
    { totalAdminstrativeFees: '5' },
    { totalAdminstrativeFeesVatValue: null },
    { fines: 1e300 },
  ])('refuses %j, which is no amount', async (charges) => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { status, refused } = await approve(requestId, charges);
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, [Object.keys(charges)[0]]]);
  });

  it('are refused for actions that cannot charge, and from staff who do not hold the request', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    expect(
      (await stage.performAction('employee', calls.submittedRequest, { requestId, fines: 100 }))
        .refused.error,
    ).toBe('ChargeNotPossible');
    expect((await approve(requestId, { fines: 100 }, 'employee2')).refused.error).toBe(
      'ActionNotAllowed',
    );
    expect(
      (
        await stage.performAction('employee', calls.returnRequest, {
          requestId,
          fines: 100,
          requestHistoryRejectionReasonsList: [1],
          ...messageTexts,
        })
      ).body,
    ).toMatchObject({ statusId: 5, due: 0 });
  });

  it('are charged once after a double click', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { version } = (await stage.read('employee', requestId)).body;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        approve(requestId, { version, fines: 10_000, isPaymentGatewayFeesOfFinesCalculated: true }),
      ),
    );
    expect((await stage.read('employee', requestId)).body.due).toBe(10_000);
  });
});

describe('GetRequestState', () => {
  it('returns the state of a request to callers who may see it', async () => {
    const { requestId, requestNumber } = await stage.sendAndReceive('individual');
    const state = async (as: string, RequestId = requestId) =>
      app.callAs(as, getRequestState, { query: { RequestId } });
    expect((await state('individual')).body).toMatchObject({
      requestId,
      requestNumber,
      statusId: 4,
      statusKey: 'processing',
      statusTone: 'progress',
      version: 2,
      allowedActions: ['askToWithdraw'],
      due: 0,
      refundable: 0,
      refunded: 0,
    });
    expect((await state('employee')).body.allowedActions).toEqual(
      (await stage.read('employee', requestId)).body.allowedActions,
    );
    for (const other of ['individual2', 'company', 'supervisor'])
      expect((await state(other)).refused.error, other).toBe('RequestNotFound');
    expect((await state('individual', 999_999)).refused.error).toBe('RequestNotFound');
  });
});
