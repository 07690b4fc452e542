import { readFileSync } from 'node:fs';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { RefusalName, ValidationIssue } from '@diwan/contract/wire/errors';
import type { RefusalParams } from './refusals.ts';

interface ErrorTexts {
  refusals: Record<string, string>;
  validation: Record<string, string>;
}

// The server speaks with the same words as the browser: both read web/public/locales/*/errors.json.
const texts = Object.fromEntries(
  languages.map((language) => [
    language,
    JSON.parse(
      readFileSync(
        new URL(`../../../../web/public/locales/${language}/errors.json`, import.meta.url),
        'utf8',
      ),
    ) as ErrorTexts,
  ]),
) as Record<Language, ErrorTexts>;

function fill(text: string, language: Language, params: RefusalParams = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const param = params[name];
    return param === undefined
      ? whole
      : typeof param === 'object'
        ? param[language]
        : String(param);
  });
}

/** The words of a refusal in a language; the name itself where a language lacks it. */
export function refusalText(name: RefusalName, language: Language, params?: RefusalParams): string {
  return fill(texts[language].refusals[name] ?? name, language, params);
}

/** The words of one validation issue in a language. */
export function validationText(issue: ValidationIssue, language: Language): string {
  return (
    issue.message?.[language] ??
    fill(texts[language].validation[issue.code] ?? issue.code, language, issue.params)
  );
}
