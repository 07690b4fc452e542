import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { detailsLink } from '#features/requests/data/details-link.ts';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { findAxeProblems } from '#testing/find-accessibility-problems.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { requestSummaries, statusRecords } from '#testing/request-records.ts';
import {
  dismissFailedAction,
  getHeldActions,
  undoAction,
} from '@diwan/contract/processing/pending-actions';
import {
  approveRequest,
  receiveRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById, getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';

const record = requestRecordOf({
  attachments: [],
  allowedActions: ['approve', 'return', 'release'],
  version: 4,
});
const pending = {
  ...record,
  allowedActions: [],
  heldAction: { action: 'approve' as const, name: 'سالم', isYou: true, actsInMs: 60_000 },
};
const waiting = {
  heldActionId: 7,
  requestId: 41,
  requestNumber: record.requestNumber,
  action: 'approve' as const,
  version: 4,
  actsInMs: 60_000,
};

beforeEach(() => signInAs('Employee'));

const button = (name: string | RegExp) => page.getByRole('button', { name });
const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const barText = (tone: 'done' | 'danger') => find(`[data-bar-line=${tone}]`)?.textContent ?? '';
const isShown = (selector: string) => expect.poll(() => find(selector)).not.toBeNull();
const isGone = (selector: string) => expect.poll(() => find(selector)).toBeNull();
const approveButton = '[data-focus-id~=approve]';

/** The requests 41 to 43 of the list; `pendingIds` are those whose approval waits. */
function answerList() {
  answerRequest(record);
  const pendingIds = new Set<number>();
  answerCall(getSavedFilters, []);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(3)));
  answerCall(getRequestIdByRequestNumber, ({ query }) => ({
    requestId: Number(query.get('RequestNumber')?.slice(-2)),
  }));
  const recordOf = (requestId: number) => ({
    ...(pendingIds.has(requestId) ? pending : record),
    requestId,
    requestNumber: `DW-2026-0000${requestId}`,
  });
  answerCall(getRequestById, ({ query }) => recordOf(Number(query.get('RequestId'))));
  answerCall(getHeldActions, () =>
    [...pendingIds].map((requestId) => ({
      ...waiting,
      requestId,
      requestNumber: `DW-2026-0000${requestId}`,
    })),
  );
  const approved = answerCall(approveRequest, ({ body }) => {
    const { requestId } = body as { requestId: number };
    pendingIds.add(requestId);
    return recordOf(requestId);
  });
  const undone = answerCall(undoAction, ({ body }) => {
    const { requestId } = body as { requestId: number };
    pendingIds.delete(requestId);
    return recordOf(requestId);
  });
  return { approved, undone };
}

it.each([
  ['ar-EG', 'تراجع', /التالي: .DW-2026-000042/],
  ['en-US', 'Undo', /Next: .DW-2026-000042/],
  ['ur-PK', 'واپس لیں', /اگلی: .DW-2026-000042/],
] as const)(
  'opens the next request after an approval, which Z takes back (%s)',
  async (language, undo, next) => {
    await useLanguageOfTest(language);
    const { approved, undone } = answerList();
    const { address } = await renderPage('/requests/new');
    await expect.element(page.getByRole('link', { name: 'DW-2026-000041' })).toBeVisible();
    await userEvent.keyboard('j{Enter}');
    await expect.element(button(next)).toBeVisible();
    await isShown('[data-settled=true]');
    await userEvent.keyboard('a');
    await expect.poll(address).toContain('request-number=DW-2026-000042');
    await expect
      .poll(() => approved[0]?.body)
      .toEqual({ requestId: 41, version: 4, isUndoable: true });
    await expect.poll(() => barText('done')).toContain('DW-2026-000041');
    await expect.element(button(undo)).toBeVisible();
    await userEvent.keyboard('zz');
    await expect.poll(address).toContain('request-number=DW-2026-000041');
    for (const { body } of undone) expect(body).toEqual({ requestId: 41, version: 4 });
    await expect.element(button(undo)).not.toBeInTheDocument();
    await isShown(approveButton);
    // A key that is pressed immediately afterwards waits until the request is open again.
    await userEvent.keyboard('r');
    await expect.element(page.getByRole('dialog')).toBeVisible();
  },
);

it('a press for the next request waits for what the page does not know yet', async () => {
  await useLanguageOfTest('en-US');
  answerList();
  const { reply, release } = holdReply<typeof statusRecords>();
  answerCall(getAllStatuses, () => reply);
  const { address } = await renderPage(
    '/requests/request-details?request-number=DW-2026-000041',
    detailsLink('DW-2026-000041', '/requests/new').state,
  );
  await isShown(approveButton);
  await userEvent.keyboard('n');
  release(statusRecords);
  await expect.poll(address).toContain('request-number=DW-2026-000042');
});

it('stays on the request where the user has chosen it', async () => {
  const { approved } = answerList();
  await page.viewport(1280, 900);
  const { address } = await renderPage('/requests/new');
  await expect.element(page.getByRole('link', { name: 'DW-2026-000041' })).toBeVisible();
  await userEvent.keyboard('j{Enter}');
  await page.getByRole('checkbox', { name: 'ثم فتح الطلب التالي' }).click();
  await isShown('[data-settled=true]');
  find(approveButton)?.click();
  await expect.element(button(/^تراجع/)).toBeVisible();
  await expect.poll(() => approved).toHaveLength(1);
  await expect.poll(address).toContain('request-number=DW-2026-000041');
  await userEvent.keyboard('n');
  await expect.poll(address).toContain('request-number=DW-2026-000042');
  await expect
    .element(page.getByRole('checkbox', { name: 'ثم فتح الطلب التالي' }))
    .not.toBeChecked();
});

it('brings back what was typed when a return is undone', async () => {
  await useLanguageOfTest('en-US');
  const server = answerRequest(record);
  const returned = { ...pending, heldAction: { ...pending.heldAction, action: 'return' as const } };
  answerCall(returnRequest, returned);
  answerCall(getHeldActions, () => []);
  answerCall(undoAction, () => server.change({}));
  await renderPage(requestPath(record));
  await button(/^To correct: /)
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'In your own words' }).click();
  find('[data-focus-id=return]')?.click();
  const dialog = page.getByRole('dialog');
  for (const language of ['العربية', 'English', 'اردو'])
    await dialog.getByRole('textbox', { name: language }).first().fill('Wrong number');
  await dialog.getByRole('button', { name: 'Return the request' }).click();
  await expect.poll(() => barText('done')).toContain('Request returned');
  expect(await findAxeProblems()).toEqual([]);
  await button(/^Undo/).click();
  await expect.element(page.getByText(/^Undone\./)).toBeVisible();
  await isShown('[data-focus-id=return]');
  find('[data-focus-id=return]')?.click();
  await expect
    .element(dialog.getByRole('textbox', { name: 'English' }).first())
    .toHaveValue('Wrong number');
});

it('counts from the whole time, however long the page has been open', async () => {
  await useLanguageOfTest('en-US');
  const server = answerRequest({ ...record, version: 12 });
  answerCall(approveRequest, () =>
    server.change({
      ...pending,
      version: 12,
      heldAction: { ...pending.heldAction, actsInMs: 8000 },
    }),
  );
  answerCall(getHeldActions, () => []);
  await renderPage(requestPath(record));
  await isShown('[data-settled=true]');
  const counted: string[] = [];
  const observer = new MutationObserver(() => {
    const seconds = /in (\d+) s/.exec(barText('done'))?.[1];
    if (seconds) counted.push(seconds);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  // The clerk has read the request for a minute.
  const clock = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => clock() + 60_000);
  onTestFinished(() => void vi.restoreAllMocks());
  find(approveButton)?.click();
  await expect.poll(() => counted.length).toBeGreaterThan(0);
  expect(counted[0]).toBe('8');
});

it('says when it is too late, and when there is no connection', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(pending);
  answerCall(getHeldActions, [waiting]);
  answerCall(undoAction, noConnection);
  await renderPage(requestPath(record));
  await button(/^Undo/).click();
  await expect.element(page.getByText(/no answer/i).first()).toBeVisible();
  answerCall(undoAction, () => {
    throw refuse(400, 'TooLateToUndo', 'This has already taken effect');
  });
  await button(/^Undo/).click();
  await expect.element(page.getByText('This has already taken effect')).toBeVisible();
  // Not with the tick of what was done.
  await expect
    .poll(() => find('[data-bar-line=danger]')?.textContent)
    .toContain('This has already taken effect');
});

it('keeps what a clerk writes while the action of a colleague waits, and sends it once', async () => {
  await useLanguageOfTest('en-US');
  const server = answerRequest(record);
  const byColleague = { ...pending.heldAction, isYou: false };
  let isPending = true;
  const returned = answerCall(returnRequest, () => {
    if (!isPending) return server.change({ heldAction: undefined, allowedActions: [], version: 5 });
    server.change({ heldAction: byColleague, allowedActions: [] });
    throw refuse(400, 'ActionHeld', 'Approved by Salem. It takes effect in 6 s.');
  });
  await renderPage(requestPath(record));
  await isShown('[data-focus-id=return]');
  await isShown('[data-settled=true]');
  find('[data-focus-id=return]')?.click();
  const dialog = page.getByRole('dialog');
  const text = dialog.getByRole('textbox', { name: 'English' }).first();
  await dialog.getByRole('checkbox').first().click();
  for (const language of ['العربية', 'English', 'اردو'])
    await dialog.getByRole('textbox', { name: language }).first().fill('The number is wrong');
  const sendButton = dialog.getByRole('button', { name: 'Return the request' });
  await sendButton.click();
  await expect.element(dialog.getByText('Approved by Salem.', { exact: false })).toBeVisible();
  await expect.element(text).toHaveValue('The number is wrong');
  // The colleague takes the approval back.
  isPending = false;
  server.change({ heldAction: undefined, allowedActions: record.allowedActions });
  await sendButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => returned).toHaveLength(2);
  await expect
    .poll(() => returned[1]?.body)
    .toMatchObject({ messageEn: 'The number is wrong', version: 4 });
});

it('an action that takes effect while the connection is lost is shown as done, and sent once', async () => {
  await useLanguageOfTest('en-US');
  const server = answerRequest(record);
  const approved = answerCall(approveRequest, () =>
    server.change({ ...pending, heldAction: { ...pending.heldAction, actsInMs: 400 } }),
  );
  await renderPage(requestPath(record));
  await isShown('[data-settled=true]');
  answerCall(getHeldActions, noConnection);
  const undone = answerCall(undoAction, noConnection);
  find(approveButton)?.click();
  await expect.poll(() => barText('done')).toContain('Request approved');
  await button(/^Undo/).click();
  await expect.element(page.getByText(/no answer/i).first()).toBeVisible();
  // The time has passed; nobody claims that it was undone.
  await expect.poll(() => barText('done')).toContain('Taking effect');
  server.change({ ...record, allowedActions: [], statusName: 'Approved', version: 5 });
  answerCall(getHeldActions, []);
  await isGone('[data-bar-line=done]');
  await expect.element(page.getByText('Approved', { exact: true }).first()).toBeVisible();
  await expect.poll(() => [approved.length, undone.length]).toEqual([1, 1]);
});

it('shows an action that failed until it is dismissed', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(record);
  let failed = [{ ...waiting, actsInMs: 0, failure: 'The request has changed' }];
  answerCall(getHeldActions, () => failed);
  const dismissed = answerCall(dismissFailedAction, () => {
    failed = [];
    return {};
  });
  await renderPage(requestPath(record));
  await expect.poll(() => barText('danger')).toContain('The request has changed');
  await button('Close this message').click();
  await isGone('[data-bar-line=danger]');
  await expect.poll(() => dismissed[0]?.body).toEqual({ heldActionId: 7 });
});

it('reads the request again once the action has taken effect', async () => {
  await useLanguageOfTest('en-US');
  const soon = { ...pending, version: 8, heldAction: { ...pending.heldAction, actsInMs: 300 } };
  const server = answerRequest(soon);
  let actions = [{ ...waiting, version: 8, actsInMs: 300 }];
  answerCall(getHeldActions, () => actions);
  await renderPage(requestPath(record));
  await isShown('[data-bar-line=done]');
  actions = [];
  server.change({ heldAction: undefined, statusName: 'Approved', version: 9 });
  await expect.element(page.getByText('Approved', { exact: true }).first()).toBeVisible();
  await isGone('[data-bar-line=done]');
});

it('a key that is pressed before the request has loaded waits for it, but never approves', async () => {
  await useLanguageOfTest('en-US');
  answerRequest(record);
  const approved = answerCall(approveRequest, pending);
  const { reply, release } = holdReply<typeof record>();
  answerCall(getRequestById, () => reply);
  await renderPage(requestPath(record));
  await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument();
  await userEvent.keyboard('r');
  release(record);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.poll(() => approved).toEqual([]);
});

it('a second press right after an action does not act on what appears', async () => {
  await useLanguageOfTest('en-US');
  const server = answerRequest({ ...record, allowedActions: ['receive'] });
  answerCall(receiveRequest, () => server.change({ allowedActions: ['approve'], version: 5 }));
  const approved = answerCall(approveRequest, pending);
  await renderPage(requestPath(record));
  await isShown('[data-settled=true]');
  await userEvent.keyboard('e');
  await isShown(approveButton);
  await userEvent.keyboard('a');
  await isShown('[data-settled=true]');
  await expect.poll(() => approved).toEqual([]);
  await userEvent.keyboard('a');
  await expect.poll(() => approved).toHaveLength(1);
});

it('tells a colleague who has just acted', async () => {
  await useLanguageOfTest('en-US');
  answerRequest({ ...pending, heldAction: { ...pending.heldAction, isYou: false } });
  await renderPage(requestPath(record));
  await expect.element(page.getByText(/has just approved this request/)).toBeVisible();
  await isGone(approveButton);
});
