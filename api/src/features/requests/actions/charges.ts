import type { Config } from '#config.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { sumLines, type LocalizedLine, type LocalizedQuote } from '@diwan/contract/catalogue/fees';
import { getAction, type RequestAction } from '@diwan/contract/requests/actions';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { vatOn } from '@diwan/contract/wire/money';
import { unpaidLines } from '../model/paid-lines.ts';
import type { ChargeRates } from '../model/requests-context.ts';

/** The rates of this deployment. */
export function chargeRates(
  config: Pick<Config, 'FEE_VAT_RATE' | 'FINES_GATEWAY_FEE_RATE'>,
): ChargeRates {
  return { feeVatRate: config.FEE_VAT_RATE, finesGatewayFeeRate: config.FINES_GATEWAY_FEE_RATE };
}

/** The amounts that an action charges, in fils; `feesVat` as the client calculated it. */
export interface Charges {
  fines?: number | undefined;
  fees?: number | undefined;
  feesVat?: number | undefined;
  /** The fines include the fee of the payment gateway. */
  isGatewayFeeIncluded?: boolean | undefined;
  /** The ids of their reasons, at most one for fines and one for fees. */
  reasons?: readonly number[] | undefined;
  /** Which discounts the documents prove, by the names of the agency's rules. */
  discounts?: readonly DiscountDecision[] | undefined;
}

/** A clerk's decision on a discount that a document claims. */
interface DiscountDecision {
  rule: string;
  isGranted: boolean;
}

/** The fines and fees that the staff adds, without VAT, in fils. */
export const addedBy = ({ fines = 0, fees = 0 }: Charges): number => fines + fees;

/** The texts of the chosen reasons. */
export interface ChargeReasons {
  fine?: LocalizedText;
  fee?: LocalizedText;
}

/** Charges whose reasons were read. */
export type ExplainedCharges = Charges & { reasonTexts?: ChargeReasons };

type Line = LocalizedLine;

const t = createTranslator('charges');

// Names of lines are unique within a quote: a further charge of the same kind gets a number.
function uniqueName(lines: readonly Line[], name: string): string {
  const names = new Set(lines.map((line) => line.name));
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}${count}`;
    if (!names.has(candidate)) return candidate;
  }
}

// The title names the reason, so that every place that shows the line tells it.
function titleOf(name: string, reason: LocalizedText | undefined): LocalizedText {
  const title = localizedText(t, name);
  if (!reason) return title;
  const texts = languages.map((language) => [
    language,
    t('withReason', language, { charge: title[language], reason: reason[language] }),
  ]);
  return Object.fromEntries(texts) as LocalizedText;
}

/**
 * The lines that charges add to a quote. Throws ChargeVatWrong when the sent VAT is not the VAT on
 * the fees.
 */
function linesOf(charges: ExplainedCharges, quote: LocalizedQuote, rates: ChargeRates): Line[] {
  const { fines = 0, fees = 0, feesVat, isGatewayFeeIncluded, reasonTexts = {} } = charges;
  const vat = vatOn(fees, rates.feeVatRate);
  // guard: VAT of added fees
  if (feesVat !== undefined && feesVat !== vat) throw new Refusal('ChargeVatWrong');
  const gatewayFee = isGatewayFeeIncluded ? 0 : vatOn(fines, rates.finesGatewayFeeRate);
  const line = (
    name: 'fines' | 'finesGatewayFee' | 'administrativeFees',
    amount: number,
    more: Partial<Pick<Line, 'vatRate' | 'isOperatorFee'>> & { reason?: LocalizedText | undefined },
  ): Line => {
    const { vatRate = 0, reason, isOperatorFee } = more;
    return {
      name: uniqueName(quote.lines, name),
      title: titleOf(name, reason),
      amount,
      vatRate,
      vat: vatOn(amount, vatRate),
      ...(isOperatorFee ? { isOperatorFee } : {}),
    };
  };
  return [
    line('fines', fines, { reason: reasonTexts.fine }),
    // The operator pays the gateway.
    line('finesGatewayFee', gatewayFee, { isOperatorFee: true }),
    line('administrativeFees', fees, { vatRate: rates.feeVatRate, reason: reasonTexts.fee }),
  ].filter(({ amount }) => amount > 0);
}

function withLines(quote: LocalizedQuote, added: readonly Line[]): LocalizedQuote {
  const lines = [...quote.lines, ...added];
  return { ...quote, lines, ...sumLines(lines) };
}

/** The lines that charge fines; a further charge of the same kind has a number. */
const fineLine = /^fines(GatewayFee)?\d*$/;

/** What changes when the unpaid fines of a request are removed; `paid` in fils. Empty without any. */
export function removeUnpaidFines(row: {
  quote: LocalizedQuote;
  payment_round: number;
  paid: number;
}): ChargedRequest['changes'] {
  const unpaid = unpaidLines(row.quote.lines, row.paid);
  const lines = row.quote.lines.filter(({ name }) => !fineLine.test(name) || !unpaid.has(name));
  if (lines.length === row.quote.lines.length) return {};
  const { total, ...quote } = withLines({ ...row.quote, lines }, []);
  // Pages of the provider that ask for the former amount end with the round.
  return {
    quote: JSON.stringify({ ...quote, total }),
    total,
    payment_round: row.payment_round + 1,
  };
}

/**
 * The quote in which the latest fine of a request and its gateway fee are waived after they were paid.
 * Nothing is charged again: what was paid for them is refunded.
 */
export function waiveLatestFine(quote: LocalizedQuote): LocalizedQuote {
  const latest = quote.lines.findLastIndex(({ name }) => /^fines\d*$/.test(name));
  const isOfFine = (line: Line, index: number) =>
    index === latest || (index === latest + 1 && line.name.startsWith('finesGatewayFee'));
  const lines = quote.lines.map((line, index) =>
    isOfFine(line, index) ? { ...line, isWaived: true } : line,
  );
  return { ...quote, lines };
}

/** The action that charges, and the employee who performs it. */
interface ChargingStep {
  action: RequestAction;
  to: number;
  toPay?: number | undefined;
  by: { id: string; name: string };
  at: Date;
}

const isClaimed = ({ discount }: Line): boolean => discount?.state === 'claimed';

/** A line that charges what a refused discount had taken off. */
function reverse(line: Line, lines: readonly Line[]): Line {
  const { discount: _discount, ...rest } = line;
  return {
    ...rest,
    name: uniqueName(lines, `${line.name} refused`),
    title: titleOf('discountRefused', line.title),
    amount: -line.amount,
    vat: -line.vat,
  };
}

/**
 * Decides on the discounts that documents claim. A refused one stays in the quote; a further line
 * charges what it took off. Throws DiscountUndecided.
 */
function decideDiscounts(
  quote: LocalizedQuote,
  decisions: readonly DiscountDecision[],
  { by, at }: Pick<ChargingStep, 'by' | 'at'>,
): { quote: LocalizedQuote; reversed: Line[] } {
  const reversed: Line[] = [];
  const decide = (line: Line): Line => {
    if (!line.discount || !isClaimed(line)) return line;
    const { rule } = line.discount;
    const decision = decisions.find((each) => each.rule === rule);
    if (!decision) throw new Refusal('DiscountUndecided');
    const decidedBy = { ...by, at: at.toISOString() };
    const state = decision.isGranted ? ('granted' as const) : ('refused' as const);
    return { ...line, discount: { ...line.discount, state, decidedBy } };
  };
  const { afterApproval } = quote;
  const lines = quote.lines.map((line) => {
    const decided = decide(line);
    if (decided !== line && decided.discount?.state === 'refused')
      reversed.push(reverse(line, [...quote.lines, ...reversed]));
    return decided;
  });
  const later = afterApproval?.lines
    .map(decide)
    // Nothing was charged yet.
    .filter(({ discount }) => discount?.state !== 'refused');
  return {
    quote: {
      ...quote,
      lines,
      ...(later ? { afterApproval: { lines: later, total: sumLines(later).total } } : {}),
    },
    reversed,
  };
}

/** What an action that grants the request does to its quote. Throws DiscountUndecided, IssueFeeDue. */
function grant(
  before: LocalizedQuote,
  step: ChargingStep,
  charges: ExplainedCharges,
): { quote: LocalizedQuote; added: Line[]; hasDecided: boolean } {
  const all = [...before.lines, ...(before.afterApproval?.lines ?? [])];
  const hasDecided = all.some(isClaimed);
  const { quote, reversed } = decideDiscounts(before, charges.discounts ?? [], step);
  const { afterApproval, ...current } = quote;
  if (!afterApproval) return { quote, added: reversed, hasDecided };
  if (step.toPay !== undefined)
    return { quote: current, added: [...reversed, ...afterApproval.lines], hasDecided };
  if (step.action === 'submitted' && afterApproval.total > 0) throw new Refusal('IssueFeeDue');
  return { quote, added: reversed, hasDecided };
}

interface ChargedRequest {
  to: number;
  charged: number;
  changes: {
    quote?: string;
    total?: number;
    payment_round?: number;
    paid_status_id?: number;
  };
}

// Where an amount is due, also one of an earlier charge, the request goes to the payment first, and
// the payment leads to where the action leads.
const leadOn = (
  { to, toPay }: ChargingStep,
  due: number,
  changes: ChargedRequest['changes'],
): Pick<ChargedRequest, 'to' | 'changes'> =>
  // guard: payment before the next step (workflow-charges)
  due > 0 && toPay !== undefined
    ? { to: toPay, changes: { ...changes, paid_status_id: to } }
    : { to, changes };

/**
 * Applies the charges of an action to a request: a charge changes the quote and the total, begins a
 * new payment round, and leads to the status for payment, from which the payment leads to where the
 * action would have led. `charged` and `paid` in fils. An action that grants what was asked for
 * decides on claimed discounts and charges the fees that are due after approval. Throws
 * ChargeNotPossible, ChargeVatWrong, DiscountUndecided, and IssueFeeDue when a request would be
 * completed before its issue fee is charged.
 */
export function chargeRequest(
  row: { quote: LocalizedQuote; total: number; payment_round: number; paid: number },
  step: ChargingStep,
  charges: ExplainedCharges,
  rates: ChargeRates,
): ChargedRequest {
  const { quote, added, hasDecided } = getAction(step.action).isGranting
    ? grant(row.quote, step, charges)
    : { quote: row.quote, added: [], hasDecided: false };
  const lines = [...added, ...linesOf(charges, quote, rates)];
  if (lines.length === 0 && !hasDecided)
    return { charged: 0, ...leadOn(step, row.total - row.paid, {}) };
  const { total, ...charged } = withLines(quote, lines);
  const stored = JSON.stringify({ ...charged, total });
  if (total === row.total)
    return { charged: 0, ...leadOn(step, row.total - row.paid, { quote: stored }) };
  // guard: step that can charge
  if (step.toPay === undefined) throw new Refusal('ChargeNotPossible');
  const changes = { quote: stored, total, payment_round: row.payment_round + 1 };
  return { charged: total - row.total, ...leadOn(step, total - row.paid, changes) };
}
