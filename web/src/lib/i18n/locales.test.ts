/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refusalNames } from '@diwan/contract/wire/errors';
import { languages, type Language } from '@diwan/contract/wire/languages';

const folder = new URL('../../../public/locales/', import.meta.url);
const pluralForms: Record<Language, string[]> = {
  'ar-EG': ['zero', 'one', 'two', 'few', 'many', 'other'],
  'en-US': ['one', 'other'],
  'ur-PK': ['one', 'other'],
};
const plural = /_(zero|one|two|few|many|other)$/;

function textsOf(language: Language, file: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (node: object, path: string) => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) walk(value, `${path}${key}.`);
      else texts.set(`${path}${key}`, String(value));
    }
  };
  walk(JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8')) as object, '');
  return texts;
}

const namesIn = (texts: Map<string, string>) =>
  [...new Set([...texts.keys()].map((key) => key.replace(plural, '')))].toSorted();
// A plural form may write its number as a word, so `count` is not compared.
const placeholdersOf = (text: string) =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))]
    .filter((name) => name !== 'count')
    .toSorted();

describe.each(readdirSync(new URL('ar-EG/', folder)))('%s', (file) => {
  const byLanguage = new Map(languages.map((language) => [language, textsOf(language, file)]));
  const arabic = byLanguage.get('ar-EG') ?? new Map<string, string>();

  it.each(languages)('has the same keys in %s', (language) => {
    expect(namesIn(byLanguage.get(language) ?? new Map())).toEqual(namesIn(arabic));
  });

  it.each(languages)('has every plural form and no empty text in %s', (language) => {
    const texts = byLanguage.get(language) ?? new Map<string, string>();
    for (const [key, text] of texts) {
      expect(text.trim(), key).not.toBe('');
      if (!plural.test(key)) continue;
      for (const form of pluralForms[language])
        expect([...texts.keys()]).toContain(`${key.replace(plural, '')}_${form}`);
    }
  });

  it.each(languages)('has the same placeholders in %s', (language) => {
    const texts = byLanguage.get(language) ?? new Map<string, string>();
    for (const [key, text] of arabic) {
      const other = texts.get(key) ?? texts.get(key.replace(plural, '_other')) ?? '';
      if (!plural.test(key) || key.endsWith('_other'))
        expect(placeholdersOf(other), key).toEqual(placeholdersOf(text));
    }
  });
});

describe('errors.json', () => {
  it.each(languages)('has a text for every refusal in %s', (language) => {
    expect([...textsOf(language, 'errors.json').keys()]).toEqual(
      expect.arrayContaining(refusalNames.map((name) => `refusals.${name}`)),
    );
  });
});
