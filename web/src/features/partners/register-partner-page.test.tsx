import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { agencyRecords } from '#testing/admin-records.ts';
import { answerCall, noConnection } from '#testing/answer-calls.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { registerPartner } from '@diwan/contract/people/partner-registration';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';

const path = '/partner/register';
const main = page.getByRole('main');
const send = main.getByRole('button', { name: 'تسجيل', exact: true });

beforeEach(() => {
  answerCall(governmentAgencyCollection, agencyRecords);
});

it('sends a visitor to the sign-in and back', async () => {
  answerCall(checkUAEPassEnabled, { isEnabled: false });
  const { address } = await renderPage(path);
  await main.getByRole('button', { name: 'تسجيل الدخول' }).click();
  await expect.poll(address).toBe('/account/login');
  await expect.poll(() => window.sessionStorage.getItem('returnUrl')).toBe(path);
});

it.each([
  ['CompanyUser', 0],
  ['ServiceProvider', 1],
] as const)('explains that a %s cannot register', async (role, links) => {
  signInAs(role);
  await renderPage(path);
  await expect.element(main.getByText('لا يمكن تسجيل مزود خدمة بهذا الحساب')).toBeVisible();
  expect(main.getByRole('link', { name: 'ملف مزود الخدمة' }).elements()).toHaveLength(links);
});

it('names everything that is missing, and sends nothing', async () => {
  const sent = answerCall(registerPartner, { partnerId: 9 });
  signInAs('Client');
  await renderPage(path);
  await send.click();
  const summary = main.getByRole('alert');
  await expect.element(summary).toHaveFocus();
  await expect
    .poll(() => namesOf(summary.getByRole('button')).map((text) => text.split(':')[0]))
    .toEqual([
      'الاسم بالعربية',
      'الاسم بالإنجليزية',
      'رقم الرخصة التجارية',
      'الجهات الحكومية',
      'الشخص المسؤول',
      'البريد الإلكتروني',
      'رقم الهاتف المتحرك',
      'الرخصة التجارية',
      'خطاب التفويض',
      'وافق على الشروط لإتمام التسجيل',
    ]);
  await summary.getByRole('button', { name: /^البريد الإلكتروني/ }).click();
  const email = main.getByLabelText('البريد الإلكتروني');
  await expect.element(email).toHaveFocus();
  await email.fill('centre@example.ae');
  await expect.element(email).not.toBeInvalid();
  await expect.poll(() => sent).toEqual([]);
});

it('refuses a document of the wrong type before it is sent', async () => {
  signInAs('Client');
  await renderPage(path);
  await expect.element(send).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('main input[type=file]');
  if (!input) throw new Error('The form has an input for files');
  await page.elementLocator(input).upload(new File(['notes'], 'notes.txt', { type: 'text/plain' }));
  await expect.element(main.getByText('notes.txt')).toBeVisible();
  await expect.element(main.getByText(/PDF.*JPEG/).last()).toBeVisible();
});

it('finds an agency, keeps the chosen ones visible, and tries again after an error', async () => {
  answerCall(governmentAgencyCollection, noConnection);
  signInAs('Client');
  await renderPage(path);
  await expect.element(main.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  answerCall(governmentAgencyCollection, agencyRecords);
  await main.getByRole('button', { name: 'إعادة المحاولة' }).click();
  const customs = main.getByRole('checkbox', { name: 'جمارك دبي' });
  await customs.click({ force: true });
  await main.getByPlaceholder('ابحث عن جهة').fill('الطرق');
  await expect.element(main.getByRole('checkbox', { name: agencyRecords[0]?.name })).toBeVisible();
  await expect.element(customs).toBeChecked();
  await main.getByPlaceholder('ابحث عن جهة').fill('لا شيء');
  await expect
    .element(main.getByRole('checkbox', { name: agencyRecords[0]?.name }))
    .not.toBeInTheDocument();
  await expect.element(customs).toBeChecked();
});

it('reads in Urdu from right to left', async () => {
  await useLanguageOfTest('ur-PK');
  signInAs('Client');
  await renderPage(path);
  await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible();
  expect(getComputedStyle(main.element()).direction).toBe('rtl');
  expect(main.element().textContent).not.toMatch(/partners:|register\./);
});
