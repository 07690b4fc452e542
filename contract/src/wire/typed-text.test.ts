import { expect, it } from 'vitest';
import {
  findContactAddress,
  findEmiratesId,
  normalizeLicenceNumber,
  normalizeUsername,
} from '../people/new-account.ts';
import { cleanIdentifier, withoutMarks } from './typed-text.ts';

/** Each mark by itself, and pairs as programs put them around what is copied. */
const wrapped: [string, string][] = [
  ...'\u00AD\u061C\u180E\u200B\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2066\u2067\u2068\u2069\uFEFF',
].map((mark) => [mark, mark]);
wrapped.push(
  ['\u202D', '\u202C'],
  ['\u2066', '\u2069'],
  ['\u202A', '\u202C'],
  ['\u200C', '\u200D'],
);

const hex = (mark: string) => (mark.codePointAt(0) ?? 0).toString(16).toUpperCase();

it.each(wrapped.map(([first, last]) => [`U+${hex(first)} and U+${hex(last)}`, first, last]))(
  '%s do not change what is typed',
  (_, first, last) => {
    const within = (text: string) => `${first}${text.slice(0, 2)}${first}${text.slice(2)}${last}`;
    expect([
      normalizeUsername(within('Maryam.٢')),
      findEmiratesId(within('784-1990-1234567-1')),
      normalizeLicenceNumber(within('cn-۱۲۳')),
      findContactAddress('sms', within('050 000 0008')),
      cleanIdentifier(within('123456')),
    ]).toEqual(['maryam.2', '784-1990-1234567-1', 'CN-123', '+971500000008', '123456']);
  },
);

it('an e-mail address has no marks', () => {
  expect(findContactAddress('email', '\u202Aa@b.example\u202C\uFEFF')).toBe('a@b.example');
});

it('the joiners of names stay', () => {
  expect(withoutMarks('\u200Fمی\u200Cخواهم\u200D\u200B')).toBe('می\u200Cخواهم\u200D');
});
