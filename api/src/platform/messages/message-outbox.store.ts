import type { Insertable } from 'kysely';
import type {
  MessageError,
  MessageState,
  RequestNotification,
} from '@diwan/contract/requests/messages';
import type { MessageChannel } from '@diwan/contract/wire/channels';
import type { Language } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../database/database.ts';
import type { Tables } from '../database/schema.generated.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { DeliveryError } from './delivery-error.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'messages.channel': MessageChannel;
    'messages.fault': MessageError;
    'messages.language': Language;
    'messages.news': RequestNotification;
    'messages.state': MessageState;
  }
}

type MessageColumns = Insertable<Tables['messages']>;

/** A message to insert. The ids may be those of rows that the same statement inserts. */
type NewMessage = Omit<MessageColumns, 'due_at' | 'request_id' | 'history_id'> & {
  request_id: number | Sql<number> | null;
  history_id: Sql<number> | null;
  /** From when on the message may be sent, in seconds after now. */
  delaySeconds: number;
};

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

// While a restore is being reconciled the messages of requests may repeat what people have heard.
const firstState = sql<MessageState>`case when exists (
  select
  from restores
  where reconciled_at is null
) then 'paused' else 'waiting' end`;

/**
 * Inserts messages that wait. Those about the security of an account are of this moment, and wait
 * also while a restore is being reconciled.
 */
export async function insertMessages(
  transaction: Transaction,
  messages: readonly NewMessage[],
): Promise<void> {
  await transaction
    .insertInto('messages')
    .values(
      messages.map(({ delaySeconds, ...message }) => ({
        state: message.kind === 'security' ? ('waiting' as const) : firstState,
        ...message,
        due_at: inSeconds(delaySeconds),
      })),
    )
    .execute();
}

/** A message that this process sends until its lease expires. */
export interface LeasedMessage {
  id: string;
  recipient: string;
  language: Language;
  subject: string;
  body: string;
  link: string | null;
  tries: number;
}

/** Takes the next message of a channel that is due; `undefined` when there is none. */
export async function leaseNext(
  database: Database,
  channel: MessageChannel,
  { lease, seconds }: { lease: string; seconds: number },
): Promise<LeasedMessage | undefined> {
  const { rows } = await sql<LeasedMessage>`
    update messages
    set tries = tries + 1,
      lease = ${lease},
      leased_until = ${inSeconds(seconds)}
    where id = (
      select id
      from messages
      where state = 'waiting'
        and channel = ${channel}
        and due_at <= now()
        and (leased_until is null or leased_until <= now())
      order by due_at
      limit 1
      for update skip locked
    )
    returning id, recipient, language, subject, body, link, tries`.execute(database);
  return rows[0];
}

/**
 * Records that a message was sent, or that nobody will send it; false when the lease has expired: a
 * worker cannot change the message then. One that an admin gave up meanwhile was sent all the same.
 */
export async function markEnded(
  database: Database,
  id: string,
  lease: string,
  state: 'sent' | 'givenUp',
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('messages')
    .set({
      state,
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

/** Records an attempt that failed. The next one is after `waitSeconds`, unless it was the last. */
export async function recordFailedTry(
  database: Database,
  { id, lease }: { id: string; lease: string },
  { code, detail }: DeliveryError,
  { isLast, waitSeconds }: { isLast: boolean; waitSeconds: number },
): Promise<void> {
  await database
    .updateTable('messages')
    .set({
      fault: code,
      fault_detail: detail,
      lease: null,
      leased_until: null,
      due_at: inSeconds(waitSeconds),
      ...(isLast ? { state: 'failed' as const, ended_at: new Date() } : {}),
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
}

/**
 * Deletes messages that were sent or given up more than `days` ago. Failed ones stay for an admin,
 * but at most ten times as long. Returns the number of deleted messages.
 */
export async function pruneMessages(database: Database, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from messages
      where (state in ('sent', 'givenUp') and ended_at < now() - make_interval(days => ${days}))
        or (state = 'failed' and ended_at < now() - make_interval(days => ${10 * days}))
      returning 1
    )
    select count(*)::int as count
    from deleted`.execute(database);
  return rows[0]?.count ?? 0;
}
