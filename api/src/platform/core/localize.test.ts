import { expect, test } from 'vitest';
import { localize, localizeQuote } from './localize.ts';

const title = { 'ar-EG': 'رسوم الطلب', 'en-US': 'Application fee', 'ur-PK': 'درخواست کی فیس' };

test('localize picks the text of the language', () => {
  expect([localize(title, 'ar-EG'), localize(title, 'en-US'), localize(title, 'ur-PK')]).toEqual([
    'رسوم الطلب',
    'Application fee',
    'درخواست کی فیس',
  ]);
});

test('localizeQuote changes the titles and keeps the amounts', () => {
  const money = {
    totalAdminstrativeFees: 1000,
    totalAdminstrativeFeesVatValue: 50,
    total: 1050,
    currency: 'AED' as const,
  };
  const line = { name: 'fee', amount: 1000, vatRate: 500, vat: 50 };
  expect(localizeQuote({ ...money, lines: [{ ...line, title }] }, 'ur-PK')).toEqual({
    ...money,
    lines: [{ ...line, title: 'درخواست کی فیس' }],
  });
});
