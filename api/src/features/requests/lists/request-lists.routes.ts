import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/request-lists';
import type { QueryOf } from '@diwan/contract/wire/call';
import { findAnything } from './find-anything.actions.ts';
import { inquire, type InquiryContext } from './inquire.actions.ts';
import type { ListQuery } from './list-filter.ts';
import { findByNumberOrMobile, listRequests } from './list-requests.actions.ts';
import { findVisibleServices, listVisibleAgencies } from './service-names.ts';
import { countOpen, listStatuses } from './statuses.actions.ts';

function readQuery(query: QueryOf<typeof calls.getAllRequestsByStatusId>): ListQuery {
  const statusIds =
    query.StatusIds?.split(',').map(Number) ??
    (query.StatusId === undefined ? undefined : [query.StatusId]);
  return {
    page: {
      pageNumber: query.PageNumber,
      take: query.Take,
      order: query.sortOrder,
      by: query.SortBy === 'due' ? 'due' : 'sent',
    },
    sortBy: calls.sortColumns.find((column) => column === query.SortBy),
    statusIds,
    statusGroup: query.StatusGroup,
    isMine: query.OnlyMine,
    holderId: query.Holder === 'nobody' ? null : query.Holder,
    serviceId: query.ServiceId,
    agencyId: query.GovernmentAgencyId,
    teamId: query.TeamId,
    due: query.Due,
    partnerId: query.PartnerId,
    companyId: query.CompanyId,
    figure: {
      figure: query.Figure,
      fromDay: query.FigureFrom,
      toDay: query.FigureTo,
      by: query.FigureBy,
    },
    keyword: query.SearchKeyword,
    fromDay: query.DateFrom,
    toDay: query.DateTo,
  };
}

/** Lists of requests, their counts, and inquiries. Source: specification §7 Requests. */
export function serveRequestLists(
  context: AppContext,
  requests: InquiryContext & { publishEvents: () => Promise<void> },
): void {
  const { INQUIRIES_PER_MINUTE: perMinute } = context.config;

  serve(context, calls.getRequestsByStatusId, ({ caller, query, language }) => {
    const { HasRefundableFees: hasRefundableFees, IsRefunded: isRefunded } = query;
    const listQuery = { ...readQuery(query), hasRefundableFees, isRefunded };
    return listRequests(requests, caller, listQuery, language);
  });

  serve(context, calls.getAllRequestsByStatusId, ({ caller, query, language }) =>
    listRequests(requests, caller, readQuery(query), language),
  );

  serve(context, calls.findAnything, ({ caller, query, language }) =>
    findAnything(requests, caller, query.Text, language),
  );

  serve(context, calls.getRequestsCount, async ({ caller }) => {
    const counts = await countOpen(requests, caller);
    return {
      newRequestsCount: counts.new,
      processingRequestsCount: counts.processing,
      sequence: counts.sequence,
    };
  });

  serve(context, calls.getVisibleAgencies, ({ caller, language }) =>
    listVisibleAgencies(requests, caller, language),
  );
  serve(context, calls.getVisibleServices, ({ caller, query, language }) =>
    findVisibleServices(requests, caller, query, language),
  );

  serve(context, calls.getAllStatuses, ({ caller, language }) =>
    listStatuses(requests, caller, language),
  );

  serve(
    context,
    calls.getRequestByRequestNoOrMobileNo,
    ({ caller, query, language }) => {
      const page = { pageNumber: query.PageNumber, take: query.Take, order: query.SortOrder };
      const { SearchKeyword: keyword, VerificationCode: code } = query;
      return inquire(requests, caller, { keyword, code, page }, language);
    },
    // A number that does not exist is a guess.
    { perMinute, failures: { isFailure: ({ totalCount }) => totalCount === 0 } },
  );

  serve(
    context,
    calls.getRequestByRequestNoOrMobileNoV2,
    ({ caller, query, language }) => {
      const page = { pageNumber: query.PageNumber, take: query.Take, order: query.SortOrder };
      const { SearchKeyword: keyword } = query;
      return findByNumberOrMobile(requests, caller, { keyword, page }, language);
    },
    { perMinute, perPerson: true },
  );
}
