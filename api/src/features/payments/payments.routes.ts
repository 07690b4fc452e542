import {
  checkRequestIsPaid,
  createPayment,
  postPayProPaymentResult,
} from '@diwan/contract/requests/payments';
import type { AppContext } from '../../platform/http/context.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import { serve } from '../../platform/http/serve.ts';
import { findRequestIdByNumber, isPaid } from '../requests/requests.actions.ts';
import { beginPayment, settle, settleReturn, type PaymentsContext } from './payments.actions.ts';
import { findAlive } from './payments.store.ts';

// Each return asks the provider. Far above the people of one office who come back from paying, far
// below what would be felt there.
const returnsPerMinute = 600;
// Each asks the provider too; nobody pays for two requests a second.
const paymentsPerMinute = 120;

/**
 * Paying for a request. Source: specification §7 Payment; the page that the visitor comes back to
 * is §2 payment-status.
 */
export function servePayments(context: AppContext, payments: PaymentsContext): void {
  serve(
    context,
    createPayment,
    ({ caller, params, language }) => beginPayment(payments, caller, params.requestId, language),
    { perMinute: paymentsPerMinute, perPerson: true },
  );

  serve(
    context,
    postPayProPaymentResult,
    async ({ query, reply }) => {
      const result = await settleReturn(payments, query.paymentSummary).catch((error: unknown) => {
        if (error instanceof Refusal) return { isPaid: false, requestNumber: '' };
        throw error;
      });
      const page = new URLSearchParams({
        ...(result.isPaid ? { result: 'success' } : {}),
        ...(result.requestNumber ? { 'request-number': result.requestNumber } : {}),
      });
      return reply.redirect(`/payment-status?${page.toString()}`);
    },
    { perMinute: returnsPerMinute },
  );

  serve(
    context,
    checkRequestIsPaid,
    async ({ query }) => {
      const requestId = await findRequestIdByNumber(context.database, query.RequestNumber);
      const payment = await findAlive(context.database, requestId);
      if (payment?.status === 'pending') await settle(payments, payment.merchant_reference);
      return { isPaid: await isPaid(context.database, requestId) };
    },
    { perMinute: context.config.INQUIRIES_PER_MINUTE },
  );
}
