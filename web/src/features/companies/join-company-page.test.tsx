import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { companyUsersRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, tokenOf } from '#testing/render-page.tsx';
import {
  acceptCompanyInvitation,
  getCompanyUsers,
  joinCompany,
  readCompanyInvitation,
} from '@diwan/contract/people/companies';
import { checkUAEPassEnabled, logout, refreshToken } from '@diwan/contract/people/users';

const path = '/companies/join#secret-token';
const chosen = 'Green-harbours-7!';
const main = page.getByRole('main');
const field = (name: string) => main.getByLabelText(name, { exact: true });
const invitation = {
  companyName: 'شركة النخيل للتجارة',
  invitedBy: 'Khalid Al Demo',
  email: 'invited@example.ae',
  expiresAt: '2026-11-26T05:00:00.000Z',
};

it('shows a skeleton, then the invitation; the token is not in an address', async () => {
  const { reply, release } = holdReply<typeof invitation>();
  const sent = answerCall(readCompanyInvitation, () => reply);
  await renderPage(path);
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  release(invitation);
  await expect.element(main.getByText('invited@example.ae')).toBeVisible();
  await expect.element(main.getByText(/Khalid Al Demo/)).toBeVisible();
  await expect
    .poll(() => sent.map(({ body, query }) => [body, query.get('token')]))
    .toEqual([[{ token: 'secret-token' }, null]]);
});

it.each([
  ['an address without a token', '/companies/join'],
  ['a used or cancelled invitation', path],
])('explains %s', async (_, address) => {
  answerCall(readCompanyInvitation, () => {
    throw refuse(400, 'InvitationNotValid');
  });
  await renderPage(address);
  await expect.element(main.getByText('لم تعد هذه الدعوة صالحة')).toBeVisible();
  await expect
    .element(main.getByRole('link', { name: 'الصفحة الرئيسية' }))
    .toHaveAttribute('href', '/home');
});

it('tries again after a lost connection', async () => {
  answerCall(readCompanyInvitation, noConnection);
  await renderPage(path);
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  answerCall(readCompanyInvitation, invitation);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('invited@example.ae')).toBeVisible();
});

it('sends a visitor to the sign-in and back', async () => {
  answerCall(readCompanyInvitation, invitation);
  answerCall(checkUAEPassEnabled, { isEnabled: false });
  const { address } = await renderPage(path);
  await main.getByRole('button', { name: 'لديّ حساب' }).click();
  await expect.poll(address).toBe('/account/login');
  await expect.poll(() => window.sessionStorage.getItem('returnUrl')).toBe(path);
});

it('creates an account: problems at their fields, a taken username, then once', async () => {
  answerCall(readCompanyInvitation, invitation);
  answerCall(getCompanyUsers, companyUsersRecord({ isManager: false, invitations: [] }));
  const { reply, release } = holdReply<{ token: string }>();
  const sent = answerCall(joinCompany, () => {
    if (sent.length === 1) throw refuse(400, 'UsernameTaken', 'الاسم مستخدَم');
    return reply;
  });
  const { address } = await renderPage(path);
  await main.getByRole('button', { name: 'إنشاء حساب' }).click();
  const create = main.getByRole('button', { name: 'إنشاء الحساب والانضمام' });
  await create.click();
  const summary = main.getByRole('alert');
  await expect.element(summary).toHaveFocus();
  expect(summary.getByRole('button').elements()).toHaveLength(5);
  await summary.getByRole('button', { name: /اسم المستخدم/ }).click();
  await expect.element(field('اسم المستخدم')).toHaveFocus();
  await field('الاسم الكامل').fill('Journey Person');
  await field('رقم الهاتف المتحرك').fill('٠٥٠١٢٣٤٥٦٧');
  await field('اسم المستخدم').fill('not a name');
  await field('كلمة المرور').fill(chosen);
  await field('كلمة المرور مرة أخرى').fill(chosen);
  await create.click();
  await expect.element(field('اسم المستخدم')).toBeInvalid();
  await expect.poll(() => sent).toEqual([]);
  await field('اسم المستخدم').fill('journey');
  await create.click();
  await expect.element(field('اسم المستخدم')).toHaveAccessibleDescription(/الاسم مستخدَم/);
  await expect.element(field('كلمة المرور')).toHaveValue(chosen);
  await field('اسم المستخدم').fill('journey.person');
  await create.dblClick();
  release({ token: tokenOf('CompanyUser', { companyId: 5 }) });
  await expect.poll(address).toBe('/companies/users');
  await expect.element(page.getByText('انضممت إلى الشركة')).toBeVisible();
  await expect.poll(() => sent).toHaveLength(2);
  await expect
    .poll(() => sent[1]?.body)
    .toEqual({
      token: 'secret-token',
      fullName: 'Journey Person',
      phoneNumber: '٠٥٠١٢٣٤٥٦٧',
      username: 'journey.person',
      password: chosen,
      confirmPassword: chosen,
    });
});

it('joins with the account that is signed in, after a refusal', async () => {
  answerCall(readCompanyInvitation, invitation);
  answerCall(getCompanyUsers, companyUsersRecord());
  answerCall(refreshToken, () => tokenOf('CompanyUser', { companyId: 5 }));
  const sent = answerCall(acceptCompanyInvitation, () => {
    if (sent.length === 1) throw refuse(400, 'InvitationForAnotherAddress', 'بريد آخر');
    return { companyName: 'شركة النخيل للتجارة' };
  });
  signInAs('Client', { fullName: 'نورة سالم' });
  const { address } = await renderPage(path);
  await expect.element(main.getByText('نورة سالم')).toBeVisible();
  const accept = main.getByRole('button', { name: 'الانضمام إلى الشركة' });
  await accept.click();
  await expect.element(main.getByRole('alert').getByText('بريد آخر')).toBeVisible();
  await accept.click();
  await expect.poll(address).toBe('/companies/users');
});

it('uses another account after signing out', async () => {
  answerCall(readCompanyInvitation, invitation);
  answerCall(logout, { ended: true });
  signInAs('Client', { fullName: 'نورة سالم' });
  await renderPage(path);
  await main.getByRole('button', { name: 'استخدام حساب آخر' }).click();
  await expect.element(main.getByRole('button', { name: 'لديّ حساب' })).toBeVisible();
});
