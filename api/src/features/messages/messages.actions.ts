import type { Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import type {
  CommunicationType,
  OwnCommunication,
} from '@diwan/contract/people/communication-types';
import type {
  Message,
  MessageState,
  RequestMessage,
  StepNotification,
} from '@diwan/contract/requests/messages';
import type { EveryField } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import * as store from './messages.store.ts';

type MessageContext = Pick<AppContext, 'database' | 'outbox'>;

/**
 * The filter of the list of messages. `all` selects every state; without a state the list shows
 * waiting, paused and failed messages.
 */
interface WantedMessages extends Omit<store.MessageFilter, 'states'> {
  state?: MessageState | 'all' | undefined;
  pageNumber: number;
  take: number;
}

function describeMessage(
  row: Awaited<ReturnType<typeof store.listMessages>>['rows'][number],
): EveryField<Message> {
  return {
    messageId: row.id,
    kind: row.kind as Message['kind'],
    channel: row.channel,
    recipient: row.channel === 'push' ? '' : row.recipient,
    subject: row.subject,
    requestNumber: row.request_number ?? undefined,
    state: row.state,
    tries: row.tries,
    fault: row.fault ?? undefined,
    faultDetail: row.fault_detail,
    createdAt: row.created_at.toISOString(),
    dueAt: row.state === 'waiting' ? row.due_at.toISOString() : undefined,
    endedAt: row.ended_at?.toISOString(),
  };
}

export async function listMessages(
  database: Database,
  { state, pageNumber, take, ...filter }: WantedMessages,
): Promise<{ items: Message[]; pageNumber: number; totalCount: number }> {
  const states: MessageState[] | undefined =
    state === 'all' ? undefined : state === undefined ? ['waiting', 'paused', 'failed'] : [state];
  const { rows, count } = await store.listMessages(
    database,
    { ...filter, states },
    { pageNumber, take },
  );
  return { items: rows.map(describeMessage), pageNumber, totalCount: count };
}

async function assertMessagesExist(database: Database, ids: readonly string[]): Promise<void> {
  if ((await store.countExisting(database, ids)) < new Set(ids).size)
    throw new Refusal('MessageNotFound');
}

/** Restarts the tries of messages: the first one is made immediately. Returns their number. */
export async function retryMessages(
  { database, outbox }: MessageContext,
  ids: readonly string[],
): Promise<number> {
  await assertMessagesExist(database, ids);
  const changed = await store.restartMessages(database, ids);
  outbox.wake();
  return changed;
}

/** As `retryMessages`, of all failed or paused messages of a filter. */
export async function retryFailed(
  { database, outbox }: MessageContext,
  filter: Omit<store.MessageFilter, 'states'> & { state: 'failed' | 'paused' },
): Promise<number> {
  const changed = await store.restartFailed(database, filter);
  outbox.wake();
  return changed;
}

export async function giveUpMessages(
  { database }: MessageContext,
  ids: readonly string[],
): Promise<number> {
  await assertMessagesExist(database, ids);
  return store.giveUp(database, ids);
}

/** Masks an address, so that its owner recognises it and others cannot read it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at > 0
    ? `${address.slice(0, 1)}•••${address.slice(at)}`
    : `${address.slice(0, 4)}•••${address.slice(-3)}`;
}

// A browser has no address that anybody knows.
function readRecipient(
  {
    channel,
    recipient,
    user_id: userId,
  }: Awaited<ReturnType<typeof store.selectRequestMessages>>[number],
  caller: Caller,
): string {
  if (channel === 'push') return '';
  return userId === caller.userId ? recipient : maskAddress(recipient);
}

/** The messages about a request that the caller may view. */
export async function readRequestMessages(
  database: Database,
  caller: Caller,
  requestId: number,
): Promise<RequestMessage[]> {
  return (await store.selectRequestMessages(database, requestId)).map((row) => ({
    messageId: row.id,
    ...(row.action ? { action: row.action } : {}),
    ...(row.news ? { news: row.news } : {}),
    channel: row.channel,
    recipient: readRecipient(row, caller),
    isOwn: row.user_id === caller.userId,
    language: row.language,
    subject: row.subject,
    text: row.body,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    ...(row.ended_at ? { endedAt: row.ended_at.toISOString() } : {}),
  }));
}

export const { stepMessagesOf } = store;

/** The channels and states of the messages for each step of a request, by the id of the step. */
export function groupStepMessages(
  rows: readonly ({ history_id: number | null } & StepNotification['messages'][number])[],
): ReadonlyMap<number, StepNotification['messages']> {
  const steps = new Map<number, StepNotification['messages']>();
  for (const { history_id: id, ...message } of rows)
    if (id !== null) steps.set(id, [...(steps.get(id) ?? []), message]);
  return steps;
}

export async function readCommunicationTypes(
  database: Database,
  language: Language,
): Promise<CommunicationType[]> {
  return (await store.selectCommunicationTypes(database)).map(({ id, key, name, channels }) => ({
    id,
    key,
    name: localize(name, language),
    channels,
  }));
}

/** The caller's choice of channels for messages about requests, and the verified ones. */
export async function readOwnCommunication(
  database: Database,
  caller: Caller,
): Promise<OwnCommunication> {
  const own = await store.getCommunication(database, caller.userId);
  return {
    ...(own.communication_type_id === null
      ? {}
      : { communicationTypeId: own.communication_type_id }),
    ...(own.language ? { language: own.language } : {}),
    proved: [
      ...(own.email_verified_at && own.email ? ['email' as const] : []),
      ...(own.phone_verified_at && own.phone_number ? ['sms' as const] : []),
    ],
  };
}

/**
 * Stores the given values. Throws CommunicationTypeNotFound, or AddressNotProved for a channel
 * without a verified address.
 */
export async function changeOwnCommunication(
  database: Database,
  caller: Caller,
  {
    communicationTypeId,
    language,
  }: { communicationTypeId?: number | undefined; language?: Language | undefined },
): Promise<OwnCommunication> {
  if (communicationTypeId !== undefined) {
    const type = (await store.selectCommunicationTypes(database)).find(
      ({ id }) => id === communicationTypeId,
    );
    if (!type) throw new Refusal('CommunicationTypeNotFound');
    const { proved } = await readOwnCommunication(database, caller);
    // guard: proof of an address for messages (notifications)
    if (type.channels.some((channel) => !proved.includes(channel)))
      throw new Refusal('AddressNotProved');
  }
  const changes = {
    ...(communicationTypeId === undefined ? {} : { communication_type_id: communicationTypeId }),
    ...(language === undefined ? {} : { language }),
  };
  if (Object.keys(changes).length > 0)
    await store.updateCommunication(database, caller.userId, changes);
  return readOwnCommunication(database, caller);
}
