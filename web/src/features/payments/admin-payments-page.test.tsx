import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  decidePaymentCase,
  getPaymentCases,
  getRefusedPaymentMessages,
  type PaymentCase,
} from '@diwan/contract/payments/events';
import { pageOf } from '../../testing/admin-records.ts';
import { answerCall } from '../../testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '../../testing/render-page.tsx';

const found: PaymentCase = {
  id: 7,
  kind: 'wrongAmount',
  merchantReference: 'DW26-11111-22222-abcd',
  requestId: 1,
  requestNumber: 'DW26-11111-22222',
  provider: 'paypro',
  amount: 9_999,
  currency: 'AED',
  expected: 10_000,
  detail: '',
  createdAt: '2026-11-24T08:00:00.000Z',
  decisions: ['accept', 'return'],
  note: '',
  version: 1,
};

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
});

it('decides a case only with a choice and a reason', async () => {
  answerCall(getPaymentCases, pageOf([found]));
  answerCall(getRefusedPaymentMessages, []);
  const sent = answerCall(decidePaymentCase, { ...found, decisions: [], decision: 'return' });
  await renderPage('/dashboard/payments?tab=cases');
  await page.getByRole('button', { name: 'Decide on payment DW26-11111-22222-abcd' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect.element(dialog.getByText('Choose a decision.').first()).toBeVisible();
  expect(sent).toEqual([]);
  await dialog.getByRole('radio', { name: /Return the amount/ }).click({ force: true });
  await dialog.getByRole('textbox').fill('Wrong card');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect.element(page.getByText('Your decision was saved')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { id: 7, version: 1, decision: 'return', note: 'Wrong card' },
  ]);
});
