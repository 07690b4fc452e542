import type {
  Message,
  MessageState,
  RequestMessage,
  StepNotice,
} from '@diwan/contract/requests/messages';
import type { Database } from '../../platform/database/database.ts';
import type { AppContext } from '../../platform/http/context.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import * as store from './messages.store.ts';

type MessageContext = Pick<AppContext, 'database' | 'outbox'>;

/**
 * What an admin looks for; `all` are the messages in every state, without a state those that wait
 * or failed.
 */
export interface WantedMessages extends Omit<store.MessageFilter, 'states'> {
  state?: MessageState | 'all' | undefined;
  pageNumber: number;
  take: number;
}

function describeMessage(
  row: Awaited<ReturnType<typeof store.listMessages>>['rows'][number],
): Message {
  return {
    messageId: row.id,
    kind: row.kind as Message['kind'],
    channel: row.channel,
    recipient: row.recipient,
    subject: row.subject,
    ...(row.request_number ? { requestNumber: row.request_number } : {}),
    state: row.state,
    tries: row.tries,
    ...(row.fault ? { fault: row.fault } : {}),
    faultDetail: row.fault_detail,
    createdAt: row.created_at.toISOString(),
    ...(row.state === 'waiting' ? { dueAt: row.due_at.toISOString() } : {}),
    ...(row.ended_at ? { endedAt: row.ended_at.toISOString() } : {}),
  };
}

export async function listMessages(
  database: Database,
  { state, pageNumber, take, ...filter }: WantedMessages,
): Promise<{ items: Message[]; pageNumber: number; totalCount: number }> {
  const states: MessageState[] | undefined =
    state === 'all' ? undefined : state === undefined ? ['waiting', 'failed'] : [state];
  const { rows, count } = await store.listMessages(
    database,
    { ...filter, states },
    { pageNumber, take },
  );
  return { items: rows.map(describeMessage), pageNumber, totalCount: count };
}

async function refuseUnknown(database: Database, ids: readonly string[]): Promise<void> {
  if ((await store.countKnown(database, ids)) < new Set(ids).size)
    throw new Refusal('MessageNotFound');
}

/** How many are tried again; the first try begins at once. */
export async function retryMessages(
  { database, outbox }: MessageContext,
  ids: readonly string[],
): Promise<number> {
  await refuseUnknown(database, ids);
  const changed = await store.restartMessages(database, ids);
  outbox.wake();
  return changed;
}

/** All that failed and are chosen, whatever they are; the first tries begin at once. */
export async function retryFailed(
  { database, outbox }: MessageContext,
  filter: Omit<store.MessageFilter, 'states'>,
): Promise<number> {
  const changed = await store.restartFailed(database, filter);
  outbox.wake();
  return changed;
}

export async function giveUpMessages(
  { database }: MessageContext,
  ids: readonly string[],
): Promise<number> {
  await refuseUnknown(database, ids);
  return store.giveUp(database, ids);
}

/**
 * An address as others see it: enough for a person to know it again, too little for anybody else.
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at > 0
    ? `${address.slice(0, 1)}•••${address.slice(at)}`
    : `${address.slice(0, 4)}•••${address.slice(-3)}`;
}

/** What was sent about a request; the caller may see the request. */
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
    recipient: row.user_id === caller.userId ? row.recipient : maskAddress(row.recipient),
    isOwn: row.user_id === caller.userId,
    language: row.language,
    subject: row.subject,
    text: row.body,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    ...(row.ended_at ? { endedAt: row.ended_at.toISOString() } : {}),
  }));
}

/** The ways by which each line of a request's history was told, by the line's id. */
export async function findStepMessages(
  database: Database,
  requestId: number,
): Promise<ReadonlyMap<number, StepNotice['messages']>> {
  const steps = new Map<number, StepNotice['messages']>();
  for (const { history_id: id, channel, state } of await store.selectSteps(database, requestId)) {
    if (id !== null) steps.set(id, [...(steps.get(id) ?? []), { channel, state }]);
  }
  return steps;
}
