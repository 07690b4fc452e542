import { expect, test } from 'vitest';
import type { LocalizedText } from './languages.ts';
import { findTextWarnings } from './text-warnings.ts';

const fine: LocalizedText = {
  'ar-EG': 'تجديد الرخصة التجارية',
  'en-US': 'Renew a trade licence',
  'ur-PK': 'تجارتی لائسنس کی تجدید',
};
const found = (change: Partial<LocalizedText>) =>
  findTextWarnings({ ...fine, ...change }).map(({ language, kind }) => `${language} ${kind}`);

test('a finished text has no warning, with abbreviations and placeholders neither', () => {
  expect(found({})).toEqual([]);
  expect(found({ 'ar-EG': 'رخصة {{reference}} في info@diwan.example لدى VAT' })).toEqual([]);
  expect(found({ 'ar-EG': '2026', 'en-US': '2026', 'ur-PK': '2026' })).toEqual([]);
});

test.each<[string, Partial<LocalizedText>, string]>([
  ['a blank text', { 'ur-PK': ' \n' }, 'ur-PK missing'],
  ['a copy of the English text', { 'ar-EG': fine['en-US'] }, 'ar-EG sameAsEnglish'],
  ['Latin letters in Urdu', { 'ur-PK': 'Tijarati licence ki tajdeed' }, 'ur-PK wrongScript'],
  ['Arabic letters in English', { 'en-US': 'رخصة تجارية' }, 'en-US wrongScript'],
  ['an unfinished text', { 'en-US': 'Renew TODO' }, 'en-US placeholder'],
  ['markup', { 'ar-EG': 'تجديد <b>الرخصة</b>' }, 'ar-EG placeholder'],
  ['a far longer text', { 'en-US': fine['en-US'].repeat(4) }, 'en-US muchLonger'],
])('finds %s', (_, change, warning) => {
  expect(found(change)).toEqual([warning]);
});
