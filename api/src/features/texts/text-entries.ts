import {
  shippedTexts,
  textNouns,
  type NestedTexts,
  type TextOverrides,
} from '#platform/core/locale-texts.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import {
  keyOfForm,
  pluralFormsOf,
  portalNameKeys,
  splitKey,
  type TextForm,
} from '@diwan/contract/content/text-checks';
import type { EditedForm, TextEntry, TextSelection } from '@diwan/contract/content/texts';
import type { EveryField } from '@diwan/contract/wire/call';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { findTextWarnings } from '@diwan/contract/wire/text-warnings';
import { overrideOf, type OverrideRow } from './texts.store.ts';

/** An entry of the files of texts: a key without plural ending, with its forms by language. */
export interface ShippedEntry {
  noun: string;
  key: string;
  texts: Record<Language, readonly { form: TextForm; shipped: string }[]>;
}

/** The texts of a file by dotted key. */
export function flattenTexts(texts: NestedTexts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flattenTexts(value, `${prefix}${key}.`),
  );
}

function readEntries(noun: string): ShippedEntry[] {
  const flat = new Map(
    languages.map((language) => [language, new Map(flattenTexts(shippedTexts(language, noun)))]),
  );
  // The forms that each key has in any language. A key that ends like a plural form and has no
  // `_other` is a separate key.
  const all = new Set([...flat.values()].flatMap((texts) => [...texts.keys()]));
  const isPlural = (base: string) => all.has(keyOfForm(base, 'other'));
  const keys = new Set(
    [...all].map((whole) => {
      const { key } = splitKey(whole);
      return isPlural(key) ? key : whole;
    }),
  );
  return [...keys].map((key) => {
    const formsIn = (language: Language) => {
      const texts = flat.get(language);
      // A form for zero is optional in every language.
      const forms = pluralFormsOf[language];
      const named: readonly TextForm[] =
        texts?.has(keyOfForm(key, 'zero')) && !forms.includes('zero') ? ['zero', ...forms] : forms;
      return (isPlural(key) ? named : (['' as const] as const)).map((form) => ({
        form,
        shipped: texts?.get(keyOfForm(key, form)) ?? '',
      }));
    };
    return {
      noun,
      key,
      texts: {
        'ar-EG': formsIn('ar-EG'),
        'en-US': formsIn('en-US'),
        'ur-PK': formsIn('ur-PK'),
      },
    };
  });
}

const entryId = (noun: string, key: string) => `${noun}:${key}`;

const namesOfPortal = portalNameKeys.map((key) => entryId('shell', key));
let shipped: ReadonlyMap<string, ShippedEntry> | undefined;
/**
 * Every entry of the product by `noun:key`, without the names of the portal, which have a page of
 * their own. Read when it is needed first.
 */
export function shippedEntries(): ReadonlyMap<string, ShippedEntry> {
  shipped ??= new Map(
    textNouns
      .flatMap(readEntries)
      .map((entry) => [entryId(entry.noun, entry.key), entry] as const)
      .filter(([id]) => !namesOfPortal.includes(id)),
  );
  return shipped;
}

/** The entry of a key without plural ending. */
export const findEntry = (noun: string, key: string): ShippedEntry | undefined =>
  shippedEntries().get(entryId(noun, key));

/** The overrides of the rows, without those of keys that the product no longer has. */
export function toOverrides(rows: readonly OverrideRow[]): TextOverrides {
  const byFile = new Map<string, Map<string, string>>();
  for (const { noun, key, texts } of rows) {
    const entry = findEntry(noun, key);
    for (const language of languages)
      for (const { form } of entry?.texts[language] ?? []) {
        const override = overrideOf(texts, language, form);
        if (!override) continue;
        const file = byFile.get(`${language}/${noun}`) ?? new Map<string, string>();
        byFile.set(`${language}/${noun}`, file.set(keyOfForm(key, form), override.text));
      }
  }
  return byFile;
}

/** An entry with its overrides, as the desk shows it. */
export function describeEntry(entry: ShippedEntry, row: OverrideRow | undefined): TextEntry {
  const formsIn = (language: Language): EditedForm[] =>
    entry.texts[language].map(({ form, shipped: current }): EveryField<EditedForm> => {
      const override = row && overrideOf(row.texts, language, form);
      return {
        form,
        shipped: current,
        text: override?.text ?? current,
        isOverridden: override !== undefined,
        shippedThen: override && override.shipped !== current ? override.shipped : undefined,
      };
    });
  return {
    noun: entry.noun,
    key: entry.key,
    texts: {
      'ar-EG': formsIn('ar-EG'),
      'en-US': formsIn('en-US'),
      'ur-PK': formsIn('ur-PK'),
    },
    version: row?.version ?? 0,
    ...(row && row.version > 0 ? { changedAt: row.changed_at.toISOString() } : {}),
  };
}

const formsOf = ({ texts }: TextEntry): EditedForm[] =>
  languages.flatMap((language) => texts[language]);

// The form that stands for the others: a text without a count, or the usual plural.
const mainText = (forms: readonly EditedForm[]) =>
  (forms.find(({ form }) => form === '' || form === 'other') ?? forms[0])?.text ?? '';

/** What an entry is selected by. */
const isSelected: Record<TextSelection, (entry: TextEntry) => boolean> = {
  overridden: (entry) => formsOf(entry).some((form) => form.isOverridden),
  shippedChanged: (entry) => formsOf(entry).some((form) => form.shippedThen !== undefined),
  missing: (entry) => formsOf(entry).some((form) => form.text.trim() === ''),
  warned: ({ texts }) =>
    findTextWarnings({
      'ar-EG': mainText(texts['ar-EG']),
      'en-US': mainText(texts['en-US']),
      'ur-PK': mainText(texts['ur-PK']),
    }).some(({ kind }) => kind !== 'missing'),
};

/** An entry with what the list needs of it. */
interface ListedEntry {
  entry: TextEntry;
  selections: readonly TextSelection[];
  /** The texts of all languages, folded for a search, with a line for each. */
  folded: string;
}

const listed = new WeakMap<ShippedEntry, ListedEntry & { state: string }>();

/**
 * An entry for the list. It is made once for each version: to fold and check all texts for each list
 * took 100 ms.
 */
export function listEntry(shippedEntry: ShippedEntry, row: OverrideRow | undefined): ListedEntry {
  const state = row ? `${row.version} ${row.changed_at.getTime()}` : '';
  const known = listed.get(shippedEntry);
  if (known?.state === state) return known;
  const entry = describeEntry(shippedEntry, row);
  const made = {
    state,
    entry,
    selections: (Object.keys(isSelected) as TextSelection[]).filter((name) =>
      isSelected[name](entry),
    ),
    folded: formsOf(entry)
      .flatMap(({ text, shipped: current }) => [text, ...(text === current ? [] : [current])])
      .map(normalizeText)
      .join('\n'),
  };
  listed.set(shippedEntry, made);
  return made;
}

/** Finds a keyword in the texts of every language, in any spelling, or in the key as it is written. */
export function matchKeyword(keyword: string): (listed: ListedEntry) => boolean {
  const folded = normalizeText(keyword);
  const plain = keyword.trim().toLowerCase();
  return ({ entry: { noun, key }, folded: texts }) =>
    `${noun}:${key}`.toLowerCase().includes(plain) || (folded !== '' && texts.includes(folded));
}
