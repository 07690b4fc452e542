import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  decideWithdrawal,
  getSettlementFiles,
  withdrawSettlement,
  type SettlementFile,
} from '@diwan/contract/payments/settlement-files';
import { ImportedFiles } from './imported-files.tsx';

const file: SettlementFile = {
  id: 5,
  provider: 'paypro',
  day: '2026-11-20',
  lines: 4,
  matched: 3,
  differences: 1,
  importedAt: '2026-11-21T06:00:00.000Z',
  state: 'imported',
  isClosed: false,
  isOwn: false,
};

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
});

it('withdraws a file only with a reason, and says that another person confirms it', async () => {
  let shown = file;
  answerCall(getSettlementFiles, () =>
    pageOf([shown, { ...file, id: 6, isClosed: true }, { ...file, id: 7, state: 'withdrawn' }]),
  );
  const sent = answerCall(withdrawSettlement, () => {
    shown = { ...file, state: 'waiting', reason: 'Of another day', isOwn: true };
    return shown;
  });
  await renderComponent(<ImportedFiles />);
  await expect.element(page.getByText('Its day is closed')).toBeVisible();
  await page.getByRole('button', { name: /^Withdraw the file of PayPro/ }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/another person must confirm/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Withdraw file' }).click();
  await expect.element(dialog.getByText('Say why the file is withdrawn.').first()).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await dialog.getByRole('textbox').fill('Of another day');
  await dialog.getByRole('button', { name: 'Withdraw file' }).click();
  await expect.element(page.getByText('Of another day')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ id: 5, reason: 'Of another day' }]);
  // Who asked for it may keep the file, and not confirm.
  await expect.element(page.getByRole('button', { name: /^Keep the file/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Confirm/ })).not.toBeInTheDocument();
});

it('lets another person confirm a withdrawal', async () => {
  answerCall(getSettlementFiles, pageOf([{ ...file, state: 'waiting', reason: 'Doubled' }]));
  const sent = answerCall(decideWithdrawal, { ...file, state: 'withdrawn' });
  await renderComponent(<ImportedFiles />);
  await page.getByRole('button', { name: /^Confirm the withdrawal/ }).click();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ id: 5, isConfirmed: true }]);
});
