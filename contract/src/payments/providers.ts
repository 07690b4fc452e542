import { z } from 'zod';
import { paymentMethods } from '../requests/payments.ts';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { recordId, recordVersion } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';
import { fils, totalFils } from '../wire/money.ts';

/**
 * The payment providers that the product has adapters for. `paypro` is the specification's;
 * `reserve` is a second account with its protocol. Decision 0076.
 */
export const paymentProviderNames = ['paypro', 'reserve', 'n-genius', 'stripe'] as const;
export type PaymentProviderName = (typeof paymentProviderNames)[number];

const id = recordId;

/** A place in the order: one before, or one after. */
const move = z.enum(['up', 'down']).optional();

/**
 * A provider as an admin sees it. `isConfigured`: the deployment has its settings. `hasPayments`: it was
 * given one at any time. Providers are tried in the order of `position`.
 */
export const paymentProviderRecord = z.object({
  name: z.enum(paymentProviderNames),
  isConfigured: z.boolean(),
  hasPayments: z.boolean(),
  isEnabled: z.boolean(),
  position: z.int(),
  version: z.int(),
});
export type PaymentProviderRecord = z.infer<typeof paymentProviderRecord>;

/**
 * The provider of payments that match every given condition; the first rule that matches decides.
 * Amounts in fils, both included. `fallback` is tried when `provider` cannot open a payment.
 */
export const paymentRule = z.object({
  id: z.int(),
  agencyId: z.int().optional(),
  serviceId: z.int().optional(),
  serviceName: localizedText.optional(),
  method: z.enum(paymentMethods).optional(),
  minimum: fils.optional(),
  maximum: fils.optional(),
  provider: z.enum(paymentProviderNames),
  fallback: z.enum(paymentProviderNames).optional(),
  version: z.int(),
});
export type PaymentRule = z.infer<typeof paymentRule>;

/** The providers and the rules, each in the order in which they are tried. */
export const paymentRouting = z.object({
  providers: z.array(paymentProviderRecord),
  rules: z.array(paymentRule),
});
export type PaymentRouting = z.infer<typeof paymentRouting>;

/** Our own calls: the specification names one provider. See docs/unknowns.md. */
export const getPaymentRouting = defineCall({
  name: 'getPaymentRouting',
  method: 'GET',
  path: '/api/Payment/GetPaymentRouting',
  who: moneyReaders,
  summary: 'The payment providers and the rules that choose one',
  reply: paymentRouting,
  refusals: [],
});

export const savePaymentProvider = defineCall({
  name: 'savePaymentProvider',
  method: 'POST',
  path: '/api/Payment/SavePaymentProvider',
  who: money,
  summary: 'Switch a payment provider on or off, or change its place',
  body: z.object({
    name: z.enum(paymentProviderNames),
    isEnabled: z.boolean(),
    position: z.int().min(1).max(100),
    version: recordVersion,
  }),
  reply: paymentRouting,
  refusals: ['RecordHasChanged', 'LastPaymentProvider'],
});

export const savePaymentRule = defineCall({
  name: 'savePaymentRule',
  method: 'POST',
  path: '/api/Payment/SavePaymentRule',
  who: money,
  summary: 'Add a rule that chooses a payment provider, or change or delete one',
  body: z.object({
    id: id.optional(),
    version: recordVersion.optional(),
    agencyId: id.optional(),
    serviceId: id.optional(),
    method: z.enum(paymentMethods).optional(),
    minimum: totalFils.optional(),
    maximum: totalFils.optional(),
    provider: z.enum(paymentProviderNames),
    fallback: z.enum(paymentProviderNames).optional(),
    isDeleted: z.boolean().optional(),
    /** Changes the order only. */
    move,
  }),
  reply: paymentRouting,
  refusals: ['PaymentRuleNotFound', 'RecordHasChanged'],
});

/** A provider posts its messages to this call; it verifies them by the provider's signature. */
export const receivePaymentMessage = defineCall({
  name: 'receivePaymentMessage',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Payment/ReceivePaymentMessage/{provider}',
  who: 'anyone',
  summary: 'A signed message of a payment provider; a repeated one changes nothing',
  params: z.object({ provider: z.enum(paymentProviderNames) }),
  reply: z.object({ isAccepted: z.boolean() }),
  refusals: ['MessageNotAccepted', 'TooManyRequests'],
});
