import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { agency, requestSummaryRecord } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { publicStatusRecord } from '#testing/request-records.ts';
import {
  getRequestByRequestNoOrMobileNo,
  getRequestByRequestNoOrMobileNoV2,
} from '@diwan/contract/requests/request-lists';

const keyword = () => page.getByRole('textbox', { name: 'رقم الطلب أو رقم الهاتف المتحرك' });
const submit = () => page.getByRole('button', { name: 'استعلام' });
const code = () => page.getByRole('textbox', { name: 'رمز التحقق' });

it('shows the status of a request by its number and keeps the number in the address', async () => {
  const sent = answerCall(getRequestByRequestNoOrMobileNo, pageOf([publicStatusRecord()]));
  const { address } = await renderPage('/requests/inquiry');
  await submit().click();
  await expect.element(keyword()).toHaveFocus();
  await expect.element(page.getByText('أدخل رقم الطلب أو رقم الهاتف المتحرك.')).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await keyword().fill(' DW-2026-000041 ');
  await userEvent.keyboard('{Enter}');
  const result = page.getByRole('region', { name: 'نتيجة الاستعلام' });
  await expect.element(result).toMatchTextContent('ينتظر الموظف');
  await expect.element(result).toMatchTextContent('تجديد ملكية مركبة');
  await expect.element(result.getByRole('link', { name: /تسجيل الدخول/ })).toBeVisible();
  await expect.poll(address).toBe('/requests/inquiry?request-number=DW-2026-000041');
  await expect.poll(() => sent[0]?.query.get('SearchKeyword')).toBe('DW-2026-000041');
});

it('says that nothing was found', async () => {
  await useLanguageOfTest('ur-PK');
  answerCall(getRequestByRequestNoOrMobileNo, pageOf([]));
  await renderPage('/requests/inquiry?request-number=DW-2026-999999');
  await expect.element(page.getByRole('main').getByRole('heading', { level: 2 })).toBeVisible();
  await expect
    .element(page.getByRole('main').getByRole('link').last())
    .toHaveAttribute('href', '/account/login');
});

it('asks for a code before the requests of a mobile number are shown', async () => {
  const sent = answerCall(getRequestByRequestNoOrMobileNo, ({ query }) => {
    const typed = query.get('VerificationCode');
    if (!typed) throw refuse(400, 'VerificationCodeRequired', 'أدخل الرمز');
    if (typed !== '123456') throw refuse(400, 'VerificationCodeWrong', 'رمز التحقق غير صحيح');
    return pageOf(
      [publicStatusRecord(), publicStatusRecord({ requestNumber: 'DW-2026-000042' })],
      60,
    );
  });
  const { address } = await renderPage('/requests/inquiry');
  await keyword().fill('٠٥٠١٢٣٤٥٦٧');
  await submit().click();
  await expect.element(code()).toHaveFocus();
  await expect.poll(address).toBe('/requests/inquiry');
  await page.getByRole('button', { name: 'عرض طلباتي' }).click();
  await expect.element(page.getByText('أدخل رمز التحقق.')).toBeVisible();
  await code().fill('000000');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('رمز التحقق غير صحيح')).toBeVisible();
  await code().fill('١٢٣ ٤٥٦');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: /عُثر على 60/ })).toBeVisible();
  await expect.element(page.getByText('تُعرض أحدث 2 منها.')).toBeVisible();
  await expect.element(page.getByText('DW-2026-000042')).toBeVisible();
  await expect.poll(() => sent.at(-1)?.query.get('VerificationCode')).toBe('123456');
});

it('shows staff the summaries that they may see, by a mobile number without a code', async () => {
  signInAs('Employee');
  const sent = answerCall(
    getRequestByRequestNoOrMobileNoV2,
    pageOf([requestSummaryRecord({ promisedBy: undefined })]),
  );
  const { address } = await renderPage('/requests/inquiry?request-number=DW-2026-000041');
  const result = page.getByRole('region', { name: 'نتيجة الاستعلام' });
  await expect.element(result).toMatchTextContent('مريم الشامسي');
  await expect.element(result).toMatchTextContent(agency.name);
  await keyword().fill('0501234567');
  await submit().click();
  await expect.poll(() => sent.at(-1)?.query.get('SearchKeyword')).toBe('0501234567');
  await expect.element(result).toMatchTextContent('مريم الشامسي');
  await expect.poll(address).toBe('/requests/inquiry');
  await expect.element(code()).not.toBeInTheDocument();
});

it('starts again with another number', async () => {
  answerCall(getRequestByRequestNoOrMobileNo, () => {
    throw refuse(400, 'VerificationCodeRequired', 'أدخل الرمز');
  });
  await renderPage('/requests/inquiry');
  await keyword().fill('0501234567');
  await submit().click();
  await page.getByRole('button', { name: 'استخدام رقم آخر' }).click();
  await expect.element(keyword()).toHaveValue('');
  await expect.element(code()).not.toBeInTheDocument();
});

it('explains after how long an inquiry may be repeated', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getRequestByRequestNoOrMobileNo, () => {
    throw refuse(429, 'TooManyRequests', 'Too many attempts.', { 'retry-after': '30' });
  });
  await renderPage('/requests/inquiry');
  await page.getByRole('textbox').fill('0501234567');
  await page.getByRole('button', { name: 'Track request' }).click();
  await expect.element(page.getByText(/Too many attempts.*30 seconds/)).toBeVisible();
  await expect.element(page.getByText('We could not look up the request')).toBeVisible();
});
