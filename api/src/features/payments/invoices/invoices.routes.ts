import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  checkInvoice,
  checkSealedFile,
  getInvoicePathByRequestId,
} from '@diwan/contract/requests/payments';
import { checkCode, checkFile, getInvoicePath, type InvoicesContext } from './invoices.actions.ts';

/** Invoices and their check. Source: specification §7 Invoice; decision 0072. */
export function serveInvoices(context: AppContext, invoices: InvoicesContext): void {
  serve(
    context,
    getInvoicePathByRequestId,
    ({ caller, query }) => getInvoicePath(invoices, caller, query),
    { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true },
  );
  serve(context, checkInvoice, ({ query }) => checkCode(invoices, query.Code), {
    perMinute: context.config.INQUIRIES_PER_MINUTE,
  });
  serve(
    context,
    checkSealedFile,
    async ({ body }) => ({ state: await checkFile(invoices, body.content) }),
    { perMinute: context.config.INQUIRIES_PER_MINUTE },
  );
}
