import { vatOn } from '@diwan/contract/wire/money';
import type { FeeRule, FrozenQuote } from '../../platform/database/database-types.ts';

/**
 * What fees cost, line by line, in fils. VAT is rounded on each line, as a tax invoice shows it.
 */
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
