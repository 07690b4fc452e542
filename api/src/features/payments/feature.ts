import type { AppContext, Feature } from '../../platform/http/context.ts';
import { checkOpenPayments, type PaymentsContext } from './payments.actions.ts';
import { servePayments } from './payments.routes.ts';

/** What payments need from requests. */
export type PaymentsDependencies = Pick<PaymentsContext, 'notifier' | 'announce'>;

/** Payments for requests through the payment provider. Decision 0005. */
export function registerPayments(
  context: AppContext,
  { notifier, announce }: PaymentsDependencies,
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
