import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { ownSessions, profileRecord, secondFactorRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { endSessions, getSessions } from '@diwan/contract/people/accounts';
import {
  changeOwnCommunication,
  getAllCommunicationType,
  getOwnCommunication,
} from '@diwan/contract/people/communication-types';
import { getSecondFactor } from '@diwan/contract/people/second-factor';
import { checkUAEPassEnabled, getProfile } from '@diwan/contract/people/users';

beforeEach(() => {
  answerCall(getProfile, profileRecord());
  answerCall(getSecondFactor, secondFactorRecord());
  answerCall(getSessions, ownSessions);
  answerCall(checkUAEPassEnabled, { isEnabled: false });
});

const alert = page.getByRole('main').getByRole('alert');

it('shows a skeleton until the profile arrives', async () => {
  const { reply, release } = holdReply<ReturnType<typeof profileRecord>>();
  answerCall(getProfile, () => reply);
  signInAs('Employee');
  await renderPage('/account/profile');
  await expect.element(page.getByText('جارٍ التحميل…')).toBeInTheDocument();
  release(profileRecord());
  await expect.element(page.getByText('مريم الشامسي')).toBeVisible();
  await expect.element(page.getByText('جارٍ التحميل…')).not.toBeInTheDocument();
});

it.each([
  [
    'an error of the server',
    () => Promise.reject(refuse(500, 'InternalServerError', 'تعطل')),
    'تعطل',
  ],
  ['no connection', noConnection, /تعذر الاتصال بالخادم/],
])('explains %s and tries again', async (_, answer, message) => {
  answerCall(getProfile, answer);
  signInAs('Employee');
  await renderPage('/account/profile');
  await expect.element(alert.getByText(message)).toBeVisible();
  answerCall(getProfile, profileRecord());
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(page.getByText('مريم الشامسي')).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});

it('shows the person, how they sign in, and what is not verified', async () => {
  await useLanguageOfTest('en-US');
  answerCall(
    getProfile,
    profileRecord({ roles: ['Employee'], company: { id: 1, name: 'Palm Trading' }, email: '' }),
  );
  signInAs('Employee');
  await renderPage('/account/profile');
  const main = page.getByRole('main');
  for (const text of ['Employee', 'Palm Trading', '+971 50 123 4567', 'maryam', 'None'])
    await expect.element(main.getByText(text, { exact: true }).first()).toBeVisible();
  await expect.element(main.getByRole('button', { name: /^Add/ })).toBeVisible();
  await expect.element(main.getByRole('button', { name: /^Change : Mobile/ })).toBeVisible();
  await expect.element(main.getByText('Not verified')).toBeVisible();
});

it('offers no password and no change of contacts to a user of UAE PASS', async () => {
  answerCall(getProfile, profileRecord({ hasPassword: false, hasUAEPass: true }));
  signInAs('Employee', { isUAEPass: true });
  await renderPage('/account/profile');
  await expect.element(page.getByText('الهوية الرقمية UAE PASS').first()).toBeVisible();
  expect(page.getByRole('button', { name: /تغيير/ }).elements()).toEqual([]);
});

it.each([
  [/^تغيير ?: البريد الإلكتروني/, 'تغيير البريد الإلكتروني', ''],
  [/^تغيير ?: رقم الهاتف المتحرك/, 'تغيير رقم الهاتف المتحرك', '+971501234567'],
  ['تغيير كلمة المرور', 'تغيير كلمة المرور', ''],
])('opens the dialog of %s, and Escape returns the focus', async (button, title, value) => {
  signInAs('Employee');
  await renderPage('/account/profile');
  const opener = page.getByRole('main').getByRole('button', { name: button });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: title });
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  expect(dialog.element().querySelector<HTMLInputElement>('input:not([hidden])')?.value).toBe(
    value,
  );
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

it.each([
  [secondFactorRecord(), 'غير مفعّل', 'تفعيل التحقق بخطوتين'],
  [
    secondFactorRecord({ isSet: true, since: '2026-11-01T05:00:00.000Z', recoveryCodesLeft: 9 }),
    /مفعّل منذ/,
    'إدارة التحقق بخطوتين',
  ],
])('links to the second factor: %o', async (factor, state, link) => {
  answerCall(getSecondFactor, factor);
  signInAs('Employee');
  await renderPage('/account/profile');
  await expect.element(page.getByText(state)).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: link }))
    .toHaveAttribute('href', '/account/second-factor');
});

it('ends another session, and not the current one', async () => {
  const sent = answerCall(endSessions, { ended: 1 });
  signInAs('Employee');
  await renderPage('/account/profile');
  await expect.element(page.getByText('Chrome على Windows')).toBeVisible();
  await expect.element(page.getByText('هذا الجهاز', { exact: true })).toBeVisible();
  const end = page.getByRole('button', { name: /^إنهاء ?:/ });
  expect(end.elements()).toHaveLength(1);
  answerCall(getSessions, ownSessions.slice(0, 1));
  await end.click();
  await expect.element(page.getByText('انتهت الجلسة.')).toBeVisible();
  await expect.element(page.getByText('Safari على iOS')).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ sessionId: ownSessions[1]?.sessionId }]);
});

it('names the employee who acts for the user', async () => {
  answerCall(getSessions, [
    { ...ownSessions[0]!, actorName: 'Khalid', actsUntil: '2026-11-20T07:00:00.000Z' },
  ]);
  signInAs('Client');
  answerCall(getAllCommunicationType, []);
  answerCall(getOwnCommunication, { proved: [] });
  await renderPage('/account/profile');
  await expect.element(page.getByText(/يعمل أحد الموظفين .*Khalid/)).toBeVisible();
});

const endAll = page.getByRole('main').getByRole('button', { name: 'تسجيل الخروج من كل الأجهزة' });
const confirmation = page.getByRole('dialog', { name: 'تسجيل الخروج من كل الأجهزة' });

it('asks before it ends all sessions; Escape keeps them', async () => {
  const sent = answerCall(endSessions, { ended: 2 });
  signInAs('Employee');
  await renderPage('/account/profile');
  await endAll.click();
  await expect.element(confirmation.getByText(/ومنها هذا الجهاز/)).toBeVisible();
  await expect.poll(() => confirmation.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(endAll).toHaveFocus();
  await expect.poll(() => sent).toEqual([]);
});

it('shows a refusal, stays open, and then ends all sessions once', async () => {
  answerCall(endSessions, () => {
    throw refuse(429, 'TooManyRequests', 'انتظر');
  });
  signInAs('Employee');
  const { address } = await renderPage('/account/profile');
  await endAll.click();
  const confirm = confirmation.getByRole('button', { name: 'تسجيل الخروج من كل الأجهزة' });
  await confirm.click();
  await expect.element(page.getByText('انتظر')).toBeVisible();
  await expect.element(confirmation).toBeVisible();
  const { reply, release } = holdReply<{ ended: number }>();
  const sent = answerCall(endSessions, () => reply);
  await confirm.dblClick();
  release({ ended: 2 });
  await expect.poll(address).toBe('/account/login');
  await expect.element(page.getByText('سُجّل خروجك من كل الأجهزة.')).toBeVisible();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{}]);
  await expect.poll(() => window.sessionStorage.getItem('token')).toBeNull();
});

it('stores how an applicant is notified; a channel that is not verified is not offered', async () => {
  answerCall(getAllCommunicationType, [
    { id: 1, key: 'email', name: 'البريد', channels: ['email'] },
    { id: 2, key: 'sms', name: 'الرسائل النصية', channels: ['sms'] },
  ]);
  answerCall(getOwnCommunication, { proved: ['email'], language: 'en-US' });
  const sent = answerCall(changeOwnCommunication, { proved: ['email'] });
  signInAs('Client');
  await renderPage('/account/profile');
  await expect.element(page.getByRole('radio', { name: 'البريد' })).toBeChecked();
  expect(page.getByRole('radio').elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'حفظ' }).click();
  await expect.element(page.getByText('حُفظ اختيارك')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ communicationTypeId: 1, language: 'en-US' }]);
});

it('leads a visitor to the sign-in with a reason', async () => {
  const { address } = await renderPage('/account/profile');
  await expect.element(page.getByText('يجب عليك تسجيل الدخول أولًا')).toBeVisible();
  await expect.poll(address).toBe('/account/login');
});

it.each([
  [false, false, false],
  [true, false, true],
  [false, true, true],
])('UAE PASS on: %s, linked: %s, mentioned: %s', async (isEnabled, hasUAEPass, isMentioned) => {
  answerCall(checkUAEPassEnabled, { isEnabled });
  answerCall(getProfile, profileRecord({ hasUAEPass }));
  signInAs('Employee');
  await renderPage('/account/profile');
  await expect.element(page.getByText('مريم الشامسي')).toBeVisible();
  const mention = page.getByRole('main').getByRole('term').filter({ hasText: 'UAE PASS' });
  await expect.poll(() => mention.elements().length).toBe(isMentioned ? 1 : 0);
});
