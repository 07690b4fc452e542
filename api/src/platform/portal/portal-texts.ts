import { readFileSync } from 'node:fs';
import { languages, type Language } from '@diwan/contract/wire/languages';

type Texts = { readonly [key: string]: string | Texts };

const read = (language: Language, noun: string) =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../web/public/locales/${language}/${noun}.json`, import.meta.url),
      'utf8',
    ),
  ) as Texts;

/**
 * The portal's own words, so that the server says what the page will say:
 * `web/public/locales/<language>/<noun>.json`. Throws at a key that is not there.
 */
export function portalTexts(noun: string): (key: string, language: Language) => string {
  const texts = new Map(languages.map((language) => [language, read(language, noun)]));
  return (key, language) => {
    const text = key
      .split('.')
      .reduce<string | Texts | undefined>(
        (part, name) => (typeof part === 'object' ? part[name] : undefined),
        texts.get(language),
      );
    if (typeof text !== 'string') throw new Error(`${language}/${noun}.json lacks ${key}`);
    return text;
  };
}
