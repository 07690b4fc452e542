import { createInstance } from 'i18next';
import { createElement, Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { allNamespaces, readTexts } from '#testing/translations.ts';
import { languages } from '@diwan/contract/wire/languages';
import {
  changeLanguage,
  loadNamespaces,
  onLanguageChange,
  startTranslations,
  t,
  translatedLanguage,
  useTranslation,
  type Texts,
} from './translate.ts';

function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
}

const i18next = createInstance();
/** Every file that was loaded, in order. */
const requested: string[] = [];
/** Answers the file `slow`, which waits until a test calls it. */
let answerSlow: (texts: Texts) => void = () => undefined;
const slow = new Promise<Texts>((resolve) => (answerSlow = resolve));

beforeAll(async () => {
  await i18next.init({
    lng: 'ar-EG',
    fallbackLng: false,
    defaultNS: 'shell',
    ns: [...allNamespaces],
    resources: Object.fromEntries(
      languages.map((language) => [
        language,
        Object.fromEntries(allNamespaces.map((name) => [name, readTexts(language, name)])),
      ]),
    ),
    interpolation: { escapeValue: false },
  });
  await startTranslations('ar-EG', {
    namespaces: allNamespaces,
    async load(language, namespace) {
      requested.push(`${language}/${namespace}`);
      if (namespace === 'slow') return slow;
      if (namespace.startsWith('broken')) throw new Error('no connection');
      return readTexts(language, namespace);
    },
  });
});

describe('compared with i18next', () => {
  it.each(languages)('every text of %s is the same', async (language) => {
    await i18next.changeLanguage(language);
    await changeLanguage(language);
    expect(translatedLanguage()).toBe(language);
    const different: string[] = [];
    let count = 0;
    for (const namespace of allNamespaces) {
      const texts = readTexts(language, namespace);
      const values = Object.fromEntries(
        [...new Set(JSON.stringify(texts).matchAll(/\{\{(\w+)\}\}/g))].map(([, name]) => [
          name,
          `<${name}> & $1 {{x}}`,
        ]),
      );
      const compare = (key: string, options: Record<string, unknown>) => {
        count += 1;
        if (t(key, options) !== i18next.t(key, options))
          different.push(`${namespace}:${key} ${JSON.stringify(options)}`);
      };
      const keys = keysOf(texts);
      const { count: _, ...withoutCount } = values;
      for (const key of keys) {
        const base = key.replace(/_(zero|one|two|few|many|other)$/, '');
        compare(`${namespace}:${key}`, {});
        // A count chooses the form of a text that has forms, and is a number there.
        const hasForms = keys.includes(`${key}_other`);
        compare(key, { ...(hasForms ? withoutCount : values), ns: namespace });
        if (base !== key && key.endsWith('_other'))
          for (const number of [0, 1, 2, 3, 11, 100, 1.5])
            compare(base, { ...values, ns: namespace, count: number });
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
  ])('the key %j gives the same', (key) => {
    for (const options of [{}, { ns: 'errors' }, { ns: ['forms', 'errors'] }, { count: 3 }]) {
      const expected: unknown = i18next.t(key, options as never);
      // The key of a group is no text; i18next returns its own sentence for it.
      const isGroup = String(expected).includes('returned an object');
      expect(t(key, options)).toBe(isGroup ? key : expected);
    }
  });
});

it('loads each file once, and again after a failure', async () => {
  expect(requested.length).toBe(new Set(requested).size);
  await loadNamespaces('broken');
  await loadNamespaces('broken', 'shell');
  expect(requested.filter((path) => path.endsWith('/broken'))).toHaveLength(2);
  expect(requested.filter((path) => path.endsWith('ur-PK/shell'))).toHaveLength(1);
});

it('notifies listeners of a new language until they are removed', async () => {
  const seen: string[] = [];
  const unsubscribe = onLanguageChange(() => seen.push(translatedLanguage()));
  await changeLanguage('en-US');
  unsubscribe();
  await changeLanguage('ar-EG');
  expect(seen).toEqual(['en-US']);
});

/** The HTML of a component that shows one text, with a fallback while it is suspended. */
async function render(namespace: string): Promise<{ html: string; errors: unknown[] }> {
  const errors: unknown[] = [];
  const Text = () => useTranslation(namespace).t('greeting');
  const stream = await renderToReadableStream(
    createElement(Suspense, { fallback: 'loading' }, createElement(Text)),
    { onError: (error) => void errors.push(error) },
  );
  await stream.allReady;
  return { html: await new Response(stream).text(), errors };
}

describe('useTranslation', () => {
  it('suspends the component until its texts are loaded', async () => {
    const rendered = render('slow');
    answerSlow({ greeting: 'Good morning' });
    expect((await rendered).html).toContain('Good morning');
    expect((await rendered).html).not.toContain('loading');
    expect(requested.filter((path) => path.endsWith('/slow'))).toHaveLength(1);
  });

  it('throws the error of a file that cannot be loaded', async () => {
    const { errors } = await render('broken-page');
    expect(errors).toEqual([new Error('no connection')]);
    expect(requested.filter((path) => path.endsWith('/broken-page'))).toHaveLength(1);
  });

  it('returns the same function for the same language and namespaces', async () => {
    const functions: unknown[] = [];
    const Text = () => {
      functions.push(useTranslation(['shell', 'errors']).t, useTranslation(['shell', 'errors']).t);
      return null;
    };
    await renderToReadableStream(createElement(Text));
    expect(functions[0]).toBe(functions[1]);
  });
});
