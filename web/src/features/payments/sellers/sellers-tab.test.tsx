import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { getSellers, saveSeller, type Seller } from '@diwan/contract/payments/sellers';

const operator: Seller = {
  isOwnSeller: false,
  legalName: { 'ar-EG': 'مشغّل البوابة', 'en-US': 'Portal operator', 'ur-PK': 'پورٹل آپریٹر' },
  street: 'Example Street 1',
  city: 'Dubai',
  emirate: 'dubai',
  trn: '100000000000003',
  registrationKind: '',
  registrationNumber: '',
  registrationAuthority: '',
  version: 0,
};
const agencyName = { 'ar-EG': 'هيئة', 'en-US': 'Test Authority', 'ur-PK': 'ادارہ' };
const agency = {
  id: 4,
  slug: 'test-authority',
  name: agencyName,
  logo: '/logos/agencies/test.svg',
  isRetired: false,
  servicesCount: 1,
  version: 1,
};

async function open() {
  answerCall(getSellers, [operator]);
  answerCall(getAgencyRecords, [agency]);
  signInAs('Admin');
  await useLanguageOfTest('en-US');
  await renderPage('/dashboard/payments?tab=sellers');
  await expect.element(page.getByText('Portal operator').first()).toBeVisible();
}
const dialog = page.getByRole('dialog');

it('adds an agency that sells: what is missing is named, and the table shows it', async () => {
  const sent = answerCall(saveSeller, [
    operator,
    { ...operator, agencyId: 4, agencyName, isOwnSeller: true, version: 1 },
  ]);
  await open();
  await expect.element(page.getByText('From the settings').first()).toBeVisible();
  // Dubai is city and emirate; each part keeps its own direction.
  await expect
    .element(page.getByText('\u2068Example Street 1\u2069 · \u2068Dubai\u2069').first())
    .toBeVisible();
  await page.getByRole('button', { name: 'Add an agency' }).click();
  await dialog.getByRole('combobox', { name: 'Agency' }).fill('Test');
  await page.getByRole('option', { name: 'Test Authority' }).click();
  for (const box of dialog.getByRole('group', { name: 'Legal name' }).getByRole('textbox').all())
    await box.fill('هيئة الاختبار');
  await dialog.getByRole('button', { name: /What registers it/ }).click();
  await page.getByRole('option', { name: 'Trade licence' }).click();
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  for (const name of [/Street/, /City/, /Number of the licence/, /Authority that issued/])
    await expect
      .element(dialog.getByRole('textbox', { name }))
      .toHaveAttribute('aria-invalid', 'true');
  expect(sent).toEqual([]);
  await dialog.getByRole('textbox', { name: /Street/ }).fill('Corniche 5');
  await dialog.getByRole('textbox', { name: /City/ }).fill('Abu Dhabi');
  await dialog.getByRole('button', { name: /Emirate/ }).click();
  await page.getByRole('option', { name: 'Abu Dhabi' }).click();
  await dialog.getByRole('textbox', { name: /Number of the licence/ }).fill('CN-1');
  await dialog.getByRole('textbox', { name: /Authority that issued/ }).fill('ADDED');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({
    agencyId: 4,
    isOwnSeller: true,
    emirate: 'abuDhabi',
    registrationKind: 'tradeLicence',
    registrationAuthority: 'ADDED',
    version: 0,
  });
  await expect.element(page.getByText('Charges its own fees').first()).toBeVisible();
});
