import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { selectPaymentPage } from '#platform/database/lists/payment-lists.ts';
import { workbookType } from '#platform/files/workbook.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import type { PdfMaker } from '#platform/pdf/make-pdf.ts';
import {
  decideLedgerClosing,
  getClosingStatement,
  getLedgerClosings,
  previewLedgerClosing,
} from '@diwan/contract/payments/closings';
import * as journal from '@diwan/contract/payments/journal';
import * as calls from '@diwan/contract/payments/ledger';
import {
  decidePayout as decideCall,
  getPayees,
  getPayeeStatement,
  getPayouts,
  requestPayout as requestCall,
} from '@diwan/contract/payments/payouts';
import { makeClosingStatement } from './closing-statement.ts';
import { findClosing, selectClosings, selectContent } from './closings.store.ts';
import { closeDay, closeReconciledDays, decideClosing, toClosing } from './days.actions.ts';
import { selectBalances, selectDays } from './days.store.ts';
import {
  checkFilter,
  journalCsv,
  journalWorkbook,
  trialBalanceWorkbook,
} from './journal.actions.ts';
import { selectJournal, selectSums, selectTrialBalance } from './journal.store.ts';
import { checkPeriod } from './ledger.actions.ts';
import { decidePayout, requestPayout, toPayout } from './payouts.actions.ts';
import { findPayout, payoutsIn, selectPayees, type PayoutShown } from './payouts.store.ts';
import { makeStatement } from './statements.actions.ts';

const mediaTypes = {
  pdf: 'application/pdf',
  xlsx: workbookType,
  csv: 'text/csv; charset=utf-8',
} as const;

/** Sends a file under a name without its ending. */
const sendAs = (
  reply: FastifyReply,
  { name, format }: { name: string; format: keyof typeof mediaTypes },
  content: Readable | Buffer,
) =>
  reply
    .type(mediaTypes[format])
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .send(content);

/** The entries of the ledger, and what they add up to in a period. */
function serveJournal(context: AppContext): void {
  const { database, config } = context;
  const limits = {
    perMinute: config.DOCUMENT_CALLS_PER_MINUTE,
    perPerson: true,
    waitsElsewhere: true,
  };
  serve(context, journal.getJournal, async ({ query, language }) => {
    checkFilter(query);
    const [page, sums] = await Promise.all([
      selectJournal(database, language, query),
      selectSums(database, query),
    ]);
    return { ...page, sums, pageNumber: query.PageNumber };
  });
  serve(
    context,
    journal.exportJournal,
    async ({ query: { Format: format, ...filter }, reply, language }) => {
      checkFilter(filter);
      const content =
        format === 'csv'
          ? Readable.from(journalCsv(database, filter, language))
          : journalWorkbook(database, filter, language);
      return sendAs(reply, { name: 'journal', format }, content);
    },
    limits,
  );
  serve(context, journal.getTrialBalance, ({ query }) => {
    checkPeriod(query);
    return selectTrialBalance(database, query);
  });
  serve(
    context,
    journal.exportTrialBalance,
    async ({ query, reply, language }) =>
      sendAs(
        reply,
        { name: 'trial-balance', format: 'xlsx' },
        await trialBalanceWorkbook(database, query, language),
      ),
    limits,
  );
}

/** What is owed to agencies and providers, payouts and statements. */
function servePayouts(context: AppContext, pdf: Pick<PdfMaker, 'make'>): void {
  const { database, config } = context;
  const payouts = { database, approvalAbove: config.REFUND_APPROVAL_ABOVE };
  const statements = { database, pdf, isDemo: config.SANDBOX === 'on' };
  serve(context, getPayees, ({ language }) => selectPayees(database, language));

  serve(context, getPayouts, async ({ caller, query, language }) => {
    const page = await selectPaymentPage<PayoutShown>(database, payoutsIn(language), query);
    return { ...page, items: page.items.map((row) => toPayout(caller, row)) };
  });

  const readBack = async (
    caller: Caller,
    language: Parameters<typeof findPayout>[1],
    id: number,
  ) => {
    const row = await findPayout(database, language, id);
    if (!row) throw new Refusal('PayoutNotFound');
    return toPayout(caller, row);
  };
  serve(context, requestCall, async ({ caller, request, body, language }) => {
    const id = await requestPayout(payouts, { caller, address: request.ip }, body);
    return readBack(caller, language, id);
  });
  serve(context, decideCall, async ({ caller, request, body, language }) => {
    await decidePayout(payouts, { caller, address: request.ip }, body);
    return readBack(caller, language, body.id);
  });

  serve(
    context,
    getPayeeStatement,
    async ({ query, reply, language }) => {
      const { AgencyId: agencyId, Provider: provider, Format: format } = query;
      const content = await makeStatement(
        statements,
        {
          payee: { agencyId, provider },
          currency: query.Currency,
          from: query.From,
          until: query.Until,
        },
        { format, language },
      );
      return sendAs(reply, { name: 'statement', format }, content);
    },
    { perMinute: config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true, waitsElsewhere: true },
  );
}

/** Closings of days, and their statements. */
function serveClosings(context: AppContext, pdf: Pick<PdfMaker, 'make'>): void {
  const { database, config } = context;
  serve(context, getLedgerClosings, async ({ caller, query, language }) => {
    const { items, totalCount } = await selectClosings(database, language, query);
    return {
      items: items.map((row) => toClosing(caller, row)),
      pageNumber: query.PageNumber,
      totalCount,
    };
  });
  serve(context, previewLedgerClosing, ({ query }) => selectContent(database, query.Until));
  serve(context, decideLedgerClosing, async ({ caller, request, body, language }) => {
    await decideClosing(database, { caller, address: request.ip }, body);
    const row = await findClosing(database, language, body.id);
    if (!row) throw new Refusal('NotFound');
    return toClosing(caller, row);
  });
  serve(
    context,
    getClosingStatement,
    async ({ query, reply, language }) =>
      sendAs(
        reply,
        { name: 'closing', format: 'pdf' },
        await makeClosingStatement(
          { database, pdf, isDemo: config.SANDBOX === 'on' },
          query.Id,
          language,
        ),
      ),
    { perMinute: config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true, waitsElsewhere: true },
  );
}

/** The ledger as admins see it, payouts, and the close of its days. Our own calls; decision 0079. */
export function registerLedger(context: AppContext, pdf: Pick<PdfMaker, 'make'>): Feature {
  const { database, config } = context;
  servePayouts(context, pdf);
  serveJournal(context);
  serveClosings(context, pdf);
  serve(context, calls.getLedgerBalances, ({ language }) => selectBalances(database, language));

  serve(context, calls.getLedgerDays, async ({ query, language }) => ({
    ...(await selectDays(database, language, query)),
    pageNumber: query.PageNumber,
  }));

  serve(context, calls.closeLedgerDay, ({ caller, request, body, language }) =>
    closeDay(
      { database, approvalAbove: config.REFUND_APPROVAL_ABOVE },
      { caller, address: request.ip },
      body.day,
      language,
    ),
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
