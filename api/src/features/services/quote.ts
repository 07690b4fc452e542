import { vatOn } from '@diwan/contract/wire/money';
import type { FeeRule, FrozenQuote } from '../../platform/database/columns.ts';

/** The quote for fees, in fils. VAT is rounded on each line, as on a tax invoice. */
export function quoteFees(fees: readonly FeeRule[]): FrozenQuote {
  const lines = fees.map((fee) => ({ ...fee, vat: vatOn(fee.amount, fee.vatRate) }));
  const totalAdminstrativeFees = lines.reduce((sum, line) => sum + line.amount, 0);
  const totalAdminstrativeFeesVatValue = lines.reduce((sum, line) => sum + line.vat, 0);
  return {
    lines,
    totalAdminstrativeFees,
    totalAdminstrativeFeesVatValue,
    total: totalAdminstrativeFees + totalAdminstrativeFeesVatValue,
    currency: 'AED',
  };
}
