import { expect, test } from 'vitest';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import { buildSearchIndex } from './search-index.ts';
import { normalizeSynonyms, parseQuery } from './search-words.ts';
import { searchServices } from './service-search.ts';

const text = (arabic: string, english: string, urdu: string): LocalizedText => ({
  'ar-EG': arabic,
  'en-US': english,
  'ur-PK': urdu,
});
const police = text('شرطة دبي', 'Dubai Police', 'دبئی پولیس');
const municipality = text('بلدية دبي', 'Dubai Municipality', 'دبئی بلدیہ');

function service(
  replacedName: string,
  name: LocalizedText,
  agency: LocalizedText,
  description: LocalizedText,
  popularRank: number | null = null,
): CatalogueService {
  return {
    replacedName,
    name,
    description,
    agency: { id: 1, slug: 'agency', name: agency, logo: '' },
    popularRank,
  } as CatalogueService;
}

const index = buildSearchIndex([
  service(
    'food-permit',
    text('تصريح أنشطة غذائية', 'Permit for food', 'خوراک کا اجازت نامہ'),
    municipality,
    text('لمن يبيع الطعام', 'For those who sell meals', 'کھانا بیچنے والوں کے لیے'),
  ),
  service(
    'permit',
    text('تصريح', 'Permit', 'اجازت نامہ'),
    municipality,
    text('تصريح عام', 'A general one', 'عام'),
  ),
  service(
    'permit-renewal',
    text('تجديد تصريح', 'Permit renewal', 'تجدید'),
    police,
    text('تجديد', 'For drivers', 'تجدید'),
  ),
  service(
    'work-permit',
    text('إذن عمل', 'Work permit', 'ورک پرمٹ'),
    police,
    text('للعمل', 'To be employed', 'ملازمت'),
  ),
  service(
    'unpermitted',
    text('هَيْئَة', 'Unpermitted things', 'گاڑیاں'),
    police,
    text('أخرى', 'Other', 'دیگر'),
  ),
  service(
    'trade-licence',
    text('رخصة تجارية', 'Trade Licence', 'تجارتی لائسنس'),
    municipality,
    text('رخصة', 'A permit to trade', 'لائسنس'),
    1,
  ),
]);

function find(wanted: string, language: Language = 'en-US'): string[] {
  const read = parseQuery(wanted);
  return read
    ? searchServices(index, read, language).map(({ replacedName }) => replacedName)
    : ['everything'];
}

test('the order is: exact, prefix, word prefix, substring, description', () => {
  expect(find('PERMIT')).toEqual(
    [
      'permit',
      'food-permit',
      'permit-renewal',
      'work-permit',
      'unpermitted',
      'trade-licence',
    ].toSorted((a, b) => order(a) - order(b)),
  );
});
const order = (name: string) =>
  [
    'permit',
    'permit-renewal',
    'food-permit',
    'work-permit',
    'unpermitted',
    'trade-licence',
  ].indexOf(name);

test('the name in the caller’s language comes before names in other languages', () => {
  expect(find('تجديد', 'ar-EG')[0]).toBe('permit-renewal');
  expect(find('تصريح', 'ar-EG')[0]).toBe('permit');
  expect(find('اجازت نامہ', 'en-US')).toEqual(['permit', 'food-permit']);
});

test('finds by agency, in any language', () => {
  expect(find('dubai police', 'ar-EG').toSorted()).toEqual([
    'permit-renewal',
    'unpermitted',
    'work-permit',
  ]);
  expect(find('دبئی پولیس').length).toBe(3);
});

test('finds by description and by the name in addresses', () => {
  expect(find('meals')).toEqual(['food-permit']);
  expect(find('trade-licence')).toEqual(['trade-licence']);
});

test('all words must match, in any order and field', () => {
  expect(find('food permit')).toEqual(['food-permit']);
  expect(find('work dubai permit')).toEqual(['work-permit']);
  expect(find('permit aeroplane')).toEqual([]);
});

test('variants of letters are equal', () => {
  expect(find('رخصه تجاريه', 'ar-EG')).toEqual(['trade-licence']);
  expect(find('اذن', 'ar-EG')).toEqual(['work-permit']);
  expect(find('هييه', 'ar-EG')).toEqual(['unpermitted']);
  expect(find('گاڑيان', 'ur-PK')).toEqual(['unpermitted']);
});

test('both spellings of a word match, and stop words are ignored', () => {
  expect(find('apply for trade license')).toEqual(['trade-licence']);
  expect(find('التقديم على رخصة تجارية', 'ar-EG')).toEqual(['trade-licence']);
  expect(find('for')).toContain('food-permit');
});

test.each(['', '   ', '\n\t', '\u200b\u200f'])('a blank text is no query: %j', (blank) => {
  expect(find(blank)).toEqual(['everything']);
});

test.each(['!!!', '؟', '%', '_', '\\', '.*', '(permit|'])(
  'punctuation is not a pattern: %s',
  (punctuation) => {
    expect(find(punctuation)).toEqual(punctuation.includes('permit') ? find('permit') : []);
  },
);

test('a very long text is truncated', () => {
  expect(find(`permit ${'x'.repeat(10_000)}`)).toEqual([]);
  expect(find(`${'permit '.repeat(2000)}`)).toContain('permit');
});

test('a synonym finds services by their official name, after names and before agencies', () => {
  const synonyms = normalizeSynonyms([
    ['iqama', 'residence', 'إقامة'],
    ['visa', 'تأشيرة'],
  ]);
  const services = buildSearchIndex(
    [
      service(
        'residence',
        text('تصريح الإقامة', 'Issue residence', 'اقامہ'),
        police,
        text('x', 'x', 'x'),
      ),
      service('iqama-shop', text('متجر', 'Iqama shop', 'دکان'), police, text('x', 'x', 'x')),
      service('advisable', text('نصيحة', 'Advisable things', 'مشورہ'), police, text('x', 'x', 'x')),
    ],
    synonyms,
  );
  const names = (wanted: string) =>
    searchServices(services, parseQuery(wanted)!, 'en-US').map(({ replacedName }) => replacedName);
  expect(names('iqama')).toEqual(['iqama-shop', 'residence']);
  expect(names('IQAMA residence').toSorted()).toEqual(['iqama-shop', 'residence']);
  expect(names('تأشيرة')).toEqual([]);
});

test('stems of a word score lower than the word', () => {
  expect(find('permits')[0]).toBe('permit');
  expect(find('الرخص التجارية', 'ar-EG')).toEqual(['trade-licence']);
  expect(find('والتصريح', 'ar-EG')[0]).toBe('permit');
  expect(find('رخصات', 'ar-EG')).toEqual(['trade-licence']);
});

test('one typing error in a long word is accepted, only if no service matches exactly', () => {
  expect(find('permti')[0]).toBe('permit');
  expect(find('perrmit')[0]).toBe('permit');
  expect(find('lisence')).toEqual(['trade-licence']);
  expect(find('trade lisenc')).toEqual(['trade-licence']);
  expect(find('parmit renewl')).toEqual(['permit-renewal']);
  expect(find('تجدسد', 'ar-EG')[0]).toBe('permit-renewal');
  // Not accepted: errors in short words, in descriptions or in digits, and two errors in a word.
  for (const wanted of ['wrok', 'maels', 'paermitt', '12345 permit'])
    expect(find(wanted)).toEqual([]);
  expect(find('unpermitted')).toEqual(['unpermitted']);
});

test('an agency is found by its abbreviation, but one word of its name is no alias', () => {
  const synonyms = normalizeSynonyms([
    ['dp', 'dubai police'],
    ['town hall', 'dubai municipality'],
    ['bobby', 'police'],
  ]);
  const services = buildSearchIndex(
    [
      service('one', text('أ', 'One', 'ا'), police, text('x', 'x', 'x')),
      service('two', text('ب', 'Two', 'ب'), municipality, text('x', 'x', 'x')),
      service('three', text('ت', 'Details', 'ت'), municipality, text('x', 'x', 'x')),
    ],
    synonyms,
  );
  const names = (wanted: string) =>
    searchServices(services, parseQuery(wanted)!, 'en-US').map(({ replacedName }) => replacedName);
  expect(names('DP')).toEqual(['one']);
  expect(names('town hall')).toEqual(['two', 'three']);
  expect(names('bobby')).toEqual([]);
});

test('a Latin synonym matches whole words only: DET does not find details', () => {
  const synonyms = normalizeSynonyms([['det', 'economy']]);
  const services = buildSearchIndex(
    [service('report', text('أ', 'Details report', 'ا'), police, text('x', 'x', 'x'))],
    synonyms,
  );
  expect(searchServices(services, parseQuery('economy')!, 'en-US')).toEqual([]);
});
