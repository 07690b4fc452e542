import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { languages } from '../wire/languages.ts';
import { chargedFils } from '../wire/money.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { requestActions } from './workflow.ts';

/**
 * Where a message is: it waits (also between two tries), a gateway took it, no try is left or the
 * gateway refused it for good, or an admin gave it up.
 */
export const messageStates = ['waiting', 'sent', 'failed', 'givenUp'] as const;
export type MessageState = (typeof messageStates)[number];

/** By what a message goes. */
export const messageChannels = ['email', 'sms'] as const;

/**
 * What a message is about: a request, the security of an account, or a service provider's
 * registration.
 */
export const messageKinds = ['request', 'security', 'partner'] as const;
export type MessageKind = (typeof messageKinds)[number];

/**
 * Why the last try failed. `addressRefused` is for good; the others are tried again. `interrupted`:
 * the server stopped before it knew.
 */
export const messageFaults = [
  'addressRefused',
  'gatewayRefused',
  'gatewayUnreachable',
  'gatewayTooSlow',
  'interrupted',
] as const;
export type MessageFault = (typeof messageFaults)[number];

/**
 * Whether the applicant was told of a step: by messages, not because whoever acted switched it off,
 * or not because no address of theirs is proved.
 */
export const notices = ['sent', 'switchedOff', 'unreachable'] as const;
export type Notice = (typeof notices)[number];

/**
 * What the applicant is told of beside the steps of the history: money given back, money that came
 * twice or too late, a document of the office, a document of theirs that was found harmful after it
 * was sent.
 */
export const requestNews = ['refunded', 'surplus', 'documentAdded', 'documentInfected'] as const;
export type RequestNews = (typeof requestNews)[number];

/**
 * One message as an admin sees it, without what it says. Times are ISO 8601 in UTC; `dueAt` is the
 * next try of one that waits.
 */
export const message = z.object({
  messageId: z.uuid(),
  kind: z.enum(messageKinds),
  channel: z.enum(messageChannels),
  recipient: z.string(),
  subject: z.string(),
  requestNumber: z.string().optional(),
  state: z.enum(messageStates),
  tries: z.int(),
  fault: z.enum(messageFaults).optional(),
  faultDetail: z.string(),
  createdAt: z.string(),
  dueAt: z.string().optional(),
  endedAt: z.string().optional(),
});
export type Message = z.infer<typeof message>;

/**
 * One message as those see it who see its request. It tells of a step (`action`) or of `news`.
 * `recipient` is masked for everybody but the person it went to; `text` is what it says.
 */
export const requestMessage = z.object({
  messageId: z.uuid(),
  action: z.enum(requestActions).optional(),
  news: z.enum(requestNews).optional(),
  channel: z.enum(messageChannels),
  recipient: z.string(),
  isOwn: z.boolean(),
  language: z.enum(languages),
  subject: z.string(),
  text: z.string(),
  state: z.enum(messageStates),
  createdAt: z.string(),
  endedAt: z.string().optional(),
});
export type RequestMessage = z.infer<typeof requestMessage>;

/** How a step of the history was told: the ways and where each message is. */
export const stepNotice = z.object({
  outcome: z.enum(notices),
  messages: z.array(z.object({ channel: z.enum(messageChannels), state: z.enum(messageStates) })),
});
export type StepNotice = z.infer<typeof stepNotice>;

const typed = z.string().trim().max(2000).optional();

/**
 * Our own: what an action would send, by the action itself, of which nothing stays. `outcome` is
 * missing where nobody is told of such a step.
 */
export const previewMessages = defineCall({
  name: 'previewMessages',
  method: 'POST',
  path: '/api/Message/PreviewMessages',
  who: ['Admin', 'Employee', 'ServiceProvider'],
  summary:
    'What the applicant would be sent if the caller approved, accepted or completed a request now',
  body: z.object({
    requestId: z.int().min(1),
    version: z.int().min(1).optional(),
    action: z.enum(['approve', 'accept', 'submitted']),
    fines: chargedFils.optional(),
    totalAdminstrativeFees: chargedFils.optional(),
    totalAdminstrativeFeesVatValue: chargedFils.optional(),
    isPaymentGatewayFeesOfFinesCalculated: z.boolean().optional(),
    messageAr: typed,
    messageEn: typed,
    messageUr: typed,
  }),
  reply: z.object({
    outcome: z.enum(notices).optional(),
    messages: z.array(
      requestMessage.pick({
        channel: true,
        recipient: true,
        language: true,
        subject: true,
        text: true,
      }),
    ),
  }),
  refusals: [
    'RequestNotFound',
    'ActionNotAllowed',
    'VersionHasChanged',
    'OwnCounterRequest',
    'ChargeNotPossible',
    'ChargeVatWrong',
    'MessageIncomplete',
  ],
});

const keyword = z.string().trim().max(200).optional();

/** Newest first. Without `State` those that wait or failed; `Fault` is why the last try failed. */
export const getMessages = defineCall({
  name: 'getMessages',
  method: 'GET',
  path: '/api/Message/GetMessages',
  who: ['Admin'],
  summary: 'Messages by mail and SMS, with why the last try failed',
  query: z.object({
    State: z.enum([...messageStates, 'all']).optional(),
    Channel: z.enum(messageChannels).optional(),
    Fault: z.enum(messageFaults).optional(),
    SearchKeyword: keyword,
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(message),
  refusals: [],
});

const messageIds = z.array(z.uuid()).min(1).max(100);

/** `changed` counts those that are tried again; one that a gateway took is not. */
export const retryMessages = defineCall({
  name: 'retryMessages',
  method: 'POST',
  path: '/api/Message/RetryMessages',
  who: ['Admin'],
  summary: 'Try messages again at once',
  body: z.object({ messageIds }),
  reply: z.object({ changed: z.int() }),
  refusals: ['MessageNotFound'],
});

/**
 * All that failed and that the filters of the list choose, however many pages they fill; `changed`
 * counts them.
 */
export const retryFailedMessages = defineCall({
  name: 'retryFailedMessages',
  method: 'POST',
  path: '/api/Message/RetryFailedMessages',
  who: ['Admin'],
  summary: 'Try all messages that failed again, or those of one way, cause or keyword',
  body: z.object({
    channel: z.enum(messageChannels).optional(),
    fault: z.enum(messageFaults).optional(),
    searchKeyword: keyword,
  }),
  reply: z.object({ changed: z.int() }),
  refusals: [],
});

/** `changed` counts those that are not tried any more. */
export const giveUpMessages = defineCall({
  name: 'giveUpMessages',
  method: 'POST',
  path: '/api/Message/GiveUpMessages',
  who: ['Admin'],
  summary: 'Stop trying to send messages',
  body: z.object({ messageIds }),
  reply: z.object({ changed: z.int() }),
  refusals: ['MessageNotFound'],
});

/** The newest 100, newest first. */
export const getRequestMessages = defineCall({
  name: 'getRequestMessages',
  method: 'GET',
  path: '/api/Message/GetRequestMessages',
  who: signedIn,
  summary: 'What was sent to the applicant about a request',
  query: z.object({ RequestId: z.coerce.number().int().min(1) }),
  reply: z.array(requestMessage),
  refusals: ['RequestNotFound'],
});
