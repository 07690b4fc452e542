import { expect, it } from 'vitest';
import {
  makeRequestNumber,
  readMobileNumber,
  readNumberYear,
  readRequestNumber,
} from './request-number.ts';

it('makes readable numbers of the year in Asia/Dubai', () => {
  const newYear = new Date('2026-12-31T20:00:00Z');
  const numbers = Array.from({ length: 50 }, () => makeRequestNumber(newYear));
  for (const number of numbers) expect(number).toMatch(/^DW27-\d{5}-\d{5}$/);
  expect(new Set(numbers).size).toBe(50);
  for (const number of numbers) expect(readRequestNumber(number)).toBe(number);
});

it.each([
  'DW26-04711-90210',
  'dw260471190210',
  ' dw26 04711 90210 ',
  'DW٢٦-٠٤٧١١-٩٠٢١٠',
  '‏DW۲۶-۰۴۷۱۱-۹۰۲۱۰',
])('reads the number in %s', (text) => {
  expect(readRequestNumber(text)).toBe('DW26-04711-90210');
});

it.each(['', 'DW26-04711', 'DW26-04711-902100', 'XX26-04711-90210', '0501234567', '260471190210'])(
  'reads no number in %j',
  (text) => {
    expect(readRequestNumber(text)).toBeUndefined();
  },
);

it.each([
  '0501234567',
  '+971501234567',
  '00971 50 123 4567',
  '971-50-1234567',
  '501234567',
  '٠٥٠١٢٣٤٥٦٧',
  '۰۵۰ ۱۲۳ ۴۵۶۷',
  '+971 (0)50 123 4567',
  '٩٧١٥٠١٢٣٤٥٦٧+',
])('reads the mobile number in %s', (text) => {
  expect(readMobileNumber(text)).toBe('+971501234567');
});

it.each(['', '041234567', '+441234567890', '05012345678', '050123456', 'DW26-04711-90210'])(
  'reads no mobile number in %j',
  (text) => {
    expect(readMobileNumber(text)).toBeUndefined();
  },
);

it.each([
  ['dw23', 2023],
  ['dw230471', 2023],
  ['dw2', undefined],
  ['dw', undefined],
  ['edw23', undefined],
  ['dw23a', undefined],
  ['2023', undefined],
])('reads the year of %s', (word, year) => {
  expect(readNumberYear(word)).toBe(year);
});
