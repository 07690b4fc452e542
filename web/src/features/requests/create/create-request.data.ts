import { createPayment } from '@diwan/contract/requests/payments';
import { getServiceByServiceName, type Service } from '@diwan/contract/catalogue/services';
import { send } from '../../../lib/api/send.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { useCall } from '../../../lib/api/use-call.ts';

export interface ServiceInHand {
  service: Service | undefined;
  error: SendError | null;
  isFetching: boolean;
  retry: () => void;
}

/** A service by its name in addresses, in the language in force; one round trip. */
export function useServiceByName(serviceName: string): ServiceInHand {
  // No service has a longer name, so a longer one is not found instead of being refused for its
  // length.
  const { data, error, isFetching, refetch } = useCall(getServiceByServiceName, {
    query: { serviceName: serviceName.slice(0, 300) },
    staleTime: 300_000,
  });
  return { service: data, error: data ? null : error, isFetching, retry: () => void refetch() };
}

/**
 * Begins to pay and leaves for the provider. `backAddress` takes the place of this page in the
 * history, for who comes back with the browser's button:
 * what is sent must not look as if it could be sent again. Throws `SendError`; otherwise it never
 * comes back.
 */
export async function leaveToPay(requestId: number, backAddress?: string): Promise<never> {
  const { paymentUrl } = await send(createPayment, {
    params: { requestId },
    skipErrorHandling: true,
  });
  if (backAddress) window.history.replaceState(null, '', backAddress);
  // A page that the browser kept alive still shows what was before.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
  window.location.assign(paymentUrl);
  return new Promise<never>(() => undefined);
}
