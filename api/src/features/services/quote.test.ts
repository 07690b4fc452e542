import { expect, test } from 'vitest';
import { quoteFees } from './quote.ts';

const title = { 'ar-EG': 'رسم', 'en-US': 'Fee', 'ur-PK': 'فیس' };

test('adds lines and their VAT in fils', () => {
  const quote = quoteFees([
    { name: 'applicationFee', title, amount: 20_000, vatRate: 0 },
    { name: 'digitalServiceFee', title, amount: 1000, vatRate: 500 },
  ]);
  expect(quote).toMatchObject({
    totalAdminstrativeFees: 21_000,
    totalAdminstrativeFeesVatValue: 50,
    total: 21_050,
    currency: 'AED',
  });
  expect(quote.lines.map(({ vat }) => vat)).toEqual([0, 50]);
});

test('rounds VAT on each line, not on the sum', () => {
  const line = { name: 'fee', title, amount: 10, vatRate: 500 };
  expect(quoteFees([line, line]).totalAdminstrativeFeesVatValue).toBe(2);
  expect(quoteFees([{ ...line, amount: 9 }]).totalAdminstrativeFeesVatValue).toBe(0);
});

test('a free service costs nothing', () => {
  expect(quoteFees([])).toEqual({
    lines: [],
    totalAdminstrativeFees: 0,
    totalAdminstrativeFeesVatValue: 0,
    total: 0,
    currency: 'AED',
  });
});
