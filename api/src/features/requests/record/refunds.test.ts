import { describe, expect, it } from 'vitest';
import { messageTexts, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { rejectRequest } from '@diwan/contract/requests/request-actions';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import * as calls from '@diwan/contract/requests/request-lists';

const app = useTestApp();
const stage = openRequestStage(app);

type Query = Record<string, string | number>;
const list = async (username: string, query: Query) =>
  (await app.callAs(username, calls.getRequestsByStatusId, { query: { Take: 100, ...query } }))
    .body;
const numbers = async (username: string, query: Query) =>
  (await list(username, query)).items.map(({ requestNumber }) => requestNumber);

const reject = async (username: string, requestId: number) =>
  stage.performAction(username, rejectRequest, {
    requestId,
    requestHistoryRejectionReasonId: 1,
    ...messageTexts,
  });
describe('refunds', () => {
  it('become due when a paid request is rejected, and are recorded once and up to the refundable amount', async () => {
    const { id } = await stage.findService(paidService);
    const { fees } = await app.database
      .selectFrom('services')
      .select('fees')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('services')
      .set({
        fees: JSON.stringify(fees.map((fee, index) => ({ ...fee, refundable: index === 0 }))),
      })
      .where('id', '=', id)
      .execute();
    await expect
      .poll(async () => (await stage.findService(paidService)).fees.lines[0]?.refundable)
      .toBe(true);
    const { requestId, requestNumber } = await stage.sendAndReceive('individual', paidService);
    expect(await numbers('employee', { HasRefundableFees: 'true' })).not.toContain(requestNumber);
    expect((await reject('employee', requestId)).status).toBe(200);
    const first = (await stage.read('individual', requestId)).body.fees.lines[0];
    const refundable = (first?.amount ?? 0) + (first?.vat ?? 0);
    expect((await stage.read('individual', requestId)).body.refund).toEqual({
      refundable,
      surplus: 0,
      refunded: 0,
      underway: 0,
      refunds: [],
    });
    expect(await numbers('employee', { HasRefundableFees: 'true', IsRefunded: 'false' })).toContain(
      requestNumber,
    );
    expect(await numbers('employee', { HasRefundableFees: 'false' })).not.toContain(requestNumber);
    const record = async (
      amount: number,
      reference: string,
      { username = 'admin', ...more }: { username?: string; refundedBefore?: number } = {},
    ) => app.callAs(username, recordRefund, { body: { requestId, amount, reference, ...more } });
    expect((await record(refundable + 1, 'R1')).refused.error).toBe('RefundTooLarge');
    expect((await record(refundable, 'R1', { username: 'employee' })).status).toBe(403);
    const twice = await Promise.all([record(refundable - 1, 'R1'), record(refundable - 1, 'R1')]);
    expect(twice.map(({ body }) => body.refunded)).toEqual([refundable - 1, refundable - 1]);
    expect((await record(1, 'R1')).refused.error).toBe('RefundReferenceTaken');
    expect((await record(2, 'R2')).refused.error).toBe('RefundTooLarge');
    // An outdated amount is refused. The same refund sent again is not recorded again.
    expect((await record(1, 'R2', { refundedBefore: 0 })).refused.error).toBe('RefundHasChanged');
    expect((await record(refundable - 1, 'R1', { refundedBefore: 0 })).body.refunded).toBe(
      refundable - 1,
    );
    expect((await record(1, 'R2', { refundedBefore: refundable - 1 })).body).toMatchObject({
      refunded: refundable,
      underway: 0,
      refunds: [
        { amount: refundable - 1, reference: 'R1', recordedBy: 'Aisha Al Demo' },
        { amount: 1 },
      ],
    });
    expect((await stage.read('individual', requestId)).body.refund?.refunds[0]).not.toHaveProperty(
      'recordedBy',
    );
    expect(await numbers('employee', { IsRefunded: 'true' })).toContain(requestNumber);
    expect(await numbers('employee', { IsRefunded: 'false' })).not.toContain(requestNumber);
    const { body: audit } = await app.callAs('admin', getAuditEvents, {
      query: { Kind: 'refundRecorded' },
    });
    expect(audit.items.map(({ username, reason }) => [username, reason])).toEqual(
      [1, refundable - 1].map((amount) => [
        'admin',
        `${requestNumber}: ${(amount / 100).toFixed(2)} AED`,
      ]),
    );
  });

  it('include overpayments', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const paid = await app.database
      .selectFrom('payments')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    const { id: _id, ...again } = paid;
    const twice = await app.database
      .insertInto('payments')
      .values({ ...again, merchant_reference: `${paid.merchant_reference}-2`, status: 'cancelled' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.database
      .insertInto('payment_events')
      .values({
        id: `again-${twice.id}`,
        payment_id: twice.id,
        kind: 'paid',
        amount: paid.amount,
        currency: 'AED',
        occurred_at: new Date(),
      })
      .execute();
    await app.database
      .updateTable('requests')
      .set({ refundable: paid.amount })
      .where('id', '=', requestId)
      .execute();
    expect((await stage.read('individual', requestId)).body.refund).toEqual({
      refundable: paid.amount,
      surplus: paid.amount,
      refunded: 0,
      underway: 0,
      refunds: [],
    });
  });
});
