import { postMoney } from '#features/requests/record/postings.actions.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { SettlementLine } from '#platform/integrations/settlement-file.ts';
import { createPayment } from '@diwan/contract/requests/payments';
import { startOfDay } from '@diwan/contract/wire/days';
import type { TestApp } from '../test-app.ts';
import { insertDemoRequest } from './demo-request.ts';

/** Payments of the day that `dayOf` returns, and what a provider's settlement file says of them. */
export function openSettlementStage(app: TestApp, dayOf: () => string) {
  let count = 0;
  return {
    /** A payment that was charged on the day. */
    async paid(amount = 10_500) {
      const at = new Date(startOfDay(dayOf()).getTime() + 10 * 3_600_000);
      const { requestId } = await insertDemoRequest(app, 'individual');
      const { body } = await app.callAs('individual', createPayment, { params: { requestId } });
      const payment = await app.database
        .updateTable('payments')
        .set({ status: 'paid', amount })
        .where('merchant_reference', '=', body.merchantReference)
        .returningAll()
        .executeTakeFirstOrThrow();
      await app.database
        .insertInto('payment_events')
        .values({
          id: `charge ${(count += 1)}`,
          payment_id: payment.id,
          kind: 'paid',
          amount,
          currency: 'AED',
          occurred_at: at,
        })
        .execute();
      await inTransaction(app.serverDatabase, (transaction) => postMoney(transaction, requestId));
      return payment;
    },
    /** The line of a payment; `parts` say what differs. */
    lineOf: (
      payment: { merchant_reference: string; amount: number },
      parts: Partial<SettlementLine> = {},
    ): SettlementLine => ({
      lineId: `line ${(count += 1)}`,
      kind: 'payment',
      merchantReference: payment.merchant_reference,
      refundId: '',
      amount: payment.amount,
      charge: 158,
      currency: 'AED',
      occurredAt: `${dayOf()}T06:00:00.000Z`,
      ...parts,
    }),
  };
}
