import { readFile } from 'node:fs/promises';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Notice, RequestNews } from '@diwan/contract/requests/messages';
import type { RequestAction, Workflow } from '@diwan/contract/requests/workflow';
import { ConfigError, type Config } from '../../config.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { isolated, nameForMessage, textForMessage } from '../../platform/core/message-fill.ts';
import { enqueueMessages, type OutgoingMessage } from '../../platform/messages/message-outbox.ts';
import { addWorkingDays, amountText, dayText, elsewhere, writeSms } from './message-text.ts';
import {
  messageWords,
  writeMail,
  type EventWords,
  type Figures,
  type MessageWords,
  type RequestEvent,
} from './message-words.ts';
import * as store from './messages.store.ts';

/** A step of a request that its applicant may have to hear of. */
export interface ToldStep {
  requestId: number;
  workflow: Workflow;
  action: RequestAction;
  from: number | null;
  to: number;
  at: Date;
  reasons?: readonly LocalizedText[];
  message?: LocalizedText | null;
  /** Whoever acts wants the applicant not to be told (`shouldNotifyClient: false`). */
  isSwitchedOff?: boolean | undefined;
}

/**
 * Something about a request that its applicant has to hear of and that is no step of it. `amount`
 * in fils; `reference` as staff typed it; `documents` by their titles.
 */
export interface ToldNews {
  requestId: number;
  news: RequestNews;
  amount?: number;
  reference?: string;
  documents?: readonly LocalizedText[];
}

/**
 * What becomes of telling an applicant of a step: nothing where such a step is told to nobody, else
 * the messages, of which there are none unless it is sent.
 */
export type Telling = { notice: null } | { notice: Notice; messages: OutgoingMessage[] };

/** Tells applicants of what happens to their requests. */
export interface Notices {
  /**
   * What `tell` would send, written but not sent; in the transaction of the step, after the
   * request's row is written.
   */
  write(transaction: Transaction, step: ToldStep): Promise<Telling>;
  /**
   * In the transaction of the step, after the request's row is written. `writeHistory` writes the
   * line of the history and gives its id; the messages hang on it.
   */
  tell(
    transaction: Transaction,
    step: ToldStep,
    writeHistory: (notice: Notice | null) => Promise<number>,
  ): Promise<void>;
  /**
   * In the transaction of what it tells of, which holds the request's row. Documents are told after
   * a short while, however many come within it in one message.
   */
  tellNews(transaction: Transaction, news: ToldNews): Promise<void>;
  /** That this is not so any more: who has not been told yet is not told. */
  takeBackNews(transaction: Transaction, requestId: number, news: RequestNews): Promise<void>;
}

/** Tells nobody: for what is played, not done. */
export const silentNotices: Notices = {
  write: async () => ({ notice: null }),
  async tell(_transaction, _step, writeHistory) {
    await writeHistory(null);
  },
  tellNews: async () => undefined,
  takeBackNews: async () => undefined,
};

const shipped = new URL('../../../seed/messages.json', import.meta.url);

/** Reads the texts of this deployment. Throws a `ConfigError` of one line. */
export async function readMessageWords({
  MESSAGES_FILE: file,
}: Pick<Config, 'MESSAGES_FILE'>): Promise<MessageWords> {
  try {
    return messageWords.parse(JSON.parse(await readFile(file ?? shipped, 'utf8')));
  } catch (error) {
    const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
    throw file === undefined
      ? error
      : new ConfigError(
          `Setting MESSAGES_FILE cannot be used: ${issue ? `${issue.path.join('.')}: ${issue.message}` : (error as Error).message.split('\n')[0]}`,
        );
  }
}

const events: Record<Exclude<RequestAction, 'create'>, RequestEvent> = {
  update: 'mended',
  pay: 'paid',
  receive: 'received',
  approve: 'approved',
  return: 'returned',
  submitted: 'completed',
  accept: 'accepted',
  reject: 'rejected',
  release: 'released',
};

function eventOf({ workflow, action, to }: ToldStep): RequestEvent {
  const isToPay = workflow.transitions.some((cell) => cell.action === 'pay' && cell.from === to);
  if (action === 'create') return isToPay ? 'createdToPay' : 'created';
  return isToPay ? 'feesDue' : events[action];
}

function isTold({ workflow, action, from, to }: ToldStep): boolean {
  return workflow.transitions.some(
    (cell) =>
      cell.action === action &&
      cell.from === from &&
      (cell.to === to || cell.toPay === to) &&
      cell.notify === true,
  );
}

// What was chosen and is proved; where that leaves nothing, whatever is proved: a person who can be
// reached is told.
function addressesOf({
  email,
  phone_number: phone,
  channels,
}: store.ToldPerson): Pick<OutgoingMessage, 'channel' | 'recipient'>[] {
  const proved = [
    ...(email ? [{ channel: 'email' as const, recipient: email }] : []),
    ...(phone ? [{ channel: 'sms' as const, recipient: phone }] : []),
  ];
  const chosen = proved.filter(({ channel }) => channels?.includes(channel) ?? true);
  return chosen.length > 0 ? chosen : proved;
}

// Whoever sent it. A company's request goes to its managers once that person has left or cannot be
// reached: decision 0024.
async function peopleOf(
  transaction: Transaction,
  { user_id: userId, company_id: companyId }: store.ToldRequest,
): Promise<store.ToldPerson[]> {
  const people = (await store.selectToldPeople(transaction, userId, companyId)).filter(
    (person) => addressesOf(person).length > 0,
  );
  const sender = people.filter(
    ({ id, company_id: now }) => id === userId && (companyId === null || now === companyId),
  );
  return sender.length > 0 ? sender : people.filter(({ id }) => id !== userId);
}

// Staff add one document after the other, a scanner finds several in one round.
const newsWaitSeconds: Record<RequestNews, number> = {
  refunded: 0,
  surplus: 0,
  documentAdded: 120,
  documentInfected: 60,
};

/** What a message says of the request itself and of whom it goes to. */
function commonFigures(
  person: store.ToldPerson,
  language: Language,
  request: store.ToldRequest,
): Figures {
  return {
    name: nameForMessage(
      language === 'ar-EG' ? (person.full_name_ar ?? person.full_name) : person.full_name,
    ),
    number: request.number,
    service: localize(request.service_name, language),
    agency: localize(request.agency_name, language),
    toGiveBack: request.to_give_back > 0 ? amountText(request.to_give_back, language) : '',
  };
}

const listed = (texts: readonly LocalizedText[], language: Language): string =>
  texts.map((text) => `- ${localize(text, language)}`).join('\n');

/** `makeLink` makes the address of a request, `publicUrl` is that of the portal. */
export function openNotices(
  words: MessageWords,
  publicUrl: string,
  makeLink: (requestNumber: string) => string,
): Notices {
  const site = new URL(publicUrl).host;

  // Each in their own language, by each way of theirs.
  function writeTo(
    people: readonly store.ToldPerson[],
    request: store.ToldRequest,
    eventWords: EventWords,
    figuresOf: (language: Language) => Figures,
    more: Pick<OutgoingMessage, 'requestId' | 'news' | 'waitSeconds'>,
  ): OutgoingMessage[] {
    return people.flatMap((person) => {
      const language = person.language ?? request.language ?? 'ar-EG';
      const figures = {
        ...commonFigures(person, language, request),
        link: makeLink(request.number),
        site,
        ...figuresOf(language),
      };
      return addressesOf(person).map((to): OutgoingMessage => ({
        ...to,
        ...more,
        kind: 'request',
        language,
        userId: person.id,
        ...(to.channel === 'email'
          ? writeMail(words, eventWords, language, figures)
          : { subject: '', body: writeSms(eventWords, language, figures) }),
      }));
    });
  }

  function stepFigures(
    request: store.ToldRequest,
    step: ToldStep,
    event: RequestEvent,
    language: Language,
  ): Figures {
    const by =
      event === 'created' || event === 'paid'
        ? addWorkingDays(step.at, request.working_days)
        : undefined;
    return {
      amount: request.due > 0 ? amountText(request.due, language) : '',
      by: by ? dayText(by, language) : '',
      reasons: listed(step.reasons ?? [], language),
      message: step.message
        ? textForMessage(localize(step.message, language), publicUrl, elsewhere[language])
        : '',
    };
  }

  async function write(transaction: Transaction, step: ToldStep): Promise<Telling> {
    if (!isTold(step)) return { notice: null };
    if (step.isSwitchedOff) return { notice: 'switchedOff', messages: [] };
    const request = await store.getToldRequest(transaction, step.requestId);
    const people = await peopleOf(transaction, request);
    if (people.length === 0) return { notice: 'unreachable', messages: [] };
    const event = eventOf(step);
    return {
      notice: 'sent',
      messages: writeTo(
        people,
        request,
        words.events[event],
        (language) => stepFigures(request, step, event, language),
        { requestId: step.requestId },
      ),
    };
  }

  return {
    write,
    async tell(transaction, step, writeHistory) {
      const telling = await write(transaction, step);
      const historyId = await writeHistory(telling.notice);
      if (telling.notice !== null && telling.messages.length > 0)
        await enqueueMessages(
          transaction,
          ...telling.messages.map((message) => ({ ...message, historyId })),
        );
    },
    async tellNews(transaction, { requestId, news, amount, reference = '', documents = [] }) {
      const eventWords = words.news[news];
      if (!eventWords) return;
      const waitSeconds =
        newsWaitSeconds[news] === 0
          ? 0
          : ((await store.takeBack(transaction, requestId, news)) ?? newsWaitSeconds[news]);
      const request = await store.getToldRequest(transaction, requestId);
      const figuresOf = (language: Language): Figures => ({
        amount: amount === undefined ? '' : amountText(amount, language),
        reference: isolated(textForMessage(reference, publicUrl, elsewhere[language])),
        documents: listed(documents, language),
      });
      await enqueueMessages(
        transaction,
        ...writeTo(await peopleOf(transaction, request), request, eventWords, figuresOf, {
          requestId,
          news,
          waitSeconds,
        }),
      );
    },
    async takeBackNews(transaction, requestId, news) {
      await store.takeBack(transaction, requestId, news);
    },
  };
}
