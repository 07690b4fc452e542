import { useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import {
  getRequestByMerchantReference,
  type RequestRecord,
} from '@diwan/contract/requests/requests';
import type { ReplyOf } from '@diwan/contract/wire/call';

/**
 * What the server knows about the payment of a request, regardless of the return address; where it is
 * expected, polled until it is paid. Undefined while loading.
 */
export function useLastPayment(
  requestNumber: string | null,
  isExpected: boolean,
): ReplyOf<typeof checkRequestIsPaid> | undefined {
  const first = useCall(checkRequestIsPaid, {
    query: { RequestNumber: requestNumber ?? '' },
    enabled: requestNumber !== null,
    staleTime: 0,
    skipErrorHandling: true,
  });
  const isWaiting = isExpected && first.data?.isPaid === false;
  const again = useCall(checkRequestIsPaid, {
    query: { RequestNumber: requestNumber ?? '' },
    enabled: isWaiting,
    refetchInterval: isWaiting ? 2000 : false,
    skipErrorHandling: true,
  });
  return again.data ?? first.data;
}

/**
 * The request of a payment, by the payment's merchant reference in the address of the return. Undefined
 * while loading, for visitors, and for those who may not see the request.
 */
export function useRequestOfPayment(merchantReference: string | null): RequestRecord | undefined {
  const isSignedIn = useSession() !== null;
  return useCall(getRequestByMerchantReference, {
    query: { MerchantReference: merchantReference ?? '' },
    enabled: isSignedIn && merchantReference !== null && merchantReference.trim() !== '',
    skipErrorHandling: true,
  }).data;
}
