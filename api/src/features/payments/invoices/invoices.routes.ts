import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { getSellers, saveSeller } from '@diwan/contract/payments/sellers';
import {
  checkInvoice,
  checkSealedFile,
  getInvoicePathByRequestId,
} from '@diwan/contract/requests/payments';
import { checkCode, checkFile, getInvoicePath, type InvoicesContext } from './invoices.actions.ts';
import { changeSeller, listSellers } from './sellers.actions.ts';

/** Invoices, their sellers and their check. Source: specification §7 Invoice; decisions 0072, 0125. */
export function serveInvoices(context: AppContext, invoices: InvoicesContext): void {
  serve(
    context,
    getInvoicePathByRequestId,
    ({ caller, query }) => getInvoicePath(invoices, caller, query),
    { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true },
  );
  serve(context, checkInvoice, ({ query }) => checkCode(invoices, query.Code), {
    perMinute: context.config.INQUIRIES_PER_MINUTE,
    failures: { isFailure: ({ isGenuine }) => !isGenuine },
  });
  serve(
    context,
    checkSealedFile,
    async ({ body }) => ({ state: await checkFile(invoices, body.content) }),
    { perMinute: context.config.INQUIRIES_PER_MINUTE, perPerson: true },
  );
  serve(context, getSellers, () => listSellers(context.database, invoices.seller));
  serve(context, saveSeller, async ({ caller, request, body }) => {
    await changeSeller(context.database, { caller, address: request.ip }, body);
    return listSellers(context.database, invoices.seller);
  });
}
