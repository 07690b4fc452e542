import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '#lib/api/query-client.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { attachmentRecord, requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { reasonRecords, requestSummaries } from '#testing/request-records.ts';
import { revokeCertificate } from '@diwan/contract/content/issued-certificates';
import { undoAction } from '@diwan/contract/processing/pending-actions';
import { decideCharge } from '@diwan/contract/processing/waiting-charges';
import { downloadFile, markAttachmentViewed } from '@diwan/contract/requests/attachments';
import { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import {
  approveRequest,
  receiveRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import {
  getRequestById,
  getRequestIdByRequestNumber,
  getRequestViewers,
} from '@diwan/contract/requests/requests';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';
import { dayAfter } from '@diwan/contract/wire/days';
import { requestHub } from '@diwan/contract/wire/hubs';

const record = requestRecordOf({ attachments: [], allowedActions: ['receive'] });

beforeEach(() => {
  signInAs('Employee');
  answerRequest(record);
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const reference = (number: string) => page.getByRole('main').getByText(number).first();

/** The requests 41 and 42 of the list, each with its own record. */
function answerList() {
  answerCall(getSavedFilters, []);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(2)));
  answerCall(getRequestIdByRequestNumber, ({ query }) => ({
    requestId: Number(query.get('RequestNumber')?.slice(-2)),
  }));
  answerCall(getRequestById, ({ query }) => {
    const requestId = Number(query.get('RequestId'));
    return { ...record, requestId, requestNumber: `DW-2026-0000${requestId}` };
  });
}

it('says that somebody else takes the next step of what one has approved', async () => {
  await useLanguageOfTest('en-US');
  answerRequest({ ...record, allowedActions: [], needsAnotherApprover: true });
  await renderPage(requestPath(record));
  await expect
    .element(
      page.getByText(
        'You have already decided on this request. Its next step is for another person.',
      ),
    )
    .toBeVisible();
});

it.each([
  ['askToWithdraw', 'سبب طلب السحب'],
  ['object', 'سبب التظلّم'],
] as const)('begins with what the applicant asks to decide: %s', async (action, title) => {
  const { history, ...record } = requestRecordOf({ allowedActions: [], attachments: [] });
  const asked = {
    ...history.at(-1)!,
    action,
    statusId: record.statusId,
    reasons: [],
    marks: [],
    message: 'لم أعد بحاجة إلى الخدمة',
  };
  // Somebody receives it afterwards: it is still to be decided.
  const received = { ...asked, action: 'reassign' as const, message: '' };
  answerRequest({ ...record, history: [...history, asked, received] });
  await renderPage(requestPath(record));
  await expect.element(page.getByText('لم أعد بحاجة إلى الخدمة').first()).toBeVisible();
  const first = page.getByText(title, { exact: true }).first();
  const answers = page.getByRole('heading', { name: 'بيانات الطلب' }).first();
  expect(
    first.element().compareDocumentPosition(answers.element()) & Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBeTruthy();
});

it.each([
  [{ paid: 0, refund: 0 }, /لم يُدفع شيء/],
  [{ paid: 31_500, refund: 0 }, /315\.00.*ولا يُردّ منها شيء/],
  [{ paid: 31_500, refund: 30_000 }, /315\.00.*يُردّ إليه منها.*300\.00/],
])('says before a withdrawal is granted what is paid back: %s', async (withdrawal, text) => {
  const { history, ...record } = requestRecordOf({ allowedActions: [], attachments: [] });
  const asked = { ...history.at(-1)!, action: 'askToWithdraw' as const, message: 'x' };
  answerRequest({ ...record, withdrawal, history: [{ ...asked, statusId: record.statusId }] });
  await renderPage(requestPath(record));
  await expect.element(page.getByText(text)).toBeVisible();
});

it('shows staff what the request costs, by line', async () => {
  await useLanguageOfTest('en-US');
  const { costs } = answerRequest(record);
  await renderPage(requestPath(record));
  await expect.element(page.getByText(/Plus 5% VAT/)).toBeVisible();
  await expect.poll(() => costs.map(({ query }) => query.get('RequestId'))).toEqual(['41']);
});

it('opens the next and the previous request of the list and goes back to its row', async () => {
  answerList();
  const { address } = await renderPage('/requests/new');
  await expect.element(page.getByRole('link', { name: 'DW-2026-000041' })).toBeVisible();
  await userEvent.keyboard('j{Enter}');
  await expect.poll(address).toContain('request-number=DW-2026-000041');
  await expect.element(button(/^التالي: .DW-2026-000042/)).toBeVisible();
  await expect.element(button(/^الطلب السابق/)).not.toBeInTheDocument();
  await userEvent.keyboard('n');
  await expect.poll(address).toContain('request-number=DW-2026-000042');
  await expect.element(button(/^الطلب السابق/)).toBeVisible();
  await userEvent.keyboard('p');
  await expect.poll(address).toContain('request-number=DW-2026-000041');
  await expect.element(button(/^الطلب السابق/)).not.toBeInTheDocument();
  await userEvent.keyboard('n');
  await expect.element(button(/^الطلب السابق/)).toBeVisible();
  await userEvent.keyboard('n');
  await expect.element(page.getByText('وصلت إلى نهاية القائمة.')).toBeVisible();
  await userEvent.keyboard('b');
  await expect.poll(address).toBe('/requests/new');
});

/** Opens the first request of the list and presses N; `release` lets the search for the next one end. */
async function lookForNext() {
  answerList();
  const opened = await renderPage('/requests/new');
  await expect.element(page.getByRole('link', { name: 'DW-2026-000041' })).toBeVisible();
  const { reply, release } = holdReply<ReturnType<typeof pageOf>>();
  await userEvent.keyboard('j');
  answerCall(getRequestsByStatusId, () => reply as never);
  await userEvent.keyboard('{Enter}');
  await expect.element(button(/^الطلب التالي/)).toBeVisible();
  await userEvent.keyboard('n');
  await expect.element(button(/^جارٍ البحث عن الطلب التالي/)).toBeVisible();
  return { ...opened, release };
}

it('opens the next request once, however often it is asked for while it is looked for', async () => {
  const { address, release } = await lookForNext();
  await userEvent.keyboard('n');
  release(pageOf(requestSummaries(3)));
  await expect.poll(address).toContain('request-number=DW-2026-000042');
  await expect.element(button(/^التالي: .DW-2026-000043/)).toBeVisible();
  expect(address()).toContain('request-number=DW-2026-000042');
});

it('stays on the list to which the user went back while the next request was looked for', async () => {
  const { address, router, release } = await lookForNext();
  await userEvent.keyboard('b');
  await expect.poll(address).toBe('/requests/new');
  const onMove = vi.fn();
  router.subscribe(onMove);
  release(pageOf(requestSummaries(3)));
  await expect
    .poll(() => queryClient.getQueryData(['next-request', '/requests/new', 'DW-2026-000041']))
    .toBe('DW-2026-000042');
  expect(onMove).not.toHaveBeenCalled();
  expect(address()).toBe('/requests/new');
});

it('tells the server that it is open, and shows immediately who else opens or changes it', async () => {
  await useLanguageOfTest('en-US');
  const hub = openHub(requestHub);
  const { loads } = answerRequest(record);
  await renderPage(requestPath(record));
  await expect
    .poll(() => hub.calls)
    .toEqual([{ method: 'followRequests', argument: [record.requestId] }]);
  await expect.element(page.getByText(/Also open with/)).not.toBeInTheDocument();
  answerCall(getRequestViewers, [
    { name: 'Noura', since: '2026-11-24T08:00:00.000Z' },
    { name: 'سالم', since: '2026-11-24T08:01:00.000Z' },
  ]);
  hub.send('viewersChanged', 1);
  await expect
    .element(page.getByText(/Also open with/))
    .toMatchTextContent('Also open with: \u2068Noura\u2069, \u2068سالم\u2069');
  const before = loads.length;
  hub.send('requestChanged', 2);
  await expect.poll(() => loads.length, { timeout: 1000 }).toBe(before + 1);
});

it('shows what others did since the user last opened the request and while it is open', async () => {
  const seen = { '41': '2026-11-20T06:40:00.000Z' };
  window.localStorage.setItem('requests-looked.session', JSON.stringify(seen));
  const [sent] = record.history;
  const released = {
    ...sent!,
    action: 'release' as const,
    actorKind: 'employee' as const,
    actorName: 'نورة الكعبي',
    at: '2026-11-20T08:00:00.000Z',
  };
  const server = answerRequest({ ...record, history: [sent!, released] });
  answerCall(receiveRequest, () => {
    const received = { ...released, action: 'receive' as const, actorName: 'خالد المري' };
    server.change({ history: [sent!, released, received], allowedActions: [], version: 9 });
    throw refuse(409, 'VersionHasChanged', 'استلمه خالد المري');
  });
  await renderPage(requestPath(record));
  const since = page.getByText('منذ آخر مرة اطّلعت فيها');
  await expect.element(since).toBeVisible();
  await expect.element(page.getByText('نورة الكعبي').first()).toBeVisible();
  await button(/استلام الطلب/).click();
  await expect.element(page.getByText('تغيّر هذا الطلب قبل لحظات')).toBeVisible();
  await expect.element(button(/^استلام الطلب/)).not.toBeInTheDocument();
});

it('marks an answer while reading and lists it in the return dialog', async () => {
  answerRequest({ ...record, allowedActions: ['return'] });
  await renderPage(requestPath(record));
  const flag = button('يلزم تعديله: رقم اللوحة');
  await flag.click();
  await page.getByRole('menuitem').first().click();
  const marked = button('محدّد للتعديل: رقم اللوحة');
  await expect.element(marked).toHaveFocus();
  await expect.element(page.getByRole('main')).toMatchTextContent(reasonRecords[0]!.name);
  await button(/^إعادة للتعديل/).click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent('بند واحد محدّد');
  await userEvent.keyboard('{Escape}');
  await marked.click();
  await page.getByRole('menuitem').last().click();
  await expect.element(flag).toBeVisible();
  await button(/^إعادة للتعديل/).click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent('لم يُحدَّد أي بند');
});

const isInMenu = () => document.activeElement?.closest('[role=menu]') !== null;

it('marks two things and returns the request by eight keys, without the mouse', async () => {
  await useLanguageOfTest('en-US');
  const picture = { ...attachmentRecord, fileName: 'plate.png', mediaType: 'image/png' };
  answerRequest({ ...record, allowedActions: ['return'], attachments: [picture] });
  answerCall(downloadFile, () => new Response(onePixel) as never);
  answerCall(rejectionReasonCollection, reasonRecords);
  answerCall(markAttachmentViewed, {
    requestAttachmentId: picture.attachmentId,
    viewedBy: 'Salem Al Ketbi',
    viewedAt: '2026-11-22T06:30:00.000Z',
  });
  const sent = answerCall(returnRequest, record);
  await renderPage(requestPath(record));
  await expect.poll(() => document.querySelector('[data-open-document]')).not.toBeNull();
  await expect.poll(() => document.querySelector('[data-settled=true]')).not.toBeNull();
  // The open document first, then the answer before it.
  for (const key of ['f', '{Enter}', 'k', 'f', '{ArrowDown}', '{Enter}']) {
    await userEvent.keyboard(key);
    await expect.poll(isInMenu).toBe(/f|Down/.test(key));
  }
  await userEvent.keyboard('r');
  await expect.element(page.getByRole('dialog')).toMatchTextContent('2 things are marked');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => sent).toHaveLength(1);
  const field = `attachments.${picture.name}`;
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({
      marks: [
        { field, attachmentId: picture.attachmentId, reasonId: reasonRecords[0]!.id },
        { reasonId: reasonRecords[1]!.id },
      ],
    });
});

it('writes its own text beside the flag, and keeps it in the dialog', async () => {
  await useLanguageOfTest('en-US');
  answerRequest({ ...record, allowedActions: ['return'] });
  answerCall(rejectionReasonCollection, reasonRecords);
  await renderPage(requestPath(record));
  await expect.poll(() => document.querySelector('[data-mark-flag]')).not.toBeNull();
  await userEvent.keyboard('jf');
  await expect.poll(isInMenu).toBe(true);
  await userEvent.keyboard('{End}{Enter}');
  const text = page.getByRole('textbox', { name: 'English' });
  await expect.element(text).toHaveFocus();
  // The letters are text now, not shortcuts.
  await userEvent.keyboard('refer');
  await expect.element(text).toHaveValue('refer');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await button(/^Return/).click();
  await expect
    .element(page.getByRole('dialog').getByRole('textbox', { name: 'English' }).first())
    .toHaveValue('refer');
});

const onePixel = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (letter) => letter.charCodeAt(0),
);

it('opens a document in place and records that it was viewed', async () => {
  const picture = { ...attachmentRecord, fileName: 'plate.png', mediaType: 'image/png' };
  answerRequest({ ...record, attachments: [picture] });
  answerCall(downloadFile, () => new Response(onePixel) as never);
  const viewed = answerCall(markAttachmentViewed, {
    requestAttachmentId: picture.attachmentId,
    viewedBy: 'Salem Al Ketbi',
    viewedAt: '2026-11-22T06:30:00.000Z',
  });
  await renderPage(requestPath(record));
  const panel = page.getByRole('region', { name: 'المستندات' });
  // It opens automatically, and counts as viewed after a moment.
  await expect.element(panel).toMatchTextContent('0 من 1');
  await expect.poll(() => document.querySelector('[data-document]')).not.toBeNull();
  await expect.poll(() => viewed).toEqual([]);
  await expect
    .poll(() => viewed.map(({ body }) => body))
    .toEqual([{ requestAttachmentId: picture.attachmentId }]);
  await expect.element(panel.getByText('اطُّلع على جميع المستندات')).toBeVisible();
});

it.each([
  [
    'is being scanned',
    () => {
      throw refuse(409, 'AttachmentBeingScanned', 'This file is being scanned');
    },
    'This file is being scanned',
  ],
  ['cannot be shown', () => new Response('not a document') as never, /cannot be shown here/],
])('says that a document %s, which does not count as viewed', async (_, answer, message) => {
  await useLanguageOfTest('en-US');
  const picture = { ...attachmentRecord, fileName: 'identity-card.png', mediaType: 'image/png' };
  answerRequest({ ...record, attachments: [picture] });
  answerCall(downloadFile, answer);
  const viewed = answerCall(markAttachmentViewed, () => {
    throw refuse(404, 'AttachmentNotFound');
  });
  await renderPage(requestPath(record));
  const panel = page.getByRole('region', { name: 'Documents' });
  await panel
    .getByRole('button', { name: /identity-card/ })
    .first()
    .click();
  await expect.element(panel.getByText(message)).toBeVisible();
  await expect.poll(() => viewed).toEqual([]);
});

it.each(['a', 'click'])(
  'asks once more before an approval with unread documents (%s)',
  async (way) => {
    await useLanguageOfTest('en-US');
    const unread = { ...attachmentRecord, fileName: 'plate.png', mediaType: 'image/png' };
    answerRequest({ ...record, allowedActions: ['approve', 'return'], attachments: [unread] });
    answerCall(downloadFile, () => new Response('not a document') as never);
    const approved = answerCall(approveRequest, record);
    await renderPage(requestPath(record));
    const settled = () =>
      expect.poll(() => document.querySelector('[data-settled=true]')).not.toBeNull();
    const press = async () => {
      await settled();
      if (way === 'a') await userEvent.keyboard('a');
      else document.querySelector<HTMLElement>('[data-focus-id~=approve]')?.click();
    };
    await press();
    await expect.element(page.getByText(/^1 document has not been viewed/)).toBeVisible();
    await expect.poll(() => approved).toEqual([]);
    await expect.poll(() => document.querySelector('[data-settled=false]')).toBeNull();
    await press();
    await expect.poll(() => approved).toHaveLength(1);
    await expect.poll(() => document.querySelector('[data-unviewed]')).toBeNull();
  },
);

it('keeps the header and the keys visible at 1280 pixels, and frees a low screen', async () => {
  await useLanguageOfTest('en-US');
  const allowedActions = ['approve', 'submitted', 'return', 'release', 'reject'] as const;
  answerRequest({ ...record, allowedActions: [...allowedActions], chargingActions: ['approve'] });
  await page.viewport(1280, 800);
  await renderPage(requestPath(record));
  const bar = page.getByRole('region', { name: 'Actions for this request' });
  await expect.element(bar).toBeVisible();
  const keys = [...bar.element().querySelectorAll('kbd')];
  expect(keys.map((key) => key.textContent)).toEqual(['A', 'O', 'C', 'R', 'L', 'D', 'N']);
  expect(keys.every((key) => key.checkVisibility())).toBe(true);
  await expect.element(bar).toMatchTextContent('the service provider continues');
  const heading = page.getByRole('heading', { level: 1 });
  const header = heading.element().closest('.sticky') as HTMLElement;
  expect(header.getBoundingClientRect().height).toBeLessThanOrEqual(50);
  window.scrollTo(0, 400);
  await expect.poll(() => header.getBoundingClientRect().top).toBe(0);
  await page.viewport(640, 450);
  await expect.poll(() => getComputedStyle(bar.element()).position).toBe('static');
});

it('explains why there is nothing to do', async () => {
  answerRequest({
    ...record,
    statusId: 5,
    statusTone: 'waiting',
    allowedActions: [],
    serviceProviderState: 'suspended',
  });
  await renderPage(requestPath(record));
  await expect.element(reference('DW-2026-000041')).toBeVisible();
  await expect
    .element(page.getByText('أُعيد هذا الطلب إلى مقدمه لتعديله، ويعود إليك حين يرسله من جديد.'))
    .toBeVisible();
  await expect.element(page.getByText('مزود الخدمة غير قادر على متابعة هذا الطلب')).toBeVisible();
});

it('staff revoke a certificate with a reason, which another one needs in words', async () => {
  await useLanguageOfTest('en-US');
  const certificate = {
    number: 'CRT-2026-000041',
    state: 'valid',
    issuedOn: '2026-11-24',
    events: [],
  } as const;
  answerRequest({ ...record, certificate: { ...certificate, events: [] } });
  await renderPage(requestPath(record));
  await button('Revoke the certificate').click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  const submit = dialog.getByRole('button', { name: 'Revoke the certificate' });
  await submit.click();
  await expect.element(dialog.getByText('Choose a reason')).toBeVisible();
  await dialog.getByRole('button', { name: /Reason/ }).click();
  await page.getByRole('option', { name: 'Another reason' }).click();
  await submit.click();
  await expect.element(dialog.getByText('Explain the reason')).toBeVisible();
  await dialog.getByRole('textbox', { name: /Explanation/ }).fill('The boat was sold');
  const sent = answerCall(revokeCertificate, { ...certificate, state: 'revoked', events: [] });
  await submit.click();
  await expect.element(page.getByText('The certificate is revoked')).toBeVisible();
  expect(sent[0]?.body).toEqual({
    requestId: record.requestId,
    reason: 'other',
    note: 'The boat was sold',
  });
});

it('shows the whole name of the service in the heading on a phone', async () => {
  const serviceName = 'إصدار تصريح عمل جديد من خارج الإمارات للعاملين في القطاع الخاص';
  answerRequest({ ...record, serviceName });
  await page.viewport(390, 844);
  await renderPage(requestPath(record));
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toHaveTextContent(serviceName);
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = heading.element();
  expect([scrollHeight - clientHeight, scrollWidth - clientWidth]).toEqual([0, 0]);
});

it('unfolds the actions of a phone in rows of one height, with the next request, and folds them', async () => {
  const allowedActions = ['approve', 'submitted', 'return', 'release', 'reject'] as const;
  answerRequest({ ...record, allowedActions: [...allowedActions], chargingActions: ['approve'] });
  await page.viewport(390, 844);
  await renderPage(requestPath(record));
  const bar = page.getByRole('region', { name: 'إجراءات الطلب' });
  const next = bar.getByRole('button', { name: 'الطلب التالي' });
  await expect.element(bar.getByRole('button', { name: 'المزيد' })).toBeVisible();
  await expect.element(next).not.toBeInTheDocument();
  await bar.getByRole('button', { name: 'المزيد' }).click();
  await expect.element(next).toMatchTextContent('الطلب التالي');
  const boxes = ['approve', 'options', 'submitted', 'return', 'release', 'reject'].map((id) =>
    bar.element().querySelector(`[data-focus-id~=${id}]`)!.getBoundingClientRect(),
  );
  for (const box of boxes)
    for (const other of boxes.filter(({ top }) => Math.abs(top - box.top) < 20))
      expect(other.height).toBe(box.height);
  await page.getByRole('heading', { level: 1 }).click();
  await expect.element(next).not.toBeInTheDocument();
});

const waitingRecord = (isYou: boolean) => ({
  ...record,
  allowedActions: [],
  heldAction: {
    action: 'approve' as const,
    name: 'Mona',
    isYou,
    actsInMs: 0,
    waiting: { heldActionId: 8, amount: 150_000 },
  },
});

it('lets another administrator confirm or refuse a charge that waits, after a question', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  answerRequest(waitingRecord(false));
  let isRefused = true;
  const decided = answerCall(decideCharge, () => {
    if (isRefused) throw refuse(403, 'SecondPersonNotIndependent', 'You are not independent');
    return record;
  });
  await renderPage(requestPath(record));
  await expect.element(page.getByText(/Mona.* asks for fines and fees of AED.1,500/)).toBeVisible();
  await button('Confirm the charge').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Confirm the charge' }).click();
  await expect.element(dialog).toMatchTextContent(/You are not independent/);
  isRefused = false;
  await dialog.getByRole('button', { name: 'Confirm the charge' }).click();
  await expect.element(button('Confirm the charge')).not.toBeInTheDocument();
  expect(decided.map(({ body }) => body)).toEqual(
    [1, 2].map(() => ({ requestId: 41, heldActionId: 8, isConfirmed: true })),
  );
});

it('lets who asked for a charge take it back, and an auditor only read of it', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(waitingRecord(true));
  const undone = answerCall(undoAction, record);
  const { unmount } = await renderPage(requestPath(record));
  await expect.element(button('Take it back')).toBeVisible();
  await expect.element(button('Confirm the charge')).not.toBeInTheDocument();
  await button('Take it back').click();
  await expect.poll(() => undone.length).toBe(1);
  await unmount();
  signInAs('Auditor');
  answerRequest(waitingRecord(false));
  await renderPage(requestPath(record));
  await expect.element(page.getByText(/asks for fines and fees/)).toBeVisible();
  await expect.element(button('Refuse the charge')).not.toBeInTheDocument();
});

it.each([
  [3, '3 days left'],
  [0, 'Today is the last day.'],
])('says how long the applicant may object: %i days', async (days, text) => {
  await useLanguageOfTest('en-US');
  answerRequest({
    ...record,
    statusTone: 'refused',
    allowedActions: [],
    objectUntil: dayAfter(serverToday(), days),
  });
  await renderPage(requestPath(record));
  await expect.element(page.getByText(/can object to the decision until/)).toBeVisible();
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});
