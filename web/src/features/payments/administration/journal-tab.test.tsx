import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf, paymentPage } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { getLedgerClosings } from '@diwan/contract/payments/closings';
import {
  exportJournal,
  getJournal,
  getTrialBalance,
  type JournalEntry,
} from '@diwan/contract/payments/journal';
import { getLedgerBalances, getLedgerDays } from '@diwan/contract/payments/ledger';
import { getPayees, getPayouts } from '@diwan/contract/payments/payouts';

const entry: JournalEntry = {
  id: 41,
  day: '2026-11-20',
  at: '2026-11-20T08:00:00.000000Z',
  kind: 'sale',
  currency: 'AED',
  requestNumber: 'DW26-11111-22222',
  merchantReference: 'DW26-11111-22222-abcd',
  note: '',
  lines: [
    { account: 'receivable', debit: 10_500, credit: 0 },
    { account: 'revenue', agencyName: 'Roads Agency', debit: 0, credit: 10_000 },
    { account: 'vat', debit: 0, credit: 500 },
  ],
};
const sums = [{ currency: 'AED', debits: 10_500, credits: 10_500 }];

/** The line on paper that says which entries are shown. */
const printedFilters = () => document.querySelector('[data-printed-filters]')?.textContent;

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  answerCall(getAgencyRecords, []);
});

it('opens a day of the ledger as its entries, with links to request and payment', async () => {
  answerCall(getLedgerClosings, pageOf([]));
  answerCall(getLedgerBalances, []);
  answerCall(getTrialBalance, []);
  answerCall(
    getLedgerDays,
    pageOf([
      {
        day: '2026-11-20',
        entries: 1,
        totals: [],
        openDifferences: 0,
        missingSettlements: [],
        waitingWithdrawals: 0,
      },
    ]),
  );
  const asked = answerCall(getJournal, { ...pageOf([entry]), sums });
  await renderPage('/dashboard/payments?tab=ledger');
  await page.getByRole('link', { name: '20 Nov 2026' }).click();
  await expect.element(page.getByRole('tab', { selected: true })).toMatchTextContent('Journal');
  await expect
    .poll(() => Object.fromEntries(asked.at(-1)?.query ?? []))
    .toMatchObject({ From: '2026-11-20', Until: '2026-11-20' });
  await expect
    .element(page.getByRole('link', { name: 'DW26-11111-22222', exact: true }))
    .toHaveAttribute('href', '/requests/request-details?request-number=DW26-11111-22222');
  await expect
    .element(page.getByRole('link', { name: 'DW26-11111-22222-abcd' }))
    .toHaveAttribute('href', '/dashboard/payments?payment=DW26-11111-22222-abcd');
  const rows = page.getByRole('row');
  await expect.element(rows.nth(3)).toMatchTextContent(/Revenue.*Roads Agency.*100\.00/);
  await expect.element(rows.last()).toMatchTextContent(/^Sum\s*AED\s105\.00\s*AED\s105\.00$/);
});

it('asks for what the filters say, and not before the period is right', async () => {
  const asked = answerCall(getJournal, { ...pageOf([entry]), sums });
  const exported = answerCall(exportJournal, () => {
    throw refuse(503, 'ServerBusy', 'Try again in a minute');
  });
  await renderPage('/dashboard/payments?tab=journal&from=2026-11-01&until=2026-11-20&account=vat');
  await expect.element(page.getByText(/Sale/).first()).toBeVisible();
  await expect.poll(printedFilters).toBe('Filters:From 1 Nov 2026To 20 Nov 2026VAT');
  const filter = { Account: 'vat', RequestNumber: 'DW26-11111-22222', ln: 'en-US' };
  const show = page.getByRole('button', { name: 'Show entries' });
  await page.getByRole('textbox', { name: 'From' }).fill('21/11/2026');
  await expect.element(show).toBeDisabled();
  await page.getByRole('textbox', { name: 'From' }).fill('');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('');
  await expect.element(show).toBeDisabled();
  await page.getByRole('textbox', { name: /^Request number/ }).fill('DW26-11111-22222');
  await show.click();
  await expect
    .poll(() => Object.fromEntries(asked.at(-1)?.query ?? []))
    .toEqual({
      ...filter,
      PageNumber: '1',
      Take: '20',
    });
  await page.getByRole('button', { name: 'CSV file' }).click();
  await expect.element(page.getByText('Try again in a minute')).toBeVisible();
  expect(Object.fromEntries(exported.at(-1)?.query ?? [])).toEqual({ ...filter, Format: 'csv' });
});

it('shows the trial balance with equal sums for each currency', async () => {
  answerCall(getLedgerClosings, pageOf([]));
  answerCall(getLedgerBalances, []);
  answerCall(getLedgerDays, pageOf([]));
  answerCall(getTrialBalance, [
    { account: 'bank', currency: 'AED', opening: 1000, debits: 500, credits: 0, closing: 1500 },
    { account: 'vat', currency: 'AED', opening: -1000, debits: 0, credits: 500, closing: -1500 },
  ]);
  await renderPage('/dashboard/payments?tab=ledger');
  await expect.poll(printedFilters).toMatch(/^Filters:From 1 .*To \d/);
  const sum = page.getByRole('row', { name: /Sum AED/ });
  await expect.element(sum).toMatchTextContent(/0\.00.*5\.00.*5\.00.*0\.00/);
});

it('names a payee once, with its currencies', async () => {
  const payee = { provider: 'paypro', name: '', owed: 0, waiting: 0 } as const;
  answerCall(getPayees, [
    { ...payee, currency: 'AED' },
    { ...payee, currency: 'USD' },
    { agencyId: 3, name: 'Roads Agency', currency: 'EUR', owed: 4_200, waiting: 0 },
    { agencyId: 3, name: 'Roads Agency', currency: 'AED', owed: 100, waiting: 0 },
  ]);
  answerCall(getPayouts, paymentPage([]));
  await renderPage('/dashboard/payments?tab=payouts');
  const rows = page.getByRole('row');
  await expect.element(rows.nth(1)).toMatchTextContent(/^PayPro.*Nothing/);
  await expect.element(rows.nth(2)).toMatchTextContent(/Roads Agency.*1\.00.*EUR 42\.00/);
  await expect.poll(() => rows.elements()).toHaveLength(3);
  await rows.nth(2).getByRole('button', { name: 'Statement of Roads Agency' }).click();
  await expect.element(page.getByRole('dialog').getByText('Currency')).toBeVisible();
});

it('begins with the entries on a phone; a button opens the filters', async () => {
  await page.viewport(390, 844);
  answerCall(getJournal, { ...pageOf([entry]), sums });
  await renderPage('/dashboard/payments?tab=journal&from=2026-11-20&until=2026-11-20');
  await expect.element(page.getByText(/Sale/).first()).toBeVisible();
  const account = page.getByRole('button', { name: /Account$/ });
  expect(account.elements()).toEqual([]);
  const filters = page.getByRole('search').getByRole('button', { name: 'Filters' });
  await expect.element(filters).toHaveAttribute('aria-expanded', 'false');
  await filters.click();
  await expect.element(account).toBeVisible();
});
