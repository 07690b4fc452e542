import { sql, type Expression, type SqlBool } from 'kysely';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { MessageFault, MessageState, RequestNews } from '@diwan/contract/requests/messages';
import type { RequestAction } from '@diwan/contract/requests/workflow';
import type { Database, Transaction } from '../../platform/database/database.ts';

/** What a message about a request tells of it. `due` and `to_give_back` in fils. */
export interface ToldRequest {
  number: string;
  user_id: string;
  company_id: number | null;
  language: Language | null;
  working_days: number;
  service_name: LocalizedText;
  agency_name: LocalizedText;
  due: number;
  to_give_back: number;
}

export function getToldRequest(transaction: Transaction, requestId: number): Promise<ToldRequest> {
  return transaction
    .selectFrom('requests')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .select([
      'requests.number',
      'requests.user_id',
      'requests.company_id',
      'requests.language',
      'services.working_days',
      'services.name as service_name',
      'agencies.name as agency_name',
    ])
    .select(
      sql<number>`greatest(requests.total - coalesce((select sum(amount) from payments where request_id = requests.id and status = 'paid'), 0), 0)::bigint`.as(
        'due',
      ),
    )
    .select(sql<number>`(requests.refundable - requests.refunded)::bigint`.as('to_give_back'))
    .where('requests.id', '=', requestId)
    .executeTakeFirstOrThrow();
}

/**
 * Takes back what was written about a request and no process has begun to hand over. Answers in how
 * many seconds it would have been due, where there was any.
 */
export async function takeBack(
  transaction: Transaction,
  requestId: number,
  news: RequestNews,
): Promise<number | undefined> {
  const { rows } = await sql<{ left: number }>`
    delete from messages where id in (select id from messages where request_id = ${requestId} and news = ${news} and state = 'waiting' and tries = 0 for update skip locked)
    returning greatest(extract(epoch from due_at - now()), 0)::float8 as left`.execute(transaction);
  return rows.length > 0 ? Math.min(...rows.map(({ left }) => left)) : undefined;
}

/** Somebody to be told; `channels` are those that they chose, without a choice all. */
export interface ToldPerson {
  id: string;
  full_name: string;
  full_name_ar: string | null;
  language: Language | null;
  company_id: number | null;
  email: string | null;
  phone_number: string | null;
  channels: ('email' | 'sms')[] | null;
}

/**
 * The person with their proved addresses, before them the managers of the company where one is
 * given; suspended ones are told nothing.
 */
export async function selectToldPeople(
  transaction: Transaction,
  userId: string,
  companyId: number | null,
): Promise<ToldPerson[]> {
  return transaction
    .selectFrom('users')
    .leftJoin('communication_types', 'communication_types.id', 'users.communication_type_id')
    .select([
      'users.id',
      'users.full_name',
      'users.full_name_ar',
      'users.language',
      'users.company_id',
      'communication_types.channels',
    ])
    .select([
      sql<string | null>`case when email_verified_at is not null then nullif(email, '') end`.as(
        'email',
      ),
      sql<
        string | null
      >`case when phone_verified_at is not null then nullif(phone_number, '') end`.as(
        'phone_number',
      ),
    ])
    .where('users.suspended_at', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        eb('users.id', '=', userId),
        ...(companyId === null
          ? []
          : [
              and([
                eb('users.company_id', '=', companyId),
                eb('users.is_company_manager', '=', true),
              ]),
            ]),
      ]),
    )
    .orderBy('users.created_at')
    .orderBy('users.id')
    .execute();
}

export interface MessageFilter {
  states?: readonly MessageState[] | undefined;
  channel?: 'email' | 'sms' | undefined;
  fault?: MessageFault | undefined;
  keyword?: string | undefined;
}

const likeText = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function chosenMessages(database: Database, { states, channel, fault, keyword }: MessageFilter) {
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

/** Newest first. */
export async function listMessages(
  database: Database,
  filter: MessageFilter,
  { pageNumber, take }: { pageNumber: number; take: number },
) {
  const messages = chosenMessages(database, filter);
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

export async function countKnown(database: Database, ids: readonly string[]): Promise<number> {
  return (
    await database
      .selectFrom('messages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow()
  ).count;
}

const anew = {
  state: 'waiting' as const,
  tries: 0,
  due_at: sql<Date>`now()`,
  ended_at: null,
  fault: null,
  fault_detail: '',
};

/** Those that were not taken begin anew; whoever hands one over at this moment goes on with it. */
export async function restartMessages(database: Database, ids: readonly string[]): Promise<number> {
  const result = await database
    .updateTable('messages')
    .set(anew)
    .where('id', 'in', ids)
    .where('state', '<>', 'sent')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** All that failed and are chosen begin anew. */
export async function restartFailed(
  database: Database,
  filter: Omit<MessageFilter, 'states'>,
): Promise<number> {
  const result = await database
    .updateTable('messages')
    .set(anew)
    .where('state', '=', 'failed')
    .where(
      'id',
      'in',
      chosenMessages(database, { ...filter, states: ['failed'] }).select('messages.id'),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export async function giveUp(database: Database, ids: readonly string[]): Promise<number> {
  const result = await database
    .updateTable('messages')
    .set({ state: 'givenUp', ended_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'failed'])
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** What was written about a request, newest first. */
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
    .limit(100)
    .execute();
}

/** The ways by which each line of a request's history was told, and where each message is. */
export function selectSteps(database: Database, requestId: number) {
  return database
    .selectFrom('messages')
    .select(['history_id', 'channel', 'state'])
    .where('request_id', '=', requestId)
    .where('history_id', 'is not', null)
    .orderBy('channel')
    .execute();
}

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
