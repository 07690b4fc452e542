import { describeAttachment } from '#features/attachments/attachments.actions.ts';
import {
  findCorrectionDocumentIds,
  storeCorrectionDocuments,
} from '#features/drafts/drafts.actions.ts';
import { listChangedFines } from '#features/fines/fines.actions.ts';
import { findStep } from '#features/workflow/workflow-rules.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { sendTogether } from '#platform/database/unit-of-work.ts';
import { listRequiredDocuments } from '@diwan/contract/forms/check-answers';
import type { Answers } from '@diwan/contract/forms/forms';
import { kindsOf, listSpecialData } from '@diwan/contract/forms/special-data';
import type { RequestForUpdate } from '@diwan/contract/requests/requests';
import type { MarkExplanation } from '@diwan/contract/requests/return-marks';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { applicantColumns } from '../model/applicant-columns.ts';
import {
  bindDocuments,
  selectCurrentDocuments,
  selectDocuments,
  supersedeOtherDocuments,
} from '../model/request-documents.store.ts';
import {
  checkContent,
  checkDocuments,
  consentsTo,
  lockSelection,
} from '../model/request-documents.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { getForm, type RequestForm, type RequestRow } from '../model/requests.store.ts';
import { getVisibleRequest, lockVisibleRequest } from '../model/visibility.actions.ts';
import { recordAccess } from '../record/access-log.actions.ts';
import { getRecord, type OpenRecordContext } from '../record/request-record.actions.ts';
import { actionConflict, versionConflict } from './conflict-errors.ts';
import { performAction, type ActionTarget } from './perform.actions.ts';
import { compareWithMarks, findOpenMarks } from './return-marks.ts';

/** A corrected request: all its answers, and all its documents, unchanged ones included. */
interface CorrectionInput {
  answers: Readonly<Record<string, unknown>>;
  attachmentIds: readonly string[];
  hasAgreed?: boolean | undefined;
  /** To the use of special data that the request did not hold before. */
  hasConsented?: boolean | undefined;
  /** The reasons why something marked is not changed. */
  explanations?: readonly MarkExplanation[] | undefined;
}

/**
 * Corrects a returned request, by the form and the rules that it began with. The request then has
 * no holder. Throws TermsNotAccepted, SpecialDataConsentMissing, a ValidationRefusal, and what `performAction` throws.
 */
export function correct(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  correction: CorrectionInput,
): Promise<void> {
  const { answers: sentAnswers, attachmentIds, hasAgreed, explanations = [] } = correction;
  return performAction(context, caller, target, {
    action: 'update',
    sent: correction,
    async prepare({ transaction, row }) {
      if (hasAgreed === false) throw new Refusal('TermsNotAccepted');
      const { begun, locked, documents, marks } = await sendTogether(transaction, {
        begun: (part) => getForm(part, row.id),
        locked: (part) => lockSelection(part, attachmentIds, context.maximumFiles),
        documents: (part) => selectCurrentDocuments(part, row.id),
        marks: (part) => findOpenMarks(part, row.id),
      });
      const { answers, issues } = checkContent(locked, caller, {
        form: begun.form,
        rules: begun.attachment_rules,
        serviceId: row.service_id,
        requestId: row.id,
        maximumFiles: context.maximumFiles,
        answers: sentAnswers,
        attachmentIds,
        today: dayInDubai(context.now()),
      });
      const update = { before: row.answers, after: answers, documents, sent: locked };
      const compared = compareWithMarks(marks, update, explanations);
      const fineIssues = listChangedFines(begun.form, row.answers, answers);
      const markIssues = compared.issues.filter(
        ({ field }) => !issues.some((issue) => issue.field === field),
      );
      const all = [...issues, ...fineIssues, ...markIssues];
      if (all.length > 0) throw new ValidationRefusal(all);
      const kindsIn = (each: Answers, held: readonly { name: string }[]) =>
        kindsOf(
          listSpecialData(
            begun.form,
            begun.attachment_rules,
            each,
            held.map(({ name }) => name),
          ),
        );
      const consents = consentsTo(kindsIn(answers, locked), kindsIn(row.answers, documents), {
        isGiven: correction.hasConsented === true,
        at: context.now(),
        versionId: context.legal.inForce('privacy')?.id,
      });
      return {
        writes: [
          (part) => supersedeOtherDocuments(part, row.id, attachmentIds, context.now()),
          (part) => bindDocuments(part, attachmentIds, row.id, false),
        ],
        changes: {
          answers: JSON.stringify(answers),
          ...applicantColumns(row.number, answers, {
            fullName: row.applicant_name,
            phoneNumber: row.phone_number,
          }),
          holder_id: null,
          ...(consents.length > 0
            ? { special_consents: JSON.stringify([...(row.special_consents ?? []), ...consents]) }
            : {}),
        },
        details: { corrected: compared.corrected },
      };
    },
  });
}

/**
 * Locks a request that the caller may correct now. Throws RequestNotFound, VersionHasChanged,
 * ActionNotAllowed.
 */
export async function lockForCorrection(
  context: Pick<RequestsContext, 'workflow'>,
  transaction: Transaction,
  caller: Caller,
  { requestId, version }: Pick<ActionTarget, 'requestId' | 'version'>,
): Promise<RequestRow & RequestForm> {
  const row = await lockVisibleRequest(transaction, caller, requestId);
  if (version !== undefined && version !== row.version)
    throw await versionConflict(transaction, row, caller);
  const workflow = await context.workflow.get(row.workflow_id, transaction);
  if (!findStep(workflow, 'update', caller, row))
    throw await actionConflict(transaction, caller, row, { workflow, action: 'update' });
  return { ...row, ...(await getForm(transaction, row.id)) };
}

/**
 * Stores documents in the caller's correction draft of a returned request, and does not send it.
 * Required documents may still be missing. Throws RequestNotFound, ActionNotAllowed,
 * VersionHasChanged, and a ValidationRefusal for documents that could not be sent.
 */
export async function saveCorrectionDocuments(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  sent: readonly string[],
): Promise<readonly string[]> {
  const ids = [...new Set(sent)];
  await inTransaction(context.database, async (transaction) => {
    const row = await lockForCorrection(context, transaction, caller, target);
    const required = listRequiredDocuments(
      row.form,
      row.attachment_rules,
      row.answers,
      dayInDubai(context.now()),
    );
    const locked = await lockSelection(transaction, ids, context.maximumFiles);
    const issues = checkDocuments(locked, caller, {
      ids,
      serviceId: row.service_id,
      rules: required.map(({ rule }) => rule),
      requestId: row.id,
      maximumFiles: context.maximumFiles,
    });
    const remaining = issues.filter(({ code }) => code !== 'attachmentMissing');
    if (remaining.length > 0) throw new ValidationRefusal(remaining);
    await storeCorrectionDocuments(transaction, caller, row, ids);
  });
  return ids;
}

/** Sends a returned request again with other documents and its own answers. Throws like `correct`. */
export async function resubmitWithDocuments(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  { attachmentIds, hasConsented }: Pick<CorrectionInput, 'attachmentIds' | 'hasConsented'>,
): Promise<void> {
  const row = await getVisibleRequest(context.database, caller, target.requestId);
  // The version of the answers prevents overwriting answers that were changed in the meantime.
  await correct(
    context,
    caller,
    { ...target, version: target.version ?? row.version },
    { answers: row.answers, attachmentIds, hasConsented },
  );
}

/**
 * A request that the caller can correct now, with its open marks and the documents of their draft.
 * The access is recorded. Throws RequestNotFound, ActionNotAllowed.
 */
export async function getCorrection(
  context: OpenRecordContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestForUpdate> {
  const record = await getRecord(context, caller, { requestId, language });
  if (!record.allowedActions.includes('update')) throw new Refusal('ActionNotAllowed');
  await recordAccess(context, caller, requestId);
  const latest = record.history.at(-1);
  const documents = await selectDocuments(
    context.database,
    await findCorrectionDocumentIds(context.database, caller, record),
    requestId,
    caller.userId,
  );
  return {
    ...record,
    openMarks: latest?.action === 'return' ? latest.marks : [],
    keptAttachments: documents.map((row) =>
      describeAttachment(
        context.references,
        { ...row, viewer_name: null, viewer_name_ar: null },
        { rules: record.attachmentRules, caller, language },
      ),
    ),
  };
}
