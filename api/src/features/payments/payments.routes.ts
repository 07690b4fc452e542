import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  getPaymentRouting,
  paymentProviderNames,
  receivePaymentMessage,
  savePaymentProvider,
  savePaymentRule,
} from '@diwan/contract/payments/providers';
import {
  checkRequestIsPaid,
  createPayment,
  getPaymentMethods,
  postPayProPaymentResult,
  type PaymentStatus,
} from '@diwan/contract/requests/payments';
import { getRequestIdByNumber, isRequestPaid } from '../requests/requests.actions.ts';
import { settle, type PaymentsContext } from './payment-events.actions.ts';
import { maximumMessageBytes, receiveMessage, recordRefused } from './payment-messages.actions.ts';
import { beginPayment, settleReturn } from './payments.actions.ts';
import { findLastStatus, findOpenOrPaid } from './payments.store.ts';
import {
  describeRouting,
  offerMethods,
  saveProvider,
  saveRule,
} from './routing/routing.actions.ts';

// Each return asks the provider. The limit is far above the number of visitors of one office who
// return from paying, and far below a load that the provider would notice.
const returnsPerMinute = 600;
// Each call asks the provider too; no user pays for two requests a second.
const paymentsPerMinute = 120;

// The statuses that the page of the return explains.
const shownReasons: ReadonlySet<PaymentStatus> = new Set([
  'declined',
  'cancelled',
  'expired',
  'returned',
  'pending',
  'held',
]);

// A provider sends two or three messages for a payment.
const messagesPerMinute = 6000;

/**
 * The address of the providers' messages. The signature covers the bytes, so that the body is not
 * parsed before it is checked; and nobody is asked to hold a long one in memory.
 */
function serveMessages(context: AppContext, payments: PaymentsContext): void {
  void context.server.register(async (server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maximumMessageBytes },
      (_request, body, done) => done(null, body),
    );
    server.setErrorHandler(async (error: { statusCode?: number }, request) => {
      if (error.statusCode === 413) {
        const { provider } = request.params as { provider: string };
        await recordRefused(payments, {
          // Only names that we know become rows.
          provider: paymentProviderNames.find((name) => name === provider) ?? 'unknown',
          reason: 'tooLarge',
          bytes: Number(request.headers['content-length'] ?? 0),
        });
      }
      throw error;
    });
    serve(
      { ...context, server },
      receivePaymentMessage,
      async ({ params, request }) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await receiveMessage(payments, params.provider, raw, request.headers);
        return { isAccepted: true };
      },
      {
        perMinute: messagesPerMinute,
        perPerson: false,
        waitsElsewhere: true,
        bodyLimit: maximumMessageBytes,
      },
    );
  });
}

/** Which provider a payment goes to. */
function serveRouting(context: AppContext, payments: PaymentsContext): void {
  serve(context, getPaymentMethods, () => offerMethods(payments));

  serve(context, getPaymentRouting, () => describeRouting(payments));

  serve(context, savePaymentProvider, ({ caller, request, body }) =>
    saveProvider(payments, { caller, address: request.ip }, body),
  );

  serve(context, savePaymentRule, ({ caller, request, body }) =>
    saveRule(payments, { caller, address: request.ip }, body),
  );
}

/**
 * Payments for a request. Source: specification §7 Payment; the page to which the visitor returns is
 * §2 payment-status.
 */
export function servePayments(context: AppContext, payments: PaymentsContext): void {
  serve(
    context,
    createPayment,
    ({ caller, params, query, language }) =>
      beginPayment(payments, caller, params.requestId, { language, method: query.Method }),
    { perMinute: paymentsPerMinute, perPerson: true, waitsElsewhere: true },
  );

  serve(
    context,
    postPayProPaymentResult,
    async ({ query, reply }) => {
      const { status, requestNumber, merchantReference } = await settleReturn(
        payments,
        query.paymentSummary,
      ).catch((error: unknown) => {
        if (error instanceof Refusal)
          return { status: undefined, requestNumber: '', merchantReference: '' };
        throw error;
      });
      const page = new URLSearchParams({
        ...(status === 'paid' ? { result: 'success' } : {}),
        ...(requestNumber ? { 'request-number': requestNumber } : {}),
        // By which a signed-in visitor's page finds the request.
        ...(merchantReference ? { 'merchant-reference': merchantReference } : {}),
        // Why the payment is not paid, or not yet.
        ...(status && shownReasons.has(status) ? { reason: status } : {}),
      });
      return reply.redirect(`/payment-status?${page.toString()}`);
    },
    { perMinute: returnsPerMinute, perPerson: false, waitsElsewhere: true },
  );

  serve(
    context,
    checkRequestIsPaid,
    async ({ query }) => {
      const requestId = await getRequestIdByNumber(context.database, query.RequestNumber);
      const payment = await findOpenOrPaid(context.database, requestId);
      if (payment?.status === 'pending') await settle(payments, payment.merchant_reference);
      if (await isRequestPaid(context.database, requestId)) return { isPaid: true };
      const lastPayment = await findLastStatus(context.database, requestId);
      return { isPaid: false, ...(lastPayment ? { lastPayment } : {}) };
    },
    { perMinute: context.config.INQUIRIES_PER_MINUTE, perPerson: true, waitsElsewhere: true },
  );

  serveMessages(context, payments);
  serveRouting(context, payments);
}
