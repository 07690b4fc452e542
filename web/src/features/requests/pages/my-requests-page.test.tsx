import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection } from '#testing/answer-calls.ts';
import { requestSummaryRecord } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { draftSummaryRecord, requestSummaries, statusRecords } from '#testing/request-records.ts';
import { discardDraft, getDrafts, restoreDraft } from '@diwan/contract/requests/drafts';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';

beforeEach(() => {
  signInAs('Client');
  answerCall(getAllStatuses, statusRecords);
  answerCall(getDrafts, []);
});

const item = (text: string) => page.getByRole('listitem').filter({ hasText: text });

it('leads a new user to the services', async () => {
  answerCall(getRequestsByStatusId, pageOf([]));
  await renderPage('/requests');
  await expect.element(page.getByRole('heading', { name: 'لم تقدّم أي طلب بعد' })).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'تصفح الخدمات' }))
    .toHaveAttribute('href', '/services');
  await expect
    .element(page.getByRole('search', { name: 'البحث في الطلبات' }))
    .not.toBeInTheDocument();
});

it('shows one request with what is expected of the applicant', async () => {
  answerCall(
    getRequestsByStatusId,
    pageOf([
      requestSummaryRecord({
        statusName: 'بانتظار الدفع',
        statusTone: 'waiting',
        allowedActions: ['pay'],
        due: 36_050,
      }),
    ]),
  );
  await renderPage('/requests');
  await expect.element(page.getByText('طلب واحد', { exact: true })).toBeVisible();
  const request = item('DW-2026-000041');
  await expect.element(request).toMatchTextContent('بانتظار الدفع');
  await expect.element(request).toMatchTextContent('لمتابعة طلبك');
  await expect.element(request).toMatchTextContent('360.50');
  await expect
    .element(request.getByRole('link', { name: 'تجديد ملكية مركبة' }))
    .toHaveAttribute('href', '/requests/request-details?request-number=DW-2026-000041');
});

it('limits the list to a group of statuses and to a keyword', async () => {
  const sent = answerCall(getRequestsByStatusId, ({ query }) =>
    pageOf(query.has('SearchKeyword') ? [] : requestSummaries(10), 25),
  );
  const { address } = await renderPage('/requests');
  const group = (name: string) =>
    page.getByRole('group', { name: 'عرض الطلبات حسب الحالة' }).getByRole('button', { name });
  await group('بانتظار إجرائك').click();
  await expect.poll(() => sent.at(-1)?.query.get('StatusGroup')).toBe('waiting');
  await expect.element(group('بانتظار إجرائك')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'الصفحة التالية' }).click();
  await expect.poll(() => sent.at(-1)?.query.get('PageNumber')).toBe('2');
  await group('المنتهية').click();
  await expect.poll(address).toBe('/requests?group=finished');
  await page.getByRole('textbox', { name: /البحث في الطلبات/ }).fill('رخصة');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'لا توجد طلبات مطابقة' })).toBeVisible();
  await expect.poll(() => sent.at(-1)?.query.get('SearchKeyword')).toBe('رخصة');
});

it('names the figure of a dashboard that limits the list, and removes it', async () => {
  signInAs('CompanyUser');
  const sent = answerCall(getRequestsByStatusId, ({ query }) =>
    pageOf(query.has('Figure') ? [] : requestSummaries(2)),
  );
  const { address } = await renderPage(
    '/companies/my-requests/new?figure=done&figureFrom=2026-10-01&figureTo=2026-10-31',
  );
  await expect
    .element(page.getByText('المنجزة: من 1 أكتوبر 2026 إلى 31 أكتوبر 2026'))
    .toBeVisible();
  await expect.poll(() => sent.at(-1)?.query.get('FigureTo')).toBe('2026-10-31');
  await page.getByRole('button', { name: /^إزالة: المنجزة/ }).click();
  await expect.poll(address).toBe('/companies/my-requests/new');
  await expect.element(item('DW-2026-000041')).toBeVisible();
  await expect.poll(() => sent.at(-1)?.query.has('FigureFrom')).toBe(false);
});

it('shows the requests in one status that a dashboard counts, and names it', async () => {
  signInAs('CompanyUser');
  const sent = answerCall(getRequestsByStatusId, () => pageOf(requestSummaries(1)));
  const { address } = await renderPage('/companies/my-requests/new?status=4');
  await expect.poll(() => sent.at(-1)?.query.get('StatusIds')).toBe('4');
  await page.getByRole('button', { name: /^إزالة: / }).click();
  await expect.poll(address).toBe('/companies/my-requests/new');
  await expect.poll(() => sent.at(-1)?.query.has('StatusIds')).toBe(false);
});

it('explains that there is no connection and tries again', async () => {
  await useLanguageOfTest('en-US');
  let isOffline = true;
  answerCall(getRequestsByStatusId, () =>
    isOffline ? noConnection() : pageOf(requestSummaries(1)),
  );
  await renderPage('/requests');
  const error = page.getByRole('alert').filter({ hasText: 'The requests could not be shown' });
  await expect
    .element(error)
    .toMatchTextContent('Nothing has happened to the requests themselves.');
  isOffline = false;
  await error.getByRole('button', { name: 'Try again' }).click();
  await expect.element(item('DW-2026-000041')).toBeVisible();
});

it('names the sender in the list of a company', async () => {
  signInAs('CompanyUser');
  answerCall(
    getRequestsByStatusId,
    pageOf([
      requestSummaryRecord({
        sentBy: {
          name: 'Ahmed Khan',
          actedFor: { name: 'شركة النور', isYou: false, by: 'company' },
        },
      }),
    ]),
  );
  await renderPage('/requests');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('طلبات الشركة');
  await expect.element(item('DW-2026-000041')).toMatchTextContent('Ahmed Khan');
});

it('shows drafts and requests together, so that nothing moves', async () => {
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(1)));
  const { reply, release } = holdReply<ReturnType<typeof draftSummaryRecord>[]>();
  const asked = answerCall(getDrafts, () => reply);
  await renderPage('/requests');
  await expect.poll(() => asked.length).toBe(1);
  await expect.element(page.getByText('طلب واحد', { exact: true })).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('search', { name: 'البحث في الطلبات' }))
    .not.toBeInTheDocument();
  release([draftSummaryRecord()]);
  await expect.element(page.getByRole('region', { name: 'طلبات لم تُرسل بعد' })).toBeVisible();
  await expect.element(page.getByText('طلب واحد', { exact: true })).toBeVisible();
});

it('lists drafts, discards one and restores it', async () => {
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(1)));
  const names = ['الأولى', 'الثانية', 'الثالثة', 'الرابعة'];
  answerCall(
    getDrafts,
    names.map((serviceName, index) =>
      draftSummaryRecord({
        draftId: `0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d1${index}`,
        serviceName,
        isOffered: index !== 1,
      }),
    ),
  );
  const discarded = answerCall(discardDraft, ({ body }) => body as { draftId: string });
  const restored = answerCall(restoreDraft, ({ body }) => body as { draftId: string });
  await renderPage('/requests');
  const drafts = page.getByRole('region', { name: 'طلبات لم تُرسل بعد' });
  await expect.element(drafts.getByRole('link', { name: 'الأولى' })).toBeVisible();
  await expect
    .element(drafts.getByRole('link', { name: 'الأولى' }))
    .toHaveAttribute('href', '/requests/Create/renew-vehicle-ownership#review');
  await expect.element(drafts).toMatchTextContent('أُنجز 1 من خطوتين');
  await expect.element(drafts).toMatchTextContent('لم تعد هذه الخدمة متاحة.');
  await expect.element(drafts.getByRole('link', { name: 'الثانية' })).not.toBeInTheDocument();
  await expect.element(drafts.getByRole('link', { name: 'الرابعة' })).not.toBeInTheDocument();
  await drafts.getByRole('button', { name: /^عرض/ }).click();
  await expect.element(drafts.getByRole('link', { name: 'الرابعة' })).toBeVisible();
  await drafts.getByRole('button', { name: 'حذف المسودة: الأولى' }).click();
  await expect.element(drafts.getByText('حُذفت المسودة: الأولى')).toBeVisible();
  await expect.element(drafts.getByRole('link', { name: 'الأولى' })).not.toBeInTheDocument();
  await drafts.getByRole('button', { name: 'تراجع' }).click();
  await expect.element(drafts.getByRole('link', { name: 'الأولى' })).toBeVisible();
  await expect
    .poll(() => [...discarded, ...restored].map(({ body }) => body))
    .toEqual([
      { draftId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d10' },
      { draftId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d10' },
    ]);
});

it('says with a draft that its service is closed, why and until when', async () => {
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(1)));
  const closure = { reason: 'صيانة الأنظمة', until: '2026-12-01T08:00:00.000Z' };
  answerCall(getDrafts, [draftSummaryRecord({ closure })]);
  await renderPage('/requests');
  const drafts = page.getByRole('region', { name: 'طلبات لم تُرسل بعد' });
  await expect.element(drafts).toMatchTextContent(/الخدمة مغلقة حتى .*1 ديسمبر.*صيانة الأنظمة/);
  await expect.element(drafts).toMatchTextContent('فتح المسودة');
  await expect.element(drafts.getByText('إكمال الطلب')).not.toBeInTheDocument();
  await expect
    .element(drafts.getByRole('link'))
    .toHaveAttribute('href', expect.stringMatching(/#review$/));
});

it('has a search button as high as its field in Urdu on a phone', async () => {
  await useLanguageOfTest('ur-PK');
  await page.viewport(390, 844);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(10)));
  await renderPage('/requests');
  const search = page.getByRole('search');
  await expect.element(search).toBeVisible();
  const heightOf = (name: 'textbox' | 'button') =>
    search.getByRole(name).element().getBoundingClientRect().height;
  expect(heightOf('textbox')).toBeGreaterThan(50);
  expect(Math.abs(heightOf('button') - heightOf('textbox'))).toBeLessThan(1);
});
