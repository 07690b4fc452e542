import * as calls from '@diwan/contract/requests/request-state';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import { getDetailedCost, getPendingCost, getState } from './request-state.actions.ts';
import type { RequestsContext } from '../requests.actions.ts';

/** Where a request is and what of it is to be paid. Source: specification §7 Requests. */
export function serveRequestState(context: AppContext, requests: RequestsContext): void {
  serve(context, calls.getRequestState, ({ caller, query, language }) =>
    getState(requests, caller, query.RequestId, language),
  );
  serve(context, calls.calculateDetailedCost, ({ caller, query, language }) =>
    getDetailedCost(requests, caller, query.RequestId, language),
  );
  serve(context, calls.calculatePendingPaymentRequestCost, ({ caller, query, language }) =>
    getPendingCost(requests, caller, query.RequestId, language),
  );
}
