import { dueFines, lookUpChosen } from '#features/fines/fines.actions.ts';
import { findApplicant, readDiscountFacts } from '#features/services/discounts.actions.ts';
import { quoteOf } from '#features/services/services.actions.ts';
import { localizeQuote } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { readFormAnswers } from '@diwan/contract/forms/check-answers';
import * as calls from '@diwan/contract/requests/request-costs';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { RequestsContext } from '../model/requests-context.ts';
import { recordRefund } from './refunds.actions.ts';
import { getDetailedCost, getPendingCost } from './request-state.actions.ts';

/** What a request costs, what is due, and refunds. Source: specification §7 Requests. */
export function serveRequestCosts(context: AppContext, requests: RequestsContext): void {
  serve(context, calls.calculateTotalCost, ({ query, language }) =>
    localizeQuote(quoteOf(requests.catalogue.getService(query.serviceId)), language),
  );

  serve(context, calls.calculateCostForAnswers, async ({ caller, body, language }) => {
    const { form } = await requests.catalogue.getDetails(body.serviceId);
    const today = dayInDubai(requests.now());
    const answers = readFormAnswers(form, body.answers, today);
    const service = requests.catalogue.getService(body.serviceId);
    const person = await readDiscountFacts(requests.database, caller, service);
    const applicant = findApplicant(service, person, { today, documents: body.documents ?? [] });
    const fines = dueFines(
      await lookUpChosen(requests.fines, { form, agency: service.agency }, answers),
    );
    return localizeQuote(quoteOf(service, answers, { ...applicant, fines }), language);
  });

  serve(context, calls.calculateDetailedCost, ({ caller, query, language }) =>
    getDetailedCost(requests, caller, query.RequestId, language),
  );

  serve(context, calls.calculatePendingPaymentRequestCost, ({ caller, query, language }) =>
    getPendingCost(requests, caller, query.RequestId, language),
  );

  serve(context, calls.recordRefund, ({ caller, body, request, language }) =>
    recordRefund(requests, { caller, address: request.ip, language }, body),
  );
}
