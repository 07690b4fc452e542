import type { AppContext, Feature } from '../../platform/http/context.ts';
import { checkOpenPayments, type PaymentsContext } from './payments.actions.ts';
import type { InvoicesContext } from './invoices.actions.ts';
import { serveInvoices } from './invoices.routes.ts';
import { servePayments } from './payments.routes.ts';

/** What payments need from requests, and the opened invoices. */
export interface PaymentsDependencies extends Pick<PaymentsContext, 'notifier' | 'announce'> {
  invoices: InvoicesContext;
}

/** Invoices, and payments for requests through the payment provider. Decision 0005. */
export function registerPayments(
  context: AppContext,
  { notifier, announce, invoices }: PaymentsDependencies,
): Feature {
  const { server, database, config, publicUrl, integrations } = context;
  const payments: PaymentsContext = {
    database,
    provider: integrations.paymentProvider,
    publicUrl,
    notifier,
    announce,
    warn: (message) => server.log.warn(message),
  };
  servePayments(context, payments);
  serveInvoices(context, invoices);
  const checkSeconds = config.PAYMENT_CHECK_SECONDS;
  return {
    jobs: [
      {
        everySeconds: Math.min(checkSeconds, 10),
        run: () => checkOpenPayments(payments, checkSeconds),
      },
    ],
  };
}
