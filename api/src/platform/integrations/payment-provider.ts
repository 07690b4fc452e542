import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { PaymentMethod } from '@diwan/contract/requests/payments';
import type { Language } from '@diwan/contract/wire/languages';
import type { SettlementLine } from './settlement-file.ts';

/**
 * What a provider says about a payment. `authorised`: the amount is reserved and waits for
 * `capture`. `paid`: it is charged.
 */
const providerEventKinds = ['authorised', 'paid', 'declined', 'cancelled'] as const;

/** A name that a provider gave, without characters that the database or a page cannot take. */
export const providerName = z.string().regex(/^\P{Cc}{1,200}$/u);

/** An amount of a provider in the smallest unit: never negative, and at most a thousand million. */
export const providerAmount = z.int().min(0).max(100_000_000_000);

/** A currency such as AED. */
export const providerCurrency = z.string().regex(/^[A-Z]{3}$/);

/** One event of the provider. `amount` in fils; the provider never uses an id twice. */
export const providerEvent = z.object({
  id: providerName,
  kind: z.enum(providerEventKinds),
  amount: providerAmount,
  currency: providerCurrency,
  occurredAt: z.iso.datetime(),
});
export type ProviderEvent = z.infer<typeof providerEvent>;

/** Our merchant references; providers send them back. */
export const merchantReferencePattern = /^[\w-]{1,60}$/;

/** The amount that the provider collects, and the address to which it sends the visitor back. */
export interface PaymentOrder {
  merchantReference: string;
  /** Fils. */
  amount: number;
  currency: string;
  description: string;
  language: Language;
  returnUrl: string;
  /** Where the provider sends its messages; providers with a fixed address ignore it. */
  messageUrl: string;
  /** Of those that the provider offers. */
  method: PaymentMethod;
}

/** How an opened payment is named: by us, and by the provider where it has its own id. */
export interface OpenedPayment {
  merchantReference: string;
  providerReference: string | null;
}

/** A refund in part or in full; the same key never refunds twice. */
interface RefundOrder extends OpenedPayment {
  /** Fils. */
  amount: number;
  currency: string;
  idempotencyKey: string;
  /**
   * The ids of the refunds of this payment that existed before this one was sent, for providers
   * without idempotency keys: none of them is this one.
   */
  earlierRefunds: readonly string[];
}

/** A refund as its provider knows it, of us or of a person there. `amount` in the smallest unit. */
export interface ProviderRefund {
  id: string;
  /** The key with which we sent it; null where somebody made it at the provider, or it tells none. */
  key: string | null;
  state: RefundAnswer['state'];
  amount: number;
  currency: string;
  /** An ISO time. */
  madeAt: string;
}

/** A payment that a provider has charged. `amount` in the smallest unit. */
export interface ListedCharge extends OpenedPayment {
  amount: number;
  currency: string;
}

/** A payer who takes a payment back through the bank, as the provider tells it. */
interface ProviderDispute {
  id: string;
  amount: number;
  currency: string;
  /** The provider's words for the reason and the state. */
  detail: string;
  hasEnded: boolean;
}

/** `refused` is final: the provider did not refund and will not with this key. */
export interface RefundAnswer {
  state: 'succeeded' | 'pending' | 'refused';
  refundId: string;
}

/**
 * A genuine message. Without `events` it only announces that something happened, and the caller asks
 * `read` and `readRefunds`.
 */
export interface ProviderMessage extends OpenedPayment {
  events: ProviderEvent[];
  /** The provider's name of the charge, where the message names nothing else: `findPayment`. */
  charge?: string;
  dispute?: ProviderDispute;
}

type MessageFault = 'notGenuine' | 'tooOld' | 'unreadable';

/** A message that is not accepted. */
export class MessageRefused extends Error {
  readonly fault: MessageFault;

  constructor(fault: MessageFault) {
    super(`message refused: ${fault}`);
    this.fault = fault;
  }
}

/**
 * A payment service provider. Every call that changes something can be repeated: a second `open`
 * with the same merchant reference returns the same page, a second `refund` with the same key the
 * same refund. Methods throw when the provider cannot be reached or answers with an error; the
 * outcome is unknown then.
 */
export interface PaymentProvider {
  /** Where its calls go, such as https://api.example. */
  origin: string;
  /** What its pages offer. */
  methods: readonly PaymentMethod[];
  open(order: PaymentOrder): Promise<{ paymentUrl: string; providerReference: string | null }>;
  /** Whether `open` gives the page of a known payment its current address, and takes a new return. */
  movesPages?: boolean;
  /** All events of the provider about a payment so far; none when it does not know the payment. */
  read(payment: OpenedPayment): Promise<ProviderEvent[]>;
  /** Charges what was authorised; missing where the provider never separates the two. */
  capture?(payment: OpenedPayment & { amount: number; currency: string }): Promise<void>;
  /**
   * Closes the payment's page. True: nothing can be charged from now on. False: it was charged, or
   * may be charged still; the caller asks `read`.
   */
  cancel(payment: OpenedPayment): Promise<boolean>;
  refund(order: RefundOrder): Promise<RefundAnswer>;
  /** All refunds of a payment; missing where nobody but us can make them. */
  readRefunds?(payment: OpenedPayment): Promise<ProviderRefund[]>;
  /** Every payment that was charged since a time; missing where the provider lists none. */
  listCharged?(since: Date): Promise<ListedCharge[]>;
  /** The payment of a charge; missing where messages always name the payment. */
  findPayment?(charge: string): Promise<OpenedPayment | undefined>;
  /** Checks that a message comes from the provider. Throws `MessageRefused`. */
  readMessage(raw: Buffer, headers: IncomingHttpHeaders, now: Date): ProviderMessage;
  /**
   * The merchant reference in the summary that the provider adds to the address of the visitor's
   * return. The summary proves nothing: the caller asks `read`. Throws PaymentNotFound.
   */
  readSummary(summary: string): string;
  /**
   * The lines that the provider settled on a day in Asia/Dubai, YYYY-MM-DD; missing where a provider
   * only sends files to people.
   */
  readSettlement?(day: string): Promise<SettlementLine[]>;
}
