import {
  saveRequestAttachments,
  updateRequestAttachments,
} from '@diwan/contract/requests/request-attachments';
import * as calls from '@diwan/contract/requests/request-finds';
import { recordRefund } from '@diwan/contract/requests/request-refunds';
import { getRequestsByStatusId } from '@diwan/contract/requests/requests';
import type { QueryOf } from '@diwan/contract/wire/call';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import {
  getForUpdate,
  keepAttachments,
  sendAttachments,
} from '../actions/keep-attachments.actions.ts';
import {
  findByNumberOrMobile,
  getIdByReference,
  listRequests,
  type Wanted,
} from './list-requests.actions.ts';
import * as refunds from '../record/refunds.actions.ts';
import { openRecord } from '../record/request-reads.actions.ts';
import type { RecordContext } from '../record/request-record.actions.ts';

function readWanted(query: QueryOf<typeof calls.getAllRequestsByStatusId>): Wanted {
  const statusIds =
    query.StatusIds?.split(',').map(Number) ??
    (query.StatusId === undefined ? undefined : [query.StatusId]);
  return {
    statusIds,
    isMine: query.OnlyMine,
    keyword: query.SearchKeyword,
    fromDay: query.DateFrom,
    toDay: query.DateTo,
  };
}

const pageOf = (query: QueryOf<typeof calls.getAllRequestsByStatusId>) => ({
  pageNumber: query.PageNumber,
  take: query.Take,
  order: query.sortOrder,
});

/** Lists of requests, and requests by what is known of them. Source: specification §7 Requests. */
export function serveRequestFinds(
  context: AppContext,
  requests: RecordContext & { readMinutes: number },
): void {
  serve(context, getRequestsByStatusId, ({ caller, query, language }) =>
    listRequests(
      requests,
      caller,
      {
        ...readWanted(query),
        hasRefundableFees: query.HasRefundableFees,
        isRefunded: query.IsRefunded,
      },
      pageOf(query),
      language,
    ),
  );

  serve(context, calls.getAllRequestsByStatusId, ({ caller, query, language }) =>
    listRequests(requests, caller, readWanted(query), pageOf(query), language),
  );

  serve(
    context,
    calls.getRequestByRequestNoOrMobileNoV2,
    ({ caller, query, language }) =>
      findByNumberOrMobile(
        requests,
        caller,
        query.SearchKeyword,
        { pageNumber: query.PageNumber, take: query.Take, order: query.SortOrder },
        language,
      ),
    { perMinute: context.config.INQUIRIES_PER_MINUTE, perPerson: true },
  );

  serve(context, calls.getRequestByMerchantReference, async ({ caller, query, language }) =>
    openRecord(
      requests,
      caller,
      await getIdByReference(requests, caller, query.MerchantReference),
      language,
    ),
  );

  serve(context, calls.getRequestByIdForUpdate, ({ caller, query, language }) =>
    getForUpdate(requests, caller, query.RequestId, language),
  );

  serve(context, saveRequestAttachments, async ({ caller, body }) => ({
    requestId: body.requestId,
    requestAttachmentList: [
      ...(await keepAttachments(requests, caller, body, body.requestAttachmentList)),
    ],
  }));

  serve(context, updateRequestAttachments, async ({ caller, body, language }) => {
    await sendAttachments(requests, caller, body, body.requestAttachmentList);
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, recordRefund, ({ caller, body, request }) =>
    refunds.recordRefund(requests, caller, body, request.ip),
  );
}
