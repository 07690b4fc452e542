import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { profileRecord, secondFactorRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, tokenOf } from '#testing/render-page.tsx';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  newRecoveryCodes,
  removeSecondFactor,
} from '@diwan/contract/people/second-factor';
import { getProfile, refreshToken } from '@diwan/contract/people/users';

const path = '/account/second-factor';
const started = {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Diwan:mariam?secret=JBSWY3DPEHPK3PXP&issuer=Diwan',
};
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `12345678${1000 + index}`);
const isSet = secondFactorRecord({
  isSet: true,
  since: '2026-11-01T05:00:00.000Z',
  recoveryCodesLeft: 9,
  asksPassword: true,
});

beforeEach(() => {
  answerCall(getProfile, profileRecord());
});

const main = page.getByRole('main');
const button = (name: string | RegExp) => page.getByRole('button', { name });
const code = page.getByRole('textbox');

async function open(factor = secondFactorRecord()) {
  answerCall(getSecondFactor, factor);
  signInAs('Employee');
  return renderPage(path);
}

it('shows a skeleton, then the steps', async () => {
  const { reply, release } = holdReply<ReturnType<typeof secondFactorRecord>>();
  answerCall(getSecondFactor, () => reply);
  signInAs('Employee');
  await renderPage(path);
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  release(secondFactorRecord());
  await expect.element(main.getByText('خطوات التفعيل')).toBeVisible();
  expect(main.getByRole('listitem').elements().length).toBeGreaterThanOrEqual(3);
});

it('explains an error and tries again', async () => {
  answerCall(getSecondFactor, noConnection);
  signInAs('Employee');
  await renderPage(path);
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر عرض هذه الصفحة')).toBeVisible();
  answerCall(getSecondFactor, secondFactorRecord());
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(button('البدء')).toBeVisible();
});

it('asks for the password where the session is not fresh, and shows a wrong one', async () => {
  await open(secondFactorRecord({ asksPassword: true }));
  const password = page.getByLabelText('كلمة مرورك');
  await button('البدء').click();
  await expect.element(password).toHaveAccessibleDescription('أدخل كلمة المرور');
  const sent = answerCall(beginSecondFactor, () => {
    if (sent.length === 1) throw refuse(400, 'IncorrectPassword', 'كلمة المرور غير صحيحة');
    return started;
  });
  await password.fill('wrong');
  await button('البدء').click();
  await expect.element(password).toHaveAccessibleDescription('كلمة المرور غير صحيحة');
  await password.fill('right');
  await expect.element(password).toHaveAccessibleDescription('');
  await button('البدء').click();
  await expect.element(page.getByRole('img', { name: 'رمز يُمسح بتطبيق المصادقة' })).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ password: 'wrong' }, { password: 'right' }]);
});

it('sets the app up: picture and key, a wrong code, then the recovery codes', async () => {
  answerCall(beginSecondFactor, started);
  await open();
  await button('البدء').click();
  await expect.element(page.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
  await button('إتمام التفعيل').click();
  await expect.element(code).toHaveAccessibleDescription('أدخل الرمز');
  const sent = answerCall(confirmSecondFactor, () => {
    if (sent.length === 1) throw refuse(400, 'SecondFactorWrong', 'الرمز غير صحيح');
    return { recoveryCodes };
  });
  await code.fill('000000');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toHaveAccessibleDescription('الرمز غير صحيح');
  await expect.element(code).toHaveValue('000000');
  await code.fill('٦٥٤٣٢١');
  await expect.element(code).toHaveAccessibleDescription('');
  answerCall(getSecondFactor, isSet);
  await userEvent.keyboard('{Enter}');
  const codes = page.getByRole('list', { name: 'رموز الاسترداد' }).getByRole('listitem');
  await expect.poll(() => codes.elements().length).toBe(10);
  await expect.element(codes.first()).toHaveTextContent('1234 5678 1000');
  await expect.poll(() => document.activeElement?.contains(codes.first().element())).toBe(true);
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ code: '000000' }, { code: '٦٥٤٣٢١' }]);
  await button('حفظتها، متابعة').click();
  await expect.element(button('رموز استرداد جديدة')).toBeVisible();
  await expect.element(codes.first()).not.toBeInTheDocument();
});

it('starts again after a setup that was given up or has expired', async () => {
  answerCall(beginSecondFactor, started);
  await open();
  await button('البدء').click();
  await button('إلغاء').click();
  await expect.element(page.getByText('خطوات التفعيل')).toBeVisible();
  await button('البدء').click();
  answerCall(confirmSecondFactor, () => {
    throw refuse(400, 'SecondFactorNotBegun', 'انتهت مهلة الإعداد');
  });
  await code.fill('123456');
  await button('إتمام التفعيل').click();
  await expect.element(main.getByRole('alert').getByText('انتهت مهلة الإعداد')).toBeVisible();
  await button('البدء من جديد').click();
  await expect.element(page.getByText('خطوات التفعيل')).toBeVisible();
});

it('holds back a user who must set it up, and lets them go on with a new token', async () => {
  answerHome();
  answerCall(beginSecondFactor, started);
  answerCall(confirmSecondFactor, { recoveryCodes });
  answerCall(getSecondFactor, secondFactorRecord({ isRequired: true, mustSetUp: true }));
  answerCall(refreshToken, () =>
    tokenOf('CompanyUser', { restriction: 'secondFactor', ssid: 'a' }),
  );
  signInAs('CompanyUser', { restriction: 'secondFactor' });
  const { address } = await renderPage('/companies/users');
  await expect.element(page.getByText(/دورك يتطلب التحقق بخطوتين/)).toBeVisible();
  await expect.poll(address).toBe(path);
  await button('البدء').click();
  await code.fill('123456');
  await button('إتمام التفعيل').click();
  answerCall(getSecondFactor, isSet);
  answerCall(refreshToken, () => tokenOf('CompanyUser'));
  await button('حفظتها، متابعة').click();
  await expect.poll(address).toBe('/home/services/companies');
});

it.each([
  [0, /لم يبقَ لديك أي رمز استرداد/],
  [1, /رمز استرداد واحد فقط/],
  [3, /3 رموز استرداد فقط/],
])('warns when %i recovery codes are left', async (recoveryCodesLeft, text) => {
  await open({ ...isSet, recoveryCodesLeft });
  await expect.element(main.getByText(text)).toBeVisible();
});

it('says why a role cannot remove it', async () => {
  await open({ ...isSet, isRequired: true });
  await expect.element(page.getByText(/لذا لا يمكن إيقافه/)).toBeVisible();
  expect(button('إيقاف').elements()).toEqual([]);
});

const dialogs = [
  ['رموز استرداد جديدة', 'رموز استرداد جديدة', 'الحصول على رموز جديدة', false],
  ['الانتقال إلى هاتف آخر', 'الانتقال إلى هاتف آخر', 'متابعة', true],
  ['إيقاف', 'هل تريد إيقاف التحقق بخطوتين؟', 'إيقاف', true],
] as const;

it.each(dialogs)('the dialog of %s asks for proof', async (opener, title, send, asksPassword) => {
  const sent = [
    answerCall(newRecoveryCodes, { recoveryCodes }),
    answerCall(beginSecondFactor, started),
    answerCall(removeSecondFactor, { removed: true }),
  ];
  await open(isSet);
  await button(opener).click();
  const dialog = page.getByRole('dialog', { name: title });
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  expect(dialog.getByLabelText('كلمة مرورك').elements()).toHaveLength(asksPassword ? 1 : 0);
  await dialog.getByRole('button', { name: send }).click();
  await expect.element(dialog.getByText('أدخل الرمز')).toBeVisible();
  if (asksPassword) await expect.element(dialog.getByText('أدخل كلمة المرور')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button(opener)).toHaveFocus();
  await expect.poll(() => sent.flat()).toEqual([]);
});

it('removes it after a wrong password and a wrong code, and sends each once', async () => {
  const { reply, release } = holdReply<{ removed: boolean }>();
  const sent = answerCall(removeSecondFactor, () => {
    if (sent.length === 1) throw refuse(400, 'IncorrectPassword', 'كلمة المرور غير صحيحة');
    if (sent.length === 2) throw refuse(429, 'TooManyRequests', 'انتظر قليلًا');
    return reply;
  });
  await open(isSet);
  await button('إيقاف').click();
  const dialog = page.getByRole('dialog');
  const password = dialog.getByLabelText('كلمة مرورك');
  const send = dialog.getByRole('button', { name: 'إيقاف' });
  await password.fill('wrong');
  await dialog.getByRole('textbox').last().fill('123456');
  await send.click();
  await expect.element(password).toHaveAccessibleDescription('كلمة المرور غير صحيحة');
  await password.fill('right');
  await send.click();
  await expect.element(dialog.getByRole('alert').getByText('انتظر قليلًا')).toBeVisible();
  await send.dblClick();
  answerCall(getSecondFactor, secondFactorRecord());
  release({ removed: true });
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('تم إيقاف التحقق بخطوتين')).toBeVisible();
  await expect.element(page.getByText('خطوات التفعيل')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { code: '123456', password: 'wrong' },
      { code: '123456', password: 'right' },
      { code: '123456', password: 'right' },
    ]);
});

it('shows new recovery codes after a code of the app', async () => {
  answerCall(newRecoveryCodes, { recoveryCodes });
  await open(isSet);
  await button('رموز استرداد جديدة').click();
  await page.getByRole('dialog').getByRole('textbox').fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('1234 5678 1009')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});
