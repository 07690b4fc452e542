import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { resultName, type AttachmentRow } from '../../attachments/attachments.actions.ts';
import { lockDocuments } from './request-documents.store.ts';

/** The documents that a person sends with a request. `requestId` when they mend one that exists. */
export interface SentDocuments {
  ids: readonly string[];
  serviceId: number;
  rules: readonly AttachmentRule[];
  requestId?: number;
  /** How many files one request may have in all. */
  mostFiles: number;
}

// A colleague of the same company may keep what another one sent with the request.
function isTheirs(
  row: AttachmentRow,
  caller: Caller,
  { serviceId, requestId }: SentDocuments,
): boolean {
  const isForThis = row.announced_for === null || row.announced_for === requestId;
  const isFree =
    row.request_id === null &&
    row.user_id === caller.userId &&
    row.service_id === serviceId &&
    isForThis;
  return (
    row.uploaded_at !== null &&
    (isFree ||
      (requestId !== undefined &&
        row.request_id === requestId &&
        !row.is_result &&
        row.provider_title === null))
  );
}

function checkRule(rule: AttachmentRule, count: number): ValidationIssue[] {
  const field = `attachments.${rule.name}`;
  if (rule.required && count === 0) return [{ field, code: 'attachmentMissing' }];
  if (count > rule.maximumCount)
    return [{ field, code: 'attachmentTooMany', params: { maximum: rule.maximumCount } }];
  return [];
}

/** Locks the documents and says what is wrong with them. */
export async function checkDocuments(
  transaction: Transaction,
  caller: Caller,
  sent: SentDocuments,
): Promise<ValidationIssue[]> {
  const ids = [...new Set(sent.ids)];
  if (ids.length > sent.mostFiles)
    return [
      { field: 'attachments', code: 'attachmentTooMany', params: { maximum: sent.mostFiles } },
    ];
  const rows = (await lockDocuments(transaction, ids)).filter((row) => isTheirs(row, caller, sent));
  const names = new Set(sent.rules.map((rule) => rule.name));
  const unknown: ValidationIssue[] = rows
    .filter((row) => !names.has(row.name))
    .map((row) => ({ field: `attachments.${row.name}`, code: 'attachmentUnknown' }));
  const infected: ValidationIssue[] = rows
    .filter((row) => row.scan_state === 'infected')
    .map((row) => ({ field: `attachments.${row.name}`, code: 'attachmentInfected' }));
  if (rows.length < ids.length) unknown.push({ field: 'attachments', code: 'attachmentUnknown' });
  return [
    ...unknown,
    ...infected,
    ...sent.rules.flatMap((rule) =>
      checkRule(rule, rows.filter((row) => row.name === rule.name).length),
    ),
  ];
}

/**
 * Locks what staff add to a request as its result; it was announced for this very request. Throws
 * AttachmentNotFound when one of them is not such a document of theirs.
 */
export async function lockResults(
  transaction: Transaction,
  caller: Caller,
  requestId: number,
  sent: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(sent)];
  const rows = (await lockDocuments(transaction, ids)).filter(
    (row) =>
      row.uploaded_at !== null &&
      row.request_id === null &&
      row.user_id === caller.userId &&
      row.announced_for === requestId &&
      row.name === resultName &&
      row.scan_state !== 'infected',
  );
  if (rows.length < ids.length) throw new Refusal('AttachmentNotFound');
  return ids;
}
