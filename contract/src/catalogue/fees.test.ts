import { expect, test } from 'vitest';
import { readFormAnswers } from '../forms/check-answers.ts';
import type { ServiceForm } from '../forms/forms.ts';
import { maximumLineFils, quoteFees } from './fees.ts';

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

const form: ServiceForm = {
  steps: [
    {
      name: 'only',
      title,
      fields: [
        { name: 'isUrgent', kind: 'yesNo', title, required: true },
        {
          name: 'copies',
          kind: 'number',
          title,
          required: true,
          minimum: 0,
          maximum: 50,
          showWhen: { field: 'isUrgent', equals: true },
        },
        {
          name: 'members',
          kind: 'group',
          title,
          itemTitle: title,
          required: false,
          fields: [{ name: 'memberName', kind: 'text', title, required: true }],
        },
      ],
    },
  ],
};
const fees = [
  { name: 'base', title, amount: 10_000, vatRate: 500 },
  { name: 'urgent', title, amount: 5000, vatRate: 0, when: { field: 'isUrgent', equals: true } },
  { name: 'copy', title, amount: 333, vatRate: 500, per: 'copies' },
  { name: 'member', title, amount: 2000, vatRate: 0, per: 'members' },
];
const quote = (answers: Record<string, unknown>) =>
  quoteFees(fees, readFormAnswers(form, answers, '2026-11-24'));

test('a fee by answer is charged while its condition holds, a fee per unit for each unit', () => {
  const answers = {
    isUrgent: true,
    copies: 3,
    members: [{ memberName: 'a' }, { memberName: 'b' }],
  };
  expect(quote(answers)).toMatchObject({
    lines: [
      { name: 'base', amount: 10_000, vat: 500 },
      { name: 'urgent', amount: 5000, vat: 0 },
      { name: 'copy', amount: 999, vat: 50, units: 3, unitAmount: 333 },
      { name: 'member', amount: 4000, units: 2, unitAmount: 2000 },
    ],
    total: 20_549,
  });
  expect(quote(answers).lines[0]).not.toHaveProperty('units');
});

test('a hidden or invalid answer costs nothing, and without answers only the fixed fees count', () => {
  expect(quote({ isUrgent: false, copies: 3 }).lines.map(({ name }) => name)).toEqual(['base']);
  expect(quote({ isUrgent: true, copies: 51 }).lines.map(({ name }) => name)).toEqual([
    'base',
    'urgent',
  ]);
  expect(quote({ isUrgent: true, copies: -1 }).total).toBe(15_500);
  expect(quoteFees(fees).total).toBe(10_500);
});

test('no line exceeds the largest amount', () => {
  const [line] = quoteFees(
    [{ name: 'huge', title, amount: maximumLineFils, vatRate: 0, per: 'copies' }],
    {
      holds: () => true,
      valueOf: () => 1e9,
    },
  ).lines;
  expect(line?.amount).toBe(maximumLineFils);
});
