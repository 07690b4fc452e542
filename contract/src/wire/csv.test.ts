import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

describe('a cell of a CSV file', () => {
  it.each([
    ['plain', '"plain"'],
    ['ب "ج", د', '"ب ""ج"", د"'],
    ['a\nb', '"a\nb"'],
    [-4, '-4'],
    [0.5, '0.5'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
  ])('%j is %j', (cell, text) => expect(csvCell(cell)).toBe(text));

  it.each([
    ['=1+1', "'=1+1"],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['-1+A2', "'-1+A2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['|calc', "'|calc"],
    ['＝1+1', "'＝1+1"],
    [' =1', "' =1"],
    ['\t=1', "\t'=1"],
    ['Ali;=1+1', "Ali;'=1+1"],
    ['Ali; "=1+1', `Ali;' ""=1+1`],
    ['Ali\t@x', "Ali\t'@x"],
    ['Ali\r\n=1', "Ali\r\n'=1"],
    ['a;-5;=1', "a;-5;'=1"],
    ['- see there', "'- see there"],
  ])('%j is no formula', (cell, text) => expect(csvCell(cell)).toBe(`"${text}"`));

  it.each([
    '784199000000010',
    '00123',
    '1E5',
    '3-4',
    '1/2',
    '+971501234567',
    '+971 (50) 123-4567',
    '-5',
    '-1+2',
    '٠٠١٢٣',
    '12.5 %',
    '3:15 pm',
    'Mar 5',
    'SEPT2',
    '5 May 2026',
    '1.2.2026',
    '10.0.0.1',
  ])('%j stays a text', (cell) => expect(csvCell(cell)).toBe(`"\t${cell}"`));

  it.each(['-', '2026-01-02', '2026-01-02T10:00:00.000Z', 'R-2026-00042', 'Villa 12', 'mar'])(
    '%j is not changed',
    (cell) => expect(csvCell(cell)).toBe(`"${cell}"`),
  );
});

it('a line ends as RFC 4180 says', () =>
  expect(csvLine(['a', 1, null, 'b'])).toBe('"a",1,,"b"\r\n'));
