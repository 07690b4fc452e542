import { z } from 'zod';
import { Refusal } from '../core/refusals.ts';
import { callOutside, IntegrationError } from './http-client.ts';
import {
  merchantReferencePattern,
  MessageRefused,
  providerAmount,
  providerName,
  type OpenedPayment,
  type PaymentProvider,
  type ProviderEvent,
  type RefundAnswer,
} from './payment-provider.ts';
import { parseMessage, verifySignature } from './signed-message.ts';

// Source: https://docs.stripe.com/api/checkout/sessions, /api/refunds, /api/idempotent_requests and
// https://docs.stripe.com/webhooks, read on 2026-11-24. Tested against a stand-in made from them.

const session = z.object({
  id: providerName,
  client_reference_id: z.string().regex(merchantReferencePattern).nullish(),
  url: z.url({ protocol: /^https?$/ }).nullish(),
  status: z.enum(['open', 'complete', 'expired']).nullish(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: providerAmount.nullish(),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .nullish(),
  created: z.int(),
  payment_intent: z.string().nullish(),
});
type Session = z.infer<typeof session>;

const webhook = z.object({
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.unknown() }),
});

const refundShape = z.object({
  id: z.string().min(1).max(60),
  status: z.string(),
  metadata: z.object({ refund_key: z.string().nullish() }).nullish(),
});

const toRefundAnswer = ({ id, status }: z.infer<typeof refundShape>): RefundAnswer => {
  const isRefused = status === 'failed' || status === 'canceled';
  return {
    state: status === 'succeeded' ? 'succeeded' : isRefused ? 'refused' : 'pending',
    refundId: id,
  };
};

const toIso = (seconds: number) => new Date(seconds * 1000).toISOString();

// The same event of an answer and of a message has the same id, so it counts once.
function eventsOf(given: Session, seconds: number): ProviderEvent[] {
  const event = (kind: ProviderEvent['kind']): ProviderEvent => ({
    id: `stripe:${given.id}:${kind}`,
    kind,
    amount: given.amount_total ?? 0,
    currency: (given.currency ?? '').toUpperCase(),
    occurredAt: toIso(seconds),
  });
  if (given.payment_status === 'paid') return [event('paid')];
  return given.status === 'expired' ? [event('cancelled')] : [];
}

const isFinal = (error: unknown) =>
  error instanceof IntegrationError && [400, 402, 404].includes(error.status);

/** The account of a deployment. */
interface StripeOptions {
  url: string;
  key: string;
  messageSecret: string;
}

/** Stripe Checkout. Amounts are in minor units, as ours. */
export function stripe({ url, key, messageSecret }: StripeOptions): PaymentProvider {
  const base = `${url.replace(/\/$/, '')}/v1`;
  const call = (path: string, form?: Record<string, string>, idempotencyKey?: string) =>
    callOutside({
      url: `${base}${path}`,
      authorization: `Bearer ${key}`,
      idempotencyKey,
      ...(form ? { body: new URLSearchParams(form), method: 'POST' as const } : {}),
    });
  const pathOf = (reference: string) => `/checkout/sessions/${encodeURIComponent(reference)}`;
  const readSession = async ({ providerReference }: OpenedPayment) =>
    providerReference === null ? undefined : session.parse(await call(pathOf(providerReference)));
  return {
    methods: ['card'],
    open: async (order) => {
      const back = new URL(order.returnUrl);
      back.searchParams.set('paymentSummary', order.merchantReference);
      const opened = session.parse(
        await call(
          '/checkout/sessions',
          {
            mode: 'payment',
            'payment_method_types[0]': 'card',
            client_reference_id: order.merchantReference,
            success_url: back.toString(),
            cancel_url: back.toString(),
            'line_items[0][quantity]': '1',
            'line_items[0][price_data][currency]': order.currency.toLowerCase(),
            'line_items[0][price_data][unit_amount]': String(order.amount),
            'line_items[0][price_data][product_data][name]': order.description,
            'payment_intent_data[metadata][merchant_reference]': order.merchantReference,
          },
          `open-${order.merchantReference}`,
        ),
      );
      if (!opened.url) throw new Error('Stripe answered without a page');
      return { paymentUrl: opened.url, providerReference: opened.id };
    },
    read: async (payment) => {
      const known = await readSession(payment);
      return known ? eventsOf(known, known.created) : [];
    },
    cancel: async (payment) => {
      if (payment.providerReference === null) return true;
      const path = `${pathOf(payment.providerReference)}/expire`;
      const key = `cancel-${payment.merchantReference}`;
      try {
        return session.parse(await call(path, {}, key)).status === 'expired';
      } catch (error) {
        // Only an open session can be closed.
        if (!isFinal(error)) throw error;
        return (await readSession(payment))?.status === 'expired';
      }
    },
    refund: async (order) => {
      const known = await readSession(order);
      if (!known?.payment_intent) return { state: 'refused', refundId: '' };
      // A repeated key has the first answer again, and is forgotten after a day: a refund of an earlier
      // attempt is found by its key among those of the payment.
      const query = new URLSearchParams({ payment_intent: known.payment_intent, limit: '100' });
      const made = z.object({ data: z.array(refundShape) }).parse(await call(`/refunds?${query}`));
      const earlier = made.data.find(
        ({ metadata }) => metadata?.refund_key === order.idempotencyKey,
      );
      if (earlier) return toRefundAnswer(earlier);
      try {
        return toRefundAnswer(
          refundShape.parse(
            await call(
              '/refunds',
              {
                payment_intent: known.payment_intent,
                amount: String(order.amount),
                'metadata[refund_key]': order.idempotencyKey,
              },
              order.idempotencyKey,
            ),
          ),
        );
      } catch (error) {
        if (isFinal(error)) return { state: 'refused', refundId: '' };
        throw error;
      }
    },
    readMessage: (raw, headers, now) => {
      verifySignature(messageSecret, headers['stripe-signature'], raw, now);
      const parsed = webhook.safeParse(parseMessage(raw));
      if (!parsed.success) throw new MessageRefused('unreadable');
      const { type, created, data } = parsed.data;
      const about = session.safeParse(data.object);
      if (!type.startsWith('checkout.session.') || !about.success)
        throw new MessageRefused('unreadable');
      return {
        merchantReference: about.data.client_reference_id ?? '',
        providerReference: about.data.id,
        events: eventsOf(about.data, created),
      };
    },
    readSummary: (summary) => {
      if (!merchantReferencePattern.test(summary)) throw new Refusal('PaymentNotFound');
      return summary;
    },
  };
}
