import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { companyUsersRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, tokenOf, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  cancelCompanyInvitation,
  getCompanyUsers,
  inviteCompanyUser,
  saveCompanyDetails,
  removeCompanyUser,
  resendCompanyInvitation,
  setCompanyManager,
} from '@diwan/contract/people/companies';
import { refreshToken } from '@diwan/contract/people/users';

const record = companyUsersRecord();
const [manager, user] = record.users;
const main = page.getByRole('main');
const dialog = page.getByRole('dialog');

beforeEach(() => {
  answerCall(getCompanyUsers, record);
});

async function open() {
  signInAs('CompanyUser', { companyId: 5 });
  return renderPage('/companies/users');
}

it('shows a skeleton, then the users and open invitations', async () => {
  const { reply, release } = holdReply<typeof record>();
  answerCall(getCompanyUsers, () => reply);
  await open();
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  release(record);
  await expect
    .element(main.getByRole('rowheader', { name: /Khalid Al Demo.*\(أنت\)/ }))
    .toBeVisible();
  await expect.element(main.getByText('بانتظار القبول')).toBeVisible();
  await expect.element(main.getByText('لم يُسجَّل الدخول بعد')).toBeVisible();
});

it('explains an error and tries again', async () => {
  answerCall(getCompanyUsers, noConnection);
  await open();
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  answerCall(getCompanyUsers, record);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('noura@example.ae')).toBeVisible();
});

it('says when no invitation is open, and shows failed and expired ones', async () => {
  const [invitation] = record.invitations;
  if (!invitation) throw new Error('The record has an invitation');
  answerCall(getCompanyUsers, { ...record, invitations: [] });
  const { router } = await open();
  await expect.element(main.getByText('لا توجد دعوات مفتوحة.')).toBeVisible();
  answerCall(getCompanyUsers, {
    ...record,
    invitations: [
      { ...invitation, isExpired: true },
      { ...invitation, invitationId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1c12', isSent: false },
    ],
  });
  await router.navigate('/not-found');
  await useLanguageOfTest('en-US');
  await router.navigate('/companies/users');
  await expect.element(main.getByText('Expired')).toBeVisible();
  await expect.element(main.getByText('Not sent')).toBeVisible();
});

it('lets only managers change something', async () => {
  answerCall(getCompanyUsers, { ...record, isManager: false, invitations: [] });
  await open();
  await expect
    .element(main.getByText('يمكن لمدير حساب الشركة وحده دعوة المستخدمين أو إزالتهم.'))
    .toBeVisible();
  await expect.element(main.getByText('noura@example.ae')).toBeVisible();
  expect(main.getByRole('button').elements()).toEqual([]);
});

it('invites: an invalid address, a known one, then sent once in the chosen language', async () => {
  const { reply, release } = holdReply<typeof record>();
  const sent = answerCall(inviteCompanyUser, () => {
    if (sent.length === 1) throw refuse(400, 'AlreadyInCompany', 'موجود في الشركة');
    if (sent.length === 2) throw refuse(503, 'MailUnreachable', 'تعذر إرسال البريد');
    return reply;
  });
  await open();
  const opener = main.getByRole('button', { name: 'دعوة مستخدم' });
  await opener.click();
  await expect.element(dialog).toHaveAccessibleName('دعوة مستخدم');
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  const email = dialog.getByRole('textbox');
  const send = dialog.getByRole('button', { name: 'إرسال الدعوة' });
  await email.fill('not an address');
  await send.click();
  await expect.element(email).toHaveAccessibleDescription(/أدخل بريدًا إلكترونيًا صحيحًا/);
  await expect.element(email).toHaveFocus();
  await email.fill('new@example.ae');
  await expect.element(email).toHaveAccessibleDescription('');
  await dialog.getByRole('radio', { name: 'English' }).click({ force: true });
  await send.click();
  await expect.element(email).toHaveAccessibleDescription('موجود في الشركة');
  await email.fill('other@example.ae');
  await expect.element(email).toHaveAccessibleDescription('');
  await send.click();
  await expect.element(dialog.getByRole('alert').getByText('تعذر إرسال البريد')).toBeVisible();
  await expect.element(email).toHaveValue('other@example.ae');
  await send.dblClick();
  release({ ...record, invitations: [] });
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await expect.element(page.getByText('أُرسلت الدعوة')).toBeVisible();
  await expect.element(main.getByText('لا توجد دعوات مفتوحة.')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => (body as { email: string }).email))
    .toEqual(['new@example.ae', 'other@example.ae', 'other@example.ae']);
  await expect.poll(() => sent[2]?.body).toEqual({ email: 'other@example.ae', language: 'en-US' });
});

const decisions = [
  [
    'إزالة: Noura Al Demo',
    'هل تريد إزالة هذا المستخدم؟',
    'إزالة المستخدم',
    removeCompanyUser,
    { userId: user?.userId },
    'أُزيل المستخدم',
  ],
  [
    'تعيينه مدير حساب: Noura Al Demo',
    'هل تريد تعيين هذا المستخدم مدير حساب؟',
    'تعيينه مدير حساب',
    setCompanyManager,
    { userId: user?.userId, isManager: true },
    'تم حفظ التغيير',
  ],
  [
    'إنهاء دور مدير الحساب: Khalid Al Demo',
    'هل تريد إنهاء دور مدير الحساب؟',
    'إنهاء دور مدير الحساب',
    setCompanyManager,
    { userId: manager?.userId, isManager: false },
    'تم حفظ التغيير',
  ],
  [
    'سحب الدعوة: invited@example.ae',
    'هل تريد سحب الدعوة؟',
    'سحب الدعوة',
    cancelCompanyInvitation,
    { invitationId: record.invitations[0]?.invitationId },
    'سُحبت الدعوة',
  ],
] as const;

it.each(decisions)('%s', async (button, title, send, call, body, done) => {
  const { reply, release } = holdReply<typeof record>();
  const sent = answerCall(call, () => {
    if (sent.length === 1) throw refuse(400, 'CompanyNeedsManager', 'يلزم مدير واحد');
    return reply;
  });
  await open();
  const opener = main.getByRole('button', { name: button });
  await opener.click();
  await expect.element(dialog).toHaveAccessibleName(title);
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await expect.poll(() => sent).toEqual([]);
  await opener.click();
  const confirm = dialog.getByRole('button', { name: send });
  await confirm.click();
  await expect.element(dialog.getByRole('alert').getByText('يلزم مدير واحد')).toBeVisible();
  await confirm.dblClick();
  release(record);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText(done)).toBeVisible();
  await expect.poll(() => sent.map((one) => one.body)).toEqual([body, body]);
});

it.each([
  ['the server confirms', () => record],
  [
    'the user is not in the company any more',
    () => Promise.reject(refuse(403, 'YouAreUnauthorized')),
  ],
])('leaves the company when %s, with a new token', async (_, answer) => {
  answerHome();
  answerCall(removeCompanyUser, answer);
  const renewed = answerCall(refreshToken, () => tokenOf('Client'));
  const { address } = await open();
  await main.getByRole('button', { name: 'مغادرة الشركة: Khalid Al Demo' }).click();
  await dialog.getByRole('button', { name: 'مغادرة الشركة' }).click();
  await expect.poll(address).toBe('/home/services/individuals');
  await expect.poll(() => renewed).toHaveLength(1);
});

it('sends an invitation again, and shows why it could not be sent', async () => {
  answerCall(resendCompanyInvitation, () => {
    throw refuse(503, 'MailUnreachable', 'تعذر إرسال البريد');
  });
  await open();
  const resend = main.getByRole('button', { name: 'إعادة الإرسال: invited@example.ae' });
  await resend.click();
  await expect.element(main.getByRole('alert').getByText('تعذر إرسال البريد')).toBeVisible();
  const sent = answerCall(resendCompanyInvitation, record);
  await resend.click();
  await expect.element(page.getByText('أُرسلت الدعوة')).toBeVisible();
  await expect.poll(() => sent).toHaveLength(1);
});

it('changes what invoices say about the company: a wrong number and a part of an address are named', async () => {
  const sent = answerCall(saveCompanyDetails, record);
  await open();
  await main.getByRole('button', { name: 'تعديل البيانات' }).click();
  const save = dialog.getByRole('button', { name: 'حفظ', exact: true });
  const trn = dialog.getByRole('textbox', { name: /رقم التسجيل الضريبي/ });
  await trn.fill('100000000000004');
  await dialog.getByRole('textbox', { name: /المدينة/ }).fill('دبي');
  await save.click();
  await expect.element(trn).toHaveAccessibleDescription(/ينتهي بالرقم 03/);
  await expect.element(dialog.getByText('أدخل الشارع والمبنى')).toBeVisible();
  expect(sent).toEqual([]);
  await trn.fill('100000000000003');
  await dialog.getByRole('textbox', { name: /الشارع/ }).fill('شارع الشيخ زايد 1');
  await dialog.getByRole('button', { name: /الإمارة/ }).click();
  await page.getByRole('option', { name: 'دبي' }).click();
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({
    version: 3,
    trn: '100000000000003',
    emirate: 'dubai',
    licenceNumber: 'CN-1234567',
  });
});
