import type { Attachment } from '@diwan/contract/requests/attachments';
import { documentsAsked } from '@diwan/contract/forms/check-answers';
import type { Language } from '@diwan/contract/wire/languages';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { describeAttachment } from '../../attachments/attachments.actions.ts';
import { findKeptToMend, keepToMend } from '../../drafts/drafts.actions.ts';
import { mend, type Target } from './act-on-request.actions.ts';
import { dayInDubai } from '@diwan/contract/wire/days';
import { checkDocuments } from '../model/request-documents.ts';
import { selectDocuments } from '../model/request-documents.store.ts';
import { noteRead } from '../record/request-reads.actions.ts';
import { getRecord, type RecordContext } from '../record/request-record.actions.ts';
import { getVisible, type RequestsContext } from '../requests.actions.ts';
import * as store from '../model/requests.store.ts';
import { notAllowed, tooLate } from './too-late.ts';
import { visibleTo } from '../model/visibility.store.ts';
import { findStep } from '../workflow/workflow.ts';

/**
 * Locks a request that the caller may mend now. Throws RequestNotFound, and with who was faster
 * VersionHasChanged and ActionNotAllowed.
 */
export async function lockToMend(
  context: Pick<RequestsContext, 'workflow'>,
  transaction: Transaction,
  caller: Caller,
  { requestId, version }: Pick<Target, 'requestId' | 'version'>,
): Promise<store.RequestRow> {
  const row = await store.lockVisible(transaction, requestId, visibleTo(caller));
  if (!row) throw new Refusal('RequestNotFound');
  if (version !== undefined && version !== row.version)
    throw await tooLate(transaction, row, caller);
  const workflow = await context.workflow.get(row.workflow_id, transaction);
  if (!findStep(workflow, 'update', row.status_id, caller, row))
    throw await notAllowed(transaction, workflow, row, 'update', caller);
  return row;
}

// What is missing may still come before it is sent.
const mayBeMissing = 'attachmentMissing';

/**
 * Keeps documents for a request that waits to be mended, without sending it. Throws
 * RequestNotFound, ActionNotAllowed, VersionHasChanged, and a ValidationRefusal for what could not
 * be sent.
 */
export async function keepAttachments(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  sent: readonly string[],
): Promise<readonly string[]> {
  const ids = [...new Set(sent)];
  await context.database.transaction().execute(async (transaction) => {
    const row = await lockToMend(context, transaction, caller, target);
    const rules = documentsAsked(
      row.form,
      row.attachment_rules,
      row.answers,
      dayInDubai(context.now()),
    ).map(({ rule }) => rule);
    const issues = (
      await checkDocuments(transaction, caller, {
        ids,
        serviceId: row.service_id,
        rules,
        requestId: row.id,
        mostFiles: context.mostFiles,
      })
    ).filter(({ code }) => code !== mayBeMissing);
    if (issues.length > 0) throw new ValidationRefusal(issues);
    await keepToMend(transaction, caller, row, ids);
  });
  return ids;
}

/**
 * Sends a returned request again with other documents and the answers that it has. Throws as `mend`
 * does.
 */
export async function sendAttachments(
  context: RequestsContext,
  caller: Caller,
  target: Target,
  attachmentIds: readonly string[],
): Promise<void> {
  const row = await getVisible(context.database, caller, target.requestId);
  // The answers are those of this version; who has changed them meanwhile is not overwritten.
  await mend(
    context,
    caller,
    { ...target, version: target.version ?? row.version },
    { answers: row.answers, attachmentIds },
  );
}

/**
 * A request that the caller can mend now; who acts for somebody has looked at it. Throws
 * RequestNotFound, ActionNotAllowed.
 */
export async function getForUpdate(
  context: RecordContext & { readMinutes: number },
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<
  RequestRecord & {
    openMarks: RequestRecord['history'][number]['marks'];
    keptAttachments: Attachment[];
  }
> {
  const record = await getRecord(context, caller, requestId, language);
  if (!record.allowedActions.includes('update')) throw new Refusal('ActionNotAllowed');
  await noteRead(context, caller, requestId);
  const latest = record.history.at(-1);
  const kept = await selectDocuments(
    context.database,
    await findKeptToMend(context.database, caller, record),
    requestId,
    caller.userId,
  );
  return {
    ...record,
    openMarks: latest?.action === 'return' ? latest.marks : [],
    keptAttachments: kept.map((row) =>
      describeAttachment(
        context.references,
        { ...row, viewer_name: null },
        record.attachmentRules,
        caller,
        language,
      ),
    ),
  };
}
