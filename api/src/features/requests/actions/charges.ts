import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { vatOn } from '@diwan/contract/wire/money';
import type { Config } from '../../../config.ts';
import type { LocalizedQuote } from '@diwan/contract/catalogue/fees';
import { createTranslator, localizedText } from '../../../platform/core/locale-texts.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
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
}

/** The texts of the chosen reasons. */
export interface ChargeReasons {
  fine?: LocalizedText;
  fee?: LocalizedText;
}

/** Charges whose reasons were read. */
export type ExplainedCharges = Charges & { reasonTexts?: ChargeReasons };

type Line = LocalizedQuote['lines'][number];

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
  if (feesVat !== undefined && feesVat !== vat) throw new Refusal('ChargeVatWrong');
  const gatewayFee = isGatewayFeeIncluded ? 0 : vatOn(fines, rates.finesGatewayFeeRate);
  const line = (
    name: 'fines' | 'finesGatewayFee' | 'administrativeFees',
    amount: number,
    { vatRate = 0, reason }: { vatRate?: number; reason?: LocalizedText | undefined } = {},
  ): Line => ({
    name: uniqueName(quote.lines, name),
    title: titleOf(name, reason),
    amount,
    vatRate,
    vat: vatOn(amount, vatRate),
  });
  return [
    line('fines', fines, { reason: reasonTexts.fine }),
    line('finesGatewayFee', gatewayFee),
    line('administrativeFees', fees, { vatRate: rates.feeVatRate, reason: reasonTexts.fee }),
  ].filter(({ amount }) => amount > 0);
}

function withLines(quote: LocalizedQuote, added: readonly Line[]): LocalizedQuote {
  const sum = (part: 'amount' | 'vat') => added.reduce((total, line) => total + line[part], 0);
  return {
    ...quote,
    lines: [...quote.lines, ...added],
    totalAdminstrativeFees: quote.totalAdminstrativeFees + sum('amount'),
    totalAdminstrativeFeesVatValue: quote.totalAdminstrativeFeesVatValue + sum('vat'),
    total: quote.total + sum('amount') + sum('vat'),
  };
}

/**
 * Applies the charges of an action to a request: a charge changes the quote and the total, begins a
 * new payment round, and leads to the status for payment. `charged` in fils. Throws
 * ChargeNotPossible, ChargeVatWrong.
 */
export function chargeRequest(
  row: { quote: LocalizedQuote; total: number; payment_round: number },
  step: { to: number; toPay?: number | undefined },
  charges: ExplainedCharges,
  rates: ChargeRates,
): {
  to: number;
  charged: number;
  changes: { quote?: string; total?: number; payment_round?: number };
} {
  const added = linesOf(charges, row.quote, rates);
  if (added.length === 0) return { to: step.to, charged: 0, changes: {} };
  if (step.toPay === undefined) throw new Refusal('ChargeNotPossible');
  const quote = withLines(row.quote, added);
  return {
    to: step.toPay,
    charged: quote.total - row.total,
    changes: {
      quote: JSON.stringify(quote),
      total: quote.total,
      payment_round: row.payment_round + 1,
    },
  };
}
