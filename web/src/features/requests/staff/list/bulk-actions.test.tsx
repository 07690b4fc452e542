import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { receiveRequest, releaseRequest } from '@diwan/contract/requests/request-actions';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';
import { pageOf } from '../../../../testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '../../../../testing/answer-calls.ts';
import { requestRecordOf } from '../../../../testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '../../../../testing/render-page.tsx';
import { requestSummaries, statusRecords } from '../../../../testing/request-records.ts';

beforeEach(() => {
  signInAs('Employee');
  answerCall(getAllStatuses, statusRecords);
  answerCall(getSavedFilters, []);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(3)));
});

const selectAll = () => page.getByRole('checkbox', { name: 'تحديد جميع طلبات هذه الصفحة' });
const box = (number: string) => page.getByRole('checkbox', { name: `تحديد الطلب ${number}` });
const bar = () => page.getByRole('region', { name: 'الإجراءات على الطلبات المحددة' });

it('selects rows, the page and a range, and clears the selection', async () => {
  await renderPage('/requests/new');
  await box('DW-2026-000041').click();
  await expect.element(bar().getByRole('status').first()).toHaveTextContent('حُدِّد طلب واحد');
  await expect.element(selectAll()).toBePartiallyChecked();
  await userEvent.keyboard('{Shift>}');
  await box('DW-2026-000043').click();
  await userEvent.keyboard('{/Shift}');
  await expect.element(bar().getByRole('status').first()).toHaveTextContent('حُدِّدت 3 طلبات');
  await expect.element(box('DW-2026-000042')).toBeChecked();
  await selectAll().click();
  await expect.element(bar()).not.toBeInTheDocument();
  await selectAll().click();
  await bar().getByRole('button', { name: 'إلغاء التحديد' }).click();
  await expect.element(box('DW-2026-000041')).not.toBeChecked();
});

it('receives the selected requests with a result for each and tries failed ones again', async () => {
  let isDown = true;
  const { reply, release } = holdReply<ReturnType<typeof requestRecordOf>>();
  const sent = answerCall(receiveRequest, ({ params: [id] }) => {
    if (id === '42') throw refuse(409, 'VersionHasChanged', 'استلمته نورة الكعبي');
    if (id === '43' && isDown) throw refuse(500, 'InternalServerError', 'الخدمة مشغولة');
    return id === '41' ? reply : requestRecordOf({ requestId: Number(id) });
  });
  await renderPage('/requests/new');
  await selectAll().click();
  await bar()
    .getByRole('button', { name: /استلام 3 طلبات/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'استلام الطلبات' });
  await expect.element(dialog).toMatchTextContent('ستكون هذه الطلبات في عهدتك');
  const confirm = dialog.getByRole('button', { name: 'استلام 3 طلبات' });
  await expect.element(confirm).toHaveFocus();
  expect(sent).toEqual([]);
  await confirm.click();
  const result = (number: string) => dialog.getByRole('listitem').filter({ hasText: number });
  await expect.element(result('DW-2026-000042')).toMatchTextContent('استلمته نورة الكعبي');
  await expect.element(result('DW-2026-000043')).toMatchTextContent('الخدمة مشغولة');
  await expect.element(result('DW-2026-000041')).toMatchTextContent('جارٍ التنفيذ');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  release(requestRecordOf());
  await expect.element(dialog.getByRole('button', { name: 'إغلاق' }).last()).toHaveFocus();
  await expect.element(dialog.getByRole('status').first()).toHaveTextContent('تم 1 من 3');
  isDown = false;
  await dialog.getByRole('button', { name: 'إعادة محاولة طلب واحد' }).click();
  await expect.element(dialog.getByRole('status').first()).toHaveTextContent('تم 2 من 3');
  expect(sent.map(({ params }) => params[0])).toEqual(['41', '42', '43', '43']);
  expect(sent.map(({ query }) => query.get('version'))).toEqual(['2', '2', '2', '2']);
  await dialog.getByRole('button', { name: 'إغلاق' }).last().click();
  await expect.element(bar()).not.toBeInTheDocument();
});

it('keeps the selection when the dialog is closed before it starts', async () => {
  await renderPage('/requests/new');
  await selectAll().click();
  await bar()
    .getByRole('button', { name: /استلام 3 طلبات/ })
    .click();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(bar()).toBeVisible();
});

it('puts back only the selected requests that allow it', async () => {
  await useLanguageOfTest('en-US');
  const [first, ...others] = requestSummaries(3, { allowedActions: [] });
  answerCall(
    getRequestsByStatusId,
    pageOf([{ ...first!, allowedActions: ['release'], version: 5 }, ...others]),
  );
  const sent = answerCall(releaseRequest, requestRecordOf());
  await renderPage('/requests/processing');
  await page.getByRole('checkbox', { name: 'Select every request on this page' }).click();
  await expect.element(page.getByText('3 requests selected')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Assign \d/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: /Return 1 request to the queue/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Return requests to the queue' });
  expect(dialog.getByRole('listitem').elements()).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Return 1 request to the queue' }).click();
  await expect.element(dialog.getByRole('status').first()).toHaveTextContent('1 of 1 done');
  expect(sent.map(({ body }) => body)).toEqual([{ requestId: 41, version: 5 }]);
});
