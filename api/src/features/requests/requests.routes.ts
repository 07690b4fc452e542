import { getRequestReads } from '@diwan/contract/requests/request-reads';
import * as calls from '@diwan/contract/requests/requests';
import { localizeQuote } from '../../platform/core/localize.ts';
import type { House } from '../../platform/http/house.ts';
import { serve } from '../../platform/http/serve.ts';
import { quoteOf } from '../services/services.actions.ts';
import { chargeRates } from './actions/charge-request.ts';
import { createRequest } from './actions/create-request.actions.ts';
import { inquire, type InquiryHouse } from './lists/inquire.actions.ts';
import { countOpen, getVisibleId } from './lists/list-requests.actions.ts';
import { serveProviderDocuments } from './documents/provider-documents.routes.ts';
import { serveReferralCodes } from './actions/referral-codes.routes.ts';
import { serveRequestActions } from './actions/request-actions.routes.ts';
import { serveRequestFinds } from './lists/request-finds.routes.ts';
import { serveRequestState } from './record/request-state.routes.ts';
import { checkRequestToView, readRequestLink } from './model/request-links.actions.ts';
import { listReads, openRecord } from './record/request-reads.actions.ts';
import type { RecordHouse } from './record/request-record.actions.ts';
import { serveRejectionReasons } from './actions/rejection-reasons.routes.ts';
import { listStatuses } from './record/statuses.actions.ts';

/**
 * Requests: send, follow, find. Source: specification §7 Requests; what is done with one is in
 * `request-actions.routes.ts`.
 */
export function serveRequests(
  house: House,
  parts: Pick<
    RecordHouse,
    'catalogue' | 'workflow' | 'references' | 'notices' | 'announce' | 'links'
  > &
    Pick<InquiryHouse, 'sms' | 'codes'>,
): void {
  const requests = {
    ...parts,
    database: house.database,
    rates: chargeRates(house.config),
    mostFiles: house.config.DOCUMENTS_PER_REQUEST,
    mostInDay: house.config.REQUESTS_PER_DAY,
    fourEyes: house.config.FOUR_EYES === 'on',
    readMinutes: house.config.READ_NOTE_MINUTES,
    readersShown: house.config.READERS_SHOWN,
    now: () => new Date(),
    report: (error: unknown) => house.server.log.error({ err: error }, 'SMS not sent'),
  };
  serveRequestActions(house, requests);
  serveRequestState(house, requests);
  serveRequestFinds(house, requests);
  serveProviderDocuments(house, requests);
  serveReferralCodes(house);

  serve(house, calls.createRequest, async ({ caller, body, language }) => {
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

  serve(house, calls.getRequestById, ({ caller, query, language }) =>
    openRecord(requests, caller, query.RequestId, language),
  );

  serve(house, getRequestReads, ({ caller, query, language }) =>
    listReads(requests, caller, query.RequestId, language),
  );

  serve(house, calls.getRequestsCount, async ({ caller }) => {
    const counts = await countOpen(requests, caller);
    return { newRequestsCount: counts.new, processingRequestsCount: counts.processing };
  });

  serve(house, calls.checkRequestToView, ({ caller, query }) =>
    checkRequestToView(requests, caller, query.RequestId),
  );

  serve(house, calls.readRequestLink, ({ caller, query }) =>
    readRequestLink(requests, caller, query.request),
  );

  serve(house, calls.getRequestIdByRequestNumber, async ({ caller, query }) => ({
    requestId: await getVisibleId(requests, caller, query.RequestNumber),
  }));

  serve(
    house,
    calls.getRequestByRequestNoOrMobileNo,
    ({ caller, query, language }) =>
      inquire(
        requests,
        caller,
        { keyword: query.SearchKeyword, code: query.VerificationCode },
        { pageNumber: query.PageNumber, take: query.Take, order: query.SortOrder },
        language,
      ),
    { perMinute: house.config.INQUIRIES_PER_MINUTE },
  );

  serve(house, calls.calculateTotalCost, ({ query, language }) =>
    localizeQuote(quoteOf(requests.catalogue.getService(query.serviceId)), language),
  );

  serve(house, calls.getAllStatuses, ({ caller, language }) =>
    listStatuses(requests, caller, language),
  );

  serveRejectionReasons(house);
}
