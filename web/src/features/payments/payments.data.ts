import { useCall } from '#lib/api/use-call.ts';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
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
