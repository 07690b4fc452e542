import type { LocalizedLine, LocalizedQuote } from '@diwan/contract/catalogue/fees';
import { cleanText } from '@diwan/contract/forms/answer-values';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import {
  directionOf,
  languages,
  type Language,
  type LocalizedText,
} from '@diwan/contract/wire/languages';
import type { Quote } from '@diwan/contract/wire/money';
import { createTranslator } from './locale-texts.ts';
import { normalizeText } from './normalize-text.ts';
import { ValidationRefusal } from './refusals.ts';

const t = createTranslator('request-messages');

/** A text in one language. */
export function localize(text: LocalizedText, language: Language): string {
  return text[language];
}

/** A text as it is stored: without marks and space around it; `keepsLines` leaves line breaks. */
export const cleanLocalizedText = (text: LocalizedText, keepsLines = false): LocalizedText => ({
  'ar-EG': cleanText(text['ar-EG'], keepsLines),
  'en-US': cleanText(text['en-US'], keepsLines),
  'ur-PK': cleanText(text['ur-PK'], keepsLines),
});

/**
 * Refuses a name that another active record has in one of the languages, with `nameTaken` at
 * `name.<language>`.
 */
export function refuseTakenName(
  name: LocalizedText,
  others: readonly { name: LocalizedText; retired_at: Date | null }[],
): void {
  const issues = languages.flatMap((language): ValidationIssue[] =>
    others.some(
      (other) =>
        other.retired_at === null &&
        normalizeText(other.name[language]) === normalizeText(name[language]),
    )
      ? [{ field: `name.${language}`, code: 'nameTaken' }]
      : [],
  );
  if (issues.length > 0) throw new ValidationRefusal(issues);
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

// Latin digits in every language: decision 0007.
const tags: Record<Language, string> = {
  'ar-EG': 'ar-AE-u-nu-latn-ca-gregory',
  'en-US': 'en-GB',
  'ur-PK': 'ur-PK-u-nu-latn-ca-gregory',
};

/** A day in Asia/Dubai with the name of the weekday. */
export function formatDay(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(tags[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'Asia/Dubai',
  }).format(at);
}
