import * as calls from '@diwan/contract/payments/ledger';
import type { AppContext, Feature } from '../../platform/http/context.ts';
import { serve } from '../../platform/http/serve.ts';
import { closeDay, closeReconciledDays } from './days.actions.ts';
import { selectBalances, selectDays } from './days.store.ts';

/** The ledger as admins see it, and the close of its days. Our own calls; decision 0079. */
export function registerLedger(context: AppContext): Feature {
  const { database, config } = context;
  serve(context, calls.getLedgerBalances, ({ language }) => selectBalances(database, language));

  serve(context, calls.getLedgerDays, async ({ query }) => ({
    ...(await selectDays(database, query)),
    pageNumber: query.PageNumber,
  }));

  serve(context, calls.closeLedgerDay, ({ caller, request, body }) =>
    closeDay(database, { caller, address: request.ip }, body.day),
  );

  return {
    jobs: [
      // Seldom in tests, whose payments are checked by hand.
      {
        everySeconds: config.PAYMENT_CHECK_SECONDS * 20,
        run: () => closeReconciledDays(database),
      },
    ],
  };
}
