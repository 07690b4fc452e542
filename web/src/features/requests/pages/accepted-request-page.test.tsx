import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, noConnection } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { publicStatusRecord } from '#testing/request-records.ts';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/request-lists';

const path = '/requests/accepted-request';
const requestNumber = 'DW-2026-000041';
const heading = () => page.getByRole('heading', { level: 1 });

it('shows the number and what follows a payment', async () => {
  signInAs('Client');
  answerCall(getRequestByRequestNoOrMobileNo, pageOf([publicStatusRecord()]));
  await renderPage(path, { requestNumber, payment: 'paid' });
  await expect.element(heading()).toHaveTextContent('استلمنا طلبك والمبلغ المدفوع');
  await expect.element(page.getByText(requestNumber)).toBeVisible();
  await expect.element(page.getByText('تجديد ملكية مركبة')).toBeVisible();
  await expect.element(page.getByText('ينتظر الموظف')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'متابعة الطلب' }))
    .toHaveAttribute('href', `/requests/request-details?request-number=${requestNumber}`);
  // What most people do next comes before the papers.
  const invoice = page.getByRole('button', { name: /الفاتورة/ }).element();
  const follow = page.getByRole('link', { name: 'متابعة الطلب' }).element();
  expect(follow.compareDocumentPosition(invoice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('names the day by which the request is done', async () => {
  await useLanguageOfTest('en-US');
  answerCall(
    getRequestByRequestNoOrMobileNo,
    pageOf([publicStatusRecord({ promisedBy: '2098-11-24' })]),
  );
  await renderPage(path, { requestNumber, payment: 'paid' });
  await expect.element(page.getByText(/We expect to finish by Mon,? 24 Nov\./)).toBeVisible();
});

it('names no day that has passed', async () => {
  await useLanguageOfTest('en-US');
  answerCall(
    getRequestByRequestNoOrMobileNo,
    pageOf([publicStatusRecord({ promisedBy: '2020-11-23' })]),
  );
  await renderPage(path, { requestNumber, payment: 'paid' });
  await expect.element(page.getByText(/When it is done, you will find/)).toBeVisible();
});

it('leads to the payment that is still missing, and says why', async () => {
  signInAs('Client');
  answerCall(getRequestByRequestNoOrMobileNo, pageOf([publicStatusRecord()]));
  await renderPage(path, { requestNumber, payment: 'failed', reason: 'declined' });
  await expect.element(page.getByText(/رفض البنك عملية الدفع/)).toBeVisible();
  await expect.element(heading()).toHaveTextContent('حفظنا طلبك، والرسوم لم تُدفع بعد');
  await expect.element(page.getByRole('link', { name: 'الانتقال إلى الدفع' })).toBeVisible();
});

it('shows the number from the address without a connection', async () => {
  answerCall(getRequestByRequestNoOrMobileNo, noConnection);
  await renderPage(`${path}?request-number=${requestNumber}`);
  await expect.element(heading()).toHaveTextContent('استلمنا طلبك');
  await expect.element(page.getByText(requestNumber)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'متابعة الطلب' })).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'الاستعلام عن طلب' }))
    .toHaveAttribute('href', `/requests/inquiry?request-number=${requestNumber}`);
});

it('says that nothing was sent from here', async () => {
  await renderPage(path);
  await expect.element(page.getByRole('heading', { name: 'لم يُرسل أي طلب من هنا' })).toBeVisible();
});
