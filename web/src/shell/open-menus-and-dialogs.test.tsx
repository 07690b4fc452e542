import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getCompanyUsers } from '@diwan/contract/people/companies';
import { getPartnerById } from '@diwan/contract/people/partner-registration';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';
import { getMessages } from '@diwan/contract/requests/messages';
import type { Role } from '@diwan/contract/wire/call';
import { showToast } from '../lib/browser/toasts.ts';
import { messageRecord, pageOf } from '../testing/admin-records.ts';
import { answerCall } from '../testing/answer-calls.ts';
import { findAxeProblems } from '../testing/find-accessibility-problems.ts';
import { companyUsersRecord, partnerRecordOf } from '../testing/people-records.ts';
import { renderPage, signInAs } from '../testing/render-page.tsx';

// The gallery runs axe on each component; here it runs on a page behind an open menu or dialog.

/**
 * What is behind an open menu or dialog is hidden, its heading and its `main` too. axe skips these
 * rules when it takes what is open for a modal one, which it guesses from what covers the page: for
 * a menu, the answer varies.
 */
const ignoredRules = ['landmark-one-main', 'page-has-heading-one'];

const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

interface OpenCase {
  what: string;
  role?: Role;
  path?: string;
  isPhone?: true;
  open: () => Promise<unknown>;
  /** What is open. */
  shown: Parameters<typeof page.getByRole>[0];
}

const cases: OpenCase[] = [
  { what: 'the menu of languages', open: () => press(/اختيار اللغة/), shown: 'menu' },
  { what: 'the menu of the user', role: 'Employee', open: () => press(/حسابي/), shown: 'menu' },
  { what: 'the bell', role: 'Employee', open: () => press(/^الإشعارات/), shown: 'menu' },
  { what: 'the management menu', role: 'Admin', open: () => press('الإدارة'), shown: 'menu' },
  {
    what: 'the menu of a phone',
    role: 'Admin',
    isPhone: true,
    open: () => press('فتح القائمة'),
    shown: 'dialog',
  },
  {
    what: 'earlier messages',
    open: async () => {
      showToast('تعذر الحفظ', 'danger');
      await press('فتح القائمة');
      await page.getByRole('button', { name: 'أحدث الرسائل' }).click();
    },
    shown: 'dialog',
  },
  {
    what: 'the change of the password, with errors',
    role: 'Employee',
    open: async () => {
      await press(/حسابي/);
      await page.getByRole('menuitem', { name: 'تغيير كلمة المرور' }).click();
      await page.getByLabelText('كلمة المرور الجديدة', { exact: true }).fill('short');
      await userEvent.keyboard('{Tab}');
    },
    shown: 'dialog',
  },
  {
    what: 'the invitation of a company, with an error',
    role: 'CompanyUser',
    path: '/companies/users',
    open: async () => {
      await press('دعوة مستخدم');
      await press('إرسال الدعوة');
    },
    shown: 'dialog',
  },
  {
    what: 'the decision about a partner, with errors',
    role: 'Admin',
    path: '/dashboard/service-providers/9',
    open: async () => {
      await press('طلب تعديل');
      await press('إرسال طلب التعديل');
    },
    shown: 'dialog',
  },
  {
    what: 'the question before a message is given up',
    role: 'Admin',
    path: '/dashboard/messages',
    open: () => press(/^إيقاف الإرسال/),
    shown: 'dialog',
  },
  {
    what: 'the sign-in, with errors',
    path: '/account/login',
    open: () => page.getByRole('main').getByRole('button', { name: 'تسجيل الدخول' }).click(),
    shown: 'form',
  },
];

beforeEach(() => {
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  answerCall(getCompanyUsers, companyUsersRecord());
  answerCall(getPartnerById, partnerRecordOf());
  answerCall(getMessages, pageOf([messageRecord()]));
});

it.each(cases)('axe finds no problem behind $what', async (one) => {
  if (one.isPhone) await page.viewport(390, 844);
  if (one.role) signInAs(one.role);
  await renderPage(one.path ?? '/not-found');
  await one.open();
  await expect.element(page.getByRole(one.shown)).toBeVisible();
  expect(await findAxeProblems(undefined, ignoredRules)).toEqual([]);
});
