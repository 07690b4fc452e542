import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { policyRecord, secondFactorRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  changeSecondFactorPolicy,
  getSecondFactor,
  getSecondFactorPolicy,
} from '@diwan/contract/people/second-factor';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';

const path = '/dashboard/security';

const roleConfirmation = { isRequired: false, adminsCount: 2, pending: [] };

async function open(policy = policyRecord) {
  answerCall(getRoleConfirmation, roleConfirmation);
  answerCall(getSecondFactorPolicy, policy);
  answerCall(getSecondFactor, secondFactorRecord());
  signInAs('Admin');
  await renderPage(path);
}

it('explains an error and tries again', async () => {
  answerCall(getRoleConfirmation, roleConfirmation);
  answerCall(getSecondFactorPolicy, () => {
    throw refuse(500, 'InternalServerError', 'تعطل الخادم');
  });
  answerCall(getSecondFactor, secondFactorRecord());
  signInAs('Admin');
  await renderPage(path);
  const alert = page.getByRole('main').getByRole('alert');
  await expect.element(alert.getByText('تعطل الخادم')).toBeVisible();
  answerCall(getSecondFactorPolicy, policyRecord);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(page.getByRole('checkbox', { name: /موظف/ })).toBeVisible();
});

it('says whom a change affects before it is saved, and saves it once', async () => {
  const { reply, release } = holdReply<typeof policyRecord>();
  const sent = answerCall(changeSecondFactorPolicy, () => reply);
  await open();
  const save = page.getByRole('button', { name: 'حفظ' });
  await expect.element(save).toBeDisabled();
  await expect.element(page.getByText('مفعّل لدى 1 من 3')).toBeVisible();
  const employees = page.getByRole('checkbox', { name: /موظف/ });
  await employees.click({ force: true });
  await expect.element(page.getByRole('status').getByText(/شخصان لم يفعّلاه بعد/)).toBeVisible();
  await employees.click({ force: true });
  await expect.element(page.getByText(/شخصان لم يفعّلاه بعد/)).not.toBeInTheDocument();
  await expect.element(save).toBeDisabled();
  await employees.click({ force: true });
  await save.dblClick();
  const changed = { ...policyRecord, roles: ['Admin' as const, 'Employee' as const] };
  answerCall(getSecondFactorPolicy, changed);
  release(changed);
  await expect.element(page.getByText('تم الحفظ')).toBeVisible();
  await expect.element(employees).toBeChecked();
  await expect.element(save).toBeDisabled();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ roles: ['Admin', 'Employee'] }]);
});

it('warns an administrator without a second factor in English, and keeps the choice after an error', async () => {
  await useLanguageOfTest('en-US');
  answerCall(changeSecondFactorPolicy, () => {
    throw refuse(429, 'TooManyRequests', 'Wait a moment');
  });
  await open({
    roles: [],
    standing: [{ role: 'Admin', people: 1, withFactor: 0 }],
  });
  const admins = page.getByRole('checkbox', { name: /Administrator/ });
  await admins.click({ force: true });
  await expect.element(page.getByText(/That includes you: you wi/)).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Wait a moment')).toBeVisible();
  await expect.element(admins).toBeChecked();
});
