import { expect, test } from 'vitest';
import { dismissedOfPage, hasFontsOf, languageOfPage, themeOfPage } from './page-cookies.ts';

const all = 'language=ur-PK; theme=dark; dismissed=3.1~12.2; fonts=ur-PK; signed-in=1';

test.each([
  ['ln=en-US', all, 'en-US'],
  ['ln=EN-us', undefined, 'en-US'],
  ['ln=xx', all, 'ur-PK'],
  ['', all, 'ur-PK'],
  ['', 'theme=dark;language=en-US', 'en-US'],
  ['', 'other-language=en-US', 'ar-EG'],
  ['', 'language=', 'ar-EG'],
  ['', undefined, 'ar-EG'],
])('the language of "%s" with the cookies %s is %s', (query, cookies, expected) => {
  expect(languageOfPage(new URLSearchParams(query), cookies)).toBe(expected);
});

test.each([
  [all, 'dark'],
  ['theme=light', 'light'],
  ['theme=darker', undefined],
  ['no-theme=dark', undefined],
  [undefined, undefined],
])('the theme of the cookies %s is %s', (cookies, expected) => {
  expect(themeOfPage(cookies)).toBe(expected);
});

test('dismissed announcements are known ones, whole and sorted', () => {
  expect(dismissedOfPage(all, ['3.1', '12.2', '5.1'])).toEqual(['12.2', '3.1']);
  expect(dismissedOfPage('dismissed=13.1', ['3.1'])).toEqual([]);
  expect(dismissedOfPage('dismissed=', ['3.1'])).toEqual([]);
  expect(dismissedOfPage(undefined, ['3.1'])).toEqual([]);
});

test('the fonts that a browser has are those of one language', () => {
  expect(hasFontsOf('ur-PK', all)).toBe(true);
  expect(hasFontsOf('ar-EG', all)).toBe(false);
  expect(hasFontsOf('ur-PK', 'web-fonts=ur-PK')).toBe(false);
  expect(hasFontsOf('ur-PK', undefined)).toBe(false);
});
