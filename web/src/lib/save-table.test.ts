import { expect, it } from 'vitest';
import { tableText } from './save-table.ts';

it('writes what spreadsheets read, and no formula', () => {
  expect(tableText([['a', 'ب "ج", د'], ['=1+1', '@x']])).toBe('\uFEFF"a","ب ""ج"", د"\r\n"\'=1+1","\'@x"\r\n');
});
