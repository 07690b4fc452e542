import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { figureGroupsRecord, figuresRecord, pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, tokenOf } from '#testing/render-page.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { getSetupState, setUpPortal } from '@diwan/contract/people/setup';
import { getPortalReadiness } from '@diwan/contract/portal/readiness';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';

const main = page.getByRole('main');
const field = (name: string) => main.getByLabelText(name, { exact: true });
const submit = main.getByRole('button', { name: 'إنشاء حساب مدير النظام' });

it('creates the first administrator after a wrong code, and loses no input', async () => {
  answerCall(getSetupState, { isOpen: true });
  // The page that follows reads them, with what is to be done first.
  answerCall(getPortalReadiness, { done: [], isFirstDayHidden: false });
  answerCall(getRequestFigures, figuresRecord());
  answerCall(getFigureGroups, figureGroupsRecord());
  answerCall(getRequestsByStatusId, pageOf([]));
  answerCall(getAgencyRecords, []);
  const sent = answerCall(setUpPortal, () => {
    if (sent.length === 1) throw refuse(400, 'SetupCodeWrong', 'رمز آخر');
    return { token: tokenOf('Admin') };
  });
  const { address } = await renderPage('/setup');
  await submit.click();
  await expect.element(main.getByRole('alert')).toHaveFocus();
  await expect.element(field('رمز الإعداد')).toBeInvalid();
  await field('رمز الإعداد').fill('ABCD-EFGH-2345-6789');
  await field('اسمك الكامل').fill('نورة سالم');
  await field('البريد الإلكتروني').fill('noura@ministry.example');
  await field('رقم الهاتف المتحرك').fill('0501234567');
  await field('اسم المستخدم').fill('noura');
  await field('كلمة المرور').fill('Quiet-Lanterns-7042!');
  await field('كلمة المرور مرة أخرى').fill('Quiet-Lanterns-7042!');
  await submit.click();
  await expect.element(field('رمز الإعداد')).toHaveAccessibleDescription(/رمز آخر/);
  await expect.element(field('كلمة المرور')).toHaveValue('Quiet-Lanterns-7042!');
  await submit.click();
  await expect.poll(address).toBe('/dashboard-Admin');
  await expect.poll(() => sent).toHaveLength(2);
  await expect.element(main.getByRole('region', { name: 'الخطوات الأولى' })).toBeVisible();
});

it('asks whether the computer is shared, as each way of signing in', async () => {
  answerCall(getSetupState, { isOpen: true });
  await renderPage('/setup');
  await main.getByRole('checkbox', { name: /هذا جهاز مشترك/ }).click();
  expect(sessionStorage.getItem('shared-computer')).toBe('yes');
  sessionStorage.removeItem('shared-computer');
});

it('leads to the sign-in once there is an administrator', async () => {
  answerCall(getSetupState, { isOpen: false });
  await renderPage('/setup');
  await expect.element(main.getByRole('link', { name: 'تسجيل الدخول' })).toBeVisible();
  expect(submit.elements()).toEqual([]);
});
