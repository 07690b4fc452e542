import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/requests';
import {
  getRequestReads,
  getUnusualReaders,
  giveReasonForReading,
} from '@diwan/contract/staff/access-log';
import { checkRequestToView, readRequestLink } from './model/request-links.ts';
import { getIdByMerchantReference, getIdByNumber, readableBy } from './model/visibility.actions.ts';
import {
  giveReason,
  listAccesses,
  listUnusualReaders,
  type AccessLogContext,
} from './record/access-log.actions.ts';
import { openRecord, type RecordContext } from './record/request-record.actions.ts';
import { getState } from './record/request-state.actions.ts';
import { listViewers } from './record/viewers.actions.ts';

/** Single requests: the record, its access log, and links to it. Source: specification §7 Requests. */
export function serveRequests(
  context: AppContext,
  requests: RecordContext & AccessLogContext,
): void {
  const { database } = requests;

  serve(context, calls.getRequestById, ({ caller, query, language }) =>
    openRecord(requests, caller, query.RequestId, language),
  );

  serve(context, calls.getRequestByMerchantReference, async ({ caller, query, language }) => {
    const requestId = await getIdByMerchantReference(database, caller, query.MerchantReference);
    return openRecord(requests, caller, requestId, language);
  });

  serve(context, calls.getRequestState, ({ caller, query, language }) =>
    getState(requests, caller, query.RequestId, language),
  );

  serve(context, calls.getRequestViewers, ({ caller, query, language }) =>
    listViewers(requests, caller, query.RequestId, language),
  );

  serve(context, giveReasonForReading, async ({ caller, body }) => {
    await giveReason(requests, caller, body);
    return {};
  });

  serve(context, getUnusualReaders, ({ caller, query, language }) =>
    listUnusualReaders(requests, caller, query, language),
  );

  serve(context, getRequestReads, ({ caller, query, language }) =>
    listAccesses(requests, caller, query.RequestId, language),
  );

  serve(context, calls.getRequestIdByRequestNumber, async ({ caller, query }) => ({
    requestId: await getIdByNumber(database, query.RequestNumber, readableBy(caller)),
  }));

  serve(context, calls.checkRequestToView, ({ caller, query }) =>
    checkRequestToView(requests, caller, query.RequestId),
  );

  serve(context, calls.readRequestLink, ({ caller, query }) =>
    readRequestLink(requests, caller, query.request),
  );
}
