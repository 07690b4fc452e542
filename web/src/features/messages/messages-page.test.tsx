import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '#lib/api/query-client.ts';
import { messageRecord, pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getMessages,
  giveUpMessages,
  retryFailedMessages,
  retryMessages,
  type Message,
} from '@diwan/contract/requests/messages';

const main = page.getByRole('main');
const dialog = page.getByRole('dialog', { name: 'هل تريد إيقاف إرسال هذه الرسالة؟' });
const giveUp = main.getByRole('button', { name: /^إيقاف الإرسال ?: maryam@example\.ae$/ });
const retry = main.getByRole('button', { name: /^إعادة المحاولة ?: maryam@example\.ae$/ });

async function open(messages: Message[] = [messageRecord()], query = '') {
  answerCall(getMessages, pageOf(messages));
  signInAs('Admin');
  return renderPage(`/dashboard/messages${query}`);
}

beforeEach(() => {
  answerCall(getMessages, pageOf([]));
});

it.each([
  ['waiting without an error', { state: 'waiting', fault: undefined }, 0, 1],
  ['waiting after an error', { state: 'waiting' }, 1, 1],
  ['failed', {}, 1, 1],
  ['given up', { state: 'givenUp' }, 1, 0],
  ['sent', { state: 'sent', fault: undefined }, 0, 0],
] as const)('a message that is %s', async (_, changes, retries, giveUps) => {
  await open([messageRecord(changes)]);
  await expect.element(main.getByText('maryam@example.ae').first()).toBeVisible();
  expect(retry.elements()).toHaveLength(retries);
  expect(giveUp.elements()).toHaveLength(giveUps);
});

it('retries one message once, and says how many', async () => {
  const { reply, release } = holdReply<{ changed: number }>();
  const sent = answerCall(retryMessages, () => reply);
  await open();
  await retry.dblClick();
  answerCall(getMessages, pageOf([]));
  release({ changed: 1 });
  await expect.element(page.getByText('تُعاد محاولة إرسال رسالة واحدة')).toBeVisible();
  await expect.element(retry).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ messageIds: [messageRecord().messageId] }]);
});

it('retries all failed messages of the filters', async () => {
  const sent = answerCall(retryFailedMessages, { changed: 0 });
  await open(
    [messageRecord(), messageRecord({ messageId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e32' })],
    '?channel=email&fault=addressRefused&q=maryam',
  );
  await main.getByRole('button', { name: 'إعادة إرسال رسالتين تعذر إرسالهما' }).click();
  await expect.element(page.getByText('لا رسائل لإعادة إرسالها')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { state: 'failed', channel: 'email', fault: 'addressRefused', searchKeyword: 'maryam' },
    ]);
});

it('sends all messages that are paused after a restore, and says why they are', async () => {
  const sent = answerCall(retryFailedMessages, { changed: 2 });
  const paused = { state: 'paused', fault: undefined } as const;
  await open(
    [
      messageRecord(paused),
      messageRecord({ ...paused, messageId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e32' }),
    ],
    '?state=paused',
  );
  await expect
    .element(main.getByText('ربما أُرسلت قبل استعادة البيانات من النسخة الاحتياطية').first())
    .toBeVisible();
  expect(
    main.getByRole('button', { name: /^إرسال ?: maryam@example\.ae$/ }).elements(),
  ).toHaveLength(2);
  await main.getByRole('button', { name: 'إرسال رسالتين موقوفتين مؤقتًا' }).click();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ state: 'paused' }]);
});

it('asks before it gives a message up; Escape keeps it', async () => {
  const sent = answerCall(giveUpMessages, { changed: 1 });
  await open();
  await giveUp.click();
  await expect.element(dialog.getByText('maryam@example.ae')).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(giveUp).toHaveFocus();
  await expect.poll(() => sent).toEqual([]);
});

it.each([
  [1, 'أُوقف إرسال الرسالة'],
  [0, 'كانت الرسالة قد أُرسلت'],
])('shows an error and stays open, then gives up once (%i changed)', async (changed, message) => {
  const { reply, release } = holdReply<{ changed: number }>();
  const sent = answerCall(giveUpMessages, () => {
    if (sent.length === 1) throw refuse(404, 'MessageNotFound', 'لم تعد موجودة');
    return reply;
  });
  await open();
  await giveUp.click();
  const confirm = dialog.getByRole('button', { name: 'إيقاف الإرسال' });
  await confirm.click();
  await expect.element(page.getByText('لم تعد موجودة')).toBeVisible();
  await expect.element(dialog).toBeVisible();
  await confirm.dblClick();
  release({ changed });
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText(message)).toBeVisible();
  await expect.poll(() => sent).toHaveLength(2);
});

it('filters by channel, error and state', async () => {
  await useLanguageOfTest('en-US');
  const asked = answerCall(getMessages, pageOf([messageRecord()]));
  signInAs('Admin');
  const { address } = await renderPage('/dashboard/messages');
  const choose = async (label: RegExp, choice: string) => {
    await main.getByRole('search').getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: choice }).click();
  };
  await choose(/Channel/, 'SMS');
  await expect.poll(address).toBe('/dashboard/messages?channel=sms');
  await choose(/State/, 'Sent');
  await expect.poll(address).toBe('/dashboard/messages?channel=sms&state=sent');
  await expect
    .poll(() => [asked.at(-1)?.query.get('Channel'), asked.at(-1)?.query.get('State')])
    .toEqual(['sms', 'sent']);
});

it('keeps the list while a later update fails', async () => {
  await open();
  await expect.element(retry).toBeVisible();
  answerCall(getMessages, noConnection);
  void queryClient.invalidateQueries();
  await expect.element(page.getByText(/تعذر الاتصال بالخادم/).first()).toBeVisible();
  await expect.element(retry).toBeVisible();
});
