import { localize } from '#platform/core/localize.ts';
import {
  evidenceName,
  type LocalizedLine,
  type LocalizedQuote,
} from '@diwan/contract/catalogue/fees';
import type { RequestDiscount } from '@diwan/contract/requests/requests';
import type { Language } from '@diwan/contract/wire/languages';

type Discount = NonNullable<LocalizedLine['discount']>;

function describe(
  { rule, state, evidence, title, decidedBy }: Discount,
  lines: readonly LocalizedLine[],
  language: Language,
): RequestDiscount {
  return {
    rule,
    title: localize(title, language),
    amount: lines.reduce((sum, { amount, vat }) => sum - amount - vat, 0),
    state,
    ...(evidence === 'document' ? { attachmentName: evidenceName({ name: rule }) } : {}),
    ...(decidedBy ? { decidedBy: decidedBy.name, decidedAt: decidedBy.at } : {}),
  };
}

/** The discounts of a quote, each once, those on fees after approval included. */
export function describeDiscounts(quote: LocalizedQuote, language: Language): RequestDiscount[] {
  const lines = [...quote.lines, ...(quote.afterApproval?.lines ?? [])];
  const rules = new Set(lines.flatMap(({ discount }) => discount?.rule ?? []));
  return [...rules].flatMap((rule) => {
    const ofRule = lines.filter(({ discount }) => discount?.rule === rule);
    const discount = ofRule[0]?.discount;
    return discount ? [describe(discount, ofRule, language)] : [];
  });
}
