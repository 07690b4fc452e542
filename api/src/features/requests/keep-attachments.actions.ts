import type { Attachment } from '@diwan/contract/attachments';
import { documentsAsked } from '@diwan/contract/check-answers';
import type { Language } from '@diwan/contract/languages';
import type { RequestRecord } from '@diwan/contract/requests';
import { Refusal, ValidationRefusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { describeAttachment } from '../attachments/attachments.actions.ts';
import { mend, type Target } from './act-on-request.actions.ts';
import { dayInDubai } from '@diwan/contract/days';
import { checkDocuments } from './request-documents.ts';
import { selectDocuments } from './request-documents.store.ts';
import { noteRead } from './request-reads.actions.ts';
import { getRecord, type RecordHouse } from './request-record.actions.ts';
import type { RequestsHouse } from './requests.actions.ts';
import * as store from './requests.store.ts';
import { tooLate } from './too-late.ts';
import { visibleTo } from './visibility.store.ts';
import { findStep } from './workflow.ts';

// What is missing may still come before it is sent.
const mayBeMissing = 'attachmentMissing';

/** Keeps documents for a request that waits to be mended, without sending it. Throws RequestNotFound, ActionNotAllowed, VersionHasChanged, and a ValidationRefusal for what could not be sent. */
export async function keepAttachments(house: RequestsHouse, caller: Caller, target: Target, sent: readonly string[]): Promise<readonly string[]> {
  const ids = [...new Set(sent)];
  await house.database.transaction().execute(async (transaction) => {
    const row = await store.lockVisible(transaction, target.requestId, visibleTo(caller));
    if (!row) throw new Refusal('RequestNotFound');
    if (target.version !== undefined && target.version !== row.version) throw await tooLate(transaction, row, caller);
    if (!findStep(await house.workflow.get(row.workflow_id, transaction), 'update', row.status_id, caller, row)) throw new Refusal('ActionNotAllowed');
    const rules = documentsAsked(row.form, row.attachment_rules, row.answers, dayInDubai(house.now())).map(({ rule }) => rule);
    const issues = (await checkDocuments(transaction, caller, { ids, serviceId: row.service_id, rules, requestId: row.id, mostFiles: house.mostFiles })).filter(({ code }) => code !== mayBeMissing);
    if (issues.length > 0) throw new ValidationRefusal(issues);
    await store.updateRequest(transaction, row.id, { kept_attachments: ids });
  });
  return ids;
}

/** Sends a returned request again with other documents and the answers that it has. Throws as `mend` does. */
export async function sendAttachments(house: RequestsHouse, caller: Caller, target: Target, attachmentIds: readonly string[]): Promise<void> {
  const row = await store.findVisible(house.database, target.requestId, visibleTo(caller));
  if (!row) throw new Refusal('RequestNotFound');
  // The answers are those of this version; who has changed them meanwhile is not overwritten.
  await mend(house, caller, { ...target, version: target.version ?? row.version }, { answers: row.answers, attachmentIds });
}

/** A request that the caller can mend now; who acts for somebody has looked at it. Throws RequestNotFound, ActionNotAllowed. */
export async function getForUpdate(house: RecordHouse & { readMinutes: number }, caller: Caller, requestId: number, language: Language): Promise<RequestRecord & { openMarks: RequestRecord['history'][number]['marks']; keptAttachments: Attachment[] }> {
  const record = await getRecord(house, caller, requestId, language);
  if (!record.allowedActions.includes('update')) throw new Refusal('ActionNotAllowed');
  await noteRead(house, caller, requestId);
  const latest = record.history.at(-1);
  const kept = await selectDocuments(house.database, requestId, caller.userId);
  return { ...record, openMarks: latest?.action === 'return' ? latest.marks : [], keptAttachments: kept.map((row) => describeAttachment(house.references, { ...row, viewer_name: null }, record.attachmentRules, caller, language)) };
}
