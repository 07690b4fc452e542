import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { downloadFile } from '@diwan/contract/requests/attachments';
import {
  checkRequestIsPaid,
  createPayment,
  getInvoicePathByRequestId,
  type PaymentStatus,
} from '@diwan/contract/requests/payments';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/request-lists';
import {
  getRequestByMerchantReference,
  getRequestIdByRequestNumber,
} from '@diwan/contract/requests/requests';
import { accountHub } from '@diwan/contract/wire/hubs';

const number = 'DW26-11111-22222';
const main = page.getByRole('main');
const heading = page.getByRole('heading', { level: 1 });
const timer = main.getByRole('timer');

beforeEach(() => {
  answerCall(checkRequestIsPaid, { isPaid: true });
  // The page to which this one leads.
  answerCall(getRequestByRequestNoOrMobileNo, pageOf([]));
});
afterEach(() => {
  vi.useRealTimers();
});

// Specification §2: a success when the address has a result, else a failure.
it.each([
  ['?result=success', 'تم الدفع بنجاح'],
  ['?result=', 'تم الدفع بنجاح'],
  ['?result=%00%3Cb%3E&request-number=%E2%80%AE-1', 'تم الدفع بنجاح'],
  ['', 'لم تتم عملية الدفع'],
  ['?request-number=DW26-11111-22222', 'لم تتم عملية الدفع'],
])('%s: %s', async (query, title) => {
  await renderPage(`/payment-status${query}`);
  await expect.element(heading).toHaveTextContent(title);
});

it('finds the request by the merchant reference, for its number, its service and another attempt', async () => {
  const record = requestRecordOf({ due: 36_050 });
  answerCall(checkRequestIsPaid, { isPaid: false });
  const found = answerCall(getRequestByMerchantReference, record);
  const sent = answerCall(createPayment, () => {
    throw refuse(503, 'PaymentProviderUnreachable');
  });
  signInAs('Client');
  await renderPage('/payment-status?merchant-reference=DW-2026-000041-1e31be01&reason=declined');
  await expect.element(main.getByText(record.requestNumber)).toBeVisible();
  await expect.element(main.getByText(record.serviceName)).toBeVisible();
  await main.getByRole('button', { name: 'إعادة محاولة الدفع' }).click();
  // GetRequestIdByRequestNumber is not answered: it is not made.
  await expect.poll(() => sent.map(({ params }) => params)).toEqual([['41']]);
  await expect
    .poll(() => found.map(({ query }) => query.get('MerchantReference')))
    .toEqual(['DW-2026-000041-1e31be01']);
});

it('asks nothing by the merchant reference for a visitor', async () => {
  const found = answerCall(getRequestByMerchantReference, requestRecordOf());
  await renderPage(
    `/payment-status?result=success&request-number=${number}&merchant-reference=${number}-1e31be01`,
  );
  await expect.element(main.getByText(number)).toBeVisible();
  expect(found).toEqual([]);
});

it('is live: money that arrives after a failure is shown immediately', async () => {
  signInAs('Client');
  await useLanguageOfTest('en-US');
  const hub = openHub(accountHub);
  answerCall(checkRequestIsPaid, { isPaid: false });
  await renderPage(`/payment-status?request-number=${number}`);
  await expect.poll(() => hub.connections.size).toBe(1);
  const paid = page.getByText(/We have now received your payment/);
  await expect.element(paid).not.toBeInTheDocument();
  answerCall(checkRequestIsPaid, { isPaid: true });
  hub.send('requestChanged', 1);
  await expect.element(paid.first(), { timeout: 1000 }).toBeVisible();
});

/** Opens the page with a clock that the test moves. */
async function openWithClock(query: string) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const screen = await renderPage(`/payment-status${query}`);
  await expect.element(timer).toBeVisible();
  return screen;
}

const passSecond = () => vi.advanceTimersByTimeAsync(1000);

// Specification §9.
it('continues after ten seconds', async () => {
  const { router } = await openWithClock(`?result=success&request-number=${number}`);
  await expect.element(timer).toHaveTextContent('سننقلك إلى تأكيد طلبك بعد 10 ثوانٍ');
  for (let second = 1; second < 10; second += 1) await passSecond();
  await expect.element(timer).toHaveTextContent('سننقلك إلى تأكيد طلبك بعد ثانية واحدة');
  expect(router.state.location.pathname).toBe('/payment-status');
  await passSecond();
  await expect.poll(() => router.state.location.pathname).toBe('/requests/accepted-request');
  expect(router.state.location.state).toEqual({ requestNumber: number, payment: 'paid' });
});

it('stays while the user holds it, and continues afterwards', async () => {
  const { router } = await openWithClock('');
  await main.getByRole('button', { name: 'البقاء في هذه الصفحة' }).click();
  await expect.element(timer).toHaveTextContent('ستبقى في هذه الصفحة');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(router.state.location.pathname).toBe('/payment-status');
  await main.getByRole('button', { name: 'استئناف الانتقال' }).click();
  for (let second = 0; second < 10; second += 1) await passSecond();
  await expect.poll(() => router.state.location.pathname).toBe('/requests/accepted-request');
});

it('continues immediately by the button', async () => {
  const { router } = await renderPage('/payment-status');
  await expect.element(timer).toMatchTextContent('سننقلك إلى طلبك بعد');
  await main.getByRole('button', { name: 'الانتقال إلى طلبي' }).click();
  await expect.poll(() => router.state.location.pathname).toBe('/requests/accepted-request');
  expect(router.state.location.state).toEqual({ payment: 'failed' });
});

it('downloads the invoice of a confirmed payment, which stops the way on', async () => {
  answerCall(getRequestIdByRequestNumber, { requestId: 41 });
  const asked = answerCall(getInvoicePathByRequestId, 'signed');
  answerCall(downloadFile, () => new Response('%PDF-1.7') as never);
  signInAs('Client');
  await renderPage(`/payment-status?result=success&request-number=${number}`);
  await main.getByRole('button', { name: 'تنزيل الفاتورة' }).click();
  await expect.element(main.getByText('تم تنزيل الفاتورة')).toBeVisible();
  await expect.poll(() => asked.map(({ query }) => query.get('RequestId'))).toEqual(['41']);
  await expect.element(timer).toHaveTextContent('ستبقى في هذه الصفحة');
});

it('says so while the provider has not confirmed, and that nothing is paid twice', async () => {
  answerCall(checkRequestIsPaid, { isPaid: false });
  await openWithClock(`?result=success&request-number=${number}`);
  await expect.element(main.getByRole('status').getByText(/لا تدفع مرة أخرى/)).toBeVisible();
  answerCall(checkRequestIsPaid, { isPaid: true });
  await vi.advanceTimersByTimeAsync(2500);
  await expect.element(main.getByText(/لا تدفع مرة أخرى/)).not.toBeInTheDocument();
});

it('says when a failed payment arrived after all, and offers no other', async () => {
  await renderPage(`/payment-status?request-number=${number}`);
  await expect.element(main.getByRole('status').getByText(/وصلنا تأكيد الدفع/)).toBeVisible();
  expect(main.getByRole('link', { name: 'إعادة محاولة الدفع' }).elements()).toEqual([]);
});

it('shows the page without a connection too', async () => {
  answerCall(checkRequestIsPaid, noConnection);
  await renderPage(`/payment-status?result=success&request-number=${number}`);
  await expect.element(main.getByText(number)).toBeVisible();
  expect(main.getByRole('alert').elements()).toEqual([]);
});

it.each([
  ['declined', 'رفض البنك عملية الدفع ولم يُخصم منك أي مبلغ.'],
  ['cancelled', 'أُلغيت عملية الدفع ولم يُخصم منك أي مبلغ.'],
  ['expired', 'انتهت مهلة الدفع ولم يُخصم منك أي مبلغ.'],
  ['returned', 'سيعود المبلغ الذي خُصم إلى بطاقتك تلقائيًا.'],
])('says why a payment failed, and leads to the request: %s', async (reason, text) => {
  answerCall(checkRequestIsPaid, { isPaid: false });
  signInAs('Client');
  await renderPage(`/payment-status?request-number=${number}&reason=${reason}`);
  await expect.element(main.getByText(text)).toBeVisible();
  await expect
    .element(main.getByRole('link', { name: 'الانتقال إلى طلبي' }))
    .toHaveAttribute('href', `/requests/request-details?request-number=${number}`);
});

it('shows no reason that it does not know, or of a payment that arrived', async () => {
  await renderPage('/payment-status?reason=%3Cb%3Ehacked');
  await expect.element(heading).toHaveTextContent('لم تتم عملية الدفع');
  expect(main.getByText(/لم يُخصم|hacked/).elements()).toEqual([]);
  await renderPage(`/payment-status?request-number=${number}&reason=declined`);
  await expect.element(main.getByRole('status').getByText(/وصلنا تأكيد الدفع/)).toBeVisible();
  expect(main.getByText(/لم يُخصم/).elements()).toEqual([]);
});

it('continues after a failure too, with its reason', async () => {
  answerCall(checkRequestIsPaid, { isPaid: false });
  const { router } = await openWithClock(`?request-number=${number}&reason=declined`);
  expect(main.getByRole('timer').element().parentElement?.querySelector('[style]')).toBeNull();
  for (let second = 0; second < 10; second += 1) await passSecond();
  await expect.poll(() => router.state.location.pathname).toBe('/requests/accepted-request');
  expect(router.state.location.state).toEqual({
    requestNumber: number,
    payment: 'failed',
    reason: 'declined',
  });
});

it('stays on a failure once the visitor does something', async () => {
  answerCall(checkRequestIsPaid, { isPaid: false });
  const { router } = await openWithClock(`?request-number=${number}`);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(timer).toHaveTextContent('ستبقى في هذه الصفحة');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(router.state.location.pathname).toBe('/payment-status');
});

it('sends a visitor to the request for another attempt', async () => {
  answerCall(checkRequestIsPaid, { isPaid: false });
  await renderPage(`/payment-status?request-number=${number}`);
  await expect
    .element(main.getByRole('link', { name: 'إعادة محاولة الدفع' }))
    .toHaveAttribute('href', `/requests/request-details?request-number=${number}`);
});

it('starts another payment once, stays, and explains a refusal', async () => {
  await useLanguageOfTest('en-US');
  answerCall(checkRequestIsPaid, { isPaid: false });
  answerCall(getRequestIdByRequestNumber, { requestId: 41 });
  const { reply, release } = holdReply<Error>();
  const sent = answerCall(createPayment, async () => {
    throw await reply;
  });
  signInAs('Client');
  await renderPage(`/payment-status?request-number=${number}`);
  const again = main.getByRole('button', { name: 'Try to pay again' });
  await again.click();
  await expect.element(timer).toHaveTextContent('You will stay on this page');
  await userEvent.keyboard('{Enter}');
  release(refuse(503, 'PaymentProviderUnreachable', 'No payment now'));
  await expect.element(page.getByText('No payment now')).toBeVisible();
  await expect.poll(() => sent.map(({ params }) => params)).toEqual([['41']]);
});

it('says that a payment is still checked, and that it arrived', async () => {
  let isPaid = false;
  answerCall(checkRequestIsPaid, () => ({ isPaid }));
  await renderPage(`/payment-status?request-number=${number}&reason=pending`);
  await expect.element(heading).toHaveTextContent('ما زلنا نتحقق من عملية الدفع');
  // Nobody is led away, and nobody is asked to pay again.
  expect(timer.elements()).toEqual([]);
  expect(main.getByText('إعادة محاولة الدفع').elements()).toEqual([]);
  isPaid = true;
  await expect.poll(() => heading.element().textContent, { timeout: 5000 }).toBe('تم الدفع بنجاح');
  await expect.element(timer).toBeVisible();
});

it.each([
  ['pending', 'declined', 'رفض البنك عملية الدفع ولم يُخصم منك أي مبلغ.'],
  ['pending', 'expired', 'انتهت مهلة الدفع ولم يُخصم منك أي مبلغ.'],
  ['held', 'returned', 'سيعود المبلغ الذي خُصم إلى بطاقتك تلقائيًا.'],
] as const)('says what became of a payment that was %s: %s', async (before, after, sentence) => {
  let lastPayment: PaymentStatus = before;
  answerCall(checkRequestIsPaid, () => ({ isPaid: false, lastPayment }));
  signInAs('Client');
  await renderPage(`/payment-status?request-number=${number}&reason=${before}`);
  await expect.element(heading).toHaveTextContent('ما زلنا نتحقق من عملية الدفع');
  lastPayment = after;
  await expect.element(main.getByText(sentence), { timeout: 5000 }).toBeVisible();
  await expect.element(heading).toHaveTextContent('لم تتم عملية الدفع');
  await expect.element(main.getByRole('button', { name: 'إعادة محاولة الدفع' })).toBeVisible();
});

it('offers no second payment while an admin decides about another amount', async () => {
  answerCall(checkRequestIsPaid, { isPaid: false });
  signInAs('Client');
  await renderPage(`/payment-status?request-number=${number}&reason=held`);
  await expect.element(main.getByText(/يُرجى عدم الدفع مرة أخرى/)).toBeVisible();
  expect(main.getByRole('button', { name: 'إعادة محاولة الدفع' }).elements()).toEqual([]);
});
