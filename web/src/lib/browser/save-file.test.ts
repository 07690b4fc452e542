import { expect, it } from 'vitest';
import { tableText } from './save-file.ts';

it('writes a CSV file with a byte order mark and without formulas', () =>
  expect(
    tableText([
      ['a', 'ب "ج", د'],
      ['=1+1', 3],
    ]),
  ).toBe('\uFEFF"a","ب ""ج"", د"\r\n"\'=1+1",3\r\n'));
