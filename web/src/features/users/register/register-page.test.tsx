import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { agencyRecords, categoryRecords } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse, refuseFields } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { renderPage, signInAs, tokenOf, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllGovernmentAgenciesWithServices } from '@diwan/contract/catalogue/agencies';
import { getAllServicesCategoriesWithServices } from '@diwan/contract/catalogue/categories';
import { createUser, sendVerificationCode } from '@diwan/contract/people/accounts';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';

const chosen = 'Quiet-Lanterns-7042!';
const main = page.getByRole('main');
const alert = main.getByRole('alert');
const field = (name: string) => main.getByLabelText(name, { exact: true });
const press = (name: string) => main.getByRole('button', { name }).click();
const step = main.getByRole('heading', { level: 2 }).last();

beforeEach(() => {
  answerHome();
  answerCall(checkUAEPassEnabled, { isEnabled: false });
  answerCall(getAllServicesCategoriesWithServices, categoryRecords);
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  answerCall(sendVerificationCode, { sent: true });
});

async function fillWho() {
  await field('الاسم الكامل').fill('نورة سالم');
  await press('متابعة');
}

async function fillContact() {
  await field('البريد الإلكتروني').fill('noura@example.ae');
  await field('رقم الهاتف المتحرك').fill('٠٥٠١٢٣٤٥٦٧');
  await press('متابعة');
}

async function fillSignIn() {
  await field('اسم المستخدم').fill('noura');
  await field('كلمة المرور').fill(chosen);
  await field('كلمة المرور مرة أخرى').fill(chosen);
  await press('إرسال رمز التحقق');
}

async function openCodeStep() {
  const screen = await renderPage('/account/register');
  await fillWho();
  await fillContact();
  await fillSignIn();
  await expect.element(field('رمز التحقق')).toBeVisible();
  return screen;
}

it('names each problem of each step, in the summary and at its field', async () => {
  await renderPage('/account/register');
  await press('متابعة');
  await expect.element(alert).toHaveFocus();
  await expect.element(alert.getByRole('button', { name: /أدخل الاسم الكامل/ })).toBeVisible();
  await expect.element(field('الاسم الكامل')).toBeInvalid();
  await field('الاسم الكامل').fill('نورة سالم');
  await expect.element(field('الاسم الكامل')).not.toBeInvalid();
  await press('متابعة');
  await expect.element(step).toHaveTextContent('كيف نتواصل معك');
  await expect.element(step).toHaveFocus();
  await field('البريد الإلكتروني').fill('nobody@');
  await field('رقم الهاتف المتحرك').fill('12345');
  await press('متابعة');
  await expect.element(field('البريد الإلكتروني')).toHaveAccessibleDescription(/بريدًا إلكترونيًا/);
  await expect
    .element(field('رقم الهاتف المتحرك'))
    .toHaveAccessibleDescription(/رقم هاتف متحرك إماراتيًا/);
  await fillContact();
  await field('اسم المستخدم').fill('9');
  await press('إرسال رمز التحقق');
  await expect.element(alert.getByText('توجد 3 أخطاء يلزم تصحيحها')).toBeVisible();
});

it('only warns of a wrong check digit of the Emirates ID', async () => {
  await renderPage('/account/register');
  await main.getByLabelText(/^رقم الهوية الإماراتية/).fill('٧٨٤١٩٩٠١٢٣٤٥٦٧٩');
  await expect.element(main.getByText(/قد يكون في الرقم خطأ في الكتابة/)).toBeVisible();
  await fillWho();
  await expect.element(step).toHaveTextContent('كيف نتواصل معك');
});

it('registers after a wrong code and a taken username, and loses no input', async () => {
  const { reply, release } = holdReply<{ token: string }>();
  const refusals = [
    refuse(400, 'VerificationCodeWrong', 'رمز خاطئ'),
    refuse(400, 'UsernameTaken', 'الاسم مستخدَم'),
  ];
  const sent = answerCall(createUser, () => {
    const refusal = refusals[sent.length - 1];
    if (refusal) throw refusal;
    return reply;
  });
  const codes = answerCall(sendVerificationCode, { sent: true });
  const { address } = await openCodeStep();
  await expect.element(main.getByText('noura@example.ae')).toBeVisible();
  await press('إنشاء الحساب');
  await expect.element(alert.getByText(/رمز التحقق/).first()).toBeVisible();
  await field('رمز التحقق').fill('000000');
  await press('إنشاء الحساب');
  await expect.element(field('رمز التحقق')).toHaveAccessibleDescription(/رمز خاطئ/);
  await field('رمز التحقق').fill('654321');
  await press('إنشاء الحساب');
  await expect.element(field('اسم المستخدم')).toHaveAccessibleDescription(/الاسم مستخدَم/);
  await expect.element(field('كلمة المرور')).toHaveValue(chosen);
  await field('اسم المستخدم').fill('noura.salem');
  // The code was sent to the same address, so it is not sent again.
  await press('إرسال رمز التحقق');
  await expect.element(field('رمز التحقق')).toHaveValue('654321');
  await expect.poll(() => codes).toHaveLength(1);
  await main.getByRole('button', { name: 'إنشاء الحساب' }).dblClick();
  release({ token: tokenOf('CompanyUser') });
  await expect.element(page.getByText('أُنشئ حسابك وتم تسجيل دخولك.')).toBeVisible();
  await expect.poll(address).toBe('/home/services/companies');
  await expect.poll(() => sent).toHaveLength(3);
  await expect
    .poll(() => sent[2]?.body)
    .toEqual({
      username: 'noura.salem',
      password: chosen,
      confirmPassword: chosen,
      fullName: 'نورة سالم',
      email: 'noura@example.ae',
      phoneNumber: '٠٥٠١٢٣٤٥٦٧',
      verification: { channel: 'email', code: '654321' },
    });
});

it('shows the errors of the server at the step of their field', async () => {
  answerCall(createUser, () => {
    throw refuseFields({ email: ['هذا البريد غير مقبول'] });
  });
  await openCodeStep();
  await field('رمز التحقق').fill('654321');
  await press('إنشاء الحساب');
  await expect.element(field('البريد الإلكتروني')).toHaveValue('noura@example.ae');
  await expect.element(field('البريد الإلكتروني')).toHaveAccessibleDescription(/غير مقبول/);
});

it('sends the code to the phone, and goes back to earlier steps', async () => {
  const codes = answerCall(sendVerificationCode, { sent: true });
  await renderPage('/account/register');
  await fillWho();
  await page.getByRole('radio', { name: 'برسالة نصية إلى الهاتف المتحرك' }).click({ force: true });
  await fillContact();
  await fillSignIn();
  await expect.element(main.getByText('+971501234567')).toBeVisible();
  await expect
    .poll(() => codes.map(({ body }) => body))
    .toEqual([{ channel: 'sms', address: '+971501234567', purpose: 'register' }]);
  await press('تغيير العنوان');
  await expect.element(field('رقم الهاتف المتحرك')).toHaveValue('٠٥٠١٢٣٤٥٦٧');
  await press('رجوع');
  await expect.element(field('الاسم الكامل')).toHaveValue('نورة سالم');
});

it('registers a company with a name in one language, in English', async () => {
  await useLanguageOfTest('en-US');
  await renderPage('/account/register?type=company');
  await expect.element(page.getByRole('radio', { name: /A company/ })).toBeChecked();
  await press('Continue');
  await expect.element(alert.getByText(/at least one language/)).toBeVisible();
  await main.getByLabelText(/in English/).fill('Palm Trading LLC');
  await main.getByLabelText(/Trade licence number/).fill('CN-1234567');
  await main.getByLabelText('Your full name', { exact: true }).fill('Khalid Test');
  await press('Continue');
  await expect.element(step).toHaveTextContent('How to reach you');
});

it('keeps the step and the input when the language changes', async () => {
  await openCodeStep();
  await field('رمز التحقق').fill('654321');
  await useLanguageOfTest('en-US');
  await expect.element(field('Verification code')).toHaveValue('654321');
  await main.getByRole('button', { name: 'Back' }).click();
  await expect.element(field('Username')).toHaveValue('noura');
});

it('offers UAE PASS instead where it is enabled', async () => {
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  await renderPage('/account/register');
  await expect.element(main.getByRole('link', { name: /UAE PASS/ })).toBeVisible();
  await expect.element(field('الاسم الكامل')).toBeVisible();
  await expect.element(main.getByText(/ربط هويتك الرقمية UAE PASS/)).toBeVisible();
});

it('does not mention UAE PASS where it is off', async () => {
  await renderPage('/account/register');
  await expect.element(main.getByText('15 رقمًا تبدأ بـ 784.')).toBeVisible();
  expect(main.element().textContent).not.toMatch(/UAE PASS/);
});

it('leads on a user who is signed in', async () => {
  signInAs('Client');
  const { address } = await renderPage('/account/register');
  await expect.poll(address).toBe('/home/services/individuals');
});
