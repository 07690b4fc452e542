import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { reasonRecords, requestSummaries, statusRecords } from '#testing/request-records.ts';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import {
  receiveRequest,
  rejectRequest,
  releaseRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';

beforeEach(() => {
  signInAs('Employee');
  answerCall(getAllStatuses, statusRecords);
  answerCall(getSavedFilters, []);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(3)));
});

const colleague = '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b07';
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
  await expect.poll(() => sent).toEqual([]);
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
  await expect.poll(() => sent.map(({ params }) => params[0])).toEqual(['41', '42', '43', '43']);
  await expect
    .poll(() => sent.map(({ query }) => query.get('version')))
    .toEqual(['2', '2', '2', '2']);
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
  await expect
    .element(page.getByRole('region', { name: 'Actions for the selected requests' }))
    .toMatchTextContent('3 requests selected');
  await expect.element(page.getByRole('button', { name: /to me/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: /Return 1 request to the queue/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Return requests to the queue' });
  expect(dialog.getByRole('listitem').elements()).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Return 1 request to the queue' }).click();
  await expect.element(dialog.getByRole('status').first()).toHaveTextContent('1 of 1 done');
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ requestId: 41, version: 5 }]);
});

const heldByCaller = () =>
  requestSummaries(2, {
    statusId: 4,
    holder: { name: 'Salem', isYou: true },
    allowedActions: ['approve', 'return', 'reject', 'release'],
  });

it('says why requests are left out: who holds them, or their status', async () => {
  await useLanguageOfTest('en-US');
  const [mine] = heldByCaller();
  const others = requestSummaries(3, { allowedActions: [] }).slice(1);
  answerCall(
    getRequestsByStatusId,
    pageOf([
      mine!,
      { ...others[0]!, holder: { name: 'Sara', isYou: false } },
      { ...others[1]!, statusName: 'Completed', statusTone: 'done' },
    ]),
  );
  await renderPage('/requests/all');
  await page.getByRole('checkbox', { name: 'Select every request on this page' }).click();
  await expect
    .element(page.getByRole('region', { name: 'Actions for the selected requests' }))
    .toMatchTextContent(/2 left out: assigned to .?Sara.?, status “Completed”/);
});

it('gives requests to a colleague', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getRequestsByStatusId, pageOf(heldByCaller()));
  const asked = answerCall(getColleagues, [{ userId: colleague, name: 'Sara' }]);
  const sent = answerCall(reassignRequest, requestRecordOf());
  await renderPage('/requests/processing');
  await page.getByRole('checkbox', { name: 'Select every request on this page' }).click();
  await page.getByRole('button', { name: 'Assign 2 requests to a colleague' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign requests to a colleague' });
  const confirm = dialog.getByRole('button', { name: 'Assign 2 requests to a colleague' });
  await expect.element(confirm).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Colleague' }).click();
  await page.getByRole('option', { name: 'Sara' }).click();
  expect(asked.at(-1)?.query.get('RequestIds')).toBe('41,42');
  await confirm.click();
  await expect.element(dialog.getByRole('status').first()).toHaveTextContent('2 of 2 done');
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { requestId: 41, version: 2, holderId: colleague },
      { requestId: 42, version: 2, holderId: colleague },
    ]);
});

it.each([
  ['Return 2 requests', returnRequest, { requestHistoryRejectionReasonsList: [4] }],
  ['Reject 2 requests', rejectRequest, { requestHistoryRejectionReasonId: 4 }],
] as const)('%s with one stock reason in three languages', async (name, call, reason) => {
  await useLanguageOfTest('en-US');
  answerCall(getRequestsByStatusId, pageOf(heldByCaller()));
  answerCall(rejectionReasonCollection, reasonRecords);
  const sent = answerCall(call as typeof returnRequest, ({ body }) => {
    if ((body as { requestId: number }).requestId === 42)
      throw refuse(409, 'VersionHasChanged', 'Sara was faster');
    return requestRecordOf();
  });
  await renderPage('/requests/processing');
  await page.getByRole('checkbox', { name: 'Select every request on this page' }).click();
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByRole('button', { name })).toBeDisabled();
  await dialog.getByRole('button', { name: /Reason$/ }).click();
  await page.getByRole('option').first().click();
  await expect.element(dialog).toMatchTextContent('نامکمل');
  await dialog.getByRole('button', { name }).click();
  await expect.element(dialog.getByRole('status').first()).toHaveTextContent('1 of 2 done');
  await expect.element(dialog).toMatchTextContent('Sara was faster');
  await expect
    .poll(() => sent[0]?.body)
    .toEqual({
      requestId: 41,
      version: 2,
      ...reason,
      messageAr: 'غير مكتمل',
      messageEn: 'Incomplete',
      messageUr: 'نامکمل',
    });
  await expect.poll(() => sent).toHaveLength(2);
});

it('takes at most 50 requests at a time', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(51, { allowedActions: ['release'] })));
  await renderPage('/requests/processing');
  await page.getByRole('checkbox', { name: 'Select every request on this page' }).click();
  await page.getByRole('button', { name: /Return 51 requests to the queue/ }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toMatchTextContent('50 requests at a time');
  await expect
    .element(dialog.getByRole('button', { name: 'Return 51 requests to the queue' }))
    .toBeDisabled();
});
