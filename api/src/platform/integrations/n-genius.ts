import { z } from 'zod';
import { Refusal } from '../core/refusals.ts';
import { isSameSecret } from '../core/same-secret.ts';
import { callOutside, IntegrationError } from './http-client.ts';
import {
  merchantReferencePattern,
  MessageRefused,
  providerAmount,
  providerCurrency,
  providerName,
  type OpenedPayment,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderRefund,
} from './payment-provider.ts';
import { parseMessage } from './signed-message.ts';

// Source: https://docs.ngenius-payments.com/reference (creating orders, capture, refund, reversal),
// read on 2026-11-24. Tested against a stand-in made from it.

const identityType = 'application/vnd.ni-identity.v1+json';
const paymentType = 'application/vnd.ni-payment.v2+json';
// A token lives for five minutes.
const tokenMilliseconds = 4 * 60_000;

// The format begins some names with an underscore.
function readNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name.replace(/^_/, ''), readNames(part)]),
  );
}

const amount = z.object({ currencyCode: providerCurrency, value: providerAmount });
const link = z.object({ href: z.string() });
const part = z.object({
  links: z.object({ self: link.optional() }).optional(),
  amount: amount.optional(),
  createdTime: z.string().optional(),
  state: z.string().optional(),
});
const orderPayment = z.object({
  reference: providerName,
  state: z.string(),
  amount,
  updateDateTime: z.string().optional(),
  embedded: z
    .object({ 'cnp:capture': z.array(part).optional(), 'cnp:refund': z.array(part).optional() })
    .optional(),
});
const order = z.object({
  reference: providerName,
  createDateTime: z.string().optional(),
  links: z.object({ payment: link.optional() }).optional(),
  embedded: z.object({ payment: z.array(orderPayment).max(50) }).optional(),
});
type OrderPayment = z.infer<typeof orderPayment>;

// Other states, such as STARTED or AWAIT_3DS, decide nothing.
const kindOfState: Readonly<Record<string, ProviderEvent['kind']>> = {
  AUTHORISED: 'authorised',
  CAPTURED: 'paid',
  PURCHASED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  FAILED: 'declined',
  REVERSED: 'cancelled',
};

const toIso = (text: string | undefined) => {
  const date = new Date(text ?? '');
  return (Number.isNaN(date.getTime()) ? new Date() : date).toISOString();
};

const lastOf = (address: string | undefined) => address?.split('/').at(-1) ?? '';

const captureOf = ({ embedded }: OrderPayment) => embedded?.['cnp:capture']?.[0];

/** The refunds of a payment. An order keeps their sequence, so the place names one without a link. */
const refundsOf = ({ reference, embedded, amount: { currencyCode } }: OrderPayment) =>
  (embedded?.['cnp:refund'] ?? []).map((each, index): ProviderRefund => ({
    id: lastOf(each.links?.self?.href) || `${reference}:${index + 1}`,
    key: null,
    state: each.state === 'FAILED' ? 'refused' : 'succeeded',
    amount: each.amount?.value ?? 0,
    currency: each.amount?.currencyCode ?? currencyCode,
    madeAt: toIso(each.createdTime),
  }));

const isFinal = (error: unknown) =>
  error instanceof IntegrationError && [400, 403, 404, 409, 422].includes(error.status);

/** The account of a deployment. */
interface NGeniusOptions {
  url: string;
  /** The key of the service account, sent with Basic. */
  key: string;
  outlet: string;
  /** The value of the header `x-diwan-secret`, which the portal of N-Genius adds to messages. */
  messageSecrets: readonly string[];
}

/** Calls the API of N-Genius with a token that it renews. */
function openApi({ url, key, outlet }: Omit<NGeniusOptions, 'messageSecrets'>) {
  const origin = url.replace(/\/$/, '');
  const orders = `${origin}/transactions/outlets/${encodeURIComponent(outlet)}/orders`;
  let token: { value: string; until: number } | undefined;
  const getToken = async () => {
    if (token && token.until > Date.now()) return token.value;
    const answer = z.object({ access_token: z.string().min(1) }).parse(
      await callOutside({
        url: `${origin}/identity/auth/access-token`,
        authorization: `Basic ${key}`,
        method: 'POST',
        body: { grant_type: 'client_credentials' },
        mediaType: identityType,
      }),
    );
    token = { value: answer.access_token, until: Date.now() + tokenMilliseconds };
    return token.value;
  };
  const call = async (address: string, body?: unknown, method?: 'PUT' | 'POST', once?: string) =>
    readNames(
      await callOutside({
        url: address,
        authorization: `Bearer ${await getToken()}`,
        method,
        body,
        mediaType: paymentType,
        idempotencyKey: once,
      }),
    );
  const readOrder = async ({ providerReference }: OpenedPayment) =>
    providerReference === null
      ? undefined
      : order.parse(await call(`${orders}/${encodeURIComponent(providerReference)}`));
  const addressOf = (reference: string, { reference: payment }: OrderPayment) =>
    `${orders}/${encodeURIComponent(reference)}/payments/${encodeURIComponent(payment)}`;
  return { orders, call, readOrder, addressOf };
}
type Api = ReturnType<typeof openApi>;

/** Refunds what the order does not say is refunded. */
async function refundOrder(
  { call, readOrder, addressOf }: Api,
  order: Parameters<PaymentProvider['refund']>[0],
): ReturnType<PaymentProvider['refund']> {
  const known = await readOrder(order);
  const paid = known?.embedded?.payment.find(({ state }) => kindOfState[state] === 'paid');
  if (!known || !paid) return { state: 'refused', refundId: '' };
  const isNew = ({ id, state }: ProviderRefund) =>
    state === 'succeeded' && !order.earlierRefunds.includes(id);
  // A refund of an earlier attempt whose answer was lost. One that somebody made at N-Genius before this
  // one was sent is known.
  const made = refundsOf(paid).find((each) => isNew(each) && each.amount === order.amount);
  if (made) return { state: 'succeeded', refundId: made.id };
  const capture = lastOf(captureOf(paid)?.links?.self?.href);
  if (capture === '') return { state: 'refused', refundId: '' };
  try {
    const answer = orderPayment.parse(
      await call(
        `${addressOf(known.reference, paid)}/captures/${encodeURIComponent(capture)}/refund`,
        { amount: { currencyCode: order.currency, value: order.amount } },
        'POST',
        order.idempotencyKey,
      ),
    );
    const id = refundsOf(answer).findLast(isNew)?.id;
    // Without its id it would count as a refund that somebody else made.
    if (id === undefined) throw new Error('N-Genius answered without the refund');
    return { state: 'succeeded', refundId: id };
  } catch (error) {
    if (isFinal(error)) return { state: 'refused', refundId: '' };
    throw error;
  }
}

/** The payment that a message is about. Throws MessageRefused. */
function readOrderMessage(
  messageSecrets: readonly string[],
  raw: Parameters<PaymentProvider['readMessage']>[0],
  headers: Parameters<PaymentProvider['readMessage']>[1],
): ReturnType<PaymentProvider['readMessage']> {
  const given = String(headers['x-diwan-secret'] ?? '');
  if (!messageSecrets.some((secret) => isSameSecret(given, secret)))
    throw new MessageRefused('notGenuine');
  const parsed = z
    .object({
      order: z.object({
        reference: providerName,
        merchantOrderReference: z.string().regex(merchantReferencePattern),
      }),
    })
    .safeParse(parseMessage(raw));
  if (!parsed.success) throw new MessageRefused('unreadable');
  return {
    merchantReference: parsed.data.order.merchantOrderReference,
    providerReference: parsed.data.order.reference,
    events: [],
  };
}

/**
 * N-Genius Online of Network International. It has no idempotency keys: the order that is stored
 * first is the only one whose page anybody learns, and a refund whose answer was lost is one of its
 * amount that the order did not have before it was sent. Its messages have no signature, so they only
 * cause a question to it.
 */
export function nGenius({ messageSecrets, ...account }: NGeniusOptions): PaymentProvider {
  const api = openApi(account);
  const { orders, call, readOrder, addressOf } = api;
  return {
    origin: new URL(account.url).origin,
    methods: ['card'],
    open: async (asked) => {
      const back = new URL(asked.returnUrl);
      back.searchParams.set('paymentSummary', asked.merchantReference);
      const opened = order.parse(
        await call(
          orders,
          {
            action: 'PURCHASE',
            amount: { currencyCode: asked.currency, value: asked.amount },
            merchantOrderReference: asked.merchantReference,
            language: asked.language === 'en-US' ? 'en' : 'ar',
            merchantAttributes: {
              redirectUrl: back.toString(),
              cancelUrl: back.toString(),
              skipConfirmationPage: true,
            },
          },
          'POST',
          asked.merchantReference,
        ),
      );
      const page = z.url({ protocol: /^https?$/ }).parse(opened.links?.payment?.href);
      return { paymentUrl: page, providerReference: opened.reference };
    },
    read: async (payment) =>
      ((await readOrder(payment))?.embedded?.payment ?? []).flatMap((each) => {
        const kind = kindOfState[each.state];
        if (!kind) return [];
        return {
          id: `n-genius:${each.reference}:${kind}`,
          kind,
          amount: each.amount.value,
          currency: each.amount.currencyCode,
          // A refund changes the payment, and not its capture.
          occurredAt: toIso(captureOf(each)?.createdTime ?? each.updateDateTime),
        };
      }),
    capture: async (payment) => {
      const known = await readOrder(payment);
      const authorised = known?.embedded?.payment.find(({ state }) => state === 'AUTHORISED');
      if (!known || !authorised) return;
      await call(
        `${addressOf(known.reference, authorised)}/captures`,
        { amount: { currencyCode: payment.currency, value: payment.amount } },
        'POST',
        `capture-${payment.merchantReference}`,
      );
    },
    // Nothing closes an order that nobody has paid yet; only an authorisation can be reversed. The
    // caller keeps asking for as long as the page may be open.
    cancel: async (payment) => {
      const known = await readOrder(payment);
      if (!known) return true;
      const payments = known.embedded?.payment ?? [];
      const authorised = payments.find(({ state }) => state === 'AUTHORISED');
      if (authorised)
        await call(
          `${addressOf(known.reference, authorised)}/cancel`,
          undefined,
          'PUT',
          `cancel-${payment.merchantReference}`,
        );
      return (
        authorised !== undefined ||
        payments.some(({ state }) => ['FAILED', 'REVERSED'].includes(state))
      );
    },
    refund: (order) => refundOrder(api, order),
    readRefunds: async (payment) =>
      ((await readOrder(payment))?.embedded?.payment ?? []).flatMap(refundsOf),
    readMessage: (raw, headers) => readOrderMessage(messageSecrets, raw, headers),
    readSummary: (summary) => {
      if (!merchantReferencePattern.test(summary)) throw new Refusal('PaymentNotFound');
      return summary;
    },
  };
}
