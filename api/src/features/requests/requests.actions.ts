import type { Caller } from '#platform/auth/caller.ts';
import { localize, localizeQuote } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { LocalizedQuote } from '@diwan/contract/catalogue/fees';
import type { CompanyDetails } from '@diwan/contract/forms/parties';
import { isEndWithoutResult } from '@diwan/contract/requests/workflow';
import { defaultLanguage, type Language } from '@diwan/contract/wire/languages';
import type { Notifier } from '../messages/notifications.actions.ts';
import { allowedActions, findPaidStatus, getStatus } from '../workflow/workflow-rules.actions.ts';
import type { Workflows } from '../workflow/workflows.actions.ts';
import { paymentActor } from './actions/actor.ts';
import { lockForStep, recordStep, type StepRules } from './actions/step.ts';
import {
  allocatePayment,
  dueLines,
  linesPaidBy,
  linesRefundedBy,
  type PaidPart,
} from './model/paid-lines.ts';
import * as store from './model/requests.store.ts';
import {
  getIdByNumber,
  getVisibleRequest,
  lockVisibleRequest,
} from './model/visibility.actions.ts';
import { findParties, type Parties } from './record/parties.store.ts';
import { insertRefund, sumRefundedAlone, sumStartedRefunds } from './record/refunds.store.ts';

// What payments need of requests.

/** A request as its owner pays for it. */
export interface RequestToPay {
  id: number;
  number: string;
  /** In fils. */
  due: number;
  /** Each charge begins a new round. */
  round: number;
  serviceId: number;
  agencyId: number;
  serviceName: string;
  /** The titles of the unpaid charges; empty in the first round. */
  addedTitles: string[];
  isPayable: boolean;
}

/** A request that the caller may see, and whether they can pay for it. Throws RequestNotFound. */
export async function getRequestToPay(
  { database, ...context }: { database: Database; workflow: Pick<Workflows, 'get'> },
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestToPay> {
  const row = await getVisibleRequest(database, caller, requestId);
  const workflow = await context.workflow.get(row.workflow_id);
  const paid = await store.sumPaid(database, row.id);
  const unpaidCharges =
    row.payment_round === 1
      ? []
      : dueLines(allocatePayment(localizeQuote(row.quote, language), paid));
  return {
    id: row.id,
    number: row.number,
    due: row.total - paid,
    round: row.payment_round,
    serviceId: row.service_id,
    agencyId: row.agency_id,
    serviceName: localize(row.service_name, language),
    addedTitles: unpaidCharges.map(({ title }) => title),
    isPayable: allowedActions(workflow, caller, row).includes('pay'),
  };
}

/**
 * Locks a request for a payment, and returns the amount due, in fils, and the payment round. Throws
 * RequestNotFound.
 */
export async function lockDueAmount(
  transaction: Transaction,
  requestId: number,
): Promise<{ due: number; round: number }> {
  const row = await store.lockVisible(transaction, requestId, store.visibleToEveryone);
  if (!row) throw new Refusal('RequestNotFound');
  return {
    due: row.total - (await store.sumPaid(transaction, requestId)),
    round: row.payment_round,
  };
}

/** Who pays for a request: the company for which it was sent, else the applicant. */
export interface Buyer extends Pick<CompanyDetails, 'street' | 'city' | 'emirate' | 'trn'> {
  name: string;
  /** Of a person the Emirates ID, of a company its trade licence with who issued it. */
  identification?: { kind: 'emiratesId' | 'tradeLicence'; number: string; authority?: string };
}

function toBuyer(
  applicantName: string,
  parties: Omit<Parties, 'agencyId'>,
  language: Language,
): Buyer {
  const { companyName, licenceNumber, licenceAuthority, emiratesId } = parties;
  const { street, city, emirate, trn } = parties;
  const contact = {
    street: street ?? '',
    city: city ?? '',
    emirate: emirate ?? '',
    trn: trn ?? '',
  };
  const number = companyName ? licenceNumber : emiratesId;
  const kind = companyName ? 'tradeLicence' : 'emiratesId';
  return {
    name: companyName ? localize(companyName, language) : applicantName,
    ...contact,
    ...(number
      ? {
          identification: {
            kind,
            number,
            ...(companyName && licenceAuthority ? { authority: licenceAuthority } : {}),
          },
        }
      : {}),
  };
}

/** A request as its invoices show it; its texts are in its own language. */
interface RequestToInvoice {
  number: string;
  language: Language;
  buyer: Buyer;
  serviceName: string;
  agencyId: number;
  agencyName: string;
  quote: LocalizedQuote;
  /** In fils: what was paid for its lines, and how much of it may be refunded. */
  paid: number;
  refundableOfLines: number;
}

/** Locks a request for its invoices. Throws RequestNotFound. */
export async function lockRequestToInvoice(
  transaction: Transaction,
  requestId: number,
): Promise<RequestToInvoice> {
  await store.lockVisible(transaction, requestId, store.visibleToEveryone);
  const row = await store.findVisible(transaction, requestId, store.visibleToEveryone);
  if (!row) throw new Refusal('RequestNotFound');
  const language = row.language ?? defaultLanguage;
  const { agencyId, ...parties } = await findParties(transaction, requestId);
  return {
    number: row.number,
    language,
    buyer: toBuyer(row.applicant_name, parties, language),
    serviceName: localize(row.service_name, language),
    agencyId,
    agencyName: localize(row.agency_name, language),
    quote: row.quote,
    paid: await store.sumPaid(transaction, requestId),
    refundableOfLines: Math.max(
      0,
      row.refundable - (await store.sumOverpaid(transaction, requestId)),
    ),
  };
}

/** The lines that a payment of `amount` fils pays, after `paidBefore` fils were paid. */
export function linesOfPayment(
  quote: LocalizedQuote,
  paidBefore: number,
  amount: number,
  language: Language,
): PaidPart[] {
  return linesPaidBy(localizeQuote(quote, language), paidBefore, amount);
}

/** The lines that a refund of `amount` fils pays back, after `before` fils were refunded. */
export function linesOfRefund(
  { quote, paid, refundableOfLines }: RequestToInvoice,
  { before, amount }: { before: number; amount: number },
  language: Language,
): { lines: PaidPart[]; rest: number } {
  return linesRefundedBy(localizeQuote(quote, language), {
    paid,
    refundableOfLines,
    refundedBefore: before,
    amount,
  });
}

/** What recording a payment needs. */
export interface PaymentContext extends StepRules {
  notifier: Notifier;
  /** Called in the same transaction when money was received although nothing was due. */
  onSurplus?: (amount: number) => Promise<void>;
}

/**
 * Records money that was received although nothing was due, in fils: it becomes refundable, and the
 * applicant is notified. In the transaction that books the payment, once for each payment.
 */
export async function recordOverpayment(
  { notifier, onSurplus }: Omit<PaymentContext, keyof StepRules>,
  transaction: Transaction,
  requestId: number,
  amount: number,
): Promise<void> {
  const row = await store.lockVisible(transaction, requestId, store.visibleToEveryone);
  if (!row) return;
  await store.updateRequest(transaction, requestId, { refundable: row.refundable + amount });
  await notifier.notify(transaction, { requestId, notification: 'surplus', amount });
  await onSurplus?.(amount);
}

/**
 * The refundable and refunded sums of a request that the caller may see, under its lock. `alone`: what
 * the caller refunded in the last 24 hours without a second person.
 */
export async function lockRefundable(
  transaction: Transaction,
  caller: Caller,
  requestId: number,
): Promise<{ refundable: number; refunded: number; started: number; alone: number }> {
  const { refundable, refunded } = await lockVisibleRequest(transaction, caller, requestId);
  const { started } = await sumStartedRefunds(transaction, requestId);
  const alone = await sumRefundedAlone(transaction, requestId, caller.userId);
  return { refundable, refunded, started, alone };
}

/**
 * Books a refund that the provider made, once for each reference, and notifies the applicant. What
 * was never booked as received, `isOutside`, changes no sum of the request.
 */
export async function bookRefund(
  { notifier }: Pick<PaymentContext, 'notifier'>,
  transaction: Transaction,
  refund: {
    requestId: number;
    amount: number;
    reference: string;
    by: { id: string; name: string } | null;
    at: Date;
    isOutside: boolean;
  },
): Promise<void> {
  const { requestId, amount, reference, by, at } = refund;
  const row = await store.lockVisible(transaction, requestId, store.visibleToEveryone);
  if (!row) return;
  if (!refund.isOutside) {
    await insertRefund(transaction, {
      request_id: requestId,
      amount,
      reference,
      recorded_by: by?.id ?? null,
      recorder_name: by?.name ?? '',
      at,
    });
    const refunded = row.refunded + amount;
    // What somebody refunded at the provider may be more than was to go back.
    const refundable = Math.max(row.refundable, refunded);
    await store.updateRequest(transaction, requestId, { refunded, refundable });
  }
  await notifier.notify(transaction, { requestId, notification: 'refunded', amount, reference });
}

/**
 * Moves a request to its next status once nothing is due, in the transaction that books a payment
 * of `amount` fils. Returns whether the request was waiting for the payment. A payment for a
 * request that has ended meanwhile without a result becomes refundable.
 */
export async function markPaid(
  { workflow: workflows, calendars, notifier, ...surplus }: PaymentContext,
  transaction: Transaction,
  requestId: number,
  { at = new Date(), amount = 0 }: { at?: Date; amount?: number } = {},
): Promise<boolean> {
  return inTransaction(transaction, async (unit) => {
    const request = await lockForStep(unit, { workflow: workflows, calendars }, requestId, {
      visible: store.visibleToEveryone,
      userId: null,
    });
    if (!request) return false;
    const { row, facts, workflow } = request;
    const to = findPaidStatus(workflow, row.status_id, row.paid_status_id);
    if (to === undefined) {
      if (isEndWithoutResult(getStatus(workflow, row.status_id).tone))
        await recordOverpayment({ notifier, ...surplus }, unit, requestId, amount);
      return false;
    }
    if (row.total > facts.paid) return false;
    recordStep({ notifier }, unit, request, { action: 'pay', to, actor: paymentActor, at });
    return true;
  });
}

/** Whether something was paid for a request and nothing is due. */
export async function isRequestPaid(database: Database, requestId: number): Promise<boolean> {
  const row = await store.findVisible(database, requestId, store.visibleToEveryone);
  const paid = await store.sumPaid(database, requestId);
  return row !== undefined && paid > 0 && paid >= row.total;
}

/** The number of a request. Throws RequestNotFound. */
export async function getRequestNumber(
  database: Database | Transaction,
  requestId: number,
): Promise<string> {
  const row = await store.findVisible(database, requestId, store.visibleToEveryone);
  if (!row) throw new Refusal('RequestNotFound');
  return row.number;
}

/** The id of the request with this number, in any spelling. Throws RequestNotFound. */
export function getRequestIdByNumber(database: Database, text: string): Promise<number> {
  return getIdByNumber(database, text, store.visibleToEveryone);
}

/**
 * Begins another payment round, because less than the due amount was accepted. The transaction holds
 * the lock of the request.
 */
export async function beginPaymentRound(
  transaction: Transaction,
  requestId: number,
  round: number,
): Promise<void> {
  await store.updateRequest(transaction, requestId, { payment_round: round });
}
