import * as calls from '@diwan/contract/requests/request-state';
import type { House } from '../../../platform/http/house.ts';
import { serve } from '../../../platform/http/serve.ts';
import { getDetailedCost, getPendingCost, getState } from './request-state.actions.ts';
import type { RequestsHouse } from '../requests.actions.ts';

/** Where a request is and what of it is to be paid. Source: specification §7 Requests. */
export function serveRequestState(house: House, requests: RequestsHouse): void {
  serve(house, calls.getRequestState, ({ caller, query, language }) =>
    getState(requests, caller, query.RequestId, language),
  );
  serve(house, calls.calculateDetailedCost, ({ caller, query, language }) =>
    getDetailedCost(requests, caller, query.RequestId, language),
  );
  serve(house, calls.calculatePendingPaymentRequestCost, ({ caller, query, language }) =>
    getPendingCost(requests, caller, query.RequestId, language),
  );
}
