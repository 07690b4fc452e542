import { z } from 'zod';
import type { Language } from '@diwan/contract/wire/languages';
import { callOutside } from './outside-call.ts';

/** What the provider said once. `amount` in fils. The id is the provider's and never used twice. */
const providerEvent = z.object({
  id: z.string().min(1).max(200),
  kind: z.enum(['paid', 'declined', 'cancelled']),
  amount: z.int(),
  currency: z.string().max(10),
  occurredAt: z.iso.datetime(),
});
export type ProviderEvent = z.infer<typeof providerEvent>;

/** What the provider is asked to collect, and the address to which it leads the visitor back. */
export interface PaymentOrder {
  merchantReference: string;
  /** Fils. */
  amount: number;
  currency: string;
  description: string;
  language: Language;
  returnUrl: string;
}

/**
 * A payment service provider. `open` with the same merchant reference again answers the same page.
 */
export interface PaymentProvider {
  open(order: PaymentOrder): Promise<{ paymentUrl: string }>;
  /** Everything the provider has said of a payment so far. */
  read(merchantReference: string): Promise<ProviderEvent[]>;
}

/**
 * The provider over HTTP. The specification does not show PayPro's protocol; this one is ours
 * (docs/unknowns.md).
 */
export function httpPaymentProvider(url: string, key: string): PaymentProvider {
  const base = url.replace(/\/$/, '');
  return {
    open: async (order) =>
      z
        .object({ paymentUrl: z.url({ protocol: /^https?$/ }) })
        .parse(await callOutside(`${base}/payments`, key, order)),
    read: async (merchantReference) =>
      z
        .array(providerEvent)
        .parse(
          await callOutside(
            `${base}/payments/${encodeURIComponent(merchantReference)}/events`,
            key,
          ),
        ),
  };
}
