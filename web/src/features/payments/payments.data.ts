import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import { useCall } from '../../lib/api/use-call.ts';

/**
 * Whether the server knows the request as paid, regardless of the return address; polled until it
 * is paid. Undefined while loading.
 */
export function useIsPaid(requestNumber: string | null, isExpected: boolean): boolean | undefined {
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
  return again.data?.isPaid ?? first.data?.isPaid;
}
