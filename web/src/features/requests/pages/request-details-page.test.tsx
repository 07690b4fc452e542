import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { attachmentRecord, requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { getInvoicePathByRequestId } from '@diwan/contract/requests/payments';
import { createPayment, getPaymentMethods } from '@diwan/contract/requests/payments';
import {
  calculateDetailedCost,
  calculatePendingPaymentRequestCost,
} from '@diwan/contract/requests/request-costs';
import {
  getRequestById,
  getRequestIdByRequestNumber,
  getRequestState,
  type RequestRecord,
} from '@diwan/contract/requests/requests';
import { getRequestReads, giveReasonForReading } from '@diwan/contract/staff/access-log';
import { accountHub } from '@diwan/contract/wire/hubs';

const [sent] = requestRecordOf().history as [RequestRecord['history'][number]];
const path = requestPath(requestRecordOf());

beforeEach(() => {
  signInAs('Client');
  answerCall(getDrafts, []);
  answerCall(getRequestReads, []);
});

afterEach(() => {
  vi.useRealTimers();
});

const panel = () => page.getByRole('region', { name: 'ماذا يحدث الآن' });

it('shows status, answers, documents, fees and history to the applicant', async () => {
  answerRequest(
    requestRecordOf({
      allowedActions: [],
      due: 0,
      sentUnder: [{ page: 'terms', id: 7, publishedAt: '2026-11-02T08:00:00.000Z' }],
      payments: [
        {
          merchantReference: 'PAY-1',
          amount: 36_050,
          currency: 'AED',
          status: 'paid',
          createdAt: '2026-11-20T06:35:00.000Z',
        },
      ],
      history: [
        sent,
        {
          ...sent,
          action: 'receive',
          actorKind: 'employee',
          actorName: '',
          statusTone: 'progress',
          at: '2026-11-20T07:00:00.000Z',
        },
      ],
    }),
  );
  await renderPage(path);
  await expect.element(panel()).toMatchTextContent('ينتظر الموظف');
  await expect.element(page.getByRole('button', { name: /دفع/ })).not.toBeInTheDocument();
  const main = page.getByRole('main');
  await expect.element(main).toMatchTextContent('A 12345');
  await expect.element(main).toMatchTextContent('identity-card.pdf');
  await expect.element(main).toMatchTextContent('PAY-1');
  expect(
    main.getByRole('link', { name: 'شروط 2 نوفمبر 2026' }).element().getAttribute('href'),
  ).toBe('/legal/7');
  await expect.element(main).toMatchTextContent('استلام الطلب للمراجعة');
  await expect.element(main).toMatchTextContent('تقديم الطلب');
  // The steps have happened, the last one too.
  const step = page.getByRole('listitem').filter({ hasText: 'استلام الطلب للمراجعة' });
  await expect.poll(() => step.element().querySelector('.lucide-check')).not.toBeNull();
  await expect
    .element(page.getByRole('link', { name: 'تقديم طلب آخر لهذه الخدمة' }).first())
    .toHaveAttribute('href', '/requests/Create/renew-vehicle-ownership');
});

it('shows by line what a request costs, with its VAT and what is paid of it', async () => {
  await useLanguageOfTest('en-US');
  await page.viewport(1280, 900);
  const { costs } = answerRequest(requestRecordOf({ allowedActions: [], due: 50 }));
  await renderPage(path);
  const list = () => document.querySelector('dl[aria-label="What this request costs"]');
  const line = (index: number) => list()?.children[index]?.textContent ?? '';
  await expect.poll(() => costs.map(({ query }) => query.get('RequestId'))).toEqual(['41']);
  await expect.poll(() => line(0)).toContain('Paid in full');
  expect(line(1)).toMatch(/Plus 5% VAT.*0\.50.*10\.00 of it paid/);
  expect(list()?.lastElementChild?.textContent).toMatch(/Still to pay.*0\.50/);
});

it('shows the lines of the record where the detailed cost does not load, and loads it on opening', async () => {
  await useLanguageOfTest('en-US');
  await page.viewport(390, 844);
  answerRequest(requestRecordOf({ allowedActions: [], due: 0 }));
  const asked = answerCall(calculateDetailedCost, () => {
    throw refuse(404, 'RequestNotFound');
  });
  await renderPage(path);
  const title = page.getByRole('heading', { name: 'Fees and payments' });
  await expect.element(title).toBeVisible();
  expect(asked).toEqual([]);
  await title.click();
  await expect.poll(() => asked).toHaveLength(1);
  await expect.element(page.getByText('رسم الخدمة')).toBeVisible();
  expect(page.getByText(/RequestNotFound/).elements()).toEqual([]);
});

it('is live: what staff do with the request is shown immediately', async () => {
  const hub = openHub(accountHub);
  const { change } = answerRequest(requestRecordOf());
  await renderPage(path);
  await expect.poll(() => hub.connections.size).toBe(1);
  const done = page.getByText('اكتمل الطلب', { exact: true });
  await expect.element(done).not.toBeInTheDocument();
  change({ statusName: 'اكتمل الطلب', statusTone: 'done', allowedActions: [], due: 0 });
  hub.send('requestChanged', 1);
  await expect.element(done.first(), { timeout: 1000 }).toBeVisible();
});

it('asks for the method of payment where there is a choice', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(
    requestRecordOf({
      statusId: 2,
      statusTone: 'waiting',
      allowedActions: ['pay'],
      due: 36_050,
      promisedBy: undefined,
    }),
  );
  answerCall(getPaymentMethods, ['card', 'bankAccount']);
  const asked = answerCall(createPayment, () => {
    throw refuse(502, 'PaymentProviderUnreachable', 'The payment provider does not answer');
  });
  await renderPage(path);
  await expect.element(page.getByRole('radio', { name: 'Card' })).toBeChecked();
  await page.getByRole('radio', { name: 'Bank account' }).click({ force: true });
  await page.getByRole('button', { name: /^Pay AED/ }).click();
  await expect.poll(() => asked.map(({ query }) => query.get('Method'))).toEqual(['bankAccount']);
});

it.each([
  [250, true],
  [0, false],
])('says that VAT is included only where it is: %i', async (vat, isSaid) => {
  await useLanguageOfTest('en-US');
  answerRequest(
    requestRecordOf({
      statusId: 2,
      statusTone: 'waiting',
      allowedActions: ['pay'],
      due: 5000 + vat,
      history: [{ ...sent, charged: 5000 + vat }],
    }),
  );
  answerCall(calculatePendingPaymentRequestCost, {
    lines: [{ name: 'fees', title: 'Administrative fees', due: 5000 + vat, vat }],
    due: 5000 + vat,
    isPayable: true,
    currency: 'AED',
  });
  await renderPage(path);
  await expect.element(page.getByText('Administrative fees')).toBeVisible();
  expect(page.getByText('VAT is included.').elements()).toHaveLength(isSaid ? 1 : 0);
});

it('starts the payment and says so when it does not start', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(
    requestRecordOf({
      statusId: 2,
      statusTone: 'waiting',
      allowedActions: ['pay'],
      due: 36_050,
      promisedBy: undefined,
    }),
  );
  answerCall(calculatePendingPaymentRequestCost, () => {
    throw refuse(404, 'RequestNotFound');
  });
  const asked = answerCall(createPayment, () => {
    throw refuse(502, 'PaymentProviderUnreachable', 'The payment provider does not answer');
  });
  await renderPage(path);
  const pay = page.getByRole('button', { name: /^Pay AED/ });
  await pay.click();
  const alert = page.getByRole('alert').filter({ hasText: 'nothing was charged' });
  await expect.element(alert).toMatchTextContent('The payment provider does not answer');
  await expect.poll(() => asked.map(({ params }) => params)).toEqual([['41']]);
  await expect.element(pay).toBeEnabled();
});

it('shows why a request was rejected and what is paid back', async () => {
  answerRequest(
    requestRecordOf({
      statusId: 8,
      statusName: 'مرفوض',
      statusTone: 'refused',
      allowedActions: [],
      due: 0,
      history: [
        sent,
        {
          ...sent,
          action: 'reject',
          statusId: 8,
          actorKind: 'employee',
          actorName: '',
          reasons: ['غير مكتمل'],
          message: 'تنقص صفحة',
          at: '2026-11-21T06:30:00.000Z',
        },
      ],
      refund: {
        refundable: 36_050,
        surplus: 0,
        refunded: 10_000,
        underway: 0,
        refunds: [{ amount: 10_000, reference: 'BANK-9', at: '2026-11-21T08:00:00.000Z' }],
      },
    }),
  );
  await renderPage(path);
  await expect.element(panel()).toMatchTextContent('سبب الرفض');
  await expect.element(panel()).toMatchTextContent('تنقص صفحة');
  const refund = page.getByRole('region', { name: 'ردّ المبلغ' });
  await expect.element(refund).toMatchTextContent('مستحق الردّ');
  await expect.element(refund).toMatchTextContent('260.50');
  await expect.element(refund).toMatchTextContent('BANK-9');
  await expect.element(refund).toMatchTextContent('تردّ الجهة هذا المبلغ إليك خارج البوابة');
  await expect.element(page.getByRole('button', { name: 'تسجيل ردّ مبلغ' })).not.toBeInTheDocument();
});

it('puts the result of a completed request first', async () => {
  answerRequest(
    requestRecordOf({
      statusId: 9,
      statusName: 'منجز',
      statusTone: 'done',
      allowedActions: [],
      attachments: [
        attachmentRecord,
        {
          ...attachmentRecord,
          attachmentId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e12',
          name: 'result',
          title: 'الرخصة',
          fileName: 'licence.pdf',
          isResult: true,
        },
      ],
    }),
  );
  await renderPage(path);
  const headings = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect.element(headings.first()).toMatchTextContent(/جاهز لك: .*الرخصة/);
  const saved = answerCall(downloadFile, () => new Response('%PDF-1.7') as never);
  await page.getByRole('button', { name: /تنزيل .*الرخصة/ }).click();
  await expect.poll(() => saved.length).toBe(1);
});

it('downloads the invoice of a paid request, and shows a refusal beside the button', async () => {
  answerRequest(
    requestRecordOf({
      payments: [
        {
          merchantReference: 'DW26-1-a',
          amount: 36_050,
          currency: 'AED',
          createdAt: '2026-11-20T06:35:00.000Z',
          status: 'paid',
        },
      ],
    }),
  );
  const asked = answerCall(getInvoicePathByRequestId, () => {
    throw refuse(503, 'ServerBusy', 'الخادم مشغول');
  });
  await page.viewport(1280, 900);
  await renderPage(path);
  const button = page.getByRole('button', { name: 'تنزيل الفاتورة' });
  await button.click();
  await expect.element(page.getByRole('alert').getByText('الخادم مشغول')).toBeVisible();
  answerCall(getInvoicePathByRequestId, 'signed');
  const saved = answerCall(downloadFile, () => new Response('%PDF-1.7') as never);
  await button.click();
  await expect.element(page.getByText('تم تنزيل الفاتورة')).toBeVisible();
  await expect
    .poll(() => [asked.length, saved.map(({ query }) => query.get('filePath'))])
    .toEqual([1, ['signed']]);
  expect(page.getByText('الخادم مشغول').elements()).toEqual([]);
});

it('offers no invoice before a payment', async () => {
  answerRequest(requestRecordOf({ payments: [] }));
  await page.viewport(1280, 900);
  await renderPage(path);
  await expect.element(page.getByText('لم يُدفع أي مبلغ بعد.')).toBeVisible();
  expect(page.getByRole('button', { name: 'تنزيل الفاتورة' }).elements()).toEqual([]);
});

it('says that a completed request has nothing to download', async () => {
  answerRequest(
    requestRecordOf({ statusId: 9, statusName: 'منجز', statusTone: 'done', allowedActions: [] }),
  );
  await renderPage(path);
  const result = page.getByRole('region', { name: 'أُنجز طلبك' });
  await expect.element(result).toMatchTextContent('لم يصدر مستند لهذا الطلب');
});

it.each([
  ['valid', 'شهادتك', true],
  ['expired', 'انتهت صلاحية شهادتك', false],
  ['revoked', 'أُلغيت شهادتك', false],
] as const)('recommends only a certificate that is valid: %s', async (state, title, isGood) => {
  const certificate = { number: 'CRT-2026-000041', state, issuedOn: '2026-11-24', events: [] };
  answerRequest(
    requestRecordOf({
      statusId: 9,
      statusName: 'منجز',
      statusTone: 'done',
      allowedActions: [],
      certificate,
    }),
  );
  await renderPage(path);
  const result = page.getByRole('region', { name: title, exact: true });
  await expect.element(result).toMatchTextContent(certificate.number);
  expect(result.getByText(/التحقق منها/).elements()).toHaveLength(isGood ? 1 : 0);
  expect(result.element().querySelectorAll('h2, .text-green-700')).toHaveLength(isGood ? 2 : 1);
});

it('says that the last payment was declined and nothing charged, and folds such tries', async () => {
  const tried = { amount: 36_050, currency: 'AED' as const, createdAt: '2026-11-20T06:35:00.000Z' };
  answerRequest(
    requestRecordOf({
      statusId: 2,
      statusTone: 'waiting',
      allowedActions: ['pay'],
      due: 36_050,
      payments: [
        { ...tried, merchantReference: 'PAY-1', status: 'cancelled' },
        { ...tried, merchantReference: 'PAY-2', status: 'declined' },
      ],
    }),
  );
  await renderPage(path);
  await expect.element(panel()).toMatchTextContent('رفض البنك عملية الدفع الأخيرة');
  await expect.element(panel()).toMatchTextContent('ولم يُخصم منك أي مبلغ');
  const declined = page.getByText('PAY-2');
  await expect.element(declined).not.toBeVisible();
  await page.getByText(/محاولات لم تكتمل \(2\)/).click();
  await expect.element(declined).toBeVisible();
});

it('folds answers and messages, and opens them for the print of the full record', async () => {
  answerRequest(requestRecordOf({ allowedActions: [], due: 0 }));
  await renderPage(path);
  const answer = page.getByText('A 12345');
  await expect.element(answer).not.toBeVisible();
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    expect(document.documentElement.dataset['print']).toBe('full');
    expect(document.querySelectorAll('main details:not([open], [data-no-print])')).toHaveLength(0);
    window.dispatchEvent(new Event('afterprint'));
  });
  await page.getByRole('button', { name: 'طباعة السجل الكامل' }).click();
  await expect.poll(() => print).toHaveBeenCalledTimes(1);
  print.mockRestore();
  await expect.element(answer).not.toBeVisible();
  await page.getByText('بيانات الطلب').click();
  await expect.element(answer).toBeVisible();
});

it('begins a long history with its end', async () => {
  answerRequest(
    requestRecordOf({
      allowedActions: [],
      history: Array.from({ length: 20 }, (_, index) => ({
        ...sent,
        action: index === 0 ? ('create' as const) : ('update' as const),
        at: new Date(Date.UTC(2026, 10, 1, index)).toISOString(),
      })),
    }),
  );
  await renderPage(path);
  const earlier = page.getByRole('button', { name: 'عرض الخطوات السابقة (17)' });
  await expect.element(page.getByText('تقديم الطلب', { exact: true })).not.toBeInTheDocument();
  await earlier.click();
  await expect.element(page.getByText('تقديم الطلب', { exact: true })).toBeVisible();
  await expect.element(earlier).not.toBeInTheDocument();
});

it('tells two approvals apart by the status that each led to', async () => {
  const step = {
    ...sent,
    action: 'approve' as const,
    actorKind: 'employee' as const,
    actorName: '',
    statusTone: 'progress' as const,
  };
  answerRequest(
    requestRecordOf({
      allowedActions: [],
      history: [
        sent,
        {
          ...step,
          statusId: 16,
          statusName: 'بانتظار موافقة المدير',
          at: '2026-11-21T07:00:00.000Z',
        },
        { ...step, statusId: 6, statusName: 'تمت الموافقة', at: '2026-11-22T07:00:00.000Z' },
      ],
    }),
  );
  await renderPage(path);
  const steps = page.getByRole('listitem').filter({ hasText: 'الموافقة على الطلب' });
  await expect.element(steps.nth(0)).toMatchTextContent('بانتظار موافقة المدير');
  await expect.element(steps.nth(1)).toMatchTextContent('تمت الموافقة');
  // What a single step led to is said by its title.
  const first = page.getByRole('listitem').filter({ hasText: 'تقديم الطلب' });
  await expect.element(first).not.toMatchTextContent(sent.statusName);
});

it('leads back to the list when the request does not exist', async () => {
  answerCall(getRequestIdByRequestNumber, () => {
    throw refuse(404, 'RequestNotFound', 'لا يوجد طلب بهذا الرقم');
  });
  await renderPage(path);
  await expect.element(page.getByRole('heading', { name: 'لم نعثر على الطلب' })).toBeVisible();
  // Specification §8: a toast of the text of the server, too.
  const toasts = page.getByRole('region', { name: 'الرسائل' });
  await expect.element(toasts.getByText('لا يوجد طلب بهذا الرقم')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'العودة إلى قائمة الطلبات' }))
    .toHaveAttribute('href', '/requests');
});

it('polls the state, and loads the record again only after a change', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const server = answerRequest(requestRecordOf({ allowedActions: [], due: 0 }));
  const states = answerCall(getRequestState, () => server.state());
  await renderPage(path);
  await expect.element(panel()).toMatchTextContent('ينتظر الموظف');
  await expect.poll(() => [server.loads.length, states.length]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(20_000);
  await expect.poll(() => states.length).toBe(1);
  server.change({ version: 9, statusName: 'مكتمل', statusTone: 'done' });
  await vi.advanceTimersByTimeAsync(20_000);
  await expect.poll(() => states.length).toBe(2);
  await expect.element(page.getByText('مكتمل').first()).toBeVisible();
  expect(server.loads.length).toBe(2);
  const refund = { refundable: 500, surplus: 0, refunded: 0, underway: 0, refunds: [] };
  server.change({ refund });
  await vi.advanceTimersByTimeAsync(20_000);
  await expect.poll(() => server.loads.length).toBe(3);
});

it('loads a request again after an error', async () => {
  let isDown = true;
  answerRequest(requestRecordOf({ allowedActions: [] }));
  answerCall(getRequestIdByRequestNumber, () => {
    if (isDown) throw refuse(500, 'InternalServerError', 'حدث خطأ');
    return { requestId: 41 };
  });
  await renderPage(path);
  const error = page.getByRole('alert').filter({ hasText: 'تعذر عرض الطلب' });
  await expect.element(error).toMatchTextContent('الطلب محفوظ ولم يتغير فيه شيء.');
  isDown = false;
  await error.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(panel()).toBeVisible();
});

describe('a request that is not work of the reader', () => {
  const openClosed = () => {
    const record = requestRecordOf({ allowedActions: [], due: 0, attachments: [] });
    answerRequest(record);
    const given = answerCall(giveReasonForReading, {});
    answerCall(getRequestById, () => {
      if (given.length === 0) throw refuse(400, 'ReasonForReadingRequired');
      return record;
    });
    return { record, given };
  };

  it('is shown after the reason, which may need words', async () => {
    signInAs('Admin');
    const { given } = openClosed();
    await renderPage(path);
    await expect
      .element(page.getByRole('heading', { level: 1 }))
      .toMatchTextContent('قبل فتح الطلب');
    const open = page.getByRole('button', { name: 'فتح الطلب' });
    await open.click();
    await expect.element(page.getByRole('main')).toMatchTextContent('اختر السبب');
    await page.getByRole('radio', { name: 'سبب آخر' }).click();
    await page.getByRole('textbox', { name: 'السبب' }).fill('قصير');
    await open.click();
    await expect.element(page.getByRole('main')).toMatchTextContent('اكتب 10 أحرف على الأقل');
    expect(given).toEqual([]);
    await page.getByRole('textbox', { name: 'السبب' }).fill('سألت المحكمة عن المستأجر');
    await open.click();
    await expect.element(page.getByRole('main')).toMatchTextContent('A 12345');
    expect(given.map(({ body }) => body)).toEqual([
      { requestId: 41, reason: 'other', reasonText: 'سألت المحكمة عن المستأجر' },
    ]);
  });

  it('opens by itself where the reader searched for its number', async () => {
    signInAs('Employee');
    const { record, given } = openClosed();
    const typed = record.requestNumber.replaceAll('-', '').toLowerCase();
    await renderPage(path, { typed });
    await expect.element(page.getByRole('main')).toMatchTextContent('A 12345');
    expect(given.map(({ body }) => body)).toEqual([
      { requestId: 41, reason: 'number', requestNumber: record.requestNumber },
    ]);
  });
});
