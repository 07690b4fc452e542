import type { Language } from '@diwan/contract/wire/languages';

// First words of English titles that keep their capital, beside abbreviations such as IBAN.
const properWords =
  /^(?:Arabic|Dubai|Ejari|Emirati|Emirates|English|Hijri|Latin|Makani|Tawtheeq)\b/;
// First words after which an article would be wrong: "Enter your name", "Choose how you want it".
const bareWords =
  /^(?:your|the|an?|any|all|this|how|what|when|where|which|who|whose|why)(?![\w-])/i;

/** The title of a field within a sentence: "Plate number" becomes "the plate number". */
export function titleInSentence(title: string, language: Language): string {
  if (language !== 'en-US') return title;
  const [first = ''] = title.split(' ');
  const isProper = properWords.test(title) || /[A-Z].*[A-Z]|\d/.test(first);
  const inside = isProper ? title : title.charAt(0).toLowerCase() + title.slice(1);
  return bareWords.test(title) ? inside : `the ${inside}`;
}

/** The title of an item within a sentence, without an article: "Family member" becomes "family member". */
export const itemInSentence = (title: string, language: Language): string =>
  titleInSentence(title, language).replace(/^the /, '');

/** Whether a title asks something, so that it cannot be part of a sentence. */
export const isQuestion = (title: string): boolean => /[?\u061F]\s*$/u.test(title);
