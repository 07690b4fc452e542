import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestHouse, type TestHouse } from '../testing/test-house.ts';
import type { Mail } from './mail.ts';
import { enqueueMail, sendDueMail } from './mail-outbox.ts';

let house: TestHouse;
let taken: Mail[];
let warnings: string[];
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());
beforeEach(async () => {
  [taken, warnings] = [[], []];
  await house.database.deleteFrom('mail_outbox').execute();
});

const mail = (to: string): Mail => ({ to, language: 'ar-EG', subject: 'عنوان', text: 'نص\n\nآخر' });
const enqueue = (...to: string[]) => house.database.transaction().execute((transaction) => enqueueMail(transaction, ...to.map(mail)));
const send = (refuses: (to: string) => boolean = () => false) => sendDueMail(house.database, {
  send: async (each) => {
    if (refuses(each.to)) throw new Error('mailbox is closed');
    taken.push(each);
  },
}, (message) => warnings.push(message));
const letPass = () => sql`update mail_outbox set due_at = now()`.execute(house.database);

it('hands each mail over once, however many processes are at it, and keeps nothing of it', async () => {
  await enqueue(...Array.from({ length: 30 }, (_, index) => `p${index}@example.com`));
  await Promise.all([send(), send(), send()]);
  expect(taken.map(({ to }) => to).toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `p${index}@example.com`).toSorted());
  expect(taken[0]).toEqual(mail(taken[0]!.to));
  expect(await house.database.selectFrom('mail_outbox').selectAll().execute()).toEqual([]);
});

it('sends nothing of a transaction that failed', async () => {
  await house.database.transaction().execute(async (transaction) => {
    await enqueueMail(transaction, mail('never@example.com'));
    throw new Error('it did not happen');
  }).catch(() => undefined);
  expect(await send()).toBe(0);
});

it('waits longer each time for a gateway that refuses, holds up nobody else, and gives up in the end', async () => {
  await enqueue('closed@example.com', 'open@example.com');
  const isClosed = (to: string) => to.startsWith('closed');
  expect(await send(isClosed)).toBe(1);
  expect(await send(isClosed)).toBe(0);
  expect(warnings).toEqual([expect.stringContaining('mailbox is closed')]);
  expect(warnings[0]).not.toContain('example.com');
  const { due_at: due } = await house.database.selectFrom('mail_outbox').select('due_at').executeTakeFirstOrThrow();
  expect(due.getTime()).toBeGreaterThan(Date.now() + 20_000);
  for (let round = 0; round < 20; round += 1) {
    await letPass();
    await send(isClosed);
  }
  expect(warnings).toHaveLength(12);
  expect(await house.database.selectFrom('mail_outbox').selectAll().execute()).toEqual([]);
});
