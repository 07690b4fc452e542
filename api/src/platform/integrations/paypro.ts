import { z } from 'zod';
import { Refusal } from '../core/refusals.ts';
import { callForText, callIntegration, IntegrationError } from './http-client.ts';
import {
  merchantReferencePattern,
  MessageRefused,
  providerEvent,
  type PaymentProvider,
} from './payment-provider.ts';
import { readSettlementFile } from './settlement-file.ts';
import { parseMessage, verifySignature } from './signed-message.ts';

const returnSummary = z.object({ merchantReference: z.string().regex(merchantReferencePattern) });
const message = z.object({
  merchantReference: z.string().regex(merchantReferencePattern),
  events: z.array(providerEvent).max(20),
});

const listedPayments = z.array(
  z.object({
    merchantReference: z.string().regex(merchantReferencePattern),
    events: z.array(providerEvent),
  }),
);

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

/** The address and the secrets of an account at the provider. */
interface PayProOptions {
  url: string;
  key: string;
  /** Signs the messages. Without it every message is refused, and payments are polled. */
  messageSecrets?: readonly string[] | undefined;
}

/**
 * The provider of the specification over HTTP. The specification names PayPro's summary and does
 * not show its protocol; this one is ours (docs/unknowns.md).
 */
export function payPro({ url, key, messageSecrets }: PayProOptions): PaymentProvider {
  const base = `${url.replace(/\/$/, '')}/payments`;
  const pathOf = (reference: string) => `${base}/${encodeURIComponent(reference)}`;
  return {
    origin: new URL(url).origin,
    methods: ['card', 'bankAccount'],
    movesPages: true,
    open: async (order) => {
      const { paymentUrl } = z
        .object({ paymentUrl: z.url({ protocol: /^https?$/ }) })
        .parse(await callIntegration(base, key, order, order.merchantReference));
      return { paymentUrl, providerReference: null };
    },
    read: async ({ merchantReference }) =>
      z
        .array(providerEvent)
        .parse(await callIntegration(`${pathOf(merchantReference)}/events`, key)),
    capture: async ({ merchantReference, amount, currency }) => {
      await callIntegration(
        `${pathOf(merchantReference)}/capture`,
        key,
        { amount, currency },
        `capture-${merchantReference}`,
      );
    },
    cancel: async ({ merchantReference }) => {
      const { isClosed } = z
        .object({ isClosed: z.boolean() })
        .parse(
          await callIntegration(
            `${pathOf(merchantReference)}/cancel`,
            key,
            {},
            `cancel-${merchantReference}`,
          ),
        );
      return isClosed;
    },
    refund: async ({ merchantReference, amount, currency, idempotencyKey }) => {
      try {
        return z
          .object({
            state: z.enum(['succeeded', 'pending', 'refused']),
            refundId: z.string().min(1).max(60),
          })
          .parse(
            await callIntegration(
              `${pathOf(merchantReference)}/refunds`,
              key,
              { amount, currency },
              idempotencyKey,
            ),
          );
      } catch (error) {
        if (error instanceof IntegrationError && error.status === 422)
          return { state: 'refused', refundId: '' };
        throw error;
      }
    },
    listCharged: async (since) => {
      const query = new URLSearchParams({ since: since.toISOString() });
      return listedPayments
        .parse(await callIntegration(`${base}?${query}`, key))
        .flatMap(({ merchantReference, events }) => {
          const charge = events.find(
            ({ kind, occurredAt }) => kind === 'paid' && new Date(occurredAt) >= since,
          );
          if (!charge) return [];
          const { amount, currency } = charge;
          return [{ merchantReference, providerReference: null, amount, currency }];
        });
    },
    readMessage: (raw, headers, now) => {
      if (messageSecrets === undefined) throw new MessageRefused('notGenuine');
      verifySignature(messageSecrets, headers['diwan-signature'], raw, now);
      const parsed = message.safeParse(parseMessage(raw));
      if (!parsed.success) throw new MessageRefused('unreadable');
      return { ...parsed.data, providerReference: null };
    },
    readSummary,
    readSettlement: async (day) => {
      const { lines, problems } = readSettlementFile(
        await callForText({
          url: `${url.replace(/\/$/, '')}/settlements/${day}`,
          authorization: `Bearer ${key}`,
          mediaType: 'text/csv',
        }),
      );
      const [problem] = problems;
      if (problem) throw new Error(`row ${problem.row}, column ${problem.column}: ${problem.code}`);
      return lines;
    },
  };
}
