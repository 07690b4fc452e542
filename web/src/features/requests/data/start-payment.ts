import { send } from '#lib/api/send.ts';
import { createPayment, type PaymentMethod } from '@diwan/contract/requests/payments';

interface StartPaymentOptions {
  /**
   * Replaces the current address in the history, so that the browser's back button does not return
   * to a form that was already sent.
   */
  backAddress?: string;
  /** The caller shows the error itself. */
  skipErrorHandling?: boolean;
  method?: PaymentMethod | undefined;
  /** Called when the browser is about to leave. */
  onLeave?: () => void;
}

/**
 * Creates a payment and leaves for the payment provider. Never resolves, so that the button stays
 * pending until the browser leaves the page. Throws `ApiError` when the payment is not created.
 */
export async function startPayment(
  requestId: number,
  { backAddress, skipErrorHandling, method, onLeave }: StartPaymentOptions = {},
): Promise<never> {
  const { paymentUrl } = await send(createPayment, {
    params: { requestId },
    query: method ? { Method: method } : {},
    skipErrorHandling,
  });
  if (backAddress) window.history.replaceState(null, '', backAddress);
  // The browser may keep this page alive (bfcache). It then still shows the state before the
  // payment, so it is loaded again.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
  onLeave?.();
  window.location.assign(paymentUrl);
  return new Promise<never>(() => undefined);
}
