import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { portalNameKeys, type PortalNameKey } from '@diwan/contract/content/text-checks';
import type { RefusalName, ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { RefusalParams } from './refusals.ts';

/** The texts of one file: texts by key, in groups. */
export type NestedTexts = { readonly [key: string]: string | NestedTexts };

/** Overridden texts by `language/noun`, then by key with its plural ending, such as `list.count_one`. */
export type TextOverrides = ReadonlyMap<string, ReadonlyMap<string, string>>;

// The server and the browser read the same texts.
const folder = new URL('../../../../web/public/locales/', import.meta.url);
const shipped = new Map<string, NestedTexts>();
const overridden = new Map<string, NestedTexts>();
let corrected: TextOverrides = new Map();
let names: TextOverrides = new Map();
let supportDesk: (language: Language) => string = () => '';
let overrides: TextOverrides = new Map();
let version = '';

/** The nouns of all texts, sorted. */
export const textNouns: readonly string[] = readdirSync(new URL('en-US/', folder))
  .map((file) => file.replace('.json', ''))
  .toSorted();

/** The texts of a noun as the product ships them. */
export function shippedTexts(language: Language, noun: string): NestedTexts {
  const name = `${language}/${noun}`;
  const known = shipped.get(name);
  if (known) return known;
  const texts = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as NestedTexts;
  shipped.set(name, texts);
  return texts;
}

function withOverrides(texts: NestedTexts, byKey: ReadonlyMap<string, string>): NestedTexts {
  type Group = { [key: string]: string | Group };
  const copy = structuredClone(texts) as Group;
  for (const [key, text] of byKey) {
    const path = key.split('.');
    const last = path.pop() as string;
    let group: Group = copy;
    for (const name of path) {
      const inner = group[name];
      group = typeof inner === 'object' ? inner : (group[name] = {});
    }
    group[last] = text;
  }
  return copy;
}

/** The texts of a noun with its overrides; undefined where nothing is overridden. */
export function findOverriddenTexts(language: Language, noun: string): NestedTexts | undefined {
  const name = `${language}/${noun}`;
  const byKey = overrides.get(name);
  if (!byKey) return undefined;
  const texts = overridden.get(name) ?? withOverrides(shippedTexts(language, noun), byKey);
  overridden.set(name, texts);
  return texts;
}

/** The texts of a noun with what was corrected, without the names of the portal; undefined where nothing was. */
export function findCorrectedTexts(language: Language, noun: string): NestedTexts | undefined {
  const byKey = corrected.get(`${language}/${noun}`);
  return byKey && withOverrides(shippedTexts(language, noun), byKey);
}

const textsOf = (language: Language, noun: string): NestedTexts =>
  findOverriddenTexts(language, noun) ?? shippedTexts(language, noun);

function useOverrides(): void {
  overrides = new Map(
    [...new Set([...corrected.keys(), ...names.keys()])].map((file) => [
      file,
      new Map([...(corrected.get(file) ?? []), ...(names.get(file) ?? [])]),
    ]),
  );
  overridden.clear();
  // It has a text of its own, which may be corrected.
  const desks = languages.map((language) => [`${language}/shell`, supportDesk(language)] as const);
  overrides = new Map([
    ...overrides,
    ...desks
      .filter(([, desk]) => desk !== '')
      .map(
        ([file, desk]) =>
          [file, new Map([...(overrides.get(file) ?? []), ['supportDesk', desk]])] as const,
      ),
  ]);
  overridden.clear();
  const content = JSON.stringify(
    [...overrides].map(([name, byKey]) => [name, [...byKey].toSorted()]).toSorted(),
  );
  version =
    overrides.size === 0 ? '' : createHash('sha256').update(content).digest('hex').slice(0, 10);
}

/**
 * Replaces the overrides of this process: every text that is read afterwards has them. The keys must
 * be those of texts. Decision 0062.
 */
export function setTextOverrides(newer: TextOverrides): void {
  corrected = newer;
  useOverrides();
}

/**
 * Replaces the names of the portal in this process, which other texts quote: `$t(shell:wordmark)`.
 * Those of a language without a name are the shipped ones. `desk` is whom texts name as
 * `$t(shell:supportDesk)`; without one they send people to the operator of the portal. Decision 0126.
 */
export function setPortalNames(
  newer: Readonly<Record<PortalNameKey, LocalizedText>>,
  desk: (language: Language) => string,
): void {
  supportDesk = desk;
  names = new Map(
    languages.flatMap((language) => {
      const given = portalNameKeys.filter((key) => newer[key][language] !== '');
      return given.length === 0
        ? []
        : [
            [
              `${language}/shell`,
              new Map(given.map((key) => [key, newer[key][language]])),
            ] as const,
          ];
    }),
  );
  useOverrides();
}

/**
 * Ten hexadecimal digits that change with every override; empty without one. The same overrides have
 * the same version, so that a restored database does not give an old address to other texts.
 */
export const overridesVersion = (): string => version;

/** Values of placeholders by name. `count` also selects the plural form. */
export type TextValues = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the text of a key such as `title.short` with its placeholders filled; `$t(users:login.title)`
 * becomes the text of that key. A placeholder without a value stays in the text, as in the browser.
 * Throws for a key that is missing.
 */
type Translate = (key: string, language: Language, values?: TextValues) => string;

function findText(texts: NestedTexts | undefined, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<string | NestedTexts | undefined>(
      (part, name) => (typeof part === 'object' ? part[name] : undefined),
      texts,
    );
  return typeof found === 'string' ? found : undefined;
}

/** The text of a key such as `actions.created`, without placeholders; undefined where there is none. */
export const findTranslation = (
  noun: string,
  key: string,
  language: Language,
): string | undefined => findText(textsOf(language, noun), key);

const pluralRules = new Map(
  languages.map((language) => [language, new Intl.PluralRules(language)] as const),
);

// The plural forms are those of the browser: a form for zero is optional in every language.
function pluralEndings(language: Language, count: TextValues[string]): readonly string[] {
  if (typeof count !== 'number') return [''];
  return [...(count === 0 ? ['_zero'] : []), `_${pluralRules.get(language)?.select(count)}`, ''];
}

// `{{name}}` is a value; `$t(users:login.title)` quotes the text of another key, such as a button.
const textParts = /\{\{\s*([\w-]+)\s*\}\}|\$t\(([\w-]+):([\w.-]+)\)/g;
const translators = new Map<string, Translate>();

/** A text with its placeholders and quoted texts filled, as `createTranslator` does it. */
export const fillText = (text: string, language: Language, values: TextValues): string =>
  text.replace(textParts, (part, name?: string, other?: string, label?: string) =>
    other !== undefined && label !== undefined
      ? createTranslator(other)(label, language)
      : String(values[name ?? ''] ?? part),
  );

/** Opens the texts of one noun: `web/public/locales/<language>/<noun>.json`. Decision 0031. */
export function createTranslator(noun: string): Translate {
  const known = translators.get(noun);
  if (known) return known;
  // A noun without a file fails at the start.
  for (const language of languages) shippedTexts(language, noun);
  const translate: Translate = (key, language, values = {}) => {
    for (const ending of pluralEndings(language, values.count)) {
      const text = findText(textsOf(language, noun), key + ending);
      if (text !== undefined) return fillText(text, language, values);
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

// The first text of a name with one of the endings.
function errorText(
  language: Language,
  group: 'refusals' | 'validation',
  name: string,
  endings: readonly string[] = [''],
): string {
  const texts = textsOf(language, 'errors');
  const found = endings.map((ending) => findText(texts, `${group}.${name}${ending}`));
  return found.find((text) => text !== undefined) ?? name;
}

// A placeholder without a parameter stays in the text.
function interpolate(text: string, language: Language, params: RefusalParams = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const param = params[name];
    if (param === undefined) return placeholder;
    return typeof param === 'object' ? param[language] : String(param);
  });
}

/**
 * The text of a refusal in a language, or its name where the language lacks the text. The seconds
 * after which the caller may try again select the plural form, and are its `count`.
 */
export function refusalText(
  name: RefusalName,
  language: Language,
  params: RefusalParams = {},
): string {
  const { retryAfter } = params;
  const count = typeof retryAfter === 'number' ? retryAfter : undefined;
  const text = errorText(language, 'refusals', name, pluralEndings(language, count));
  return interpolate(text, language, count === undefined ? params : { ...params, count });
}

/** The text of one validation issue in a language, or its code where the language lacks the text. */
export function validationText(issue: ValidationIssue, language: Language): string {
  return (
    issue.message?.[language] ??
    interpolate(errorText(language, 'validation', issue.code), language, issue.params)
  );
}
