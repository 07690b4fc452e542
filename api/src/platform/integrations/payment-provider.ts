import { z } from 'zod';
import type { Language } from '@diwan/contract/wire/languages';
import { Refusal } from '../core/refusals.ts';
import { callIntegration } from './http-client.ts';

/** One message of the provider. `amount` in fils; the provider never uses an id twice. */
const providerEvent = z.object({
  id: z.string().min(1).max(200),
  kind: z.enum(['paid', 'declined', 'cancelled']),
  amount: z.int(),
  currency: z.string().max(10),
  occurredAt: z.iso.datetime(),
});
export type ProviderEvent = z.infer<typeof providerEvent>;

const returnSummary = z.object({ merchantReference: z.string().regex(/^[\w-]{1,60}$/) });

/** The amount that the provider collects, and the address to which it sends the visitor back. */
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
 * A payment service provider. A second `open` with the same merchant reference returns the same
 * page.
 */
export interface PaymentProvider {
  open(order: PaymentOrder): Promise<{ paymentUrl: string }>;
  /** All messages of the provider about a payment so far. */
  read(merchantReference: string): Promise<ProviderEvent[]>;
  /**
   * The merchant reference in the summary that the provider adds to the address of the visitor's
   * return. The summary proves nothing: the caller asks `read`. Throws PaymentNotFound.
   */
  readSummary(summary: string): string;
}

// The summary is JSON in base64url.
function readSummary(summary: string): string {
  try {
    const { merchantReference } = returnSummary.parse(
      JSON.parse(Buffer.from(summary, 'base64url').toString()),
    );
    return merchantReference;
  } catch {
    throw new Refusal('PaymentNotFound');
  }
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
        .parse(await callIntegration(`${base}/payments`, key, order)),
    read: async (merchantReference) =>
      z
        .array(providerEvent)
        .parse(
          await callIntegration(
            `${base}/payments/${encodeURIComponent(merchantReference)}/events`,
            key,
          ),
        ),
    readSummary,
  };
}
