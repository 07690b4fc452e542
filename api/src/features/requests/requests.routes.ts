import { getRequestReads } from '@diwan/contract/requests/request-reads';
import * as calls from '@diwan/contract/requests/requests';
import { localizeQuote } from '../../platform/core/localize.ts';
import type { AppContext } from '../../platform/http/context.ts';
import { serve } from '../../platform/http/serve.ts';
import { quoteOf } from '../services/services.actions.ts';
import { chargeRates } from './actions/charge-request.ts';
import { createRequest } from './actions/create-request.actions.ts';
import { inquire, type InquiryContext } from './lists/inquire.actions.ts';
import { countOpen, getVisibleId } from './lists/list-requests.actions.ts';
import { serveProviderDocuments } from './documents/provider-documents.routes.ts';
import { serveReferralCodes } from './actions/referral-codes.routes.ts';
import { serveRequestActions } from './actions/request-actions.routes.ts';
import { serveRequestFinds } from './lists/request-finds.routes.ts';
import { serveRequestState } from './record/request-state.routes.ts';
import { checkRequestToView, readRequestLink } from './model/request-links.actions.ts';
import { listReads, openRecord } from './record/request-reads.actions.ts';
import type { RecordContext } from './record/request-record.actions.ts';
import { serveRejectionReasons } from './actions/rejection-reasons.routes.ts';
import { listStatuses } from './record/statuses.actions.ts';

/**
 * Requests: send, follow, find. Source: specification §7 Requests; what is done with one is in
 * `request-actions.routes.ts`.
 */
export function serveRequests(
  context: AppContext,
  parts: Pick<
    RecordContext,
    'catalogue' | 'workflow' | 'references' | 'notices' | 'announce' | 'links'
  > &
    Pick<InquiryContext, 'sms' | 'codes'>,
): void {
  const requests = {
    ...parts,
    database: context.database,
    rates: chargeRates(context.config),
    mostFiles: context.config.DOCUMENTS_PER_REQUEST,
    mostInDay: context.config.REQUESTS_PER_DAY,
    fourEyes: context.config.FOUR_EYES === 'on',
    readMinutes: context.config.READ_NOTE_MINUTES,
    readersShown: context.config.READERS_SHOWN,
    now: () => new Date(),
    report: (error: unknown) => context.server.log.error({ err: error }, 'SMS not sent'),
  };
  serveRequestActions(context, requests);
  serveRequestState(context, requests);
  serveRequestFinds(context, requests);
  serveProviderDocuments(context, requests);
  serveReferralCodes(context);

  serve(context, calls.createRequest, async ({ caller, body, language }) => {
    const { id, number } = await createRequest(requests, caller, {
      serviceId: body.serviceId,
      answers: body.answers,
      attachmentIds: body.attachmentIds,
      hasAgreed: body.agreeToTermsAndConditions,
      draftId: body.draftId,
      referralCode: body.referralCode,
      language,
    });
    return { requestId: id, requestNumber: number };
  });

  serve(context, calls.getRequestById, ({ caller, query, language }) =>
    openRecord(requests, caller, query.RequestId, language),
  );

  serve(context, getRequestReads, ({ caller, query, language }) =>
    listReads(requests, caller, query.RequestId, language),
  );

  serve(context, calls.getRequestsCount, async ({ caller }) => {
    const counts = await countOpen(requests, caller);
    return { newRequestsCount: counts.new, processingRequestsCount: counts.processing };
  });

  serve(context, calls.checkRequestToView, ({ caller, query }) =>
    checkRequestToView(requests, caller, query.RequestId),
  );

  serve(context, calls.readRequestLink, ({ caller, query }) =>
    readRequestLink(requests, caller, query.request),
  );

  serve(context, calls.getRequestIdByRequestNumber, async ({ caller, query }) => ({
    requestId: await getVisibleId(requests, caller, query.RequestNumber),
  }));

  serve(
    context,
    calls.getRequestByRequestNoOrMobileNo,
    ({ caller, query, language }) =>
      inquire(
        requests,
        caller,
        { keyword: query.SearchKeyword, code: query.VerificationCode },
        { pageNumber: query.PageNumber, take: query.Take, order: query.SortOrder },
        language,
      ),
    { perMinute: context.config.INQUIRIES_PER_MINUTE },
  );

  serve(context, calls.calculateTotalCost, ({ query, language }) =>
    localizeQuote(quoteOf(requests.catalogue.getService(query.serviceId)), language),
  );

  serve(context, calls.getAllStatuses, ({ caller, language }) =>
    listStatuses(requests, caller, language),
  );

  serveRejectionReasons(context);
}
