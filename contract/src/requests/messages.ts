import { z } from 'zod';
import { discountDecisions } from '../catalogue/fees.ts';
import {
  administrators,
  auditReaders,
  defineCall,
  signedIn,
  staffAndProviders,
} from '../wire/call.ts';
import { messageChannel } from '../wire/channels.ts';
import { longId, longIdInAddress, recordId, recordVersion } from '../wire/ids.ts';
import { languages } from '../wire/languages.ts';
import { chargedFils } from '../wire/money.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { grantingActions, requestActions } from './actions.ts';

/**
 * The state of a message: waiting (also between two tries), paused (the database was restored, and
 * it may have been sent already), accepted by a gateway, failed (no try is left, or the gateway refused it
 * permanently), or given up by an admin.
 */
export const messageStates = ['waiting', 'paused', 'sent', 'failed', 'givenUp'] as const;
export type MessageState = (typeof messageStates)[number];

/**
 * The subject of a message: a request, the security of an account, the registration of a service
 * provider, or a complaint.
 */
export const messageKinds = ['request', 'security', 'partner', 'complaint'] as const;
export type MessageKind = (typeof messageKinds)[number];

/**
 * Why the last try failed. `addressRefused` is permanent; the others are tried again.
 * `interrupted`: the server stopped before it knew the result.
 */
export const messageErrors = [
  'addressRefused',
  'gatewayRefused',
  'gatewayUnreachable',
  'gatewayTooSlow',
  'interrupted',
] as const;
export type MessageError = (typeof messageErrors)[number];

/**
 * Whether the applicant was notified of a step: by messages; not, because the actor switched it
 * off; not, because no address of theirs is verified; or not, because they want no messages about
 * such steps.
 */
export const notificationOutcomes = ['sent', 'switchedOff', 'unreachable', 'unwanted'] as const;
export type NotificationOutcome = (typeof notificationOutcomes)[number];

/**
 * What applicants are notified of beside the steps of the history: a refund, a double or late
 * payment, a document added by staff, a document of theirs that turned out to be infected after
 * submission, a certificate that was revoked or made valid again, a request that somebody opened by the urgent right.
 */
export const requestNotifications = [
  'refunded',
  'surplus',
  'documentAdded',
  'documentInfected',
  'certificateRevoked',
  'certificateRestored',
  'openedUrgently',
] as const;
export type RequestNotification = (typeof requestNotifications)[number];

/**
 * One message as an admin sees it, without its text. Times are ISO 8601 in UTC; `dueAt` is the time
 * of the next try. `recipient` is empty for a message to a browser.
 */
export const message = z.object({
  messageId: z.uuid(),
  kind: z.enum(messageKinds),
  channel: messageChannel,
  recipient: z.string(),
  subject: z.string(),
  requestNumber: z.string().optional(),
  state: z.enum(messageStates),
  tries: z.int(),
  fault: z.enum(messageErrors).optional(),
  faultDetail: z.string(),
  createdAt: z.string(),
  dueAt: z.string().optional(),
  endedAt: z.string().optional(),
});
export type Message = z.infer<typeof message>;

/**
 * One message for callers who may see its request. It is about a step (`action`) or a notification
 * (`news`). `recipient` is masked for everybody but the recipient, and empty for a message to a browser; `text`
 * is the body.
 */
export const requestMessage = z.object({
  messageId: z.uuid(),
  action: z.enum(requestActions).optional(),
  news: z.enum(requestNotifications).optional(),
  channel: messageChannel,
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

/** How the applicant was notified of a step: the channels and the state of each message. */
export const stepNotification = z.object({
  outcome: z.enum(notificationOutcomes),
  messages: z.array(z.object({ channel: messageChannel, state: z.enum(messageStates) })),
});
export type StepNotification = z.infer<typeof stepNotification>;

const typedMessage = z.string().trim().max(2000).optional();

/**
 * Our own: the mails and SMS that an action would send. The server performs the action and rolls it
 * back. `outcome` is missing for steps that notify nobody.
 */
export const previewMessages = defineCall({
  name: 'previewMessages',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Message/PreviewMessages',
  who: staffAndProviders,
  summary:
    'The messages that the applicant would receive if the caller approved, accepted or completed a request now',
  body: z.object({
    requestId: longId,
    version: recordVersion.optional(),
    action: z.enum(grantingActions),
    fines: chargedFils.optional(),
    totalAdminstrativeFees: chargedFils.optional(),
    totalAdminstrativeFeesVatValue: chargedFils.optional(),
    isPaymentGatewayFeesOfFinesCalculated: z.boolean().optional(),
    requestHistoryRejectionReasonsList: z.array(recordId).max(20).optional(),
    discounts: discountDecisions,
    messageAr: typedMessage,
    messageEn: typedMessage,
    messageUr: typedMessage,
  }),
  reply: z.object({
    outcome: z.enum(notificationOutcomes).optional(),
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
    'AnotherApproverNeeded',
    'ChargeNotPossible',
    'ChargeVatWrong',
    'ChargeRequired',
    'ResultRequired',
    'RejectionReasonNotFound',
    'MessageIncomplete',
  ],
});

const keyword = z.string().trim().max(200).optional();

/**
 * Newest first. Without `State`: messages that wait, are paused or failed. `Fault` is why the last try failed.
 */
export const getMessages = defineCall({
  name: 'getMessages',
  method: 'GET',
  path: '/api/Message/GetMessages',
  who: auditReaders,
  summary: 'Messages by mail and SMS, with the error of the last try',
  query: z.object({
    State: z.enum([...messageStates, 'all']).optional(),
    Channel: messageChannel.optional(),
    Fault: z.enum(messageErrors).optional(),
    SearchKeyword: keyword,
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(message),
  refusals: [],
});

const messageIds = z.array(z.uuid()).min(1).max(100);

/** `changed` counts the messages that are tried again; a message that a gateway accepted is not. */
export const retryMessages = defineCall({
  name: 'retryMessages',
  method: 'POST',
  path: '/api/Message/RetryMessages',
  who: administrators,
  summary: 'Retry messages immediately',
  body: z.object({ messageIds }),
  reply: z.object({ changed: z.int() }),
  refusals: ['MessageNotFound'],
});

/**
 * Retries all failed messages that match the filters, on all pages, or sends all paused ones; `changed`
 * counts them.
 */
export const retryFailedMessages = defineCall({
  name: 'retryFailedMessages',
  method: 'POST',
  path: '/api/Message/RetryFailedMessages',
  who: administrators,
  summary: 'Retry all failed messages, or those of one channel, error or keyword',
  body: z.object({
    state: z.enum(['failed', 'paused']).default('failed'),
    channel: messageChannel.optional(),
    fault: z.enum(messageErrors).optional(),
    searchKeyword: keyword,
  }),
  reply: z.object({ changed: z.int() }),
  refusals: [],
});

/** `changed` counts the messages that are not tried any more. */
export const giveUpMessages = defineCall({
  name: 'giveUpMessages',
  method: 'POST',
  path: '/api/Message/GiveUpMessages',
  who: administrators,
  summary: 'Stop trying to send messages',
  body: z.object({ messageIds }),
  reply: z.object({ changed: z.int() }),
  refusals: ['MessageNotFound'],
});

/** At most 100, newest first. */
export const getRequestMessages = defineCall({
  name: 'getRequestMessages',
  method: 'GET',
  path: '/api/Message/GetRequestMessages',
  who: signedIn,
  summary: 'The messages that were sent to the applicant about a request',
  query: z.object({ RequestId: longIdInAddress }),
  reply: z.array(requestMessage),
  refusals: ['RequestNotFound'],
});
