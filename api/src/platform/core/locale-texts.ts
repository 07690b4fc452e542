import { readFileSync } from 'node:fs';
import type { RefusalName, ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { RefusalParams } from './refusals.ts';

// The server and the browser read the same texts.
const readLocaleFile = (language: Language, noun: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../web/public/locales/${language}/${noun}.json`, import.meta.url),
      'utf8',
    ),
  );

type NestedTexts = { readonly [key: string]: string | NestedTexts };

/** Values of placeholders by name. `count` also selects the plural form. */
export type TextValues = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the text of a key such as `title.short` with its placeholders filled; `$t(users:login.title)`
 * becomes the text of that key. A placeholder without a value stays in the text, as in the browser.
 * Throws for a key that is missing.
 */
export type Translate = (key: string, language: Language, values?: TextValues) => string;

function findText(texts: NestedTexts | undefined, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<string | NestedTexts | undefined>(
      (part, name) => (typeof part === 'object' ? part[name] : undefined),
      texts,
    );
  return typeof found === 'string' ? found : undefined;
}

// The plural forms are those of the browser: a form for zero is optional in every language.
function pluralEndings(language: Language, count: TextValues[string]): readonly string[] {
  if (typeof count !== 'number') return [''];
  return [
    ...(count === 0 ? ['_zero'] : []),
    `_${new Intl.PluralRules(language).select(count)}`,
    '',
  ];
}

// `{{name}}` is a value; `$t(users:login.title)` quotes the text of another key, such as a button.
const textParts = /\{\{\s*([\w-]+)\s*\}\}|\$t\(([\w-]+):([\w.-]+)\)/g;
const translators = new Map<string, Translate>();

/** Opens the texts of one noun: `web/public/locales/<language>/<noun>.json`. Decision 0031. */
export function createTranslator(noun: string): Translate {
  const known = translators.get(noun);
  if (known) return known;
  const texts = new Map(
    languages.map((language) => [language, readLocaleFile(language, noun) as NestedTexts]),
  );
  const translate: Translate = (key, language, values = {}) => {
    for (const ending of pluralEndings(language, values.count)) {
      const text = findText(texts.get(language), key + ending);
      if (text !== undefined)
        return text.replace(textParts, (part, name?: string, other?: string, label?: string) =>
          other !== undefined && label !== undefined
            ? createTranslator(other)(label, language)
            : String(values[name ?? ''] ?? part),
        );
    }
    throw new Error(`${language}/${noun}.json lacks ${key}`);
  };
  translators.set(noun, translate);
  return translate;
}

/** The text of a key in every language, with the same values in each. */
export function localizedText(
  translate: Translate,
  key: string,
  values?: TextValues,
): LocalizedText {
  return {
    'ar-EG': translate(key, 'ar-EG', values),
    'en-US': translate(key, 'en-US', values),
    'ur-PK': translate(key, 'ur-PK', values),
  };
}

interface ErrorTexts {
  refusals: Record<string, string>;
  validation: Record<string, string>;
}

const errorTexts = Object.fromEntries(
  languages.map((language) => [language, readLocaleFile(language, 'errors') as ErrorTexts]),
) as Record<Language, ErrorTexts>;

// A placeholder without a parameter stays in the text.
function interpolate(text: string, language: Language, params: RefusalParams = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const param = params[name];
    if (param === undefined) return placeholder;
    return typeof param === 'object' ? param[language] : String(param);
  });
}

/** The text of a refusal in a language, or its name where the language lacks the text. */
export function refusalText(name: RefusalName, language: Language, params?: RefusalParams): string {
  return interpolate(errorTexts[language].refusals[name] ?? name, language, params);
}

/** The text of one validation issue in a language, or its code where the language lacks the text. */
export function validationText(issue: ValidationIssue, language: Language): string {
  return (
    issue.message?.[language] ??
    interpolate(errorTexts[language].validation[issue.code] ?? issue.code, language, issue.params)
  );
}
