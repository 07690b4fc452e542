import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstance } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { default as ours } from './i18next-in-browser.ts';

const folder = join(import.meta.dirname, '../../../public/locales');
const nouns = readdirSync(join(folder, 'en-US')).map((name) => name.replace('.json', ''));
const textsOf = (language: string, noun: string) =>
  JSON.parse(readFileSync(join(folder, language, `${noun}.json`), 'utf8')) as Record<
    string,
    unknown
  >;

function keysOf(texts: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [prefix + key]
      : keysOf(value as Record<string, unknown>, `${prefix}${key}.`),
  );
}

const theirs = createInstance();
const asked: string[] = [];

beforeAll(async () => {
  const resources = Object.fromEntries(
    languages.map((language) => [
      language,
      Object.fromEntries(nouns.map((noun) => [noun, textsOf(language, noun)])),
    ]),
  );
  await theirs.init({
    lng: 'ar-EG',
    fallbackLng: false,
    defaultNS: 'shell',
    ns: nouns,
    resources,
    interpolation: { escapeValue: false },
  });
  await ours
    .use({
      type: 'backend',
      read(language, noun, done) {
        asked.push(`${language}/${noun}`);
        if (noun === 'broken') done(new Error('no connection'), false);
        else done(null, textsOf(language, noun) as never);
      },
    })
    .init({ lng: 'ar-EG', ns: nouns });
});

describe('what stands in for i18next in the browser', () => {
  it.each(languages)('says every text of %s as i18next does', async (language) => {
    await theirs.changeLanguage(language);
    await ours.changeLanguage(language);
    expect(ours.language).toBe(language);
    const different: string[] = [];
    let count = 0;
    for (const noun of nouns) {
      const texts = textsOf(language, noun);
      const figures = Object.fromEntries(
        [...new Set(JSON.stringify(texts).matchAll(/\{\{(\w+)\}\}/g))].map(([, name]) => [
          name,
          `<${name}> & $1 {{x}}`,
        ]),
      );
      const compare = (key: string, options: Record<string, unknown>) => {
        count += 1;
        if (ours.t(key, options) !== theirs.t(key, options))
          different.push(`${noun}:${key} ${JSON.stringify(options)}`);
      };
      for (const key of keysOf(texts)) {
        const base = key.replace(/_(zero|one|two|few|many|other)$/, '');
        compare(`${noun}:${key}`, {});
        compare(key, { ...figures, ns: noun });
        if (base !== key && key.endsWith('_other'))
          for (const number of [0, 1, 2, 3, 11, 100, 1.5])
            compare(base, { ...figures, ns: noun, count: number });
      }
    }
    expect(different).toEqual([]);
    expect(count).toBeGreaterThan(1000);
  });

  it.each([
    'no.such.key',
    'wordmark',
    'kit',
    'kit.close.more',
    'toString',
    '__proto__.x',
    'errors:refusals.NotFound',
    'nowhere:x.y',
    '',
  ])('answers %j as i18next does', (key) => {
    for (const options of [{}, { ns: 'errors' }, { ns: ['forms', 'errors'] }, { count: 3 }]) {
      const said: unknown = theirs.t(key, options as never);
      // The name of a group of texts is a text of nothing; i18next says so in a sentence of its
      // own.
      expect(ours.t(key, options)).toBe(String(said).includes('returned an object') ? key : said);
    }
  });

  it('asks for each file once, and again after a failure', async () => {
    expect(asked.length).toBe(new Set(asked).size);
    await ours.loadNamespaces('broken');
    await ours.loadNamespaces(['broken', 'shell']);
    expect(asked.filter((place) => place.endsWith('/broken'))).toHaveLength(2);
    expect(asked.filter((place) => place.endsWith('ur-PK/shell'))).toHaveLength(1);
  });

  it('tells who listens when the language has changed, and no longer who has stopped', async () => {
    const heard: string[] = [];
    const listen = () => heard.push(ours.language);
    ours.on('languageChanged', listen);
    await ours.changeLanguage('en-US');
    ours.off('languageChanged', listen);
    await ours.changeLanguage('ar-EG');
    expect(heard).toEqual(['en-US']);
  });
});
