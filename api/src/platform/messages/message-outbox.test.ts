import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import type { MessageChannel } from '@diwan/contract/wire/channels';
import { sql } from '../database/sql.ts';
import { inTransaction } from '../database/unit-of-work.ts';
import { IntegrationError } from '../integrations/http-client.ts';
import { pruneMessages } from './message-outbox.store.ts';
import {
  enqueueMessages,
  openOutbox,
  type MessageOutbox,
  type OutboxOptions,
  type OutgoingMessage,
} from './message-outbox.ts';

const app = useTestApp();
let accepted: { to: string; key: string | undefined }[];
let warnings: string[];
beforeAll(async () => {
  // The outbox of the application would send the messages of these tests.
  await app.server.close();
});
beforeEach(async () => {
  [accepted, warnings] = [[], []];
  await app.database.deleteFrom('messages').execute();
});

type Answer = (to: string) => Promise<void> | void;
const message = (recipient: string, channel: MessageChannel = 'email'): OutgoingMessage => ({
  kind: 'request',
  channel,
  recipient,
  language: 'ar-EG',
  subject: 'عنوان',
  body: 'نص',
});
const enqueue = (...messages: OutgoingMessage[]) =>
  inTransaction(app.database, (transaction) => enqueueMessages(transaction, ...messages));
function open(answer: Answer = () => undefined, more: Partial<OutboxOptions> = {}): MessageOutbox {
  const accept = async (to: string, key: string | undefined) => {
    await answer(to);
    accepted.push({ to, key });
  };
  return openOutbox({
    database: app.database,
    mail: { send: (mail, key) => accept(mail.to, key) },
    sms: { send: (to, _text, key) => accept(to, key) },
    push: {
      publicKey: '',
      isAccepted: () => true,
      send: (to, _message, key) => accept(to, key),
    },
    tries: 4,
    warn: (text) => warnings.push(text),
    ...more,
  });
}
const rows = () => app.database.selectFrom('messages').selectAll().orderBy('recipient').execute();
const one = async () => (await rows())[0]!;
const makeDue = () => sql`update messages set due_at = now()`.execute(app.database);
const endLeases = () =>
  sql`update messages set leased_until = now() where lease is not null`.execute(app.database);

describe('messages', () => {
  it('are each sent once by one of several processes, with their own key, and marked as sent', async () => {
    const addresses = Array.from(
      { length: 40 },
      (_, index) => `p${String(index).padStart(2, '0')}@example.com`,
    );
    await enqueue(...addresses.map((to) => message(to)), message('+971500000001', 'sms'));
    const outboxes = [open(), open(), open()];
    await Promise.all(outboxes.map((outbox) => outbox.flush()));
    expect(accepted.map(({ to }) => to).toSorted()).toEqual(['+971500000001', ...addresses]);
    expect(new Set(accepted.map(({ key }) => key)).size).toBe(41);
    expect(
      (await rows()).every(
        ({ state, tries, ended_at: at }) => state === 'sent' && tries === 1 && at !== null,
      ),
    ).toBe(true);
    expect(outboxes.reduce((sum, outbox) => sum + outbox.sent().email + outbox.sent().sms, 0)).toBe(
      41,
    );
  });

  it('of a transaction that failed are not sent', async () => {
    await inTransaction(app.database, async (transaction) => {
      await enqueueMessages(transaction, message('never@example.com'));
      throw new Error('it did not happen');
    }).catch(() => undefined);
    await open().flush();
    expect(accepted).toEqual([]);
  });

  it('wait twice as long after each error, and fail after the last attempt without the address in the log', async () => {
    await enqueue(message('closed@example.com'), message('open@example.com'));
    const outbox = open((to) => {
      if (to.startsWith('closed')) throw new Error('connect ECONNREFUSED for closed@example.com');
    });
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = Date.now();
      await outbox.flush();
      waits.push(Math.round(((await one()).due_at.getTime() - before) / 1000));
      await outbox.flush();
      await makeDue();
    }
    expect(accepted.map(({ to }) => to)).toEqual(['open@example.com']);
    expect(waits.slice(0, 3).map((wait) => Math.round(wait / 10) * 10)).toEqual([30, 60, 120]);
    expect(await one()).toMatchObject({
      state: 'failed',
      tries: 4,
      fault: 'gatewayUnreachable',
      fault_detail: 'connect ECONNREFUSED for …',
    });
    expect(warnings).toHaveLength(4);
    expect(warnings.join()).not.toContain('closed@');
  });

  it.each([
    [new IntegrationError('http://gateway', 422), 'addressRefused', 'HTTP 422'],
    [
      Object.assign(new Error('550 5.1.1 <x@example.com> unknown'), {
        code: 'EENVELOPE',
        responseCode: 550,
        response: '550 5.1.1 <x@example.com> unknown',
      }),
      'addressRefused',
      'EENVELOPE 550 5.1.1 <…> unknown',
    ],
  ])('with a permanent error (%s) fail immediately', async (error, fault, detail) => {
    await enqueue(message('x@example.com'));
    await open(() => {
      throw error;
    }).flush();
    expect(await one()).toMatchObject({ state: 'failed', tries: 1, fault, fault_detail: detail });
  });

  it.each([
    [new IntegrationError('http://gateway', 503), 'gatewayRefused'],
    [new IntegrationError('http://gateway', 401), 'gatewayRefused'],
    [
      Object.assign(new Error('535 bad credentials'), { code: 'EAUTH', responseCode: 535 }),
      'gatewayRefused',
    ],
    [
      Object.assign(new Error('451 later'), { code: 'EENVELOPE', responseCode: 451 }),
      'gatewayRefused',
    ],
    [Object.assign(new Error('aborted'), { name: 'TimeoutError' }), 'gatewayTooSlow'],
  ])('are attempted again after %s', async (error, fault) => {
    await enqueue(message('x@example.com'));
    await open(() => {
      throw error;
    }).flush();
    expect(await one()).toMatchObject({ state: 'waiting', tries: 1, fault });
  });

  it.each<[string, 'email' | 'sms']>([
    ['a@example.com\r\nBcc: b@example.com', 'email'],
    ['a b@example.com', 'email'],
    ['', 'email'],
    ['a@example.com\u202e', 'email'],
    ['nobody', 'email'],
    ['a@b@example.com', 'email'],
    ['0501234567', 'sms'],
    ['+971', 'sms'],
    ['+97150123456789012', 'sms'],
    ['+9715\u0660\u0661\u0662345', 'sms'],
    ['a@example.com', 'sms'],
    ['', 'sms'],
  ])('to %j by %s are never sent to a gateway', async (to, channel) => {
    await enqueue(message(to, channel));
    await open().flush();
    expect(accepted).toEqual([]);
    expect(await one()).toMatchObject({ state: 'failed', fault: 'addressRefused' });
  });
});

describe('a process that dies', () => {
  it('leaves its message to another process, which sends it with the same key', async () => {
    await enqueue(message('a@example.com'));
    // It never resolves, as if the process had been killed after it sent the message.
    const dead = open((to) => {
      accepted.push({ to, key: undefined });
      return new Promise(() => undefined);
    });
    dead.wake();
    await expect.poll(() => accepted.length).toBe(1);
    await open().flush();
    expect(accepted).toHaveLength(1);
    await endLeases();
    await open().flush();
    expect(accepted).toEqual([
      { to: 'a@example.com', key: undefined },
      { to: 'a@example.com', key: (await one()).id },
    ]);
    expect(await one()).toMatchObject({ state: 'sent', tries: 2 });
  });

  it('cannot change the message when its lease has expired', async () => {
    await enqueue(message('a@example.com'));
    let fail = (_error: Error): void => undefined;
    // One worker: a second one of the same outbox could lease the message again.
    const late = open(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
      { concurrency: 1 },
    );
    const settled = late.flush();
    await expect.poll(async () => (await one()).lease).not.toBeNull();
    await endLeases();
    await open().flush();
    fail(new IntegrationError('http://gateway', 422));
    await settled;
    expect(await one()).toMatchObject({ state: 'sent' });
  });

  it('is not followed by others without limit when the message kills them', async () => {
    await enqueue(message('poison@example.com'));
    await sql`update messages set tries = 4`.execute(app.database);
    await open().flush();
    expect(accepted).toEqual([]);
    expect(await one()).toMatchObject({ state: 'failed', fault: 'interrupted' });
  });
});

describe('a slow gateway', () => {
  it('does not delay the other channel, and delays its own only until the timeout', async () => {
    await enqueue(
      ...Array.from({ length: 4 }, (_, index) => message(`slow${index}@example.com`)),
      message('+971500000001', 'sms'),
    );
    const outbox = open(
      (to) => (to.startsWith('slow') ? new Promise(() => undefined) : undefined),
      { leaseSeconds: 0.4 },
    );
    const settled = outbox.flush();
    await expect.poll(() => accepted.map(({ to }) => to)).toEqual(['+971500000001']);
    await enqueue(message('next@example.com'));
    outbox.wake();
    await settled;
    await outbox.flush();
    expect(accepted.map(({ to }) => to)).toEqual(['+971500000001', 'next@example.com']);
    expect(
      (await rows())
        .filter(({ recipient }) => recipient.startsWith('slow'))
        .map(({ state, fault }) => `${state} ${fault}`),
    ).toEqual(Array<string>(4).fill('waiting gatewayTooSlow'));
  });

  it('is awaited when the process stops, and no further message is started', async () => {
    await enqueue(message('a@example.com'), message('b@example.com'));
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const outbox = open(() => answered, { concurrency: 1 });
    outbox.wake();
    await expect
      .poll(async () => (await rows()).filter(({ lease }) => lease !== null).length)
      .toBe(1);
    let hasStopped = false;
    const stopped = outbox.stop().then(() => (hasStopped = true));
    await rows();
    expect(hasStopped).toBe(false);
    answer();
    await stopped;
    expect(accepted).toHaveLength(1);
    outbox.wake();
    expect((await rows()).map(({ state }) => state).toSorted()).toEqual(['sent', 'waiting']);
  });
});

it('sent messages are deleted after their days; waiting and recently failed ones stay', async () => {
  await enqueue(
    ...['old', 'new', 'waits', 'failed', 'failedLongAgo'].map((name) =>
      message(`${name}@example.com`),
    ),
  );
  const set = (name: string, state: string, days: number) =>
    sql`
      update messages
      set state = ${state},
        ended_at = now() - make_interval(days => ${days}),
        created_at = now() - interval '5000 days'
      where recipient = ${`${name}@example.com`}`.execute(app.database);
  await Promise.all([
    set('old', 'sent', 31),
    set('new', 'sent', 29),
    set('failed', 'failed', 31),
    set('failedLongAgo', 'failed', 301),
  ]);
  expect(await pruneMessages(app.database, 30)).toBe(2);
  expect((await rows()).map(({ recipient }) => recipient.split('@')[0])).toEqual([
    'failed',
    'new',
    'waits',
  ]);
});
