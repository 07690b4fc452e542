import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { previewMessages } from '@diwan/contract/requests/messages';
import { chargeReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import {
  approveRequest,
  holdRequest,
  receiveRequest,
  rejectRequest,
  resumeRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const record = requestRecordOf({
  statusId: 4,
  statusName: 'قيد المراجعة',
  attachments: [],
  allowedActions: ['approve', 'return', 'release', 'reject'],
  chargingActions: ['approve'],
  version: 4,
});
const path = requestPath(record);
const done = requestRecordOf({ attachments: [], allowedActions: [], version: 5 });

beforeEach(() => signInAs('Employee'));

const button = (name: string | RegExp) => page.getByRole('button', { name });
const inAll = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
const dialog = () => page.getByRole('dialog');
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name });
const message = (language: string | RegExp) => dialog().getByRole('textbox', { name: language });

async function fillMessages(): Promise<void> {
  await message('العربية').last().fill('أكمل البيانات');
  await message('English').last().fill('Complete the data');
  await message('اردو').last().fill('معلومات مکمل کریں');
}

it('receives a request and shows who was faster, until the new state is loaded', async () => {
  const server = answerRequest(
    requestRecordOf({ attachments: [], allowedActions: ['receive'], version: 2 }),
  );
  const sent = answerCall(receiveRequest, () => {
    throw refuse(409, 'VersionHasChanged', 'استلمت نورة الكعبي الطلب');
  });
  await renderPage(path);
  await button(/استلام الطلب/).click();
  await expect.element(page.getByText('سبقك زميل إلى هذا الطلب')).toBeVisible();
  await expect.element(page.getByText(/استلمت نورة الكعبي الطلب/)).toBeVisible();
  server.change({ allowedActions: [], version: 3, statusName: 'قيد المراجعة' });
  await button('عرض آخر حالة للطلب').click();
  await expect.element(page.getByText('سبقك زميل إلى هذا الطلب')).not.toBeInTheDocument();
  await expect.element(button(/استلام الطلب/)).not.toBeInTheDocument();
  await expect.element(page.getByText('هذا الطلب في عهدة غيرك الآن، ولا يلزمك شيء.')).toBeVisible();
  await expect.poll(() => sent[0]?.query.get('version')).toBe('2');
});

it('returns a request with a mark on an answer', async () => {
  answerRequest(record);
  const sent = answerCall(returnRequest, done);
  await renderPage(path);
  await button(/إعادة للتعديل/).click();
  await inDialog('يلزم تعديله: رقم اللوحة').click();
  await page.getByRole('menuitem').last().click();
  await expect.element(dialog()).toMatchTextContent('بند واحد محدّد');
  await expect.element(message('العربية').first()).toHaveFocus();
  await message('English').first().click();
  await inDialog('إعادة الطلب').click();
  await expect.element(message('العربية').first()).toHaveFocus();
  await expect.element(dialog()).toMatchTextContent('اكتب الرسالة بهذه اللغة.');
  await message('العربية').first().fill('الرقم غير صحيح');
  await message('English').first().fill('The number is wrong');
  await inDialog('إعادة الطلب').click();
  await expect.element(message('اردو').first()).toHaveFocus();
  await message('اردو').first().fill('نمبر غلط ہے');
  await inDialog('إعادة الطلب').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText('أُعيد الطلب إلى مقدمه')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        requestId: 41,
        version: 4,
        isUndoable: true,
        requestHistoryRejectionReasonsList: [],
        marks: [
          {
            field: 'answers.plateNumber',
            messageAr: 'الرقم غير صحيح',
            messageEn: 'The number is wrong',
            messageUr: 'نمبر غلط ہے',
          },
        ],
      },
    ]);
});

it('asks for reasons and a message when a return has no marks', async () => {
  answerRequest(record);
  const sent = answerCall(returnRequest, done);
  await renderPage(path);
  await expect.element(button(/إعادة للتعديل/)).toBeVisible();
  await userEvent.keyboard('r');
  await inDialog('إعادة الطلب').click();
  await expect.element(dialog().getByText('اختر سببًا واحدًا على الأقل.')).toBeVisible();
  await expect.element(dialog().getByRole('checkbox', { name: 'غير مكتمل' })).toHaveFocus();
  await dialog().getByRole('checkbox', { name: 'غير واضح' }).click();
  await fillMessages();
  await inDialog('إعادة الطلب').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => sent[0]?.body)
    .toEqual({
      requestId: 41,
      version: 4,
      isUndoable: true,
      requestHistoryRejectionReasonsList: [5],
      messageAr: 'أكمل البيانات',
      messageEn: 'Complete the data',
      messageUr: 'معلومات مکمل کریں',
    });
});

it('asks for the language of the applicant alone, and offers the others', async () => {
  answerRequest({ ...record, applicantLanguage: 'ur-PK' });
  const sent = answerCall(returnRequest, done);
  await renderPage(path);
  await button(/إعادة للتعديل/).click();
  await inDialog('يلزم تعديله: رقم اللوحة').click();
  await page.getByRole('menuitem').last().click();
  await expect.element(message('اردو').first()).toHaveFocus();
  await expect.element(message(/^العربية/)).not.toBeInTheDocument();
  await inDialog('إعادة الطلب').click();
  await expect.element(dialog()).toMatchTextContent('اكتب الرسالة بهذه اللغة.');
  await message('اردو').first().fill('نمبر غلط ہے');
  await dialog().getByText('اللغات الأخرى (اختياري)').first().click();
  await message(/^English/)
    .first()
    .fill('The number is wrong');
  await inDialog('إعادة الطلب').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({
      marks: [
        {
          field: 'answers.plateNumber',
          messageAr: '',
          messageEn: 'The number is wrong',
          messageUr: 'نمبر غلط ہے',
        },
      ],
    });
});

it('folds what concerns the whole request while something is marked, and opens it for an error', async () => {
  answerRequest({ ...record, applicantLanguage: 'en-US' });
  const sent = answerCall(returnRequest, done);
  await renderPage(path);
  await button(/إعادة للتعديل/).click();
  await expect.element(message('English')).toBeVisible();
  await inDialog('يلزم تعديله: رقم اللوحة').click();
  await page.getByRole('menuitem').first().click();
  await expect.element(message('English')).not.toBeInTheDocument();
  const whole = dialog().getByText('ملاحظات على الطلب كله (اختياري)');
  await whole.click();
  await dialog().getByText('اللغات الأخرى (اختياري)').click();
  await message(/^اردو/).fill('نمبر غلط ہے');
  await whole.click();
  await inDialog('إعادة الطلب').click();
  await expect.element(message(/^English/)).toHaveFocus();
  await message(/^English/).fill('The number is wrong');
  await inDialog('إعادة الطلب').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({
      marks: [{ field: 'answers.plateNumber' }],
      messageEn: 'The number is wrong',
      messageUr: 'نمبر غلط ہے',
    });
});

it('keeps the typed text after Escape and sends a double press once', async () => {
  answerRequest(record);
  const { reply, release } = holdReply<typeof done>();
  const sent = answerCall(rejectRequest, () => reply);
  await renderPage(path);
  await button(/رفض الطلب/).click();
  await dialog().getByRole('radio', { name: 'غير مكتمل' }).click();
  await message('English').fill('A page is missing');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => sent).toEqual([]);
  await button(/رفض الطلب/).click();
  await expect.element(message('English')).toHaveValue('A page is missing');
  await inDialog('رفض الطلب نهائيًا').dblClick();
  await expect.poll(() => sent.length).toBe(1);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).toBeVisible();
  release(done);
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => sent).toHaveLength(1);
});

it('keeps the typed text after a conflict and sends again with the new version', async () => {
  const server = answerRequest(record);
  let isChanged = true;
  const sent = answerCall(rejectRequest, () => {
    if (isChanged) throw refuse(409, 'VersionHasChanged', 'غيّرته نورة الكعبي');
    return done;
  });
  await renderPage(path);
  await button(/رفض الطلب/).click();
  await dialog().getByRole('radio', { name: 'غير مكتمل' }).click();
  await message('English').fill('A page is missing');
  await inDialog('رفض الطلب نهائيًا').click();
  await expect.element(dialog()).toMatchTextContent('ما كتبته باقٍ كما هو.');
  server.change({ version: 6 });
  await inDialog('عرض آخر حالة للطلب').click();
  await expect.element(dialog()).toMatchTextContent('هذه آخر حالة للطلب، ويمكنك المتابعة.');
  await expect.element(message('English')).toHaveValue('A page is missing');
  isChanged = false;
  await inDialog('رفض الطلب نهائيًا').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => (body as { version: number }).version))
    .toEqual([4, 6]);
});

it('does not send an action that is no longer allowed after a conflict', async () => {
  const server = answerRequest(record);
  answerCall(rejectRequest, () => {
    throw refuse(409, 'ActionNotAllowed', 'رفضته نورة الكعبي');
  });
  await renderPage(path);
  await button(/رفض الطلب/).click();
  await dialog().getByRole('radio', { name: 'غير مكتمل' }).click();
  await inDialog('رفض الطلب نهائيًا').click();
  await expect.element(inDialog('عرض آخر حالة للطلب')).toBeVisible();
  server.change({ version: 6, statusName: 'مرفوض', allowedActions: [] });
  await inDialog('عرض آخر حالة للطلب').click();
  await expect.element(dialog()).toMatchTextContent('هذا الإجراء لم يعد متاحًا');
  await expect.element(inDialog('رفض الطلب نهائيًا')).toBeDisabled();
  await expect.element(message('English')).toHaveValue('Incomplete');
});

it('asks about a claimed discount before an approval, and sends the decision', async () => {
  await useLanguageOfTest('en-US');
  const discount = {
    rule: 'determination',
    title: 'People of determination 100%',
    amount: 36_050,
    state: 'claimed' as const,
  };
  answerRequest({ ...record, discounts: [discount] });
  answerCall(chargeReasonCollection, []);
  const sent = answerCall(approveRequest, done);
  await renderPage(path);
  await button(/^Approve request/).click();
  await expect.element(dialog()).toMatchTextContent('People of determination 100%');
  await inDialog('Approve request').click();
  await expect.element(dialog().getByText('Confirm or refuse the discount').first()).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await dialog()
    .getByRole('radio', { name: /^No, refuse/ })
    .click({ force: true });
  await expect.element(dialog()).toMatchTextContent(/360.50 will be charged/);
  await inDialog('Approve and request payment').click();
  await expect.poll(() => sent.length).toBe(1);
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({
      requestId: 41,
      discounts: [{ rule: 'determination', isGranted: false }],
    });
});

it('approves with fines and fees, shows the VAT and asks for payment', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(record);
  const sent = answerCall(approveRequest, done);
  answerCall(chargeReasonCollection, [
    { id: 9, kind: 'fine', name: 'Late renewal', names: inAll('Late renewal') },
    { id: 10, kind: 'fine', name: 'Overstay', names: inAll('Overstay') },
  ]);
  await renderPage(path);
  await button(/^Approve with fee…/).click();
  const fines = dialog().getByRole('textbox', { name: /^Fines/ });
  const fees = dialog().getByRole('textbox', { name: /^Administrative fees/ });
  await expect.element(fines).toHaveFocus();
  await expect.element(inDialog('Approve request')).toBeVisible();
  await fees.fill('abc');
  await inDialog('Approve and request payment').click();
  await expect.element(fees).toHaveFocus();
  await expect.element(dialog().getByText('Enter an amount in dirhams')).toBeVisible();
  await fees.fill('١٠٠');
  await fines.fill('50.50');
  await expect.element(dialog().getByText('Enter an amount in dirhams')).not.toBeInTheDocument();
  await expect.element(dialog().getByRole('term').filter({ hasText: 'VAT (5%)' })).toBeVisible();
  await expect
    .element(dialog().getByRole('definition').filter({ hasText: '155.50' }))
    .toBeVisible();
  // Only what is charged needs a reason, and only where there are reasons to choose from.
  await inDialog('Approve and request payment').click();
  const reason = dialog().getByRole('button', { name: /Reason for the fines/ });
  await expect.element(reason).toHaveFocus();
  await expect.element(dialog().getByText('Choose the reason for the fines')).toBeVisible();
  await reason.click();
  await page.getByRole('option', { name: 'Overstay' }).click();
  await dialog()
    .getByRole('checkbox', { name: /gateway fee/ })
    .click();
  await dialog()
    .getByRole('checkbox', { name: /Do not notify the applicant/ })
    .click();
  await inDialog('Approve and request payment').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        requestId: 41,
        version: 4,
        isUndoable: true,
        fines: 5050,
        isPaymentGatewayFeesOfFinesCalculated: true,
        totalAdminstrativeFees: 10_000,
        totalAdminstrativeFeesVatValue: 500,
        requestHistoryRejectionReasonsList: [10],
        shouldNotifyClient: false,
      },
    ]);
});

it('previews what the applicant will receive until the input changes', async () => {
  answerRequest(record);
  const asked = answerCall(previewMessages, {
    messages: [
      {
        channel: 'sms',
        recipient: '+971501234567',
        language: 'ar-EG',
        subject: '',
        text: 'تمت الموافقة على طلبك',
      },
    ],
  });
  await renderPage(path);
  await button(/^الموافقة مع رسوم…/).click();
  await inDialog('عرض ما سيُرسل').click();
  await expect.element(dialog().getByText('تمت الموافقة على طلبك')).toBeVisible();
  await expect.poll(() => asked[0]?.body).toEqual({ requestId: 41, action: 'approve' });
  await dialog()
    .getByRole('textbox', { name: /^الغرامات/ })
    .fill('10');
  await expect.element(dialog().getByText('تمت الموافقة على طلبك')).not.toBeInTheDocument();
  await expect.element(inDialog('عرض ما سيُرسل')).toBeVisible();
});

it('puts a request on hold until a day, with a reason', async () => {
  answerRequest({ ...record, allowedActions: ['approve', 'hold'] });
  const sent = answerCall(holdRequest, done);
  await renderPage(path);
  await expect.element(button(/تعليق الطلب/)).toBeVisible();
  await userEvent.keyboard('h');
  const day = dialog().getByRole('textbox', { name: 'يُستأنف العمل في' });
  await expect.element(day).toHaveAttribute('aria-required', 'true');
  await inDialog('تعليق الطلب').click();
  await expect.element(dialog()).toMatchTextContent(/حدد يومًا من/);
  await expect.element(day).toHaveFocus();
  const until = dayAfter(todayInDubai(), 7);
  await day.fill(until);
  await inDialog('تعليق الطلب').click();
  await expect.element(message('العربية').last()).toHaveFocus();
  await fillMessages();
  await inDialog('تعليق الطلب').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText('عُلّق الطلب')).toBeVisible();
  await expect
    .poll(() => sent[0]?.body)
    .toEqual({
      requestId: 41,
      version: 4,
      isUndoable: true,
      holdUntil: until,
      messageAr: 'أكمل البيانات',
      messageEn: 'Complete the data',
      messageUr: 'معلومات مکمل کریں',
    });
});

it('has one line for a hold in the header in Urdu, and the whole reason below it', async () => {
  await useLanguageOfTest('ur-PK');
  const reason = 'The municipality answers first.\nThen the plan is compared with the survey.';
  answerRequest({
    ...record,
    serviceName: 'تجارتی لائسنس کی تجدید اور سرگرمیوں میں تبدیلی',
    allowedActions: ['resume'],
    onHold: { until: '2026-12-20', reason },
  });
  await renderPage(path);
  await expect.element(page.getByText(/Then the plan/)).toBeVisible();
  const days = [...document.querySelectorAll<HTMLElement>('[data-due=hold]')];
  expect(days.length).toBeGreaterThan(0);
  for (const day of days) {
    const header = day.closest('.sticky')!.getBoundingClientRect();
    const line = day.getBoundingClientRect();
    expect(line.top).toBeGreaterThanOrEqual(header.top);
    expect(line.bottom).toBeLessThanOrEqual(header.bottom);
  }
});

it('continues a request on hold, whose day and reason it shows', async () => {
  answerRequest({
    ...record,
    allowedActions: ['resume'],
    onHold: { until: '2026-12-20', reason: 'بانتظار رد البلدية' },
  });
  const sent = answerCall(resumeRequest, done);
  await renderPage(path);
  await expect.element(page.getByText('بانتظار رد البلدية')).toBeVisible();
  await expect.element(page.getByText(/معلّق حتى/).first()).toBeVisible();
  // Headers have the day only.
  for (const day of document.querySelectorAll('[data-due=hold]'))
    expect(day.textContent).not.toContain('بانتظار');
  await button(/استئناف العمل/).click();
  await expect.poll(() => sent[0]?.body).toEqual({ requestId: 41, version: 4, isUndoable: true });
});
