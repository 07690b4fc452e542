import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { agencyRecords, pageOf, serviceSummaries } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { renderPage, signInAs, tokenOf } from '#testing/render-page.tsx';
import { getAllGovernmentAgenciesWithServices } from '@diwan/contract/catalogue/agencies';
import { getServices } from '@diwan/contract/catalogue/services';
import { beginActing, findPerson, sendActingCode } from '@diwan/contract/people/acting';

const main = page.getByRole('main');
const name = main.getByLabelText('من الموجود أمامك؟');
const press = (label: string) => main.getByRole('button', { name: label }).click();
const found = {
  fullName: 'سا… سا…',
  ways: [
    { channel: 'sms' as const, hint: '•••4567' },
    { channel: 'email' as const, hint: '•••@example.ae' },
  ],
};

async function open() {
  signInAs('Employee');
  return renderPage('/requests/counter');
}

it('names a missing and an unknown person at the field', async () => {
  await open();
  await press('البحث عن الشخص');
  await expect.element(name).toHaveAccessibleDescription(/أجب عن هذا السؤال/);
  answerCall(findPerson, () => {
    throw refuse(404, 'PersonNotFound', 'لم نجد الشخص');
  });
  await name.fill('Sara');
  await userEvent.keyboard('{Enter}');
  await expect.element(name).toHaveAccessibleDescription(/لم نجد الشخص/);
  await expect.element(name).toHaveValue('Sara');
});

it('finds a person, sends a code to the chosen channel, and acts after a wrong code', async () => {
  answerCall(findPerson, found);
  answerCall(getServices, pageOf(serviceSummaries(1)));
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  const codes = answerCall(sendActingCode, { sent: true });
  const begun = answerCall(beginActing, () => {
    if (begun.length === 1) throw refuse(400, 'VerificationCodeWrong', 'الرمز غير صحيح');
    return {
      token: tokenOf('Client', {
        fullName: 'سارة سالم',
        act: { sub: 'clerk', name: 'Mariam' },
        actUntil: Math.floor(Date.now() / 1000) + 500,
      }),
    };
  });
  const { address } = await open();
  await name.fill('sara');
  await press('البحث عن الشخص');
  await expect.element(main.getByText(/عُثر على: .*سا…/)).toBeVisible();
  await main.getByRole('radio', { name: /البريد الإلكتروني/ }).click({ force: true });
  await press('إرسال الرمز');
  const code = main.getByLabelText('رمز التحقق', { exact: true });
  await press('البدء');
  await expect.element(code).toHaveAccessibleDescription(/أدخل /);
  await code.fill('123456');
  await press('البدء');
  await expect.element(code).toHaveAccessibleDescription(/الرمز غير صحيح/);
  await code.fill('654321');
  await press('البدء');
  await expect.poll(address).toBe('/services');
  await expect
    .element(page.getByRole('region', { name: 'العمل نيابةً عن شخص آخر' }).getByText(/سارة سالم/))
    .toBeVisible();
  await expect
    .poll(() => codes.map(({ body }) => body))
    .toEqual([{ name: 'sara', channel: 'email' }]);
  await expect
    .poll(() => begun.at(-1)?.body)
    .toEqual({ name: 'sara', channel: 'email', code: '654321' });
});

it('keeps the earlier code when another one may not be sent yet', async () => {
  answerCall(findPerson, found);
  answerCall(sendActingCode, () => {
    throw refuse(429, 'TooManyRequests', 'انتظر');
  });
  await open();
  await name.fill('sara');
  await press('البحث عن الشخص');
  await press('إرسال الرمز');
  await expect.element(page.getByText('انتظر')).toBeVisible();
  await expect.element(main.getByLabelText('رمز التحقق', { exact: true })).toBeVisible();
  await press('شخص آخر');
  await expect.element(name).toHaveValue('');
});

it('is closed to companies', async () => {
  answerHome();
  signInAs('CompanyUser');
  const { address } = await renderPage('/requests/counter');
  await expect.poll(address).toBe('/home');
});
