import { expect, it } from 'vitest';
import { shippedTexts } from '#platform/core/locale-texts.ts';
import { makeZip } from '#platform/core/make-zip.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  getText,
  previewTextImport,
  previewTextReplacement,
  saveTexts,
  type TextPlace,
} from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';

const app = useTestApp();

const find = async (Find: string, Replace: string, Language?: 'en-US') =>
  (
    await app.callAs('admin', previewTextReplacement, {
      query: { Find, Replace, ...(Language ? { Language } : {}) },
      language: 'en-US',
    })
  ).body;
const toBody = (places: readonly TextPlace[]) => ({
  places: places.map(({ noun, key, version, language, form, after }) => ({
    noun,
    key,
    version,
    language,
    form,
    text: after,
  })),
});
const save = (places: readonly TextPlace[]) =>
  app.callAs('admin', saveTexts, { body: toBody(places), language: 'en-US' });
const english = async (noun: string, key: string) =>
  (await app.callAs('admin', getText, { query: { Noun: noun, Key: key } })).body.texts['en-US'][0]
    ?.text;

it('finds every place of a wording as it is written, and replaces the chosen ones together', async () => {
  const { places, totalCount } = await find('How can we help you', 'What do you need', 'en-US');
  expect(totalCount).toBe(places.length);
  expect(places.every(({ language }) => language === 'en-US')).toBe(true);
  const question = places.find(({ noun, key }) => `${noun}:${key}` === 'home:question');
  expect(question).toMatchObject({
    before: 'How can we help you?',
    after: 'What do you need?',
    version: 0,
  });
  expect((await find('how can we help you', 'x')).places).toEqual([]);
  expect((await save(places)).body).toMatchObject({ saved: places.length });
  expect(await english('home', 'question')).toBe('What do you need?');
  expect((await find('How can we help you', 'x', 'en-US')).totalCount).toBe(0);
  const { body } = await app.callAs('admin', getChanges, {
    query: { Entity: 'text', EntityId: 'home:question' },
  });
  expect(body.items[0]?.fields[0]).toMatchObject({ before: 'How can we help you?' });
  // Back again: the former texts over the versions that were saved.
  const undone = places.map((place) => ({
    ...place,
    version: place.version + 1,
    after: place.before,
  }));
  expect((await save(undone)).status).toBe(200);
  expect(await english('home', 'question')).toBe('How can we help you?');
});

it('names what cannot be replaced, and saves all or nothing', async () => {
  const { places } = await find('{{count}}', 'many', 'en-US');
  expect(places.filter(({ problem }) => problem).length).toBeGreaterThan(0);
  expect(places.find(({ problem }) => problem)?.problem).toContain('{{count}}');
  const right = (await find('How can we help you', 'What is it', 'en-US')).places;
  const wrong = places.filter(({ problem }) => problem).slice(0, 1);
  expect((await save([...right, ...wrong])).status).toBe(400);
  expect(await english('home', 'question')).toBe('How can we help you?');
  const stale = right.map((place) => ({ ...place, version: place.version + 5 }));
  expect((await save(stale)).refused.error).toBe('RecordHasChanged');
});

it('a replacement is taken as it is written', async () => {
  const { places } = await find('How can we help you', '$& $1', 'en-US');
  expect(places[0]?.after).toContain('$& $1');
});

const importOf = async (files: Record<string, string>) =>
  app.callAs('admin', previewTextImport, {
    body: {
      content: makeZip(
        Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) })),
      ).toString('base64'),
    },
    language: 'en-US',
  });

it('shows what an archive changes, and what is wrong by file and key', async () => {
  const path = 'web/public/locales/en-US/home.json';
  const home = structuredClone(shippedTexts('en-US', 'home')) as Record<string, unknown>;
  const { body } = await importOf({
    [path]: JSON.stringify({ ...home, question: 'Imported?', invented: 'x', lead: '<b>x</b>' }),
    'web/public/locales/en-US/nowhere.json': '{}',
    'web/public/locales/ur-PK/home.json': 'no JSON',
  });
  expect(body.places).toMatchObject([
    { noun: 'home', key: 'question', before: 'How can we help you?', after: 'Imported?' },
  ]);
  expect(body.problems.map(({ file, key }) => [file, key]).toSorted()).toEqual([
    [path, 'invented'],
    [path, 'lead'],
    ['web/public/locales/en-US/nowhere.json', ''],
    ['web/public/locales/ur-PK/home.json', ''],
  ]);
  expect((await save(body.places)).status).toBe(200);
  expect(await english('home', 'question')).toBe('Imported?');
});

it('refuses a text without its placeholder by key, and what is no archive', async () => {
  const counted = structuredClone(shippedTexts('en-US', 'shell')) as Record<string, unknown>;
  const { body } = await importOf({
    'web/public/locales/en-US/shell.json': JSON.stringify({ ...counted, copyright: 'None' }),
  });
  expect(body).toMatchObject({ places: [], problems: [{ key: 'copyright' }] });
  expect(body.problems[0]?.problem).toContain('{{year}}');
  const refused = await app.callAs('admin', previewTextImport, {
    body: { content: Buffer.from('no archive').toString('base64') },
  });
  expect(refused.refused.error).toBe('TextFileUnreadable');
});
