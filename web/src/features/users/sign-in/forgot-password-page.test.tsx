import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { renderPage, useLanguageOfTest } from '#testing/render-page.tsx';
import { forgotPassword, resetPassword } from '@diwan/contract/people/accounts';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';

const chosen = 'Quiet-Lanterns-7042!';
const main = page.getByRole('main');
const alert = main.getByRole('alert');
const account = main.getByLabelText('اسم المستخدم أو البريد الإلكتروني أو رقم الهاتف المتحرك');
const code = main.getByLabelText('رمز التحقق', { exact: true });
const newPassword = main.getByLabelText('كلمة المرور الجديدة', { exact: true });
const confirmation = main.getByLabelText('كلمة المرور الجديدة مرة أخرى', { exact: true });
const submit = main.getByRole('button', { name: 'تغيير كلمة المرور' });

beforeEach(() => {
  answerCall(checkUAEPassEnabled, { isEnabled: false });
});

async function openCodeStep() {
  const sent = answerCall(forgotPassword, { sent: true });
  const screen = await renderPage('/account/forgot-password');
  await account.fill('mariam');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toBeVisible();
  return { ...screen, sent };
}

it('names a missing account and sends nothing', async () => {
  const sent = answerCall(forgotPassword, { sent: true });
  await renderPage('/account/forgot-password');
  await main.getByRole('button', { name: 'إرسال رمز التحقق' }).click();
  await expect.element(account).toHaveAccessibleDescription(/أدخل /);
  await expect.element(alert).toHaveFocus();
  await account.fill('m');
  await expect.element(account).not.toHaveAccessibleDescription(/أدخل /);
  await expect.poll(() => sent).toEqual([]);
});

it('shows what the server refuses in a toast and keeps the input', async () => {
  answerCall(forgotPassword, () => {
    throw refuse(429, 'TooManyRequests', 'مهلًا.', { 'retry-after': '30' });
  });
  await renderPage('/account/forgot-password');
  await account.fill('mariam');
  await main.getByRole('button', { name: 'إرسال رمز التحقق' }).click();
  await expect.element(page.getByText('مهلًا. أعد المحاولة بعد 30 ثانية.')).toBeVisible();
  await expect.element(account).toHaveValue('mariam');
});

it('names each invalid field, in the summary too', async () => {
  await openCodeStep();
  await code.fill('12');
  await newPassword.fill('short');
  await confirmation.fill('other');
  await submit.click();
  await expect.element(alert).toHaveFocus();
  await expect.element(alert.getByText('توجد 3 أخطاء يلزم تصحيحها')).toBeVisible();
  await expect.element(code).toHaveAccessibleDescription(/الحد الأدنى لعدد الأحرف: 6/);
  await expect.element(newPassword).toHaveAccessibleDescription(/ألا تقل كلمة المرور عن 12 حرفًا/);
  await expect.element(confirmation).toHaveAccessibleDescription(/غير متطابقتين/);
  await alert.getByRole('button', { name: /رمز التحقق/ }).click();
  await expect.element(code).toHaveFocus();
});

it('takes the digits of a pasted code in any script', async () => {
  await openCodeStep();
  await code.fill(' ٦٥٤ ٣٢١ ');
  await expect.element(code).toHaveValue('654321');
});

it('keeps the input after a wrong code, then changes the password once', async () => {
  const { reply, release } = holdReply<{ changed: boolean }>();
  const sent = answerCall(resetPassword, () => {
    if (sent.length === 1) throw refuse(400, 'VerificationCodeWrong', 'الرمز غير صحيح');
    return reply;
  });
  const { address } = await openCodeStep();
  await code.fill('111111');
  await newPassword.fill(chosen);
  await confirmation.fill(chosen);
  await submit.click();
  await expect.element(code).toHaveAccessibleDescription(/الرمز غير صحيح/);
  await expect.element(newPassword).toHaveValue(chosen);
  await code.fill('654321');
  await submit.dblClick();
  release({ changed: true });
  await expect.poll(address).toBe('/account/login');
  await expect.element(page.getByText('غُيّرت كلمة المرور. سجّل الدخول بها.')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual(
      ['111111', '654321'].map((each) => ({
        account: 'mariam',
        code: each,
        newPassword: chosen,
        confirmNewPassword: chosen,
      })),
    );
});

it('offers another code after a minute, and another account immediately', async () => {
  const { sent } = await openCodeStep();
  await expect
    .element(main.getByRole('button', { name: /يمكنك طلب رمز آخر بعد \d+ ثانية/ }))
    .toBeDisabled();
  await main.getByRole('button', { name: 'كتابة بيانات أخرى' }).click();
  await expect.element(account).toHaveValue('mariam');
  await expect.poll(() => sent).toHaveLength(1);
});

it('reads right to left in Urdu, with the code from left to right', async () => {
  await useLanguageOfTest('ur-PK');
  answerCall(forgotPassword, { sent: true });
  await renderPage('/account/forgot-password');
  await main.getByLabelText('صارف نام، ای میل یا موبائل نمبر').fill('imran');
  await main.getByRole('button', { name: 'کوڈ بھیجیں' }).click();
  const field = main.getByLabelText('تصدیقی کوڈ', { exact: true });
  await expect.element(field).toHaveAttribute('dir', 'ltr');
  expect(getComputedStyle(main.element()).direction).toBe('rtl');
});

it.each([true, false])('says what UAE PASS means for passwords where it is on: %s', async (on) => {
  answerCall(checkUAEPassEnabled, { isEnabled: on });
  await openCodeStep();
  await expect.poll(() => main.getByText(/UAE PASS/).elements().length).toBe(on ? 1 : 0);
});
