import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import { getStaffInvitations, inviteStaff } from '@diwan/contract/staff/staff-invitations';

const dialog = page.getByRole('dialog');

it('gives no role that nobody chose', async () => {
  signInAs('Admin');
  answerCall(getStaffInvitations, []);
  answerCall(getRoleConfirmation, { isRequired: false, adminsCount: 1, pending: [] });
  const sent = answerCall(inviteStaff, []);
  await renderPage('/dashboard/staff');
  await page.getByRole('button', { name: 'دعوة موظف' }).click();
  await dialog.getByLabelText('الاسم الكامل').fill('نورة سالم');
  await dialog.getByLabelText('البريد الإلكتروني').fill('noura@ministry.example');
  await dialog.getByRole('button', { name: 'إرسال الدعوة' }).click();
  await expect.element(dialog.getByText('اختر دورًا واحدًا على الأقل')).toBeVisible();
  await dialog.getByRole('checkbox', { name: /مدقق/ }).click();
  await dialog.getByRole('button', { name: 'إرسال الدعوة' }).click();
  await expect
    .poll(() => sent.map(({ body }) => (body as { roles: string[] }).roles))
    .toEqual([['Auditor']]);
});

it.each([
  { isRequired: true, shown: 1 },
  { isRequired: false, shown: 0 },
])(
  'says that an invitation waits for another administrator: $isRequired',
  async ({ isRequired, shown }) => {
    signInAs('Admin');
    answerCall(getStaffInvitations, []);
    answerCall(getRoleConfirmation, { isRequired, adminsCount: 2, pending: [] });
    await renderPage('/dashboard/staff');
    await page.getByRole('button', { name: 'دعوة موظف' }).click();
    await expect.element(dialog.getByText(/رابط صالح لمدة 7 أيام/)).toBeVisible();
    await expect
      .poll(() => dialog.getByText(/بعد أن يؤكدها مدير نظام آخر/).elements())
      .toHaveLength(shown);
  },
);
