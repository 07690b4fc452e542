import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Quote } from '@diwan/contract/wire/money';

type LocalizedLine = Omit<Quote['lines'][number], 'title'> & { title: LocalizedText };

/** A text in one language. */
export function localize(text: LocalizedText, language: Language): string {
  return text[language];
}

/** A stored quote with the titles of its lines in one language. Amounts stay in fils. */
export function localizeQuote(
  quote: Omit<Quote, 'lines'> & { lines: readonly LocalizedLine[] },
  language: Language,
): Quote {
  return {
    ...quote,
    lines: quote.lines.map((line) => ({ ...line, title: localize(line.title, language) })),
  };
}
