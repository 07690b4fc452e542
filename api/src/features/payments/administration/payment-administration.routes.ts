import { visibleTo } from '#features/requests/model/visibility.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { selectPaymentPage, withoutNulls } from '#platform/database/lists/payment-lists.ts';
import { workbookType } from '#platform/files/workbook.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/payments/events';
import type { PaymentCase, PaymentSummary, RefundRecord } from '@diwan/contract/payments/events';
import { exportPaymentList } from '@diwan/contract/payments/payment-lists';
import { decideCase, possibleDecisions } from '../payment-cases.actions.ts';
import { askForRefund, decideOnRefund, type RefundsContext } from '../refunds.actions.ts';
import { makeListFile } from './payment-list-file.actions.ts';
import * as store from './payment-reads.store.ts';

const toCase = ({
  paymentStatus,
  ...row
}: NonNullable<Awaited<ReturnType<typeof store.findShownCase>>>): PaymentCase => ({
  ...withoutNulls(row),
  decisions: possibleDecisions(
    { kind: row.kind, decision: row.decision ?? null },
    paymentStatus ?? undefined,
  ),
});

const toRefund =
  (caller: Caller) =>
  ({
    requestedById,
    ...row
  }: Awaited<ReturnType<typeof store.selectRefundsOf>>[number]): RefundRecord => ({
    ...withoutNulls(row),
    isOwn: requestedById === caller.userId,
  });

/** What admins see and decide about payments, and refunds through the provider. */
export function servePaymentAdministration(context: AppContext, payments: RefundsContext): void {
  const { database } = context;
  serve(context, contract.getPayments, ({ query }) =>
    selectPaymentPage<PaymentSummary>(database, store.payments, query),
  );

  serve(
    context,
    exportPaymentList,
    async ({ query: { List: list, Format: format, ...filter }, language, reply }) =>
      reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : workbookType)
        .header('content-disposition', `attachment; filename="${list}.${format}"`)
        .send(makeListFile(database, { list, format, language }, filter)),
    { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true, waitsElsewhere: true },
  );

  serve(context, contract.getPaymentTimeline, async ({ caller, query, language }) => {
    const found = await store.findSummary(database, query.MerchantReference);
    if (!found) throw new Refusal('PaymentNotFound');
    const { id, refundable, ...payment } = found;
    const refunds = await store.selectRefundsOf(database, language, { paymentId: id });
    return {
      payment,
      entries: await store.selectTimeline(database, language, id),
      refunds: refunds.map(toRefund(caller)),
      refundable,
    };
  });

  serve(context, contract.getPaymentCases, async ({ query, language }) => {
    const page = await selectPaymentPage<store.CaseShown>(
      database,
      store.casesIn(language, query.State),
      query,
    );
    return { ...page, items: page.items.map(toCase) };
  });

  serve(context, contract.decidePaymentCase, async ({ caller, request, body, language }) => {
    await decideCase(payments, { caller, address: request.ip }, body);
    const row = await store.findShownCase(database, language, body.id);
    if (!row) throw new Refusal('PaymentCaseNotFound');
    return toCase(row);
  });

  serve(context, contract.getRefusedPaymentMessages, () => store.selectRefused(database));

  serve(context, contract.getRefunds, async ({ caller, query, language }) => {
    const page = await selectPaymentPage<store.RefundShown>(
      database,
      store.refundsIn(language, visibleTo(caller)),
      query,
    );
    return { ...page, items: page.items.map(toRefund(caller)) };
  });

  serve(context, contract.requestRefund, async ({ caller, request, body, language }) => {
    const ids = await askForRefund(payments, { caller, address: request.ip }, body);
    return (await store.selectRefundsOf(database, language, { ids })).map(toRefund(caller));
  });

  serve(context, contract.decideRefund, async ({ caller, request, body, language }) => {
    await decideOnRefund(payments, { caller, address: request.ip }, body);
    const [row] = await store.selectRefundsOf(database, language, { ids: [body.id] });
    if (!row) throw new Refusal('RefundNotFound');
    return toRefund(caller)(row);
  });
}
