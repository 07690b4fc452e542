import { cleanText } from '@diwan/contract/forms/answer-values';
import { checkAnswers, documentsAsked } from '@diwan/contract/forms/check-answers';
import { dayInDubai } from '@diwan/contract/wire/days';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import type { MarkExplanation } from '@diwan/contract/requests/return-marks';
import type { RequestAction } from '@diwan/contract/requests/workflow';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { chargeRequest, type Charges } from './charge-request.ts';
import { contactOf } from './create-request.actions.ts';
import { refuseOwnRequest } from '../model/four-eyes.ts';
import { actorOf, moveRequest, type Step } from './move-request.ts';
import { checkDocuments, lockResults } from '../model/request-documents.ts';
import {
  bindDocuments,
  lockDocuments,
  selectCurrentDocuments,
  supersedeOtherDocuments,
} from '../model/request-documents.store.ts';
import { usableReasons } from './rejection-reasons.actions.ts';
import { searchTextOf } from '../model/request-search-text.ts';
import type { RequestsContext } from '../requests.actions.ts';
import * as store from '../model/requests.store.ts';
import {
  findOpenMarks,
  judgeUpdate,
  readMarks,
  withInfected,
  type TypedMark,
} from './return-marks.ts';
import { hashOfSent, isAlreadyDone, notAllowed, tooLate } from './too-late.ts';
import { visibleTo } from '../model/visibility.store.ts';
import { findStep } from '../workflow/workflow.ts';

/** Which request, and the version that the caller saw; a newer one refuses the action. */
export interface Target {
  requestId: number;
  version?: number | undefined;
  /** The status that the caller saw; another one refuses the action as well. */
  statusId?: number | undefined;
  /** False: the applicant is not told. Source: specification §3. */
  shouldNotifyClient?: boolean | undefined;
}

/** A message as it was typed: what is blank is not there. */
export type TypedMessage = { [Language in keyof LocalizedText]?: string | undefined };

export interface Words {
  reasons?: readonly number[];
  message?: TypedMessage;
}

type Extras = Pick<Step, 'reasons' | 'message' | 'changes' | 'details'> & { charges?: Charges };

/** What is asked for: the action and all that was sent with it. */
interface Asked {
  action: RequestAction;
  sent?: unknown;
}

// The order of an action: who may know of the request, whether it is still as they saw it, whether
// the map lets them, and only then what they sent.
async function take(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  { action, sent }: Asked,
  prepare: (transaction: Transaction, row: store.RequestRow) => Promise<Extras>,
): Promise<void> {
  const hash = hashOfSent(caller, target.version, action, sent);
  await context.database.transaction().execute(async (transaction) => {
    const row = await store.lockVisible(transaction, target.requestId, visibleTo(caller));
    if (!row) throw new Refusal('RequestNotFound');
    const workflow = await context.workflow.get(row.workflow_id, transaction);
    if (
      (target.version !== undefined && target.version !== row.version) ||
      (target.statusId !== undefined && target.statusId !== row.status_id)
    ) {
      // The very same thing sent twice, by a double click or after a lost reply, is done once and
      // answered twice.
      if (await isAlreadyDone(transaction, row, hash)) return;
      throw await tooLate(transaction, row, caller);
    }
    const step = findStep(workflow, action, row.status_id, caller, row);
    if (!step) throw await notAllowed(transaction, workflow, row, action, caller);
    await refuseOwnRequest(context, transaction, caller, row, step.role);
    const { charges = {}, ...extras } = await prepare(transaction, row);
    const priced = chargeRequest(row, step, charges, context.rates);
    await moveRequest(context.notices, transaction, workflow, row, {
      action,
      to: priced.to,
      actor: actorOf(caller, step.role),
      at: context.now(),
      isSilent: target.shouldNotifyClient === false,
      ...extras,
      changes: { ...extras.changes, ...priced.changes },
      details: { ...extras.details, sentHash: hash, charged: priced.charged },
    });
  });
  context.announce();
}

// The applicant reads the message in a language of their own choosing, so it is there in all three
// or not at all.
function readMessage(typed: TypedMessage | undefined, isRequired: boolean): LocalizedText | null {
  const words = languages.map((language) => cleanText(typed?.[language] ?? '', true));
  if (!isRequired && words.every((text) => text === '')) return null;
  if (words.includes('')) throw new Refusal('MessageIncomplete');
  return Object.fromEntries(
    languages.map((language, index) => [language, words[index]]),
  ) as LocalizedText;
}

function readReasons(
  chosen: readonly number[],
  known: ReadonlyMap<number, LocalizedText>,
): { reasons: number[]; reasonTexts: LocalizedText[] } {
  const reasons = [...new Set(chosen)];
  const reasonTexts = reasons.flatMap((reason) => known.get(reason) ?? []);
  if (reasonTexts.length < reasons.length) throw new Refusal('RejectionReasonNotFound');
  return { reasons, reasonTexts };
}

/** Receive: who receives a request holds it. */
export function receive(context: RequestsContext, caller: Caller, target: Target): Promise<void> {
  return take(context, caller, target, { action: 'receive' }, async () => ({
    changes: { holder_id: caller.userId },
  }));
}

export function release(context: RequestsContext, caller: Caller, target: Target): Promise<void> {
  return take(context, caller, target, { action: 'release' }, async () => ({
    changes: { holder_id: null },
  }));
}

export function approve(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  charges: Charges = {},
): Promise<void> {
  return take(context, caller, target, { action: 'approve', sent: charges }, async () => ({
    charges,
  }));
}

export function accept(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  charges: Charges = {},
): Promise<void> {
  return take(context, caller, target, { action: 'accept', sent: charges }, async () => ({
    charges,
  }));
}

/** Return: what is marked says what to mend; without a mark the message has to. */
export function giveBack(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  words: Words & {
    serviceProviderRequestNumber?: string | undefined;
    marks?: readonly TypedMark[] | undefined;
  },
): Promise<void> {
  return take(
    context,
    caller,
    target,
    { action: 'return', sent: words },
    async (transaction, row) => {
      const known = await usableReasons(transaction);
      const { reasons, reasonTexts } = readReasons(words.reasons ?? [], known);
      const marked = {
        row,
        documents: await selectCurrentDocuments(transaction, row.id),
        reasons: known,
      };
      const marks = withInfected(readMarks(words.marks ?? [], marked), marked);
      return {
        reasons,
        message: readMessage(words.message, marks.length === 0),
        changes: providerNumber(words.serviceProviderRequestNumber),
        details: { reasonTexts, marks },
      };
    },
  );
}

export function reject(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  words: Words,
): Promise<void> {
  return take(context, caller, target, { action: 'reject', sent: words }, async (transaction) => {
    const { reasons, reasonTexts } = readReasons(
      words.reasons ?? [],
      await usableReasons(transaction),
    );
    return { reasons, message: readMessage(words.message, true), details: { reasonTexts } };
  });
}

/** Submitted: the request is done; `results` are the documents that it led to. */
export function complete(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  given: Words & {
    charges?: Charges;
    results?: readonly string[] | undefined;
    serviceProviderRequestNumber?: string | undefined;
  },
): Promise<void> {
  return take(
    context,
    caller,
    target,
    { action: 'submitted', sent: given },
    async (transaction, row) => {
      const message = readMessage(given.message, false);
      await bindDocuments(
        transaction,
        await lockResults(transaction, caller, row.id, given.results ?? []),
        row.id,
        true,
      );
      return {
        message,
        charges: given.charges ?? {},
        changes: providerNumber(given.serviceProviderRequestNumber),
      };
    },
  );
}

function providerNumber(typed: string | undefined): store.RequestChanges {
  const number = cleanText(typed ?? '', false);
  return number ? { service_provider_request_number: number } : {};
}

/** What a person sends to mend a request: everything again, documents that stay included. */
export interface Mended {
  answers: Readonly<Record<string, unknown>>;
  attachmentIds: readonly string[];
  hasAgreed?: boolean | undefined;
  /** Why something marked stays as it is. */
  explanations?: readonly MarkExplanation[] | undefined;
}

/**
 * Update: judged by the form and the rules that the request began with; it is nobody's in
 * particular again.
 */
export function mend(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  mended: Mended,
): Promise<void> {
  return take(
    context,
    caller,
    target,
    { action: 'update', sent: mended },
    async (transaction, row) => {
      if (mended.hasAgreed === false) throw new Refusal('TermsNotAccepted');
      const today = dayInDubai(context.now());
      const checked = checkAnswers(row.form, mended.answers, today);
      const rules = documentsAsked(row.form, row.attachment_rules, mended.answers, today).map(
        ({ rule }) => rule,
      );
      const documents = await checkDocuments(transaction, caller, {
        ids: mended.attachmentIds,
        serviceId: row.service_id,
        rules,
        requestId: row.id,
        mostFiles: context.mostFiles,
      });
      const change = {
        before: row.answers,
        after: checked.answers,
        documents: await selectCurrentDocuments(transaction, row.id),
        sent: await lockDocuments(transaction, mended.attachmentIds),
      };
      const judged = judgeUpdate(
        await findOpenMarks(transaction, row.id),
        change,
        mended.explanations ?? [],
      );
      const issues = [
        ...checked.issues,
        ...documents,
        ...judged.issues.filter(
          ({ field }) => ![...checked.issues, ...documents].some((issue) => issue.field === field),
        ),
      ];
      if (issues.length > 0) throw new ValidationRefusal(issues);
      await supersedeOtherDocuments(transaction, row.id, mended.attachmentIds, context.now());
      await bindDocuments(transaction, mended.attachmentIds, row.id, false);
      const contact = contactOf(checked.answers, {
        fullName: row.applicant_name,
        phoneNumber: row.phone_number,
      });
      const searchText = searchTextOf({ number: row.number, ...contact });
      return {
        changes: {
          answers: JSON.stringify(checked.answers),
          applicant_name: contact.applicantName,
          phone_number: contact.phoneNumber,
          search_text: searchText,
          holder_id: null,
        },
        details: { mended: judged.mended },
      };
    },
  );
}
