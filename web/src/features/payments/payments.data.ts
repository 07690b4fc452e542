import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { checkRequestIsPaid, createPayment } from '@diwan/contract/requests/payments';
import { getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { send } from '../../lib/api/send.ts';
import type { SendError } from '../../lib/api/send-error.ts';
import { useCall } from '../../lib/api/use-call.ts';

/**
 * What the server knows, whatever the browser's return says; asked again until it is paid.
 * Undefined while it is not known.
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

/** Begins to pay once more and leaves for the provider. */
export function usePayAgain(): UseMutationResult<void, SendError, string> {
  return useMutation<void, SendError, string>({
    mutationFn: async (requestNumber) => {
      const { requestId } = await send(getRequestIdByRequestNumber, {
        query: { RequestNumber: requestNumber },
      });
      const { paymentUrl } = await send(createPayment, { params: { requestId } });
      window.location.assign(paymentUrl);
      // The button goes on showing that something happens until the page is left.
      await new Promise<never>(() => undefined);
    },
  });
}
