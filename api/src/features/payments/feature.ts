import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findUserAsCaller } from '#platform/auth/sessions/find-caller.ts';
import type { Database } from '#platform/database/database.ts';
import type { AppContext, Feature, PeriodicJob } from '#platform/http/context.ts';
import { postEarlierMoney } from '../requests/record/postings.actions.ts';
import { servePaymentAdministration } from './administration/payment-administration.routes.ts';
import { issueDueDocuments, type InvoicesContext } from './invoices/invoices.actions.ts';
import { serveInvoices } from './invoices/invoices.routes.ts';
import type { PaymentsContext } from './payment-events.actions.ts';
import { checkOpenPayments } from './payments.actions.ts';
import { servePayments } from './payments.routes.ts';
import {
  continueRun,
  deleteOldFiles,
  type ReceiptRunsContext,
} from './receipts/receipt-runs.actions.ts';
import { serveReceiptRuns } from './receipts/receipt-runs.routes.ts';
import { sendRefunds, type RefundsContext } from './refunds.actions.ts';
import { reconcileRestore } from './restored/restored-payments.actions.ts';
import { serveSettlement } from './settlement/settlement.routes.ts';
import { fetchMissingFiles } from './settlement/settlements.actions.ts';
import { serveVatReport } from './vat/vat-report.routes.ts';

/** Books in the ledger what is missing there, a part of the payments at a time. */
function postEarlierMoneyJob(database: Database): PeriodicJob {
  let after = 0;
  return {
    everySeconds: 10,
    run: async () => void (after = await postEarlierMoney(database, after)),
  };
}

/**
 * The job that reconciles a restored database. It begins before people can call, and they wait for it
 * for a moment: who paid already is not asked to pay.
 */
function reconcileJob({ server }: AppContext, payments: PaymentsContext): PeriodicJob {
  let running: Promise<void> | undefined;
  const run = () => (running ??= reconcileRestore(payments).finally(() => (running = undefined)));
  server.addHook('onReady', async () => {
    const begun = run().catch((error: Error) => payments.warn(error.message));
    await Promise.race([begun, sleep(5000, undefined, { ref: false })]);
  });
  return { everySeconds: 30, run };
}

/** What payments need from requests, and the opened invoices. */
interface PaymentsDependencies extends Pick<
  PaymentsContext,
  'workflow' | 'calendars' | 'notifier' | 'announce' | 'fines'
> {
  invoices: InvoicesContext;
}

/** Invoices, and payments for requests through the payment provider. Decision 0005. */
export function registerPayments(
  context: AppContext,
  { workflow, calendars, notifier, announce, fines, invoices }: PaymentsDependencies,
): Feature {
  const { server, database, config, publicUrl, integrations } = context;
  const payments: RefundsContext = {
    database,
    providers: integrations.paymentProviders,
    publicUrl,
    expiryMinutes: config.PAYMENT_EXPIRY_MINUTES,
    approvalAbove: config.REFUND_APPROVAL_ABOVE,
    workingDays: config.REFUND_WORKING_DAYS,
    workflow,
    calendars,
    fines,
    notifier,
    announce,
    warn: (message) => server.log.warn(message),
  };
  servePayments(context, payments);
  serveInvoices(context, invoices);
  servePaymentAdministration(context, payments);
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  const batch = invoices.pdf.openBatch();
  const receiptRuns: ReceiptRunsContext = {
    invoices,
    files: context.documents.files,
    worker: randomUUID(),
    partSize: config.RECEIPTS_IN_A_FILE,
    make: (order) => batch.make(order),
    findUserAsCaller: (userId) => findUserAsCaller({ database, config }, userId),
    isClosing: () => isClosing,
    warn: payments.warn,
  };
  serveReceiptRuns(context, receiptRuns);
  serveSettlement(context, payments);
  serveVatReport(context);
  const checkSeconds = config.PAYMENT_CHECK_SECONDS;
  return {
    jobs: [
      {
        everySeconds: checkSeconds / 3,
        run: () => checkOpenPayments(payments, checkSeconds),
      },
      { everySeconds: checkSeconds / 6, run: () => sendRefunds(payments) },
      { everySeconds: checkSeconds / 15, run: () => issueDueDocuments(invoices) },
      { everySeconds: checkSeconds / 15, run: () => continueRun(receiptRuns) },
      { everySeconds: 3600, run: () => deleteOldFiles(receiptRuns) },
      postEarlierMoneyJob(database),
      reconcileJob(context, payments),
      { everySeconds: checkSeconds * 20, run: () => fetchMissingFiles(payments) },
    ],
  };
}
