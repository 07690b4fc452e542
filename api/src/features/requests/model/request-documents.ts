import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { readFormAnswers, type FormAnswers } from '@diwan/contract/forms/check-answers';
import type {
  Answers,
  AttachmentRule,
  ServiceForm,
  SpecialData,
} from '@diwan/contract/forms/forms';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { lockDocuments, type AttachmentRow } from './request-documents.store.ts';

/** A consent to the use of special data, as it is stored with a request. */
type SpecialConsent = NonNullable<RequestRecord['specialConsents']>[number];

/**
 * The consents to the kinds of special data that are sent and not `known`. Throws
 * SpecialDataConsentMissing where there are any and the applicant has not consented.
 */
export function consentsTo(
  sent: readonly SpecialData[],
  known: readonly SpecialData[],
  consent: { isGiven: boolean; at: Date; versionId: number | undefined },
): SpecialConsent[] {
  const added = sent.filter((kind) => !known.includes(kind));
  // guard: consent to special data (special-consents)
  if (added.length > 0 && !consent.isGiven) throw new Refusal('SpecialDataConsentMissing');
  const { at, versionId } = consent;
  const version = versionId === undefined ? {} : { versionId };
  return added.map((kind) => ({ kind, at: at.toISOString(), ...version }));
}

/** The documents that a caller sends with a request; `requestId` when they correct a request. */
interface DocumentSelection {
  ids: readonly string[];
  serviceId: number;
  rules: readonly AttachmentRule[];
  requestId?: number;
  /** The largest number of files of one request. */
  maximumFiles: number;
}

// A user of a company may keep the documents that a colleague sent with the request.
function maySend(
  row: AttachmentRow,
  caller: Caller,
  { serviceId, requestId }: DocumentSelection,
): boolean {
  if (row.uploaded_at === null) return false;
  const isUnused =
    row.request_id === null &&
    row.user_id === caller.userId &&
    row.service_id === serviceId &&
    (row.announced_for === null || row.announced_for === requestId);
  const isOfRequest =
    requestId !== undefined &&
    row.request_id === requestId &&
    !row.is_result &&
    row.provider_title === null;
  return isUnused || isOfRequest;
}

function checkRule(rule: AttachmentRule, count: number): ValidationIssue[] {
  const field = `attachments.${rule.name}`;
  if (rule.required && count === 0) return [{ field, code: 'attachmentMissing' }];
  if (count > rule.maximumCount)
    return [{ field, code: 'attachmentTooMany', params: { maximum: rule.maximumCount } }];
  return [];
}

/**
 * Locks the documents of a selection. Those of a selection that is too large are not read, because
 * `checkDocuments` refuses it.
 */
export function lockSelection(
  transaction: Transaction,
  ids: readonly string[],
  maximumFiles: number,
): Promise<AttachmentRow[]> {
  const different = [...new Set(ids)];
  return different.length > maximumFiles
    ? Promise.resolve([])
    : lockDocuments(transaction, different);
}

/** What is wrong with the documents of a selection, which are locked. */
export function checkDocuments(
  locked: readonly AttachmentRow[],
  caller: Caller,
  selection: DocumentSelection,
): ValidationIssue[] {
  const ids = [...new Set(selection.ids)];
  if (ids.length > selection.maximumFiles)
    return [
      {
        field: 'attachments',
        code: 'attachmentTooMany',
        params: { maximum: selection.maximumFiles },
      },
    ];
  const rows = locked.filter((row) => maySend(row, caller, selection));
  const names = new Set(selection.rules.map((rule) => rule.name));
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
    ...selection.rules.flatMap((rule) =>
      checkRule(rule, rows.filter((row) => row.name === rule.name).length),
    ),
  ];
}

/** What an applicant sends with a new or corrected request, and what it has to fit. */
interface RequestContent extends Omit<DocumentSelection, 'ids' | 'rules'> {
  form: ServiceForm;
  /** The documents that the form may ask for. */
  rules: readonly AttachmentRule[];
  answers: Readonly<Record<string, unknown>>;
  attachmentIds: readonly string[];
  /** YYYY-MM-DD in Asia/Dubai. */
  today: string;
}

/**
 * The answers as they are stored and as the fees read them, and everything wrong with them and the
 * locked documents.
 */
export function checkContent(
  locked: readonly AttachmentRow[],
  caller: Caller,
  { form, rules, answers, attachmentIds, today, ...selection }: RequestContent,
): { answers: Answers; given: FormAnswers; issues: ValidationIssue[] } {
  const given = readFormAnswers(form, answers, today);
  const checked = given.check();
  const required = given.listRequiredDocuments(rules);
  const documentIssues = checkDocuments(locked, caller, {
    ...selection,
    ids: attachmentIds,
    rules: required.map(({ rule }) => rule),
  });
  return { answers: checked.answers, given, issues: [...checked.issues, ...documentIssues] };
}

/**
 * Locks documents that staff add to a request under this attachment name, and returns their ids.
 * Throws AttachmentNotFound unless the caller uploaded each of them for this request.
 */
export async function lockStaffDocuments(
  transaction: Transaction,
  caller: Caller,
  { requestId, name }: { requestId: number; name: string },
  sent: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(sent)];
  const rows = (await lockDocuments(transaction, ids)).filter(
    (row) =>
      row.uploaded_at !== null &&
      row.request_id === null &&
      // guard: uploader of a result (others-ids, hostile-actions)
      row.user_id === caller.userId &&
      // guard: request of a result (block-uploads, hostile-actions)
      row.announced_for === requestId &&
      row.name === name &&
      row.scan_state !== 'infected',
  );
  if (rows.length < ids.length) throw new Refusal('AttachmentNotFound');
  return ids;
}
