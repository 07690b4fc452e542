import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageKind, RequestNotification } from '@diwan/contract/requests/messages';
import { messageChannels, type MessageChannel } from '@diwan/contract/wire/channels';
import type { Language } from '@diwan/contract/wire/languages';
import { afterCall } from '../database/calls/call-connection.ts';
import { DatabaseUnavailable } from '../database/database-failures.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { GatewayTimeout, readDeliveryError, type DeliveryError } from './delivery-error.ts';
import type { MailGateway } from './mail.ts';
import * as store from './message-outbox.store.ts';
import { RecipientGone, type PushGateway } from './push.ts';
import type { SmsGateway } from './sms.ts';

/**
 * A message to one person. `recipient` is an e-mail address, a number in E.164 or the id of a
 * browser's subscription. An SMS has no `subject`. `body` is plain text.
 */
export interface OutgoingMessage {
  kind: MessageKind;
  channel: MessageChannel;
  recipient: string;
  language: Language;
  subject: string;
  body: string;
  /** The page that a message to a browser opens: an address of the portal. */
  link?: string | undefined;
  userId?: string | undefined;
  requestId?: number | Sql<number> | undefined;
  /** The entry of the request's history that the message is about. */
  historyId?: Sql<number> | undefined;
  /** The event of a request that is not in its history. */
  notification?: RequestNotification | undefined;
  /** The delay of the first attempt. The message can be withdrawn until then. */
  delaySeconds?: number | undefined;
}

/**
 * `tries` is the number of attempts before a message counts as failed. After `leaseSeconds` another
 * process may take over a message.
 */
export interface OutboxOptions {
  database: Database;
  mail: MailGateway;
  sms: SmsGateway;
  push: PushGateway;
  tries: number;
  warn: (message: string) => void;
  leaseSeconds?: number;
  /** How many messages of one channel are sent at the same time in this process. */
  concurrency?: number;
}

/** Sends messages that are stored in the database, so that they survive the process. */
export interface MessageOutbox {
  /** Starts sending. Is called after the commit of a transaction that enqueued a message. */
  wake(): void;
  /** Resolves when every message that is due now has been attempted. */
  flush(): Promise<void>;
  /** Starts no message any more and waits for the running ones. */
  stop(): Promise<void>;
  /** How many messages gateways have accepted since the start of this process. */
  sent(): Readonly<Record<MessageChannel, number>>;
}

const firstRetrySeconds = 30;
const maximumRetrySeconds = 6 * 3600;

// A line break in an address could add a header or a recipient. An invalid number would be attempted
// for a day and never arrive.
const validRecipients: Record<MessageChannel, RegExp> = {
  email: /^[^\s\p{Cc}\p{Cf}@]{1,64}@[^\s\p{Cc}\p{Cf}@]{1,255}$/u,
  sms: /^\+[1-9]\d{6,14}$/,
  push: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
};

/**
 * Enqueues messages in the transaction of the change that they are about. A message to an invalid
 * address fails immediately, so that admins see it.
 */
export async function enqueueMessages(
  transaction: Transaction,
  ...messages: OutgoingMessage[]
): Promise<void> {
  if (messages.length === 0) return;
  await store.insertMessages(
    transaction,
    messages.map((message) => ({
      kind: message.kind,
      channel: message.channel,
      recipient: message.recipient,
      language: message.language,
      subject: message.subject,
      body: message.body,
      link: message.link ?? null,
      user_id: message.userId ?? null,
      request_id: message.requestId ?? null,
      history_id: message.historyId ?? null,
      news: message.notification ?? null,
      delaySeconds: message.delaySeconds ?? 0,
      ...(validRecipients[message.channel].test(message.recipient)
        ? {}
        : { state: 'failed' as const, fault: 'addressRefused' as const, ended_at: new Date() }),
    })),
  );
}

function startSending(
  { mail, sms, push }: OutboxOptions,
  channel: MessageChannel,
  { id, recipient, language, subject, body, link }: store.LeasedMessage,
): Promise<void> {
  if (channel === 'sms') return sms.send(recipient, body, id);
  return channel === 'email'
    ? mail.send({ to: recipient, language, subject, text: body }, id)
    : push.send(recipient, { language, title: subject, text: body, link: link ?? '/' }, id);
}

async function deliver(
  options: OutboxOptions,
  channel: MessageChannel,
  message: store.LeasedMessage,
): Promise<void> {
  const { leaseSeconds = 60 } = options;
  const settled = new AbortController();
  const sending = startSending(options, channel, message);
  // Well before another process may take over the message.
  const timeout = sleep(leaseSeconds * 500, undefined, {
    signal: settled.signal,
    ref: false,
  }).then(() => Promise.reject(new GatewayTimeout('no answer in time')));
  timeout.catch(() => undefined);
  await Promise.race([sending, timeout]).finally(() => settled.abort());
}

async function recordError(
  { database, tries: maximumTries }: OutboxOptions,
  { id, tries }: store.LeasedMessage,
  lease: string,
  error: DeliveryError,
): Promise<void> {
  await store.recordFailedTry(database, { id, lease }, error, {
    isLast: error.isPermanent || tries >= maximumTries,
    waitSeconds: Math.min(firstRetrySeconds * 2 ** (tries - 1), maximumRetrySeconds),
  });
}

/**
 * Opens the outbox. Several processes may run one; each message is sent by one of them at a time. The
 * messages of a process that dies are sent by others when the lease has expired, and the gateway
 * recognises by the id a message that it already has. A slow gateway does not delay the other
 * channel.
 */
export function openOutbox(options: OutboxOptions): MessageOutbox {
  const { concurrency = 4, database, leaseSeconds: seconds = 60, warn } = options;
  const sent: Record<MessageChannel, number> = { email: 0, sms: 0, push: 0 };
  const lanes: Record<MessageChannel, Set<Promise<void>>> = {
    email: new Set(),
    sms: new Set(),
    push: new Set(),
  };
  let isStopped = false;

  async function tryOne(channel: MessageChannel): Promise<boolean> {
    const lease = randomUUID();
    const message = await store.leaseNext(database, channel, { lease, seconds });
    if (!message) return false;
    // All attempts were started and none of them ended. The message may be what kills the processes.
    if (message.tries > options.tries) {
      await recordError(options, message, lease, {
        code: 'interrupted',
        isPermanent: true,
        detail: '',
      });
      return true;
    }
    try {
      await deliver(options, channel, message);
    } catch (error) {
      // Nobody can do anything about a browser that shows no messages any more.
      if (error instanceof RecipientGone) {
        await store.markEnded(database, message.id, lease, 'givenUp');
        return true;
      }
      const deliveryError = readDeliveryError(error);
      const attempt = `try ${message.tries} of ${options.tries}`;
      warn(
        `message ${message.id} was not taken (${attempt}): ${deliveryError.code} ${deliveryError.detail}`,
      );
      await recordError(options, message, lease, deliveryError);
      return true;
    }
    if (await store.markEnded(database, message.id, lease, 'sent')) sent[channel] += 1;
    return true;
  }

  async function drain(channel: MessageChannel): Promise<void> {
    while (!isStopped && (await tryOne(channel)));
  }

  function wakeNow(): void {
    for (const channel of messageChannels) {
      if (isStopped || lanes[channel].size >= concurrency) continue;
      const lane = drain(channel)
        .catch((error: Error) => {
          // The database reports its own outages.
          if (!(error instanceof DatabaseUnavailable)) warn(`messages wait: ${error.message}`);
        })
        .finally(() => lanes[channel].delete(lane));
      lanes[channel].add(lane);
    }
  }

  return {
    wake: () => void afterCall(wakeNow),
    async flush() {
      for (let lane = 0; lane < concurrency; lane += 1) wakeNow();
      await Promise.all(messageChannels.flatMap((channel) => [...lanes[channel]]));
    },
    async stop() {
      isStopped = true;
      await Promise.all(messageChannels.flatMap((channel) => [...lanes[channel]]));
    },
    sent: () => sent,
  };
}
