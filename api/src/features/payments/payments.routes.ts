import {
  checkRequestIsPaid,
  createPayment,
  postPayProPaymentResult,
} from '@diwan/contract/requests/payments';
import type { AppContext } from '../../platform/http/context.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import { serve } from '../../platform/http/serve.ts';
import { getRequestIdByNumber, isRequestPaid } from '../requests/requests.actions.ts';
import { beginPayment, settle, settleReturn, type PaymentsContext } from './payments.actions.ts';
import { findOpenOrPaid } from './payments.store.ts';

// Each return asks the provider. The limit is far above the number of visitors of one office who
// return from paying, and far below a load that the provider would notice.
const returnsPerMinute = 600;
// Each call asks the provider too; no user pays for two requests a second.
const paymentsPerMinute = 120;

/**
 * Payments for a request. Source: specification §7 Payment; the page to which the visitor returns is
 * §2 payment-status.
 */
export function servePayments(context: AppContext, payments: PaymentsContext): void {
  serve(
    context,
    createPayment,
    ({ caller, params, language }) => beginPayment(payments, caller, params.requestId, language),
    { perMinute: paymentsPerMinute, perPerson: true, waitsElsewhere: true },
  );

  serve(
    context,
    postPayProPaymentResult,
    async ({ query, reply }) => {
      const { status, requestNumber } = await settleReturn(payments, query.paymentSummary).catch(
        (error: unknown) => {
          if (error instanceof Refusal) return { status: undefined, requestNumber: '' };
          throw error;
        },
      );
      const page = new URLSearchParams({
        ...(status === 'paid' ? { result: 'success' } : {}),
        ...(requestNumber ? { 'request-number': requestNumber } : {}),
        // Why the payment did not go through.
        ...(status === 'declined' || status === 'cancelled' ? { reason: status } : {}),
      });
      return reply.redirect(`/payment-status?${page.toString()}`);
    },
    { perMinute: returnsPerMinute, waitsElsewhere: true },
  );

  serve(
    context,
    checkRequestIsPaid,
    async ({ query }) => {
      const requestId = await getRequestIdByNumber(context.database, query.RequestNumber);
      const payment = await findOpenOrPaid(context.database, requestId);
      if (payment?.status === 'pending') await settle(payments, payment.merchant_reference);
      return { isPaid: await isRequestPaid(context.database, requestId) };
    },
    { perMinute: context.config.INQUIRIES_PER_MINUTE, waitsElsewhere: true },
  );
}
