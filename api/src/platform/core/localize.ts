import type { LocalizedLine, LocalizedQuote } from '@diwan/contract/catalogue/fees';
import { directionOf, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { Quote } from '@diwan/contract/wire/money';
import { createTranslator } from './locale-texts.ts';

const t = createTranslator('request-messages');

/** A text in one language. */
export function localize(text: LocalizedText, language: Language): string {
  return text[language];
}

/** The columns of `users` with the name of a person. UAE PASS brings the Arabic one. */
export interface PersonNames {
  full_name: string;
  full_name_ar: string | null;
}

/** A person's name in the script of a language; in Latin letters where no Arabic name is known. */
export function localizePersonName(
  { full_name, full_name_ar }: PersonNames,
  language: Language,
): string {
  return directionOf(language) === 'rtl' ? (full_name_ar ?? full_name) : full_name;
}

/**
 * An amount in fils as dirhams: `-1,234.50`. It does not use Intl, whose data differ between versions of
 * Node: the same document has the same bytes. Latin digits in every language: decision 0007.
 */
export function formatDirhams(fils: number): string {
  const size = Math.abs(fils);
  const whole = String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${fils < 0 ? '-' : ''}${whole}.${String(size % 100).padStart(2, '0')}`;
}

/** An amount in fils with its currency, as messages and documents write it. */
export function formatAmount(fils: number, language: Language): string {
  return t('amount', language, { amount: formatDirhams(fils) });
}

/** A stored quote with the titles of its lines in one language. Amounts stay in fils. */
export function localizeQuote(
  { lines, afterApproval, ...sums }: LocalizedQuote,
  language: Language,
): Quote {
  const inLanguage = (all: readonly LocalizedLine[]): Quote['lines'] =>
    all.map((line) => ({ ...line, title: localize(line.title, language) }));
  return {
    ...sums,
    lines: inLanguage(lines),
    ...(afterApproval
      ? { afterApproval: { ...afterApproval, lines: inLanguage(afterApproval.lines) } }
      : {}),
  };
}
