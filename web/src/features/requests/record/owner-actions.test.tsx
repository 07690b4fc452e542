import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { objectToDecision } from '@diwan/contract/processing/objections';
import { askToWithdrawRequest, withdrawRequest } from '@diwan/contract/processing/withdrawals';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { getRequestReads } from '@diwan/contract/staff/access-log';

const path = requestPath(requestRecordOf());
const dialog = () => page.getByRole('dialog');
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(() => {
  signInAs('Client');
  answerCall(getDrafts, []);
  answerCall(getRequestReads, []);
});

it('says what is paid back, withdraws, and shows the end', async () => {
  const record = requestRecordOf({
    allowedActions: ['withdraw'],
    withdrawal: { paid: 36_050, refund: 30_000 },
  });
  answerRequest(record);
  const sent = answerCall(withdrawRequest, {
    ...record,
    version: record.version + 1,
    allowedActions: [],
    statusName: 'مسحوب',
    statusTone: 'withdrawn',
  });
  await renderPage(path);
  await button('سحب الطلب').click();
  await expect.element(dialog().getByText(/360\.50.*300/s)).toBeVisible();
  await dialog().getByRole('button', { name: 'سحب الطلب' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toEqual({ requestId: record.requestId, version: record.version });
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText('مسحوب', { exact: true })).toBeVisible();
  await expect.element(button('سحب الطلب')).not.toBeInTheDocument();
});

it('asks with a reason once work has begun, and keeps it after a conflict', async () => {
  const record = requestRecordOf({
    allowedActions: ['askToWithdraw'],
    withdrawal: { paid: 36_050, refund: 0 },
  });
  answerRequest(record);
  const sent = answerCall(askToWithdrawRequest, () => {
    throw refuse(409, 'VersionHasChanged', 'غيّر موظف الطلب');
  });
  await renderPage(path);
  await button('طلب سحب هذا الطلب').click();
  await dialog().getByRole('button', { name: 'إرسال' }).click();
  await expect.element(dialog().getByText('اكتب سبب السحب')).toBeVisible();
  expect(sent).toHaveLength(0);
  const reason = dialog().getByRole('textbox');
  await reason.fill('أرسلته مرتين');
  await dialog().getByRole('button', { name: 'إرسال' }).click();
  await expect.element(dialog().getByText('غيّر موظف الطلب')).toBeVisible();
  await expect.element(reason).toHaveValue('أرسلته مرتين');
});

it('is not offered where the workflow does not allow it', async () => {
  answerRequest(requestRecordOf({ allowedActions: [] }));
  await renderPage(path);
  await expect.element(button('طباعة')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /سحب/ })).not.toBeInTheDocument();
});

it('says until when its owner may object, and sends the reason', async () => {
  const record = requestRecordOf({
    allowedActions: ['object'],
    statusTone: 'refused',
    objectUntil: '2026-12-28',
  });
  answerRequest(record);
  const sent = answerCall(objectToDecision, {
    ...record,
    version: record.version + 1,
    allowedActions: [],
    objectUntil: undefined,
    statusTone: 'progress',
  });
  await renderPage(path);
  await expect.element(page.getByText(/28 ديسمبر 2026.*موظف آخر/s)).toBeVisible();
  await button('التظلّم من القرار').click();
  await dialog().getByRole('button', { name: 'إرسال التظلّم' }).click();
  await expect.element(dialog().getByText('اكتب سبب التظلّم')).toBeVisible();
  await dialog().getByRole('textbox').fill('المستند مرفق');
  await dialog().getByRole('button', { name: 'إرسال التظلّم' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({ reason: 'المستند مرفق', version: record.version });
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(button('التظلّم من القرار')).not.toBeInTheDocument();
});

it.each([
  ['waiting', ['pay', 'object'], /حتى 28 ديسمبر 2026.*ولك أن تدفعها أولًا/s, /لا يلزمك دفع شيء/],
  ['progress', ['object'], /التي دفعتها.*حتى 28 ديسمبر 2026/s, /ويُردّ إليك مبلغ الغرامة/],
  ['done', ['object'], /التي دفعتها.*حتى 28 ديسمبر 2026/s, /ويُردّ إليك مبلغ الغرامة/],
] as const)(
  'says of a fine in a request that is %s what an objection does',
  async (statusTone, allowed, until, text) => {
    answerRequest(
      requestRecordOf({ allowedActions: [...allowed], statusTone, objectUntil: '2026-12-28' }),
    );
    await renderPage(path);
    await expect.element(page.getByText(until)).toBeVisible();
    await button('التظلّم من الغرامة').click();
    await expect.element(dialog().getByText(text)).toBeVisible();
  },
);

it.each([
  ['askToWithdraw', 'progress', 'سبب طلب السحب'],
  ['object', 'progress', 'سبب التظلّم'],
  // A confirmed fine waits for its payment; there is nothing to correct.
  ['refuseObjection', 'waiting', 'رسالة من الجهة'],
  ['return', 'waiting', 'المطلوب تعديله'],
] as const)('names whose text a step shows: %s', async (action, statusTone, title) => {
  const { history, ...record } = requestRecordOf({ statusTone, allowedActions: [] });
  const step = {
    ...history.at(-1)!,
    action,
    statusId: record.statusId,
    reasons: [],
    marks: [],
    message: 'النص',
  };
  // The panel shows the latest text, the history an earlier one.
  answerRequest({ ...record, history: [...history, step] });
  await renderPage(path);
  await expect.element(page.getByText('النص', { exact: true })).toBeVisible();
  await expect.element(page.getByText(title, { exact: true })).toBeVisible();
});
