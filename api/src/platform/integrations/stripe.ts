import { z } from 'zod';
import { Refusal } from '../core/refusals.ts';
import { callOutside, IntegrationError } from './http-client.ts';
import {
  merchantReferencePattern,
  MessageRefused,
  providerAmount,
  providerName,
  type ListedCharge,
  type OpenedPayment,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderMessage,
  type RefundAnswer,
} from './payment-provider.ts';
import { parseMessage, verifySignature } from './signed-message.ts';

// Source: https://docs.stripe.com/api/checkout/sessions, /api/refunds, /api/disputes, /api/expanding_objects,
// /api/idempotent_requests and https://docs.stripe.com/webhooks, read on 2026-11-24 and 27. Tested
// against a stand-in made from them.

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
  // An object where the call asks for it, else its id.
  payment_intent: z
    .union([
      z.string(),
      z.object({ id: z.string(), latest_charge: z.object({ created: z.int() }).nullish() }),
    ])
    .nullish(),
});
type Session = z.infer<typeof session>;

const webhook = z.object({
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.unknown() }),
});

const lowerCurrency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((text) => text.toUpperCase());

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

const listedRefund = refundShape.extend({
  amount: providerAmount,
  currency: lowerCurrency,
  created: z.int(),
});

// The objects of messages about money that goes back. A charge, a refund and a dispute name the intent
// alone; the session is found by it.
const ofCharge = z.object({ payment_intent: providerName });
const dispute = z.object({
  id: providerName,
  amount: providerAmount,
  currency: lowerCurrency,
  reason: providerName,
  status: providerName,
});

const intentOf = ({ payment_intent: intent }: Session) =>
  typeof intent === 'string' ? intent : intent?.id;

// A session begins when its page is opened; the charge has the time of the payment.
const paidAt = ({ payment_intent: intent, created }: Session) =>
  (typeof intent === 'string' ? undefined : intent?.latest_charge?.created) ?? created;

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

/** A message about a refund or a dispute. Throws MessageRefused. */
function readReversal(type: string, object: unknown): ProviderMessage {
  const charge = ofCharge.safeParse(object);
  const isDispute = type.startsWith('charge.dispute.');
  const about = isDispute ? dispute.safeParse(object) : undefined;
  if (!charge.success || about?.success === false) throw new MessageRefused('unreadable');
  const message = {
    merchantReference: '',
    providerReference: null,
    events: [],
    charge: charge.data.payment_intent,
  };
  if (!about) return message;
  const { reason, status, ...rest } = about.data;
  const hasEnded = type === 'charge.dispute.closed';
  return { ...message, dispute: { ...rest, hasEnded, detail: `${reason}: ${status}` } };
}

const isReversal = (type: string) =>
  /^(refund|charge\.refund|charge\.dispute)\.|^charge\.refunded$/.test(type);

const isFinal = (error: unknown) =>
  error instanceof IntegrationError && [400, 402, 404].includes(error.status);

/** The account of a deployment. */
interface StripeOptions {
  url: string;
  key: string;
  messageSecrets: readonly string[];
}

/** Calls the API of Stripe. */
function openApi({ url, key }: Omit<StripeOptions, 'messageSecrets'>) {
  const base = `${url.replace(/\/$/, '')}/v1`;
  const call = (path: string, form?: Record<string, string>, idempotencyKey?: string) =>
    callOutside({
      url: `${base}${path}`,
      authorization: `Bearer ${key}`,
      idempotencyKey,
      ...(form ? { body: new URLSearchParams(form), method: 'POST' as const } : {}),
    });
  const pathOf = (reference: string) => `/checkout/sessions/${encodeURIComponent(reference)}`;
  const readSession = async ({ providerReference }: OpenedPayment, query = '') =>
    providerReference === null
      ? undefined
      : session.parse(await call(`${pathOf(providerReference)}${query}`));
  const listRefunds = async (payment: OpenedPayment) => {
    const known = await readSession(payment);
    const intent = known && intentOf(known);
    if (!intent) return undefined;
    const query = new URLSearchParams({ payment_intent: intent, limit: '100' });
    return { intent, made: await call(`/refunds?${query}`) };
  };
  return { call, pathOf, readSession, listRefunds };
}
type Api = ReturnType<typeof openApi>;

/** Refunds once for each key. */
async function refundOrder(
  { call, listRefunds }: Api,
  order: Parameters<PaymentProvider['refund']>[0],
): ReturnType<PaymentProvider['refund']> {
  const listed = await listRefunds(order);
  if (!listed) return { state: 'refused', refundId: '' };
  // A repeated key has the first answer again, and is forgotten after a day: a refund of an earlier
  // attempt is found by its key among those of the payment.
  const { data } = z.object({ data: z.array(refundShape) }).parse(listed.made);
  const earlier = data.find(({ metadata }) => metadata?.refund_key === order.idempotencyKey);
  if (earlier) return toRefundAnswer(earlier);
  try {
    return toRefundAnswer(
      refundShape.parse(
        await call(
          '/refunds',
          {
            payment_intent: listed.intent,
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
}

// A page can be paid for a day after it was opened.
const pageSeconds = 86_400;

/** The sessions that were paid since a time. */
async function listCharged({ call }: Api, since: Date): Promise<ListedCharge[]> {
  const charges: ListedCharge[] = [];
  const query = new URLSearchParams({
    'created[gte]': String(Math.floor(since.getTime() / 1000) - pageSeconds),
    status: 'complete',
    limit: '100',
    'expand[]': 'data.payment_intent.latest_charge',
  });
  for (;;) {
    const { data, has_more: hasMore } = z
      .object({ data: z.array(session), has_more: z.boolean() })
      .parse(await call(`/checkout/sessions?${query}`));
    for (const each of data) {
      const isCharged = each.payment_status === 'paid' && paidAt(each) * 1000 >= since.getTime();
      // The account may serve others, who have references of another form.
      if (!isCharged || !each.client_reference_id) continue;
      charges.push({
        merchantReference: each.client_reference_id,
        providerReference: each.id,
        amount: each.amount_total ?? 0,
        currency: (each.currency ?? '').toUpperCase(),
      });
    }
    const last = data.at(-1);
    if (!hasMore || !last) return charges;
    query.set('starting_after', last.id);
  }
}

/** A signed message. Throws MessageRefused. */
function readSignedMessage(
  messageSecrets: readonly string[],
  ...[raw, headers, now]: Parameters<PaymentProvider['readMessage']>
): ProviderMessage {
  verifySignature(messageSecrets, headers['stripe-signature'], raw, now);
  const parsed = webhook.safeParse(parseMessage(raw));
  if (!parsed.success) throw new MessageRefused('unreadable');
  const { type, created, data } = parsed.data;
  if (isReversal(type)) return readReversal(type, data.object);
  const about = session.safeParse(data.object);
  if (!type.startsWith('checkout.session.') || !about.success)
    throw new MessageRefused('unreadable');
  return {
    merchantReference: about.data.client_reference_id ?? '',
    providerReference: about.data.id,
    events: eventsOf(about.data, created),
  };
}

/** Stripe Checkout. Amounts are in minor units, as ours. */
export function stripe({ messageSecrets, ...account }: StripeOptions): PaymentProvider {
  const api = openApi(account);
  const { call, pathOf, readSession, listRefunds } = api;
  return {
    origin: new URL(account.url).origin,
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
      const known = await readSession(payment, '?expand[]=payment_intent.latest_charge');
      return known ? eventsOf(known, paidAt(known)) : [];
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
    refund: (order) => refundOrder(api, order),
    readRefunds: async (payment) => {
      const listed = await listRefunds(payment);
      const { data } = z
        .object({ data: z.array(listedRefund) })
        .parse(listed?.made ?? { data: [] });
      return data.map((each) => ({
        id: each.id,
        key: each.metadata?.refund_key ?? null,
        state: toRefundAnswer(each).state,
        amount: each.amount,
        currency: each.currency,
        madeAt: toIso(each.created),
      }));
    },
    listCharged: (since) => listCharged(api, since),
    findPayment: async (charge) => {
      const query = new URLSearchParams({ payment_intent: charge, limit: '1' });
      const found = z
        .object({ data: z.array(session) })
        .parse(await call(`/checkout/sessions?${query}`));
      const [of] = found.data;
      return of && { merchantReference: of.client_reference_id ?? '', providerReference: of.id };
    },
    readMessage: (...message) => readSignedMessage(messageSecrets, ...message),
    readSummary: (summary) => {
      if (!merchantReferencePattern.test(summary)) throw new Refusal('PaymentNotFound');
      return summary;
    },
  };
}
