import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  answerCall,
  holdReply,
  noConnection,
  refuse,
  refuseFields,
} from '#testing/answer-calls.ts';
import { renderComponent, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { Toasts } from '#ui/feedback/toasts.tsx';
import { changeUserPassword, refreshToken } from '@diwan/contract/people/users';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

const dialog = page.getByRole('dialog', { name: 'تغيير كلمة المرور' });
const oldPassword = dialog.getByLabelText('كلمة المرور الحالية', { exact: true });
const newPassword = dialog.getByLabelText('كلمة المرور الجديدة', { exact: true });
const confirmation = dialog.getByLabelText('تأكيد كلمة المرور الجديدة', { exact: true });
const submit = dialog.getByRole('button', { name: 'تغيير كلمة المرور' });
const chosen = 'Lantern#Orchid48xq';
const onClose = vi.fn();
const toasts = () =>
  [...document.querySelectorAll('[data-toasts] p')].map((text) => text.textContent);

async function openDialog() {
  signInAs('Employee', { fullName: 'Mariam Al Demo', displayName: 'mariam' });
  await renderComponent(
    <>
      <ChangePasswordDialog isOpen onClose={onClose} />
      <Toasts />
    </>,
  );
  await expect.element(dialog).toBeVisible();
}

async function fillIn() {
  await oldPassword.fill('Harbour-Gate-5521!');
  await newPassword.fill(chosen);
  await confirmation.fill(chosen);
}

it('opens from the menu of the user with the focus inside, and Escape returns it', async () => {
  // On a busy computer the dialog is there before the menu has returned the focus.
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((draw) =>
    window.setTimeout(() => draw(performance.now()), 200),
  );
  vi.spyOn(window, 'cancelAnimationFrame').mockImplementation((id) => window.clearTimeout(id));
  signInAs('Employee');
  await renderPage('/not-found');
  const menu = page.getByRole('banner').getByRole('button', { name: /حسابي/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'تغيير كلمة المرور' }).click();
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await expect.element(submit).toBeDisabled();
  await expect.element(oldPassword).toHaveAttribute('autocomplete', 'current-password');
  await expect.element(newPassword).toHaveAttribute('autocomplete', 'new-password');
  await oldPassword.fill('discarded');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(menu).toHaveFocus();
  await menu.click();
  await page.getByRole('menuitem', { name: 'تغيير كلمة المرور' }).click();
  await expect.element(oldPassword).toHaveValue('');
});

// Specification §5; the messages have the keys of the specification.
it.each([
  ['   ', 'أدخل كلمة مرور جديدة'],
  ['Aa1!', 'يجب ألا تقل كلمة المرور عن 12 حرفًا'],
  [`Aa1!${'xy'.repeat(24)}`, 'يجب ألا تزيد كلمة المرور على 50 حرفًا'],
  ['Orchid #48 lantern', 'يجب ألا تحتوي كلمة المرور على مسافات'],
  ['LANTERN#ORCHID48', 'يجب أن تحتوي كلمة المرور على حرف إنجليزي صغير (a-z)'],
  ['lantern#orchid48', 'يجب أن تحتوي كلمة المرور على حرف إنجليزي كبير (A-Z)'],
  ['Lantern#Orchid', 'يجب أن تحتوي كلمة المرور على رقم (0-9)'],
  ['LanternOrchid48', 'يجب أن تحتوي كلمة المرور على أحد هذه الرموز: \u2066!@#$%^&*\u2069'],
  ['Password@12345', 'يسهل تخمين كلمة المرور هذه. اختر كلمات وأرقامًا أقل شيوعًا.'],
  ['Mariam#Mariam48', 'يسهل تخمين كلمة المرور هذه. اختر كلمات وأرقامًا أقل شيوعًا.'],
  ['Harbour-Gate-5521!', 'يجب أن تختلف كلمة المرور الجديدة عن الحالية'],
])('refuses the new password %j: %s', async (typed, message) => {
  await openDialog();
  await oldPassword.fill('Harbour-Gate-5521!');
  await newPassword.fill(typed);
  await confirmation.fill(typed);
  await expect.element(newPassword).toHaveAccessibleDescription(expect.stringContaining(message));
  await expect.element(newPassword).toBeInvalid();
  await expect.element(submit).toBeDisabled();
});

it('names an old password of spaces and a different confirmation', async () => {
  await openDialog();
  await oldPassword.fill('   ');
  await userEvent.keyboard('{Tab}');
  await expect.element(oldPassword).toHaveAccessibleDescription('أدخل كلمة المرور الحالية');
  await oldPassword.fill('Harbour-Gate-5521!');
  await expect.element(oldPassword).toHaveAccessibleDescription('');
  await newPassword.fill(chosen);
  await confirmation.fill('other');
  await userEvent.keyboard('{Tab}');
  await expect
    .element(confirmation)
    .toHaveAccessibleDescription('كلمتا المرور الجديدتان غير متطابقتين');
  await confirmation.fill('');
  await expect.element(confirmation).toHaveAccessibleDescription('أعد إدخال كلمة المرور الجديدة');
  await expect.element(submit).toBeDisabled();
  await confirmation.fill(chosen);
  await expect.element(submit).toBeEnabled();
});

it('ticks the rules that the new password meets', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Employee');
  await renderComponent(<ChangePasswordDialog isOpen onClose={onClose} />);
  const met = () => document.querySelectorAll('li[data-met=true]').length;
  expect([met(), document.querySelectorAll('li[data-met]').length]).toEqual([0, 7]);
  const field = page.getByLabelText('New password', { exact: true });
  await field.fill('lantern');
  await expect.poll(met).toBe(3);
  await field.fill(chosen);
  await expect.poll(met).toBe(7);
  expect(page.getByRole('dialog').element().textContent).toContain('(met)');
});

it('shows and hides the typed password', async () => {
  await openDialog();
  await newPassword.fill(chosen);
  await expect.element(newPassword).toHaveAttribute('type', 'password');
  await dialog.getByRole('button', { name: 'إظهار كلمة المرور' }).nth(1).click();
  await expect.element(newPassword).toHaveAttribute('type', 'text');
  await dialog.getByRole('button', { name: 'إخفاء كلمة المرور' }).click();
  await expect.element(newPassword).toHaveAttribute('type', 'password');
});

// Specification §8.
it('shows a wrong old password under its field until the field changes', async () => {
  answerCall(changeUserPassword, () => {
    throw refuse(400, 'IncorrectPassword', 'كلمة المرور غير صحيحة');
  });
  await openDialog();
  await fillIn();
  await submit.click();
  await expect.element(oldPassword).toHaveAccessibleDescription('كلمة المرور غير صحيحة');
  await expect.element(oldPassword).toHaveFocus();
  await expect.element(submit).toBeDisabled();
  await oldPassword.fill('Harbour-Gate-5521!x');
  await expect.element(oldPassword).toHaveAccessibleDescription('');
  await expect.element(submit).toBeEnabled();
  await expect.element(newPassword).toHaveValue(chosen);
  await expect.element(confirmation).toHaveValue(chosen);
  // Nowhere else.
  expect(toasts()).toEqual([]);
});

// Specification §8.
it.each([
  ['500', () => refuse(500, 'InternalServerError', 'خطأ في الخادم')],
  ['503', () => refuse(503, 'ServerBusy', 'الخادم مشغول')],
  ['429', () => refuse(429, 'TooManyRequests', 'محاولات كثيرة')],
  ['a failed validation', () => refuseFields({ newPassword: ['كلمة المرور ضعيفة'] })],
  ['no connection', undefined],
])('shows nothing of another error, and keeps the input: %s', async (_, error) => {
  const sent = answerCall(changeUserPassword, () => {
    throw error ? error() : noConnection();
  });
  onClose.mockClear();
  await openDialog();
  await fillIn();
  const before = dialog.element().textContent;
  await submit.click();
  await expect.poll(() => sent.length).toBe(1);
  await expect.element(submit).toBeEnabled();
  expect(dialog.element().textContent).toBe(before);
  expect(toasts()).toEqual([]);
  expect(onClose).not.toHaveBeenCalled();
  await expect.element(oldPassword).toHaveValue('Harbour-Gate-5521!');
  await expect.element(newPassword).toHaveValue(chosen);
});

it('leaves when the session has ended', async () => {
  answerCall(changeUserPassword, () => {
    throw refuse(401, 'SessionEnded', 'انتهت الجلسة');
  });
  answerCall(refreshToken, () => {
    throw refuse(401, 'SessionEnded', 'انتهت الجلسة');
  });
  await openDialog();
  await fillIn();
  await submit.click();
  await expect.element(page.getByText('يجب عليك تسجيل الدخول أولًا')).toBeVisible();
});

it('sends one change for several presses, then says so and closes', async () => {
  const { reply, release } = holdReply<{ changed: boolean }>();
  const sent = answerCall(changeUserPassword, () => reply);
  onClose.mockClear();
  await openDialog();
  await fillIn();
  await userEvent.keyboard('{Enter}{Enter}');
  const pending = dialog.getByRole('button', { name: /جارٍ التغيير…/ });
  await expect.element(pending).toBeVisible();
  await pending.click({ force: true });
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  release({ changed: true });
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  await expect.element(page.getByText('تم تغيير كلمة المرور بنجاح')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { oldPassword: 'Harbour-Gate-5521!', newPassword: chosen, confirmNewPassword: chosen },
    ]);
});
