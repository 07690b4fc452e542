import { languages, type Language, type LocalizedText } from './languages.ts';

/**
 * What may be wrong with a text in three languages:
 * - `missing`: it is blank;
 * - `sameAsEnglish`: an Arabic or Urdu text equals the English one;
 * - `wrongScript`: most letters are not of the script of the language;
 * - `placeholder`: words or marks of an unfinished text;
 * - `muchLonger`: far longer than the shortest of the others.
 * Only `missing` is an error; the rest are warnings for the person who writes.
 */
export const textWarningKinds = [
  'missing',
  'sameAsEnglish',
  'wrongScript',
  'placeholder',
  'muchLonger',
] as const;
export type TextWarningKind = (typeof textWarningKinds)[number];

/** A warning about the text of one language. */
export interface TextWarning {
  language: Language;
  kind: TextWarningKind;
}

// Short texts differ in length for good reasons.
const minimumCompared = 40;
const maximumRatio = 2.5;
// A name or an abbreviation may stand in a text of another script.
const minimumShare = 0.5;

const unfinished =
  /\b(todo|tbd|fixme|lorem ipsum|xxx+)\b|\?{3,}|_{3,}|\[\s*\.{3}\s*\]|\.{4,}|<[a-z/!][^>]*>/i;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function hasWrongScript(text: string, language: Language): boolean {
  // Placeholders such as {{count}} and addresses have Latin letters in every language.
  const words = text.replaceAll(/\{\{.*?\}\}|\$t\(.*?\)|\S+@\S+|https?:\S+/g, ' ');
  const latin = countOf(words, /\p{Script=Latin}/gu);
  const arabic = countOf(words, /\p{Script=Arabic}/gu);
  if (latin + arabic === 0) return false;
  const right = language === 'en-US' ? latin : arabic;
  return right / (latin + arabic) < minimumShare;
}

/** The warnings of a text, in the order of the languages. */
export function findTextWarnings(text: LocalizedText): TextWarning[] {
  const trimmed = Object.fromEntries(
    languages.map((language) => [language, text[language].trim()]),
  ) as LocalizedText;
  return languages.flatMap((language): TextWarning[] => {
    const own = trimmed[language];
    if (own === '') return [{ language, kind: 'missing' }];
    const others = languages
      .filter((other) => other !== language && trimmed[other] !== '')
      .map((other) => trimmed[other].length);
    const isSame =
      language !== 'en-US' && own === trimmed['en-US'] && /\p{Script=Latin}/u.test(own);
    const isLong = own.length > minimumCompared && own.length > Math.min(...others) * maximumRatio;
    const kinds: [TextWarningKind, boolean][] = [
      ['sameAsEnglish', isSame],
      ['wrongScript', !isSame && hasWrongScript(own, language)],
      ['placeholder', unfinished.test(own)],
      ['muchLonger', isLong],
    ];
    return kinds.filter(([, isFound]) => isFound).map(([kind]) => ({ language, kind }));
  });
}
