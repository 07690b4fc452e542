import { beforeEach, expect, it } from 'vitest';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  getMessages,
  retryFailedMessages,
  type MessageError,
  type MessageState,
} from '@diwan/contract/requests/messages';
import type { BodyInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();

// Sixty failed messages, two of them with another reason, and other messages.
beforeEach(async () => {
  await app.database.deleteFrom('messages').execute();
  const message = (to: string, channel: 'email' | 'sms') => ({
    kind: 'security' as const,
    channel,
    recipient: to,
    language: 'ar-EG' as const,
    subject: channel === 'email' ? 'عنوان' : '',
    body: 'نص',
    delaySeconds: 3600,
  });
  const all = [
    ...Array.from({ length: 40 }, (_, index) => message(`p${index}@example.com`, 'email')),
    ...Array.from({ length: 20 }, (_, index) => message(`+9715000001${10 + index}`, 'sms')),
    message('sent@example.com', 'email'),
    message('given@example.com', 'email'),
  ];
  await inTransaction(app.database, (transaction) => enqueueMessages(transaction, ...all));
  const set = (recipients: string, changes: Record<string, unknown>) =>
    app.database
      .updateTable('messages')
      .set({ tries: 14, ended_at: new Date(), ...changes })
      .where('recipient', 'like', recipients)
      .execute();
  await set('p%', { state: 'failed', fault: 'gatewayUnreachable' });
  await set('+%', { state: 'failed', fault: 'gatewayTooSlow' });
  for (const [to, fault] of [
    ['p1@%', 'addressRefused'],
    ['+971500000110', 'addressRefused'],
  ] as const)
    await set(to, { state: 'failed', fault });
  await set('sent@%', { state: 'sent' });
  await set('given@%', { state: 'givenUp', fault: 'gatewayUnreachable' });
});

const admin = () => app.signIn('admin');
const count = async (query: {
  State?: MessageState;
  Fault?: MessageError;
  Channel?: 'email' | 'sms';
}) => (await app.call(getMessages, { token: await admin(), query })).body.totalCount;
const retry = async (body: BodyInputOf<typeof retryFailedMessages>) =>
  (await app.call(retryFailedMessages, { token: await admin(), body })).body.changed;

it('are filtered by the reason of the failure', async () => {
  expect([
    await count({ State: 'failed' }),
    await count({ State: 'failed', Fault: 'addressRefused' }),
    await count({ Fault: 'gatewayTooSlow', Channel: 'sms' }),
    await count({ Fault: 'gatewayTooSlow', Channel: 'email' }),
  ]).toEqual([60, 2, 19, 0]);
});

it('are all retried by one call, over all pages; each is delivered once', async () => {
  const answers = await Promise.all([retry({}), retry({}), retry({})]);
  expect(answers.reduce((sum, changed) => sum + changed, 0)).toBe(60);
  expect(await count({ State: 'failed' })).toBe(0);
  // From the first and the last page. On a slow machine one message may need a second try.
  await expect.poll(() => count({ State: 'sent' }), { timeout: 25_000 }).toBeGreaterThan(41);
  const arrived = await app.database
    .selectFrom('sandbox.messages')
    .select('recipient')
    .where('recipient', 'not in', ['sent@example.com', 'given@example.com'])
    .execute();
  expect(new Set(arrived.map(({ recipient }) => recipient)).size).toBe(arrived.length);
  expect(await count({ State: 'givenUp' })).toBe(1);
  expect(await retry({})).toBe(0);
});

it.each([
  [{ channel: 'sms' as const }, 20],
  [{ fault: 'addressRefused' as const }, 2],
  [{ fault: 'gatewayUnreachable' as const, channel: 'sms' as const }, 0],
  [{ searchKeyword: 'p1@' }, 1],
  [{ searchKeyword: '%' }, 0],
])('of %j alone are retried', async (chosen, changed) => {
  expect(await retry(chosen)).toBe(changed);
  expect(await count({ State: 'failed' })).toBe(60 - changed);
});

it('stay failed while the paused ones are sent', async () => {
  await app.database
    .updateTable('messages')
    .set({ state: 'paused', fault: null, ended_at: null })
    .where('recipient', 'in', ['p1@example.com', 'p2@example.com'])
    .execute();
  // Both are among the messages that wait for somebody.
  expect([await count({}), await count({ State: 'paused' })]).toEqual([60, 2]);
  expect(await retry({ state: 'paused' })).toBe(2);
  expect([await count({ State: 'paused' }), await count({ State: 'failed' })]).toEqual([0, 58]);
});
