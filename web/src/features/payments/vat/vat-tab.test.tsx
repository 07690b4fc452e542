import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getSellers, type Seller } from '@diwan/contract/payments/sellers';
import { getVatReport, getVatReportLines } from '@diwan/contract/payments/vat-report';

const named = (name: string) => ({ 'ar-EG': name, 'en-US': name, 'ur-PK': name });
const seller: Seller = {
  isOwnSeller: false,
  legalName: named(''),
  street: '',
  city: '',
  emirate: '',
  trn: '',
  registrationKind: '',
  registrationNumber: '',
  registrationAuthority: '',
  version: 1,
};

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
});

it('adds up the return, opens the lines of a row, and says where an emirate is missing', async () => {
  const none = { credited: 0, creditedVat: 0, lines: 1 };
  answerCall(getSellers, [
    { ...seller, legalName: named('Operator') },
    { ...seller, agencyId: 7, isOwnSeller: true, legalName: named('Roads Agency LLC') },
  ]);
  const reports = answerCall(getVatReport, [
    {
      emirate: 'dubai',
      category: 'standard',
      supplies: 20_000,
      vat: 1_000,
      ...none,
      credited: 2_000,
      creditedVat: 100,
    },
    { category: 'outOfScope', supplies: 7_500, vat: 0, ...none },
  ]);
  const asked = answerCall(
    getVatReportLines,
    pageOf([
      {
        number: 'INV-2026-000010',
        line: 1,
        day: '2026-11-20',
        requestNumber: 'DW26-11111-22222',
        agencyName: 'Roads Agency',
        emirate: 'dubai',
        title: 'Licence fee',
        category: 'standard',
        amount: 20_000,
        vat: 1_000,
      },
    ]),
  );
  await renderPage('/dashboard/payments?tab=vat');
  await expect.element(page.getByText(/Some supplies have no emirate/)).toBeVisible();
  expect(document.querySelector('[data-printed-filters]')?.textContent).toMatch(
    /^Filters:From 1 .*To \d/,
  );
  await expect.element(page.getByRole('textbox', { name: 'To', exact: true })).toBeVisible();
  const rows = page.getByRole('table', { name: 'VAT report' }).getByRole('row');
  await expect
    .element(rows.nth(1))
    .toMatchTextContent(/Dubai.*Standard rate.*200\.00.*10\.00.*9\.00/);
  await expect.element(rows.nth(2)).toMatchTextContent(/Not known.*Outside the scope/);
  await expect
    .element(rows.nth(3))
    .toMatchTextContent(/Sum.*275\.00.*10\.00.*20\.00.*1\.00.*255\.00.*9\.00/);
  await page.getByRole('button', { name: 'Show the lines of Dubai, Standard rate' }).click();
  await expect.element(page.getByText('INV-2026-000010')).toBeVisible();
  const heading = page.getByRole('heading', { name: 'Lines of Dubai, Standard rate' });
  await expect.element(heading).toHaveFocus();
  await expect.element(heading).toBeInViewport();
  await expect
    .poll(() => Object.fromEntries(asked.at(-1)?.query ?? []))
    .toMatchObject({ Emirate: 'dubai', Category: 'standard', PageNumber: '1' });
  await expect
    .element(page.getByRole('link', { name: 'DW26-11111-22222' }))
    .toHaveAttribute('href', '/requests/request-details?request-number=DW26-11111-22222');
  await page.getByRole('button', { name: /Supplier/ }).click();
  await page.getByRole('option', { name: 'Roads Agency LLC' }).click();
  await expect.poll(() => reports.at(-1)?.query.get('Seller')).toBe('7');
  await expect.element(page.getByText('INV-2026-000010')).not.toBeInTheDocument();
});
