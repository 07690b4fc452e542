import type { OperationNodeSource } from 'kysely';
import type { Config } from '#config.ts';
import { formatAmount, formatDay, localize } from '#platform/core/localize.ts';
import { isolateLeftToRight } from '#platform/core/message-template.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { enqueueMessages, type OutgoingMessage } from '#platform/messages/message-outbox.ts';
import {
  eventOfAction,
  getAction,
  grantingActions,
  type RequestAction,
} from '@diwan/contract/requests/actions';
import type { NotificationOutcome, RequestNotification } from '@diwan/contract/requests/messages';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { OwnNotificationKind } from '@diwan/contract/staff/notifications';
import { startOfDay } from '@diwan/contract/wire/days';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import {
  openMessageTemplates,
  type MessageTemplates,
  type RequestEvent,
  type TemplateValues,
} from './message-templates.ts';
import {
  chooseRecipients,
  createMessageWriter,
  formatList,
  listRecipients,
  type MessageContent,
} from './message-writer.ts';
import * as store from './messages.store.ts';

/** A step of a request of which its applicant may be notified. */
export interface NotifiableStep {
  /** The columns of the request after the step. */
  request: store.NotifiedColumns & { total: number; refundable: number; refunded: number };
  workflow: Workflow;
  action: RequestAction;
  from: number | null;
  to: number;
  at: Date;
  reasons?: readonly LocalizedText[];
  message?: LocalizedText | null;
  /** The number of documents that the applicant has from the agency, after a completion. */
  issuedDocuments?: number | undefined;
  /** The day until which the request is on hold. */
  holdUntil?: string | undefined;
  /** The last day on which the applicant may object. */
  objectUntil?: string | null | undefined;
  /** The caller has switched the notification off (`shouldNotifyClient: false`). */
  isSuppressed?: boolean | undefined;
}

/**
 * A notification about a request that is not a step of it. `amount` in fils; `reference` as staff
 * typed it; `documents` by their titles.
 */
interface NotificationInput {
  requestId: number;
  notification: RequestNotification;
  amount?: number;
  reference?: string;
  reasons?: readonly LocalizedText[];
  documents?: readonly LocalizedText[];
}

/** What the list of its recipients says of a step. */
interface OwnNotice {
  kind: OwnNotificationKind;
  /** Users by their ids. */
  recipients: string[];
}

/**
 * The notification of a step. `outcome` is null for a step of which the workflow notifies no one;
 * there are messages only for the outcome `sent`, and no `notice` for `switchedOff`.
 */
export type StepNotification =
  | { outcome: null }
  | { outcome: NotificationOutcome; messages: OutgoingMessage[]; notice?: OwnNotice };

/** What the messages of a step need beside the request, read in the transaction of the step. */
export type NotificationFacts = store.NotificationFacts;

/** Notifies applicants of what happens to their requests. */
export interface Notifier {
  /** Writes the messages of a step without storing them. */
  writeStepMessages(step: NotifiableStep, facts: NotificationFacts): StepNotification;
  /**
   * Enqueues a notification in the transaction of the change, which holds the lock of the request.
   * Messages about documents are delayed, so that one message lists all documents of that time.
   */
  notify(transaction: Transaction, input: NotificationInput): Promise<void>;
  /** Deletes the messages of a notification that are not sent yet. */
  withdraw(
    transaction: Transaction,
    requestId: number,
    notification: RequestNotification,
  ): Promise<void>;
}

/** Sends nothing: for seeded data and for tests. */
export const silentNotifier: Notifier = {
  writeStepMessages: () => ({ outcome: null }),
  notify: async () => undefined,
  withdraw: async () => undefined,
};

/** The template of a step, and the kind of its notification. */
function eventOf({ workflow, action, to }: NotifiableStep): {
  event: RequestEvent;
  kind: OwnNotificationKind;
} {
  const isToPay = workflow.transitions.some((cell) => cell.action === 'pay' && cell.from === to);
  if (isToPay && action === 'create') return { event: 'createdToPay', kind: 'sent' };
  if (isToPay && !getAction(action).returnsToPayment) return { event: 'feesDue', kind: 'feesDue' };
  // An approval after which somebody else has to approve grants nothing yet.
  const isInPart =
    grantingActions.some((granting) => granting === action) &&
    workflow.transitions.some((cell) => cell.from === to && cell.anotherApprover === true);
  if (isInPart) return { event: 'approvedInPart', kind: 'progressed' };
  return { event: eventOfAction(action), kind: getAction(action).notification };
}

const kindOfNotification: Record<RequestNotification, OwnNotificationKind> = {
  refunded: 'refunded',
  surplus: 'refunded',
  documentAdded: 'documents',
  documentInfected: 'documents',
  certificateRevoked: 'documents',
  certificateRestored: 'documents',
  openedUrgently: 'openedUrgently',
};

/** The transition of a step that notifies the applicant; undefined where none does. */
function findNotifying({ workflow, action, from, to }: NotifiableStep) {
  return workflow.transitions.find(
    (cell) =>
      cell.action === action &&
      cell.from === from &&
      // A payment leads to where the action that charged would have led, and so does an objection
      // that removes what was due.
      (action === 'pay' || action === 'grantObjection' || cell.to === to || cell.toPay === to) &&
      cell.notify === true,
  );
}

// Staff add several documents in a row, and one scan can find several infected files.
const delaySecondsOf: Record<RequestNotification, number> = {
  refunded: 0,
  surplus: 0,
  documentAdded: 120,
  documentInfected: 60,
  certificateRevoked: 0,
  certificateRestored: 0,
  openedUrgently: 0,
};

/** The write that puts the notification of a step into the lists of its recipients. */
export const insertOwnNotice = (
  { kind, recipients }: OwnNotice,
  requestId: number | OperationNodeSource,
): Sql => store.ownNoticeInsert(kind, requestId, recipients);

/** A query for what the messages of a step need: a row, or none without the request. */
export const notificationFacts = (requestId: number): Sql<NotificationFacts> =>
  store.notificationFacts(requestId);

/** A query for the people whom the messages about a new request may go to: `people` of its facts. */
export const recipientsOfNew = (userId: Sql<unknown>, companyId: Sql<unknown>): Sql<unknown> =>
  store.newRecipients(userId, companyId);

/** Opens the notifier with the templates of this deployment. See `createNotifier`. */
export async function openNotifier(
  config: Pick<Config, 'MESSAGES_FILE'>,
  publicUrl: string,
  makeLink: (requestNumber: string) => string,
): Promise<Notifier> {
  return createNotifier(await openMessageTemplates(config), publicUrl, makeLink);
}

/** See `createMessageWriter`. */
export function createNotifier(
  templates: () => MessageTemplates,
  publicUrl: string,
  makeLink: (requestNumber: string) => string,
): Notifier {
  const { sanitize, writeMessages } = createMessageWriter(templates, publicUrl, makeLink);

  function stepValues(
    request: store.NotifiedRequest,
    step: NotifiableStep,
    event: RequestEvent,
    language: Language,
  ): TemplateValues {
    const by = event === 'created' || event === 'paid' ? request.promised_on : null;
    return {
      amount: request.due > 0 ? formatAmount(request.due, language) : '',
      by: by ? formatDay(startOfDay(by), language) : '',
      reasons: formatList(step.reasons ?? [], language),
      until: step.holdUntil ? formatDay(startOfDay(step.holdUntil), language) : '',
      objectUntil: step.objectUntil ? formatDay(startOfDay(step.objectUntil), language) : '',
      issuedDocuments: step.issuedDocuments ? String(step.issuedDocuments) : '',
      message: [findNotifying(step)?.message, step.message]
        .flatMap((text) => (text ? [sanitize(localize(text, language), language)] : []))
        .join('\n\n'),
    };
  }

  function writeStepMessages(step: NotifiableStep, facts: NotificationFacts): StepNotification {
    if (!findNotifying(step)) return { outcome: null };
    if (step.isSuppressed) return { outcome: 'switchedOff', messages: [] };
    const { total, refundable, refunded } = step.request;
    const request = {
      ...step.request,
      service_name: facts.service_name,
      agency_name: facts.agency_name,
      due: Math.max(0, total - facts.paid),
      to_give_back: refundable - refunded,
    };
    const { event, kind } = eventOf(step);
    const notice = { kind, recipients: listRecipients(facts.people, request, kind) };
    const people = chooseRecipients(facts.people, request);
    if (people.length === 0) return { outcome: 'unreachable', messages: [], notice };
    const content: MessageContent = {
      kind,
      request,
      template: templates().events[event],
      valuesIn: (language) => stepValues(request, step, event, language),
    };
    const messages = writeMessages(people, content, {});
    return { outcome: messages.length > 0 ? 'sent' : 'unwanted', messages, notice };
  }

  // A notification that is delayed replaces the one that waits, at the time of that one.
  async function readDelay(
    transaction: Transaction,
    requestId: number,
    notification: RequestNotification,
  ): Promise<{ delaySeconds: number; isReplaced: boolean }> {
    const delaySeconds = delaySecondsOf[notification];
    if (delaySeconds === 0) return { delaySeconds, isReplaced: false };
    const left = await store.deleteWaiting(transaction, requestId, notification);
    return { delaySeconds: left ?? delaySeconds, isReplaced: left !== undefined };
  }

  return {
    writeStepMessages,
    async notify(transaction, input) {
      const {
        requestId,
        notification,
        amount,
        reference = '',
        documents = [],
        reasons = [],
      } = input;
      const template = templates().news[notification];
      if (!template) return;
      const { delaySeconds, isReplaced } = await readDelay(transaction, requestId, notification);
      const request = await store.getNotifiedRequest(transaction, requestId);
      const kind = kindOfNotification[notification];
      const content: MessageContent = {
        kind,
        request,
        template,
        valuesIn: (language) => ({
          amount: amount === undefined ? '' : formatAmount(amount, language),
          reference: isolateLeftToRight(sanitize(reference, language)),
          documents: formatList(documents, language),
          reasons: formatList(reasons, language),
        }),
      };
      const { user_id: userId, company_id: companyId } = request;
      const possible = await store.selectRecipients(transaction, userId, companyId);
      const people = chooseRecipients(possible, request);
      // One that waits is in the list already.
      const recipients = isReplaced ? [] : listRecipients(possible, request, kind);
      if (recipients.length > 0)
        await store.ownNoticeInsert(kind, requestId, recipients).execute(transaction);
      await enqueueMessages(
        transaction,
        ...writeMessages(people, content, { requestId, notification, delaySeconds }),
      );
    },
    async withdraw(transaction, requestId, notification) {
      await store.deleteWaiting(transaction, requestId, notification);
    },
  };
}
