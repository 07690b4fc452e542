import { expect, it } from 'vitest';
import { csvCell, tableText } from './save-file.ts';

it('writes a CSV file without formulas', () => {
  expect(
    tableText([
      ['a', 'ب "ج", د'],
      ['=1+1', '@x'],
    ]),
  ).toBe('\uFEFFa,"ب ""ج"", د"\r\n\'=1+1,\'@x\r\n');
});

it.each([
  ['+1', "'+1"],
  ['-1+2', "'-1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1', "' =1"],
  ['\t=1', "'\t=1"],
  ['a\nb', '"a\nb"'],
  ['plain', 'plain'],
  [-4, '-4'],
  [null, ''],
])('escapes the cell %j', (cell, text) => expect(csvCell(cell)).toBe(text));
