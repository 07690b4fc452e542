import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  decidePaymentCase,
  getPaymentCases,
  getRefusedPaymentMessages,
  type PaymentCase,
} from '@diwan/contract/payments/events';
import {
  cancelReceiptRun,
  getReceiptRuns,
  startReceiptRun,
  type ReceiptRun,
} from '@diwan/contract/payments/receipt-runs';
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

it('makes the receipts of a period, shows how far it is, and stops on request', async () => {
  const run: ReceiptRun = {
    runId: 3,
    from: '2026-11-01',
    until: '2026-11-24',
    state: 'running',
    total: 1000,
    done: 250,
    perMinute: 500,
    startedBy: 'Aisha Al Demo',
    createdAt: '2026-11-24T08:00:00.000Z',
    parts: [{ number: 1, receipts: 250, size: 9_000_000, filePath: 'part' }],
  };
  let runs: ReceiptRun[] = [];
  answerCall(getReceiptRuns, () => ({ runs, keptDays: 7 }));
  const started = answerCall(startReceiptRun, () => {
    runs = [run];
    return { runs, keptDays: 7 };
  });
  const cancelled = answerCall(cancelReceiptRun, () => {
    runs = [{ ...run, state: 'cancelled' }];
    return { runs, keptDays: 7 };
  });
  await renderPage('/dashboard/payments?tab=receipts');
  await expect.element(page.getByText('No receipts were made in the last days.')).toBeVisible();
  const begin = page.getByRole('button', { name: 'Make receipts' });
  await begin.click();
  await expect.element(page.getByText(/250 of 1,000 made · about 2 minutes left/)).toBeVisible();
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '250');
  await expect.element(page.getByRole('button', { name: /File 1: 250 receipts/ })).toBeVisible();
  await expect.element(begin).toBeDisabled();
  expect(started.map(({ body }) => Object.keys(body as object))).toEqual([['from', 'until']]);
  await page.getByRole('button', { name: 'Stop the run' }).click();
  const dialog = page.getByRole('dialog');
  expect(cancelled).toEqual([]);
  await dialog.getByRole('button', { name: 'Stop the run' }).click();
  await expect.element(page.getByText('Stopped', { exact: true })).toBeVisible();
  expect(cancelled.map(({ body }) => body)).toEqual([{ runId: 3 }]);
});
