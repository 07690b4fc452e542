import { readFileSync } from 'node:fs';
import { languages, type Language } from '@diwan/contract/languages';
import type { RefusalName, ValidationIssue } from '@diwan/contract/errors';

interface ErrorTexts {
  refusals: Record<string, string>;
  validation: Record<string, string>;
}

// The server speaks with the same words as the browser: both read web/public/locales/*/errors.json.
const texts = Object.fromEntries(
  languages.map((language) => [language, JSON.parse(readFileSync(new URL(`../../../web/public/locales/${language}/errors.json`, import.meta.url), 'utf8')) as ErrorTexts]),
) as Record<Language, ErrorTexts>;

function fill(text: string, params: Record<string, string | number> = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

/** The words of a refusal in a language; the name itself where a language lacks it. */
export function refusalText(name: RefusalName, language: Language, params?: Record<string, string | number>): string {
  return fill(texts[language].refusals[name] ?? name, params);
}

/** The words of one validation issue in a language. */
export function validationText(issue: ValidationIssue, language: Language): string {
  return issue.message?.[language] ?? fill(texts[language].validation[issue.code] ?? issue.code, issue.params);
}
