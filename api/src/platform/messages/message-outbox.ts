import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Channel } from '@diwan/contract/people/accounts';
import type { Language } from '@diwan/contract/wire/languages';
import type { MessageKind, RequestNews } from '@diwan/contract/requests/messages';
import type { Database, Transaction } from '../database/database.ts';
import { GatewayTooSlow, readFault, type DeliveryFault } from './delivery-fault.ts';
import type { MailGateway } from './mail.ts';
import type { SmsGateway } from './sms.ts';

/**
 * A message to one person; `recipient` is an e-mail address or a number in E.164, `subject` is for
 * mail alone, `body` is plain text.
 */
export interface OutgoingMessage {
  kind: MessageKind;
  channel: Channel;
  recipient: string;
  language: Language;
  subject: string;
  body: string;
  userId?: string | undefined;
  requestId?: number | undefined;
  /** The line of the request's history that it tells of. */
  historyId?: number | undefined;
  /** What it tells of a request that is no step of its history. */
  news?: RequestNews | undefined;
  /** Before the first try; until then it can be taken back. */
  waitSeconds?: number | undefined;
}

/**
 * What hands messages over. `tries` until a message is given up; `leaseSeconds` after which another
 * process takes what one has begun.
 */
export interface OutboxOptions {
  database: Database;
  mail: MailGateway;
  sms: SmsGateway;
  tries: number;
  warn: (message: string) => void;
  leaseSeconds?: number;
  /** Of one way to be sent, in this process. */
  atOnce?: number;
}

/** What hands messages over; they wait in the database, whatever happens to the process. */
export interface MessageOutbox {
  /** To be called after the commit of what wrote a message. */
  wake(): void;
  /** Resolves when what is due now has been tried. */
  settle(): Promise<void>;
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
  /** Taken by a gateway since the start of this process. */
  sent(): Readonly<Record<Channel, number>>;
}

const firstWaitSeconds = 30;
const longestWaitSeconds = 6 * 3600;
const channels: readonly Channel[] = ['email', 'sms'];

// A line break in an address could write another header or another recipient; a number that is none
// would be asked for a day and never arrive.
const sendable: Record<Channel, RegExp> = {
  email: /^[^\s\p{Cc}\p{Cf}@]{1,64}@[^\s\p{Cc}\p{Cf}@]{1,255}$/u,
  sms: /^\+[1-9]\d{6,14}$/,
};

/**
 * Writes messages down in the transaction of what they tell of. One whose address cannot be one is
 * failed at once, for an admin to see.
 */
export async function enqueueMessages(
  transaction: Transaction,
  ...messages: OutgoingMessage[]
): Promise<void> {
  if (messages.length === 0) return;
  await transaction
    .insertInto('messages')
    .values(
      messages.map(
        ({
          kind,
          channel,
          recipient,
          language,
          subject,
          body,
          userId,
          requestId,
          historyId,
          news,
          waitSeconds = 0,
        }) => ({
          kind,
          channel,
          recipient,
          language,
          subject,
          body,
          user_id: userId ?? null,
          request_id: requestId ?? null,
          history_id: historyId ?? null,
          news: news ?? null,
          due_at: sql<Date>`now() + make_interval(secs => ${waitSeconds})`,
          ...(sendable[channel].test(recipient)
            ? {}
            : { state: 'failed' as const, fault: 'addressRefused' as const, ended_at: new Date() }),
        }),
      ),
    )
    .execute();
}

interface Held {
  id: string;
  recipient: string;
  language: Language;
  subject: string;
  body: string;
  tries: number;
}

async function takeOne(
  { database, leaseSeconds = 60 }: OutboxOptions,
  channel: Channel,
  lease: string,
): Promise<Held | undefined> {
  const { rows } = await sql<Held>`
    update messages set tries = tries + 1, lease = ${lease}, leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from messages where state = 'waiting' and channel = ${channel} and due_at <= now() and (leased_until is null or leased_until <= now())
      order by due_at limit 1 for update skip locked)
    returning id, recipient, language, subject, body, tries`.execute(database);
  return rows[0];
}

async function handOver(
  { mail, sms, leaseSeconds = 60 }: OutboxOptions,
  channel: Channel,
  { id, recipient, language, subject, body }: Held,
): Promise<void> {
  const patience = new AbortController();
  const sending =
    channel === 'sms'
      ? sms.send(recipient, body, id)
      : mail.send({ to: recipient, language, subject, text: body }, id);
  // Well before somebody else may take it.
  const tooLong = sleep(leaseSeconds * 500, undefined, {
    signal: patience.signal,
    ref: false,
  }).then(() => Promise.reject(new GatewayTooSlow('no answer in time')));
  tooLong.catch(() => undefined);
  await Promise.race([sending, tooLong]).finally(() => patience.abort());
}

// Whoever's lease ran out has no say any more. What an admin gave up meanwhile was sent all the
// same.
async function writeSent({ database }: OutboxOptions, id: string, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('messages')
    .set({
      state: 'sent',
      ended_at: new Date(),
      fault: null,
      fault_detail: '',
      lease: null,
      leased_until: null,
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function writeFault(
  { database, tries: mostTries }: OutboxOptions,
  { id, tries }: Held,
  lease: string,
  { fault, isForGood, detail }: DeliveryFault,
): Promise<void> {
  const isLast = isForGood || tries >= mostTries;
  const wait = Math.min(firstWaitSeconds * 2 ** (tries - 1), longestWaitSeconds);
  await database
    .updateTable('messages')
    .set({
      fault,
      fault_detail: detail,
      lease: null,
      leased_until: null,
      due_at: sql<Date>`now() + make_interval(secs => ${wait})`,
      ...(isLast ? { state: 'failed' as const, ended_at: new Date() } : {}),
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
}

/**
 * Hands messages over: any number of processes, each message by one of them at a time. A process
 * that dies in between leaves its messages to the others once their
 * lease has run out; the gateway knows one that it had already by its id. A gateway that is slow
 * keeps the other way of sending waiting for nothing.
 */
export function openOutbox(options: OutboxOptions): MessageOutbox {
  const { atOnce = 4, warn } = options;
  const sent: Record<Channel, number> = { email: 0, sms: 0 };
  const lanes: Record<Channel, Set<Promise<void>>> = { email: new Set(), sms: new Set() };
  let isStopped = false;

  async function tryOne(channel: Channel): Promise<boolean> {
    const lease = randomUUID();
    const held = await takeOne(options, channel, lease);
    if (!held) return false;
    // It was begun as often as it may be and never ended: whatever it does to a process, it does no
    // more.
    if (held.tries > options.tries) {
      await writeFault(options, held, lease, { fault: 'interrupted', isForGood: true, detail: '' });
      return true;
    }
    try {
      await handOver(options, channel, held);
    } catch (error) {
      const fault = readFault(error);
      warn(
        `message ${held.id} was not taken (try ${held.tries} of ${options.tries}): ${fault.fault} ${fault.detail}`,
      );
      await writeFault(options, held, lease, fault);
      return true;
    }
    if (await writeSent(options, held.id, lease)) sent[channel] += 1;
    return true;
  }

  async function drain(channel: Channel): Promise<void> {
    while (!isStopped && (await tryOne(channel)));
  }

  function wake(): void {
    for (const channel of channels) {
      if (isStopped || lanes[channel].size >= atOnce) continue;
      const lane = drain(channel)
        .catch((error: Error) => warn(`messages wait: ${error.message}`))
        .finally(() => lanes[channel].delete(lane));
      lanes[channel].add(lane);
    }
  }

  return {
    wake,
    async settle() {
      for (let lane = 0; lane < atOnce; lane += 1) wake();
      await Promise.all(channels.flatMap((channel) => [...lanes[channel]]));
    },
    async stop() {
      isStopped = true;
      await Promise.all(channels.flatMap((channel) => [...lanes[channel]]));
    },
    sent: () => sent,
  };
}

/**
 * Deletes what was sent or given up longer than `days` ago; what failed stays until an admin has
 * seen to it, ten times as long at most. Answers how many.
 */
export async function pruneMessages(database: Database, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from messages where (state in ('sent', 'givenUp') and ended_at < now() - make_interval(days => ${days})) or (state = 'failed' and ended_at < now() - make_interval(days => ${10 * days})) returning 1)
    select count(*)::int as count from gone`.execute(database);
  return rows[0]?.count ?? 0;
}
