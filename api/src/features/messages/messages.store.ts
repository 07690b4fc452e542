import type { Expression, OperationNodeSource, SqlBool } from 'kysely';
import type { Database, QueryBuilder, Transaction } from '#platform/database/database.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
import type {
  MessageError,
  MessageState,
  RequestNotification,
} from '@diwan/contract/requests/messages';
import type { OwnNotificationKind } from '@diwan/contract/staff/notifications';
import type { MessageChannel, Channel } from '@diwan/contract/wire/channels';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'communication_types.channels': Channel[];
    'communication_types.name': LocalizedText;
  }
}

/** The columns of a request that its messages need. */
export interface NotifiedColumns {
  number: string;
  user_id: string;
  company_id: number | null;
  language: Language | null;
  /** The promised day, in Asia/Dubai; null while the clock stands still. */
  promised_on: string | null;
}

/** The values of a request for its messages. `due` and `to_give_back` in fils. */
export interface NotifiedRequest extends NotifiedColumns {
  service_name: LocalizedText;
  agency_name: LocalizedText;
  due: number;
  to_give_back: number;
}

export function getNotifiedRequest(
  transaction: Transaction,
  requestId: number,
): Promise<NotifiedRequest> {
  return transaction
    .selectFrom('requests')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .innerJoin('agencies', 'agencies.id', 'requests.agency_id')
    .select([
      'requests.number',
      'requests.user_id',
      'requests.company_id',
      'requests.language',
      'requests.promised_on',
      'services.name as service_name',
      'agencies.name as agency_name',
    ])
    .select(
      sql<number>`greatest(requests.total - coalesce((
        select sum(amount)
        from payments
        where request_id = requests.id and status = 'paid'
      ), 0), 0)::bigint`.as('due'),
    )
    .select(sql<number>`(requests.refundable - requests.refunded)::bigint`.as('to_give_back'))
    .where('requests.id', '=', requestId)
    .executeTakeFirstOrThrow();
}

/**
 * Deletes the messages of a notification that no process has tried to send. Returns the seconds
 * until the first of them would have been due, if there were any.
 */
export async function deleteWaiting(
  transaction: Transaction,
  requestId: number,
  notification: RequestNotification,
): Promise<number | undefined> {
  const { rows } = await sql<{ left: number }>`
    delete from messages
    where id in (
      select id
      from messages
      where request_id = ${requestId}
        and news = ${notification}
        and state in ('waiting', 'paused')
        and tries = 0
      for update skip locked
    )
    returning greatest(extract(epoch from due_at - now()), 0)::float8 as left`.execute(transaction);
  return rows.length > 0 ? Math.min(...rows.map(({ left }) => left)) : undefined;
}

/** A recipient of messages; `channels` are the chosen ones, or null without a choice. */
export interface Recipient {
  id: string;
  full_name: string;
  full_name_ar: string | null;
  language: Language | null;
  company_id: number | null;
  email: string | null;
  phone_number: string | null;
  channels: ('email' | 'sms')[] | null;
  /** The subscriptions of the user's browsers. */
  browsers: string[];
  /** The channels that the user chose by kind; all of them where nothing is set. */
  channelsByKind: Partial<Record<OwnNotificationKind, ChannelSettings>>;
}

/** The settings of a kind. */
interface ChannelSettings {
  in_portal: boolean;
  email: boolean;
  sms: boolean;
  push: boolean;
}

// Active users with their verified addresses: the user, and the managers of the company if there is
// one.
const recipientsOf = (userId: Sql<unknown>, companyId?: Sql<unknown>) => sql`
  select
    users.id, users.full_name, users.full_name_ar, users.language, users.company_id,
    communication_types.channels,
    array(
      select id
      from push_subscriptions
      where user_id = users.id
    ) as browsers,
    coalesce((
      select json_object_agg(kind, json_build_object(
        'in_portal', in_portal, 'email', by_mail, 'sms', by_sms, 'push', by_push
      ))
      from notification_settings
      where user_id = users.id
    ), '{}') as "channelsByKind",
    case when email_verified_at is not null then nullif(email, '') end as email,
    case when phone_verified_at is not null then nullif(phone_number, '') end as phone_number
  from users
  left join communication_types on communication_types.id = users.communication_type_id
  where users.suspended_at is null
    and (
      users.id = ${userId}
      ${companyId ? sql`or (users.company_id = ${companyId} and users.is_company_manager)` : sql``}
    )
  order by users.created_at, users.id`;

/** The possible recipients of the messages to a user, and to a company if one is given. */
export async function selectRecipients(
  transaction: Transaction,
  userId: string,
  companyId: number | null,
): Promise<Recipient[]> {
  const people = recipientsOf(sql`${userId}::uuid`, sql`${companyId}::int`);
  return (await sql<Recipient>`${people}`.execute(transaction)).rows;
}

/** An expression: the possible recipients of the messages about a new request, as JSON. */
export const newRecipients = (
  userId: Sql<unknown>,
  companyId: Sql<unknown>,
): Sql<Recipient[]> => sql`
  select coalesce(json_agg(person), '[]')
  from (${recipientsOf(userId, companyId)}) as person`;

/** The write that lists a notification for its recipients. */
export const ownNoticeInsert = (
  kind: OwnNotificationKind,
  requestId: number | OperationNodeSource,
  recipients: readonly string[],
): Sql => sql`
  insert into notifications
    (user_id, kind, request_id, actor_name, is_hidden)
  select recipient, ${kind}, ${requestId}, '', false
  from unnest(${[...recipients]}::uuid[]) as recipient`;

/** What the messages of a step need of other tables. `paid` in fils. */
export interface NotificationFacts {
  service_name: LocalizedText;
  agency_name: LocalizedText;
  paid: number;
  people: Recipient[];
}

/** A query for the facts of a request: a row of them, or none when there is no such request. */
export const notificationFacts = (requestId: number): Sql<NotificationFacts> => sql`
    select
      services.name as service_name,
      agencies.name as agency_name,
      coalesce((
        select sum(amount)
        from payments
        where request_id = requests.id and status = 'paid'
      ), 0)::bigint as paid,
      (
        select coalesce(json_agg(person), '[]')
        from (${recipientsOf(sql`requests.user_id`, sql`requests.company_id`)}) as person
      ) as people
    from requests
    join services on services.id = requests.service_id
    join agencies on agencies.id = requests.agency_id
    where requests.id = ${requestId}`;

export interface MessageFilter {
  states?: readonly MessageState[] | undefined;
  channel?: MessageChannel | undefined;
  fault?: MessageError | undefined;
  keyword?: string | undefined;
}

const likeText = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function filteredMessages(database: Database, { states, channel, fault, keyword }: MessageFilter) {
  let messages = database
    .selectFrom('messages')
    .leftJoin('requests', 'requests.id', 'messages.request_id');
  if (states) messages = messages.where('messages.state', 'in', states);
  if (channel) messages = messages.where('messages.channel', '=', channel);
  if (fault) messages = messages.where('messages.fault', '=', fault);
  if (keyword) {
    const like = likeText(keyword);
    messages = messages.where(({ or, eb }) =>
      or([
        eb('messages.recipient', 'ilike', like),
        eb('messages.subject', 'ilike', like),
        eb('requests.number', 'ilike', like),
      ] as Expression<SqlBool>[]),
    );
  }
  return messages;
}

export async function listMessages(
  database: Database,
  filter: MessageFilter,
  { pageNumber, take }: { pageNumber: number; take: number },
) {
  const messages = filteredMessages(database, filter);
  const { count } = await messages
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await messages
    .select([
      'messages.id',
      'messages.kind',
      'messages.channel',
      'messages.recipient',
      'messages.subject',
      'messages.state',
      'messages.tries',
      'messages.fault',
      'messages.fault_detail',
      'messages.created_at',
      'messages.due_at',
      'messages.ended_at',
      'requests.number as request_number',
    ])
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.id')
    .limit(take)
    .offset((pageNumber - 1) * take)
    .execute();
  return { rows, count };
}

export async function countExisting(database: Database, ids: readonly string[]): Promise<number> {
  return (
    await database
      .selectFrom('messages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow()
  ).count;
}

const restarted = {
  state: 'waiting' as const,
  tries: 0,
  due_at: sql<Date>`now()`,
  ended_at: null,
  fault: null,
  fault_detail: '',
};

/**
 * Restarts the tries of messages that are not sent. A process that is sending one of them
 * continues.
 */
export async function restartMessages(database: Database, ids: readonly string[]): Promise<number> {
  const result = await database
    .updateTable('messages')
    .set(restarted)
    .where('id', 'in', ids)
    .where('state', '<>', 'sent')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Restarts the tries of all failed messages of a filter, or of all paused ones. */
export async function restartFailed(
  database: Database,
  { state, ...filter }: Omit<MessageFilter, 'states'> & { state: 'failed' | 'paused' },
): Promise<number> {
  const result = await database
    .updateTable('messages')
    .set(restarted)
    .where('state', '=', state)
    .where(
      'id',
      'in',
      filteredMessages(database, { ...filter, states: [state] }).select('messages.id'),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export async function giveUp(database: Database, ids: readonly string[]): Promise<number> {
  const result = await database
    .updateTable('messages')
    .set({ state: 'givenUp', ended_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'paused', 'failed'])
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** The messages about a request, newest first. */
export function selectRequestMessages(database: Database, requestId: number) {
  return database
    .selectFrom('messages')
    .leftJoin('request_history', 'request_history.id', 'messages.history_id')
    .select([
      'messages.id',
      'messages.channel',
      'messages.recipient',
      'messages.language',
      'messages.user_id',
      'messages.subject',
      'messages.body',
      'messages.state',
      'messages.created_at',
      'messages.ended_at',
      'messages.news',
    ])
    .select(({ ref }) => ref('request_history.action').$castTo<RequestAction | null>().as('action'))
    .where('messages.request_id', '=', requestId)
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.channel')
    .orderBy('messages.id')
    .limit(100)
    .execute();
}

/** The query of the channel and state of each message about a step of a request. */
export const stepMessagesOf = (builder: QueryBuilder, requestId: Sql<number>) =>
  builder
    .selectFrom('messages')
    .select(['history_id', 'channel', 'state'])
    .where('request_id', '=', requestId)
    .where('history_id', 'is not', null)
    .orderBy('channel');

export function selectCommunicationTypes(database: Database) {
  return database.selectFrom('communication_types').selectAll().orderBy('id').execute();
}

export function getCommunication(database: Database, userId: string) {
  return database
    .selectFrom('users')
    .select([
      'communication_type_id',
      'language',
      'email',
      'email_verified_at',
      'phone_number',
      'phone_verified_at',
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function updateCommunication(
  database: Database,
  userId: string,
  changes: { communication_type_id?: number; language?: Language },
): Promise<void> {
  await database.updateTable('users').set(changes).where('id', '=', userId).execute();
}
