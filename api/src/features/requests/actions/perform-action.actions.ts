import { cleanText } from '@diwan/contract/forms/answer-values';
import type { previewMessages } from '@diwan/contract/requests/messages';
import type { RequestAction } from '@diwan/contract/requests/workflow';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { defaultLanguage, type LocalizedText } from '@diwan/contract/wire/languages';
import type { Caller } from '../../../platform/auth/caller.ts';
import { localize } from '../../../platform/core/localize.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { inTransaction, sendTogether } from '../../../platform/database/send-together.ts';
import { resultName } from '../../attachments/attachments.actions.ts';
import { prepareCertificate } from '../../certificates/certificates.actions.ts';
import { maskAddress } from '../../messages/messages.actions.ts';
import type { StepNotification } from '../../messages/notifications.actions.ts';
import { refuseOwnRequest } from '../model/four-eyes.ts';
import {
  heldActionDelete,
  insertHeldAction,
  type HeldAction,
} from '../model/held-actions.store.ts';
import { lockStaffDocuments } from '../model/request-documents.ts';
import { bindDocuments, selectCurrentDocuments } from '../model/request-documents.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import {
  findPrintedNames,
  findStepFacts,
  getForm,
  type RequestChanges,
  type RequestRow,
  type StepFacts,
} from '../model/requests.store.ts';
import { lockVisibleRequest } from '../model/visibility.actions.ts';
import { findStep, type AllowedStep } from '../workflow/workflow.ts';
import { chargeRequest, type Charges, type ExplainedCharges } from './charges.ts';
import {
  actionConflict,
  hashAction,
  heldConflict,
  isRepeated,
  versionConflict,
} from './conflict-errors.ts';
import { actorOf, moveRequest, type Step, type Write } from './move-request.ts';
import { findActiveReasons, readChargeReasons } from './rejection-reasons.actions.ts';
import {
  addInfectedDocuments,
  readMarks,
  readMessage,
  type MarkInput,
  type MessageInput,
} from './return-marks.ts';

/** The request of an action, as the caller saw it. */
export interface ActionTarget {
  requestId: number;
  /** Another version refuses the action. */
  version?: number | undefined;
  /** Another status refuses the action. */
  statusId?: number | undefined;
  /** False: the applicant gets no message. Source: specification §3. */
  shouldNotifyClient?: boolean | undefined;
  /** The action is checked now, and takes effect after `context.undoSeconds`. */
  isUndoable?: boolean | undefined;
  /** The held action that is carried out. Nothing happens when it was undone. */
  heldActionId?: number | undefined;
  /** What is read after the action, each by one query, together with its last statements. */
  reads?: Step['reads'];
}

export interface ReasonsAndMessage {
  reasons?: readonly number[];
  message?: MessageInput;
}

export type ChargesAndMessage = Charges & { message?: MessageInput };

type ActionEffects = Pick<Step, 'reasons' | 'message' | 'changes' | 'details' | 'writes'> & {
  charges?: ExplainedCharges;
};

interface RequestedAction {
  action: RequestAction;
  /** Everything that was sent with the action. */
  sent?: unknown;
  /** Validates what was sent and says what the action changes. */
  prepare(
    transaction: Transaction,
    row: RequestRow,
    facts: StepFacts,
    step: AllowedStep,
  ): Promise<ActionEffects>;
}

function isOutdated(target: ActionTarget, row: RequestRow): boolean {
  return (
    (target.version !== undefined && target.version !== row.version) ||
    (target.statusId !== undefined && target.statusId !== row.status_id)
  );
}

/**
 * Whether nothing is left to do: the held action was undone, or the same call was sent twice, by a
 * double click or after a lost reply; it acts once and succeeds twice. Throws VersionHasChanged,
 * ActionHeld.
 */
async function isFinished(
  transaction: Transaction,
  caller: Caller,
  target: ActionTarget,
  { row, held, hash }: { row: RequestRow; held: HeldAction | null; hash: string | null },
): Promise<boolean> {
  if (target.heldActionId !== undefined && held?.id !== target.heldActionId) return true;
  if (isOutdated(target, row)) {
    if (await isRepeated(transaction, row, hash)) return true;
    throw await versionConflict(transaction, row, caller);
  }
  if (!held || held.id === target.heldActionId) return false;
  if (target.isUndoable && hash !== null && held.sentHash === hash) return true;
  throw heldConflict(held, caller);
}

/**
 * Performs an action in one transaction. Checks in this order whether the caller may see the
 * request, whether it is as the caller saw it, whether the workflow allows the action, and what was
 * sent. Throws RequestNotFound, VersionHasChanged, ActionHeld, ActionNotAllowed, OwnCounterRequest,
 * and what `prepare` throws.
 */
export async function performAction(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  { action, sent, prepare }: RequestedAction,
): Promise<void> {
  const hash = hashAction(caller, target.version, action, sent);
  const { requestId } = target;
  const isSilent = target.shouldNotifyClient === false;
  const isNotified = await inTransaction(context.database, async (transaction) => {
    // The facts are read by a statement of their own, which sees what changed while the row was locked.
    const [row, facts] = await sendTogether(transaction, [
      (part) => lockVisibleRequest(part, caller, requestId),
      (part) => findStepFacts(part, requestId, caller.userId),
    ]);
    if (!facts) throw new Error('The service of the request is missing');
    const { held } = facts;
    const workflow = await context.workflow.get(row.workflow_id, transaction);
    if (await isFinished(transaction, caller, target, { row, held, hash })) return false;
    const step = findStep(workflow, action, caller, row);
    if (!step) throw await actionConflict(transaction, caller, row, { workflow, action });
    const { hasActedAtCounter } = facts;
    refuseOwnRequest(context, caller, { ...row, hasActedAtCounter, role: step.role });
    const { charges = {}, writes = [], ...effects } = await prepare(transaction, row, facts, step);
    const actor = actorOf(caller, step.role);
    const at = context.now();
    const by = { id: caller.userId, name: actor.name };
    const charged = chargeRequest(row, { action, ...step, by, at }, charges, context.rates);
    if (target.isUndoable) {
      const { version } = row;
      const kept = { action, version, sent: JSON.stringify(sent), sent_hash: hash };
      const columns = {
        request_id: requestId,
        user_id: caller.userId,
        is_silent: isSilent,
        ...kept,
      };
      await insertHeldAction(transaction, columns, context.undoSeconds);
      return false;
    }
    const moving = { transaction, workflow, notifier: context.notifier, facts };
    return moveRequest(moving, row, {
      action,
      to: charged.to,
      actor,
      at,
      isSilent,
      reads: target.reads,
      ...effects,
      writes: [...(held ? [heldActionDelete(held.id)] : []), ...writes],
      changes: { ...effects.changes, ...charged.changes },
      details: { ...effects.details, sentHash: hash, charged: charged.charged },
    });
  });
  if (!target.isUndoable) context.announce(isNotified);
}

// Throws MessageIncomplete when the applicant's language is missing.
function readTyped(
  typed: MessageInput | undefined,
  isRequired: boolean | undefined,
  { applicantLanguage }: StepFacts,
): LocalizedText | null {
  const message = readMessage(typed ?? {}, applicantLanguage);
  if (message === undefined || (isRequired && !message)) throw new Refusal('MessageIncomplete');
  return message;
}

function readReasons(
  chosen: readonly number[],
  active: ReadonlyMap<number, LocalizedText>,
): { reasons: number[]; reasonTexts: LocalizedText[] } {
  const reasons = [...new Set(chosen)];
  const reasonTexts = reasons.flatMap((reason) => active.get(reason) ?? []);
  if (reasonTexts.length < reasons.length) throw new Refusal('RejectionReasonNotFound');
  return { reasons, reasonTexts };
}

/**
 * The charges of an action, with their reasons for the history and the messages. Throws
 * ChargeRequired where the workflow requires some.
 */
async function explainCharges(
  transaction: Transaction,
  charges: Charges,
  { requires = [] }: AllowedStep,
): Promise<ActionEffects> {
  const { fines = 0, fees = 0 } = charges;
  if (requires.includes('fee') && fines + fees === 0) throw new Refusal('ChargeRequired');
  const chosen = await readChargeReasons(transaction, charges);
  const reasonTexts = Object.values(chosen);
  return {
    charges: { ...charges, reasonTexts: chosen },
    reasons: reasonTexts.length === 0 ? [] : [...new Set(charges.reasons)],
    details: { reasonTexts },
  };
}

/** The caller becomes the holder of the request. */
export function receive(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'receive',
    prepare: async () => ({ changes: { holder_id: caller.userId } }),
  });
}

/** The request has no holder any more. */
export function release(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'release',
    prepare: async () => ({ changes: { holder_id: null } }),
  });
}

async function grant(
  transaction: Transaction,
  sent: ChargesAndMessage,
  facts: StepFacts,
  step: AllowedStep,
): Promise<ActionEffects> {
  return {
    ...(await explainCharges(transaction, sent, step)),
    message: readTyped(sent.message, step.requires?.includes('note'), facts),
  };
}

export function approve(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  sent: ChargesAndMessage = {},
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'approve',
    sent,
    prepare: (transaction, _row, facts, step) => grant(transaction, sent, facts, step),
  });
}

export function accept(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  sent: ChargesAndMessage = {},
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'accept',
    sent,
    prepare: (transaction, _row, facts, step) => grant(transaction, sent, facts, step),
  });
}

/**
 * Returns a request for correction. The message is required unless something is marked, a reason
 * where the workflow requires one. Throws ReasonRequired.
 */
export function returnRequest(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  sent: ReasonsAndMessage & {
    serviceProviderRequestNumber?: string | undefined;
    marks?: readonly MarkInput[] | undefined;
  },
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'return',
    sent,
    async prepare(transaction, row, facts, { requires = [] }) {
      const [active, documents, form] = await sendTogether(transaction, [
        findActiveReasons,
        (part) => selectCurrentDocuments(part, row.id),
        (part) => getForm(part, row.id),
      ]);
      const { reasons, reasonTexts } = readReasons(sent.reasons ?? [], active);
      const markable = { row: { ...row, ...form }, documents, reasons: active, ...facts };
      const marks = addInfectedDocuments(readMarks(sent.marks ?? [], markable), markable);
      if (requires.includes('reason') && reasons.length === 0) throw new Refusal('ReasonRequired');
      const needsMessage = marks.length === 0 || requires.includes('note');
      return {
        reasons,
        message: readTyped(sent.message, needsMessage, facts),
        changes: providerNumber(sent.serviceProviderRequestNumber),
        details: { reasonTexts, marks },
      };
    },
  });
}

export function reject(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  sent: ReasonsAndMessage,
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'reject',
    sent,
    async prepare(transaction, _row, facts) {
      const active = await findActiveReasons(transaction);
      const { reasons, reasonTexts } = readReasons(sent.reasons ?? [], active);
      return { reasons, message: readTyped(sent.message, true, facts), details: { reasonTexts } };
    },
  });
}

/**
 * Completes a request; `results` are the ids of its result documents. Throws ResultRequired without
 * one where the service issues a document or the workflow requires one.
 */
export function complete(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  sent: ReasonsAndMessage & {
    charges?: Charges;
    results?: readonly string[] | undefined;
    serviceProviderRequestNumber?: string | undefined;
  },
): Promise<void> {
  return performAction(context, caller, target, {
    action: 'submitted',
    sent,
    async prepare(transaction, row, facts, step) {
      const { id: requestId } = row;
      const needsResult =
        step.requires?.includes('document') || (facts.issuesDocument && !facts.issuesCertificate);
      if (needsResult && !sent.results?.length) throw new Refusal('ResultRequired');
      const message = readTyped(sent.message, step.requires?.includes('note'), facts);
      const results = await lockStaffDocuments(
        transaction,
        caller,
        { requestId, name: resultName },
        sent.results ?? [],
      );
      const certificate = facts.issuesCertificate
        ? await prepareOwnCertificate(transaction, row, context.now())
        : [];
      return {
        ...(await explainCharges(transaction, sent.charges ?? {}, step)),
        message,
        writes: [(part) => bindDocuments(part, results, requestId, true), ...certificate],
        changes: providerNumber(sent.serviceProviderRequestNumber),
      };
    },
  });
}

async function prepareOwnCertificate(
  transaction: Transaction,
  row: RequestRow,
  issuedAt: Date,
): Promise<Write[]> {
  const { form, names } = await findPrintedNames(transaction, row.id);
  const language = row.language ?? defaultLanguage;
  const write = await prepareCertificate(transaction, {
    requestId: row.id,
    serviceId: row.service_id,
    language,
    facts: {
      applicant: names.company ? localize(names.company, language) : row.applicant_name,
      requestNumber: row.number,
      service: localize(names.service, language),
      agency: localize(names.agency, language),
    },
    form,
    answers: row.answers,
    issuedAt,
  });
  return write ? [write] : [];
}

function providerNumber(typed: string | undefined): RequestChanges {
  const number = cleanText(typed ?? '', false);
  return number ? { service_provider_request_number: number } : {};
}

/** Ends the transaction of a previewed action, so that it is rolled back. */
class PreviewFinished extends Error {
  readonly notification: StepNotification;

  constructor(notification: StepNotification) {
    super('The preview is finished');
    this.notification = notification;
  }
}

/**
 * The messages that an action would send. The action runs until it notifies the applicant, then its
 * transaction is rolled back. Throws what the action throws.
 */
export async function previewAction(
  context: RequestsContext,
  act: (preview: RequestsContext) => Promise<void>,
): Promise<ReplyOf<typeof previewMessages>> {
  const { notifier } = context;
  try {
    await act({
      ...context,
      announce: () => undefined,
      notifier: {
        ...notifier,
        writeStepMessages(step, facts) {
          throw new PreviewFinished(notifier.writeStepMessages(step, facts));
        },
      },
    });
  } catch (error) {
    if (!(error instanceof PreviewFinished)) throw error;
    if (error.notification.outcome === null) return { messages: [] };
    const { outcome, messages } = error.notification;
    return {
      outcome,
      // A browser shows the subject of the mail.
      messages: messages
        .filter(({ channel }) => channel !== 'push')
        .map(({ channel, recipient, language, subject, body }) => ({
          channel,
          recipient: maskAddress(recipient),
          language,
          subject,
          text: body,
        })),
    };
  }
  // A repeated action sends no messages.
  return { messages: [] };
}
