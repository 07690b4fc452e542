import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import * as contract from '@diwan/contract/catalogue/services';
import { languages, type Language } from '@diwan/contract/wire/languages';

const app = useTestApp();

const longest = 15;

const suggest = async (Name: string, language: Language, filter: { AccountTypeId?: number } = {}) =>
  (await app.call(contract.serviceSearch, { query: { Name, ...filter }, language })).body.map(
    ({ name }) => name,
  );

async function allNames(language: Language, filter: { AccountTypeId?: number } = {}) {
  const names: string[] = [];
  for (let PageNumber = 1; ; PageNumber += 1) {
    const { items, totalCount } = (
      await app.call(contract.getServices, {
        query: { PageNumber, PageSize: 100, ...filter },
        language,
      })
    ).body;
    names.push(...items.map(({ name }) => name));
    if (names.length >= totalCount) return names;
  }
}

const contains = (name: string, text: string) =>
  name.toLowerCase().includes(text.trim().toLowerCase());

/** Every name that contains the text, up to the length of the list, and before all others. */
function expectNamesFirst(names: readonly string[], text: string, suggested: readonly string[]) {
  const expected = names.filter((name) => contains(name, text));
  const holding = suggested.map((name) => contains(name, text));
  const count = Math.min(expected.length, longest);
  expect({ text, holding: holding.slice(0, count) }).toEqual({
    text,
    holding: Array.from({ length: count }, () => true),
  });
  expect({ text, more: holding.slice(count).includes(true) }).toEqual({ text, more: false });
  if (expected.length <= longest)
    expect({ text, names: suggested.slice(0, count).toSorted() }).toEqual({
      text,
      names: expected.toSorted(),
    });
}

test.each<[string, Language]>([
  ['uman', 'en-US'],
  ['Issuing', 'en-US'],
  ['iSSuing', 'en-US'],
  ['New Establishment', 'en-US'],
  [' new establishment ', 'en-US'],
  ['– H', 'en-US'],
  ['–', 'en-US'],
  ['(', 'en-US'],
  ['إصدار أو', 'ar-EG'],
])('suggestions for “%s” begin with the names that contain it', async (text, language) => {
  const names = await allNames(language);
  expect(names.filter((name) => contains(name, text))).not.toEqual([]);
  expectNamesFirst(names, text, await suggest(text, language));
});

test.each(languages)('every part of a name finds the name (%s)', async (language) => {
  const names = await allNames(language);
  const part = fc
    .tuple(fc.constantFrom(...names), fc.nat(200), fc.integer({ min: 1, max: 40 }), fc.boolean())
    .map(([name, from, length, isUpper]) => {
      const start = from % name.length;
      const text = name.slice(start, start + length);
      return isUpper ? text.toUpperCase() : text;
    })
    .filter((text) => text.trim() !== '' && text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(part, async (text) => {
      expectNamesFirst(names, text, await suggest(text, language));
    }),
    { numRuns: 150, seed: 5 },
  );
});

test('the filter holds for names that contain the text', async () => {
  const filter = { AccountTypeId: 3 };
  const names = await allNames('en-US', filter);
  expectNamesFirst(names, 'is', await suggest('is', 'en-US', filter));
  expect(names).toEqual(expect.arrayContaining(await suggest('is', 'en-US', filter)));
});

test('what the search finds by meaning follows', async () => {
  const suggested = await suggest('Issuing', 'en-US');
  expect(suggested.slice(0, 3).every((name) => contains(name, 'Issuing'))).toBe(true);
  expect(suggested.length).toBeGreaterThan(3);
});

test('a name in another spelling follows the same letters', async () => {
  const names = await allNames('ar-EG');
  const suggested = await suggest('اصدار او', 'ar-EG');
  expect(suggested).toEqual(
    expect.arrayContaining(names.filter((name) => contains(name, 'إصدار أو'))),
  );
});
