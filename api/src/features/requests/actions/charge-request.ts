import type { LocalizedText } from '@diwan/contract/wire/languages';
import { vatOn } from '@diwan/contract/wire/money';
import type { Config } from '../../../config.ts';
import type { FrozenQuote } from '../../../platform/database/database-types.ts';
import { Refusal } from '../../../platform/core/refusals.ts';

/**
 * Rates in basis points: VAT on administrative fees, and what the payment gateway takes of fines.
 */
export interface ChargeRates {
  feeVatRate: number;
  finesGatewayFeeRate: number;
}

export function chargeRates(
  config: Pick<Config, 'FEE_VAT_RATE' | 'FINES_GATEWAY_FEE_RATE'>,
): ChargeRates {
  return { feeVatRate: config.FEE_VAT_RATE, finesGatewayFeeRate: config.FINES_GATEWAY_FEE_RATE };
}

/** What an action adds to pay, in fils; `feesVat` as whoever sent it reckoned it. */
export interface Charges {
  fines?: number | undefined;
  fees?: number | undefined;
  feesVat?: number | undefined;
  /** The fines hold what the gateway takes of them. */
  isGatewayFeeIncluded?: boolean | undefined;
}

type Line = FrozenQuote['lines'][number];

const titles: Record<'fines' | 'finesGatewayFee' | 'administrativeFees', LocalizedText> = {
  fines: { 'ar-EG': 'غرامات', 'en-US': 'Fines', 'ur-PK': 'جرمانے' },
  finesGatewayFee: {
    'ar-EG': 'رسوم بوابة الدفع على الغرامات',
    'en-US': 'Payment gateway fee on fines',
    'ur-PK': 'جرمانوں پر ادائیگی گیٹ وے کی فیس',
  },
  administrativeFees: {
    'ar-EG': 'رسوم إدارية',
    'en-US': 'Administrative fees',
    'ur-PK': 'انتظامی فیس',
  },
};

// A line's name is its own within the quote; a second charge of a kind gets a number.
function freeName(lines: readonly Line[], name: string): string {
  const names = new Set(lines.map((line) => line.name));
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}${count}`;
    if (!names.has(tried)) return tried;
  }
}

/**
 * The lines that a charge adds to a quote; none when it adds nothing. Throws ChargeVatWrong when
 * the VAT that was sent is not the VAT on the fees.
 */
function linesOf(charges: Charges, quote: FrozenQuote, rates: ChargeRates): Line[] {
  const { fines = 0, fees = 0, feesVat, isGatewayFeeIncluded } = charges;
  const vat = vatOn(fees, rates.feeVatRate);
  if (feesVat !== undefined && feesVat !== vat) throw new Refusal('ChargeVatWrong');
  const gatewayFee = isGatewayFeeIncluded ? 0 : vatOn(fines, rates.finesGatewayFeeRate);
  const line = (name: keyof typeof titles, amount: number, vatRate = 0): Line => ({
    name: freeName(quote.lines, name),
    title: titles[name],
    amount,
    vatRate,
    vat: vatOn(amount, vatRate),
  });
  return [
    line('fines', fines),
    line('finesGatewayFee', gatewayFee),
    line('administrativeFees', fees, rates.feeVatRate),
  ].filter(({ amount }) => amount > 0);
}

/** A quote with further lines, frozen again. */
function withLines(quote: FrozenQuote, added: readonly Line[]): FrozenQuote {
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
 * What an action's charges make of a request: nothing, or another quote and total, a new round of
 * payment, and the status in which it waits for the money. Throws ChargeNotPossible,
 * ChargeVatWrong.
 */
export function chargeRequest(
  row: { quote: FrozenQuote; total: number; payment_round: number },
  step: { to: number; toPay?: number | undefined },
  charges: Charges,
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
