import type { ValidationCode } from '../wire/errors.ts';
import type { Language } from '../wire/languages.ts';
import { findLegalTextIssue, legalFacts } from './legal-text.ts';

/** The plural forms of a language, in the order of `Intl.PluralRules`. A text without a count has ''. */
export const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;
export type TextForm = '' | (typeof pluralForms)[number];

/** The plural forms that a text with a count needs in each language. */
export const pluralFormsOf: Record<Language, readonly TextForm[]> = {
  'ar-EG': pluralForms,
  'en-US': ['one', 'other'],
  'ur-PK': ['one', 'other'],
};

/** A key of a file of texts as its key without plural ending, and the form of the ending. */
export function splitKey(key: string): { key: string; form: TextForm } {
  const [, base = key, form = ''] = /^(.+)_(zero|one|two|few|many|other)$/.exec(key) ?? [];
  return { key: base, form: form as TextForm };
}

/** The key of a form in the files of texts. */
export const keyOfForm = (key: string, form: TextForm): string =>
  form === '' ? key : `${key}_${form}`;

/** The longest text, in characters. */
export const maximumTextLength = 4000;

/** The names in double braces, sorted, each once. */
export const placeholdersIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)].map(([, name = '']) => name))].sort();

/** The quoted keys of a text, such as `users:login.title` of `$t(users:login.title)`. */
export const referencesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\$t\(([^)]*)\)/g)].map(([, key = '']) => key))].sort();

/** The texts of `shell.json` that hold the portal's names. They are changed on the portal's own page. */
export const portalNameKeys = ['wordmark', 'shortName'] as const;
export type PortalNameKey = (typeof portalNameKeys)[number];
const portalNames: readonly string[] = portalNameKeys.map((key) => `shell:${key}`);

/** One form of a text: what the product ships, and the shipped forms of the same entry. */
export interface CheckedForm {
  form: TextForm;
  shipped: string;
  /** All shipped texts of the entry, in every language. */
  all: readonly string[];
  /** The text of a section of a legal page: `isLegalText`. */
  isLegal?: boolean;
}

/**
 * Whether a text is that of a section of a legal page. It may name any fact or none, and hold lists,
 * tables, links and further headings.
 */
export const isLegalText = (noun: string, key: string): boolean =>
  noun === 'legal' && key.endsWith('.text') && !key.startsWith('facts.');

/** Why a text is refused: a code of `errors.json` with the words that its text names. */
export interface TextIssue {
  code: ValidationCode;
  params?: Record<string, string>;
}

const braces = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(' ');

function findPlaceholderIssue(text: string, { form, shipped, all, isLegal }: CheckedForm) {
  const names = placeholdersIn(text);
  const needed = isLegal ? [] : placeholdersIn(shipped);
  const known = form === '' ? needed : all.flatMap(placeholdersIn);
  const allowed = new Set<string>(isLegal ? legalFacts : known);
  // “One item” needs no figure.
  const saysFigure = !['zero', 'one', 'two'].includes(form);
  const missing = needed.filter(
    (name) => !names.includes(name) && (saysFigure || name !== 'count'),
  );
  if (missing.length > 0) return { code: 'textLacks', params: { names: braces(missing) } } as const;
  const unknown = names.filter((name) => !allowed.has(name));
  if (unknown.length > 0)
    return { code: 'textUnknownPlaceholder', params: { names: braces(unknown) } } as const;
  return /\{\{|\}\}/.test(text.replace(/\{\{\s*[\w-]+\s*\}\}/g, ''))
    ? ({ code: 'textBraces' } as const)
    : undefined;
}

function findReferenceIssue(text: string, { all }: CheckedForm) {
  const known = new Set([...portalNames, ...all.flatMap(referencesIn)]);
  const unknown = referencesIn(text).filter((key) => !known.has(key));
  return unknown.length > 0 || /\$t(?!\([\w-]+:[\w.-]+\))/.test(text)
    ? ({
        code: 'textReference',
        params: { names: unknown.map((key) => `$t(${key})`).join(' ') || '$t' },
      } as const)
    : undefined;
}

/** The text as it is stored: composed characters (NFC), without spaces around it. */
export const normalizeEditedText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').normalize('NFC').trim();

// Isolates and marks are used in texts; embeddings and overrides turn what follows them.
const unreadable = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\uFEFF\uFFFD]|\p{Cs}/u;

/**
 * The first reason why a normalized text cannot replace a shipped one. A quoted key must be one that
 * the shipped texts of the entry quote, or a name of the portal: no text can quote itself, and none
 * that is missing.
 */
export function findTextIssue(text: string, checked: CheckedForm): TextIssue | undefined {
  if (text.replace(/[\s\p{Cf}]/gu, '') === '') return { code: 'required' };
  if (text.length > maximumTextLength)
    return { code: 'tooLong', params: { maximum: String(maximumTextLength) } };
  if (unreadable.test(text)) return { code: 'unreadableText' };
  if (text.includes('\n') && !checked.shipped.includes('\n') && !checked.isLegal)
    return { code: 'textLines' };
  if (/<[a-z!/?]|&(#\w+|[a-z]+);/i.test(text)) return { code: 'textMarkup' };
  return (
    findPlaceholderIssue(text, checked) ??
    findReferenceIssue(text, checked) ??
    (checked.isLegal ? findLegalTextIssue(text) : undefined)
  );
}
