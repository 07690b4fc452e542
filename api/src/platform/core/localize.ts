import type { LocalizedLine, LocalizedQuote } from '@diwan/contract/catalogue/fees';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Quote } from '@diwan/contract/wire/money';

/** A text in one language. */
export function localize(text: LocalizedText, language: Language): string {
  return text[language];
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
