import { resultName } from '#features/attachments/attachments.actions.ts';
import { prepareCertificate } from '#features/certificates/certificates.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { sendTogether } from '#platform/database/send-together.ts';
import { cleanText } from '@diwan/contract/forms/answer-values';
import { defaultLanguage, type LocalizedText } from '@diwan/contract/wire/languages';
import { bindDocuments, selectCurrentDocuments } from '../model/request-documents.store.ts';
import { lockStaffDocuments } from '../model/request-documents.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import {
  findPrintedNames,
  getForm,
  type RequestChanges,
  type RequestRow,
  type StepFacts,
} from '../model/requests.store.ts';
import type { AllowedStep } from '../workflow/workflow.ts';
import type { Charges } from './charges.ts';
import type { Write } from './move-request.ts';
import { performAction, type ActionEffects, type ActionTarget } from './perform-action.actions.ts';
import { findActiveReasons, readChargeReasons } from './rejection-reasons.actions.ts';
import {
  addInfectedDocuments,
  readMarks,
  readMessage,
  type MarkInput,
  type MessageInput,
} from './return-marks.ts';

interface ReasonsAndMessage {
  reasons?: readonly number[];
  message?: MessageInput;
}

export type ChargesAndMessage = Charges & { message?: MessageInput };

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

// Both let the request continue, with charges and a message where they are sent.
const grantAs =
  (action: 'approve' | 'accept') =>
  (
    context: RequestsContext,
    caller: Caller,
    target: ActionTarget,
    sent: ChargesAndMessage = {},
  ): Promise<void> =>
    performAction(context, caller, target, {
      action,
      sent,
      prepare: async (transaction, _row, facts, step) => ({
        ...(await explainCharges(transaction, sent, step)),
        message: readTyped(sent.message, step.requires?.includes('note'), facts),
      }),
    });
export const approve = grantAs('approve');
export const accept = grantAs('accept');

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
        issuedDocuments: facts.issuedDocuments + results.length + certificate.length,
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
