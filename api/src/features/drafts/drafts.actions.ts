import { randomUUID } from 'node:crypto';
import type { Config } from '#config.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import { listUnconsented } from '@diwan/contract/forms/special-data';
import type { DraftSummary, SavedDraft } from '@diwan/contract/requests/drafts';
import type { EveryField } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { describeClosure } from '../services/closures.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import {
  formChanges,
  progressOf,
  selectAnswersWithoutField,
  selectFittingAnswers,
} from './draft-answers.ts';
import * as store from './drafts.store.ts';

/** A returned request with its form. */
interface CorrectableRequest {
  id: number;
  service_id: number;
  form: ServiceForm;
}

export interface DraftsContext {
  database: Database;
  catalogue: Catalogue;
  config: Pick<Config, 'DRAFT_DAYS' | 'DRAFTS_PER_PERSON'>;
  /**
   * Locks a request that the caller may correct now. Throws RequestNotFound, ActionNotAllowed or
   * VersionHasChanged.
   */
  lockForCorrection(
    transaction: Transaction,
    caller: Caller,
    target: { requestId: number; version?: number | undefined },
  ): Promise<CorrectableRequest>;
}

/** A draft as the browser sends it; `revision` is the one that was read, 0 for a new draft. */
interface SentDraft {
  draftId: string;
  serviceId: number;
  /** The returned request that the draft corrects, and its version when the draft was written. */
  requestId?: number | undefined;
  version?: number | undefined;
  explanations?: Record<string, string> | undefined;
  revision: number;
  answers: Record<string, unknown>;
  attachmentIds: readonly string[];
  passed: readonly string[];
}

const dayMs = 86_400_000;
/** A discarded draft can be restored for this time. */
const undoMs = dayMs;

/**
 * The owner of the caller's drafts. Drafts for a company are separate from those of other companies
 * and from personal ones.
 */
export function writerOf(caller: Caller): store.Writer {
  return {
    userId: caller.userId,
    companyId: caller.roles.includes('CompanyUser') ? caller.companyId : null,
  };
}

const times = (context: Pick<DraftsContext, 'config'>, savedAt: Date) => ({
  savedAt: savedAt.toISOString(),
  keptUntil: new Date(savedAt.getTime() + context.config.DRAFT_DAYS * dayMs).toISOString(),
});

interface TargetWithForm extends store.DraftTarget {
  form: ServiceForm;
}

type Target = Pick<SentDraft, 'serviceId' | 'requestId' | 'version'>;

async function lockCorrected(
  context: DraftsContext,
  transaction: Transaction,
  caller: Caller,
  target: { serviceId: number; requestId: number; version?: number | undefined },
): Promise<TargetWithForm> {
  const row = await context.lockForCorrection(transaction, caller, target);
  if (row.service_id !== target.serviceId) throw new Refusal('RequestNotFound');
  return { serviceId: target.serviceId, requestId: target.requestId, form: row.form };
}

/**
 * Runs `work` in a transaction with the target of a draft and its form: that of the request for a
 * correction, the current one of the service otherwise.
 */
async function withTarget<Result>(
  context: DraftsContext,
  caller: Caller,
  { serviceId, requestId, version }: Target,
  work: (transaction: Transaction, target: TargetWithForm) => Promise<Result>,
): Promise<Result> {
  if (requestId !== undefined)
    return inTransaction(context.database, async (transaction) => {
      const target = { serviceId, requestId, version };
      return work(transaction, await lockCorrected(context, transaction, caller, target));
    });
  // Before the transaction begins: see `Catalogue.getDetails`.
  const { form } = await context.catalogue.getDetails(serviceId);
  return inTransaction(context.database, (transaction) =>
    work(transaction, { serviceId, requestId: null, form }),
  );
}

async function insertNewDraft(
  context: DraftsContext,
  transaction: Transaction,
  writer: store.Writer,
  {
    sent,
    target,
    content,
  }: { sent: SentDraft; target: TargetWithForm; content: store.DraftContent },
): Promise<store.DraftRow> {
  if (sent.revision !== 0) throw new Refusal('DraftNotFound');
  await store.lockWriter(transaction, writer.userId);
  if (await store.findOpenDraft(transaction, writer, target)) throw new Refusal('DraftHasChanged');
  if (target.requestId === null) await checkLimit(context, transaction, writer.userId);
  await store.deleteOldDiscarded(transaction, writer.userId, context.config.DRAFTS_PER_PERSON);
  const row = await store.insertDraft(
    transaction,
    writer,
    { ...target, id: sent.draftId },
    content,
  );
  if (!row) throw new Refusal('DraftNotFound');
  return row;
}

async function checkLimit(
  context: DraftsContext,
  transaction: Transaction,
  userId: string,
): Promise<void> {
  const maximum = context.config.DRAFTS_PER_PERSON;
  // guard: number of drafts
  if ((await store.countOpenDrafts(transaction, userId)) >= maximum)
    throw new Refusal('DraftLimitReached', { maximum });
}

/**
 * Saves a draft. Throws DraftHasChanged when the revision is not the current one: the caller has
 * not seen the newer one.
 */
export async function saveDraft(
  context: DraftsContext,
  caller: Caller,
  sent: SentDraft,
): Promise<{
  draftId: string;
  revision: number;
  savedAt: string;
  keptUntil: string;
  leftOut: string[];
}> {
  const writer = writerOf(caller);
  return withTarget(context, caller, sent, async (transaction, target) => {
    // guard: special data in a draft needs a consent first (drafts) => []
    const unconsented = target.requestId === null ? listUnconsented(target.form, sent.passed) : [];
    const { fitting, leftOut } = selectFittingAnswers(target.form, sent.answers, unconsented);
    const files = await store.selectFiles(transaction, writer.userId, target, sent.attachmentIds);
    const row = await store.lockDraft(transaction, writer, sent.draftId);
    const content = {
      form: target.form,
      answers: { ...selectAnswersWithoutField(target.form, row?.answers), ...fitting },
      explanations: sent.explanations,
      attachmentIds: files.map(({ id }) => id),
      passed: sent.passed,
    };
    if (row && row.request_id !== null) throw new Refusal('DraftAlreadySent');
    if (
      row &&
      (row.discarded_at !== null ||
        row.service_id !== target.serviceId ||
        row.corrects_request_id !== target.requestId)
    )
      throw new Refusal('DraftNotFound');
    // guard: revision of a draft
    if (row && row.revision !== sent.revision) throw new Refusal('DraftHasChanged');
    const saved = row
      ? await store.updateDraft(transaction, row, content)
      : await insertNewDraft(context, transaction, writer, { sent, target, content });
    return {
      draftId: saved.id,
      revision: saved.revision,
      ...times(context, saved.saved_at),
      leftOut: [
        ...leftOut,
        ...(files.length < new Set(sent.attachmentIds).size ? ['attachmentIds'] : []),
      ],
    };
  });
}

/**
 * Finds the caller's draft for a service, or for a correction of a request. `today` is YYYY-MM-DD
 * in Asia/Dubai.
 */
export function findDraft(
  context: DraftsContext,
  caller: Caller,
  of: Pick<SentDraft, 'serviceId' | 'requestId'>,
  { today, language }: { today: string; language: Language },
): Promise<EveryField<SavedDraft> | undefined> {
  return withTarget(context, caller, of, async (transaction, target) => {
    const row = await store.findOpenDraft(transaction, writerOf(caller), target);
    if (!row) return undefined;
    const files = await store.selectFiles(transaction, caller.userId, target, row.attachment_ids);
    return {
      draftId: row.id,
      serviceId: target.serviceId,
      revision: row.revision,
      answers: selectFittingAnswers(target.form, row.answers).fitting,
      explanations: row.explanations,
      passed: row.passed,
      ...times(context, row.saved_at),
      documents: files.map((file) => ({
        attachmentId: file.id,
        name: file.name,
        fileName: file.file_name,
        mediaType: file.media_type,
        size: file.size,
      })),
      formChanges: formChanges(row.form, target.form, row.answers, { today, language }),
    };
  });
}

export async function listDrafts(
  context: Omit<DraftsContext, 'lockForCorrection'>,
  caller: Caller,
  { language, at }: { language: Language; at: Date },
): Promise<EveryField<DraftSummary>[]> {
  const rows = await store.selectOpenDrafts(context.database, writerOf(caller));
  const summaries = rows.map(async (row) => {
    const service = context.catalogue.findService(row.service_id);
    const correction =
      row.corrects_request_id === null || row.corrected_number === null
        ? undefined
        : { requestId: row.corrects_request_id, requestNumber: row.corrected_number };
    return {
      draftId: row.id,
      serviceId: row.service_id,
      serviceName: localize(row.service_name, language),
      replacedName: row.replaced_name,
      governmentAgency: {
        id: row.agency_id,
        name: localize(row.agency_name, language),
        logo: row.agency_logo,
      },
      ...(service && !correction
        ? progressOf(await context.catalogue.getDetails(service.id), row.passed)
        : { done: 0, total: 0 }),
      ...times(context, row.saved_at),
      isOffered: service !== undefined || correction !== undefined,
      // What was sent is corrected while the service takes no new requests.
      closure:
        service && !correction
          ? describeClosure(context.catalogue.findClosure(service, at), language)
          : undefined,
      corrects: correction,
    };
  });
  return Promise.all(summaries);
}

export async function discardDraft(
  context: DraftsContext,
  caller: Caller,
  draftId: string,
): Promise<void> {
  if (!(await store.setDiscarded(context.database, writerOf(caller), draftId)))
    throw new Refusal('DraftNotFound');
}

/** Restores a discarded draft. An open draft stays as it is. */
export async function restoreDraft(
  context: DraftsContext,
  caller: Caller,
  draftId: string,
): Promise<void> {
  const writer = writerOf(caller);
  await inTransaction(context.database, async (transaction) => {
    const requestId =
      (await store.findDraft(transaction, writer, draftId))?.corrects_request_id ?? null;
    // The request is locked before its draft, in the order of all steps of requests.
    if (requestId !== null) await context.lockForCorrection(transaction, caller, { requestId });
    await store.lockWriter(transaction, writer.userId);
    const row = await store.lockDraft(transaction, writer, draftId);
    if (!row || row.request_id !== null) throw new Refusal('DraftNotFound');
    if (row.discarded_at === null) return;
    if (await store.findOpenDraft(transaction, writer, { serviceId: row.service_id, requestId }))
      throw new Refusal('DraftHasChanged');
    if (requestId === null) await checkLimit(context, transaction, writer.userId);
    await store.setRestored(transaction, row);
  });
}

/**
 * Locks a draft for the request that is created from it, in the transaction of that request; a
 * parallel call waits here. A draft that was never saved gets a placeholder. Each is one query.
 */
export const claimDraft = (caller: Caller, draftId: string, serviceId: number) =>
  [
    (part: Transaction) => store.insertPlaceholder(part, writerOf(caller), draftId, serviceId),
    (part: Transaction) => store.lockDraft(part, writerOf(caller), draftId),
  ] as const;

/**
 * The request that was created before from a claimed draft. Throws DraftNotFound for a draft of
 * another service.
 */
export async function findEarlierRequest(
  transaction: Transaction,
  claimed: store.DraftRow | undefined,
  serviceId: number,
): Promise<{ id: number; number: string } | undefined> {
  if (!claimed || claimed.service_id !== serviceId || claimed.corrects_request_id !== null)
    throw new Refusal('DraftNotFound');
  return claimed.request_id === null
    ? undefined
    : store.getRequestOfDraft(transaction, claimed.request_id);
}

/** Marks a draft as sent as a request. */
export async function endDraft(
  transaction: Transaction,
  caller: Caller,
  draftId: string,
  requestId: Sql<number>,
): Promise<void> {
  await store.setSent(transaction, caller.userId, draftId, requestId);
}

/**
 * Stores documents in the caller's correction draft of a request, which this transaction has
 * locked. A new draft starts with the answers of the request.
 */
export async function storeCorrectionDocuments(
  transaction: Transaction,
  caller: Caller,
  row: CorrectableRequest & { answers: Record<string, unknown> },
  attachmentIds: readonly string[],
): Promise<void> {
  const writer = writerOf(caller);
  const target = { serviceId: row.service_id, requestId: row.id };
  await store.lockWriter(transaction, writer.userId);
  const draft = await store.findOpenDraft(transaction, writer, target);
  if (draft) await store.updateDraft(transaction, draft, { ...draft, attachmentIds });
  else
    await store.insertDraft(
      transaction,
      writer,
      { ...target, id: randomUUID() },
      {
        form: row.form,
        answers: row.answers,
        attachmentIds,
        passed: [],
      },
    );
}

/** The ids of the documents in the caller's correction draft of a request. */
export async function findCorrectionDocumentIds(
  database: Database,
  caller: Caller,
  { requestId, serviceId }: { requestId: number; serviceId: number },
): Promise<string[]> {
  return (
    (await store.findOpenDraft(database, writerOf(caller), { serviceId, requestId }))
      ?.attachment_ids ?? []
  );
}

/** The write that deletes the correction drafts of a request, in the transaction of a step. */
export const endCorrections = (requestId: number): Sql => store.deleteCorrections(requestId);

/**
 * Deletes drafts that were not saved for DRAFT_DAYS, and discarded ones that can no longer be
 * restored. Their files are deleted as unused ones.
 */
export function pruneDrafts(
  { database, config }: Pick<DraftsContext, 'database' | 'config'>,
  now = Date.now(),
): Promise<number> {
  return store.deleteOld(
    database,
    new Date(now - config.DRAFT_DAYS * dayMs),
    new Date(now - undoMs),
  );
}
