import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Quote } from '@diwan/contract/wire/money';
import type { FrozenQuote } from '../database/database-types.ts';

/** A text in the caller's language. */
export function localize(text: LocalizedText, language: Language): string {
  return text[language];
}

/** A frozen quote with the titles of its lines in the caller's language. Money stays in fils. */
export function localizeQuote(quote: FrozenQuote, language: Language): Quote {
  return {
    ...quote,
    lines: quote.lines.map((line) => ({ ...line, title: localize(line.title, language) })),
  };
}
