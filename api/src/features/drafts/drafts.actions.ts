import { randomUUID } from 'node:crypto';
import type { DraftSummary, SavedDraft } from '@diwan/contract/requests/drafts';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import type { Language } from '@diwan/contract/wire/languages';
import type { Config } from '../../config.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import type { Catalogue, CatalogueService } from '../services/services.actions.ts';
import { formChanges, keepFitting } from './draft-answers.ts';
import * as store from './drafts.store.ts';

/** A returned request as its draft knows it. */
export interface Mendable {
  id: number;
  service_id: number;
  form: ServiceForm;
}

export interface DraftsContext {
  database: Database;
  catalogue: Catalogue;
  config: Pick<Config, 'DRAFT_DAYS' | 'DRAFTS_PER_PERSON'>;
  /**
   * Locks a request that the caller may mend now. Throws RequestNotFound, ActionNotAllowed,
   * VersionHasChanged.
   */
  lockToMend(
    transaction: Transaction,
    caller: Caller,
    target: { requestId: number; version?: number | undefined },
  ): Promise<Mendable>;
}

/** A draft as somebody sends it; `revision` is the one that they read, 0 for a new one. */
export interface SentDraft {
  draftId: string;
  serviceId: number;
  /** The returned request that it mends, and the version of it that its writer saw. */
  requestId?: number | undefined;
  version?: number | undefined;
  explanations?: Record<string, string> | undefined;
  revision: number;
  answers: Record<string, unknown>;
  attachmentIds: readonly string[];
  passed: readonly string[];
}

const dayMs = 86_400_000;
/** How long a discarded draft can be taken back. */
const undoMs = dayMs;

/**
 * Whoever acts for a company writes for it; what they began for another one, or for themselves, is
 * not among it.
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

// Stages have names of their own: the steps, then the documents where there are any.
function progressOf(
  service: CatalogueService | undefined,
  passed: readonly string[],
): { done: number; total: number } {
  if (!service) return { done: 0, total: 0 };
  const names = new Set([
    ...service.form.steps.map((step) => step.name),
    ...(service.attachments.length > 0 ? ['documents'] : []),
  ]);
  return {
    done: passed.filter((name) => names.has(name.replace(/-step$/, ''))).length,
    total: names.size,
  };
}

interface About extends store.About {
  form: ServiceForm;
}

/**
 * What a draft is for, with its form: the request's own where one is mended, whatever the service
 * asks today.
 */
async function findAbout(
  context: DraftsContext,
  transaction: Transaction,
  caller: Caller,
  { serviceId, requestId, version }: Pick<SentDraft, 'serviceId' | 'requestId' | 'version'>,
): Promise<About> {
  if (requestId === undefined)
    return { serviceId, requestId: null, form: context.catalogue.getService(serviceId).form };
  const row = await context.lockToMend(transaction, caller, { requestId, version });
  if (row.service_id !== serviceId) throw new Refusal('RequestNotFound');
  return { serviceId, requestId, form: row.form };
}

async function begin(
  context: DraftsContext,
  transaction: Transaction,
  writer: store.Writer,
  sent: SentDraft,
  about: About,
  content: store.DraftContent,
): Promise<store.DraftRow> {
  if (sent.revision !== 0) throw new Refusal('DraftNotFound');
  await store.lockWriter(transaction, writer.userId);
  if (await store.findAlive(transaction, writer, about)) throw new Refusal('DraftHasChanged');
  if (about.requestId === null) await checkLimit(context, transaction, writer.userId);
  await store.deleteOldDiscarded(transaction, writer.userId, context.config.DRAFTS_PER_PERSON);
  const row = await store.insertDraft(transaction, writer, sent.draftId, about, content);
  if (!row) throw new Refusal('DraftNotFound');
  return row;
}

async function checkLimit(
  context: DraftsContext,
  transaction: Transaction,
  userId: string,
): Promise<void> {
  const maximum = context.config.DRAFTS_PER_PERSON;
  if ((await store.countAlive(transaction, userId)) >= maximum)
    throw new Refusal('DraftLimitReached', { maximum });
}

/**
 * Keeps a draft whole, or nothing of it. A save on another revision than the newest is refused:
 * whoever sent it has not seen what is there.
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
  return context.database.transaction().execute(async (transaction) => {
    const about = await findAbout(context, transaction, caller, sent);
    const { kept, leftOut } = keepFitting(about.form, sent.answers);
    const files = await store.selectFiles(transaction, writer.userId, about, sent.attachmentIds);
    const content = {
      form: about.form,
      answers: kept,
      explanations: sent.explanations,
      attachmentIds: files.map(({ id }) => id),
      passed: sent.passed,
    };
    const row = await store.lockDraft(transaction, writer, sent.draftId);
    if (row && row.request_id !== null) throw new Refusal('DraftAlreadySent');
    if (
      row &&
      (row.discarded_at !== null ||
        row.service_id !== about.serviceId ||
        row.mends_request_id !== about.requestId)
    )
      throw new Refusal('DraftNotFound');
    if (row && row.revision !== sent.revision) throw new Refusal('DraftHasChanged');
    const saved = row
      ? await store.updateDraft(transaction, row, content)
      : await begin(context, transaction, writer, sent, about, content);
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
 * The caller's draft for a service, or for mending a request of it. `today` is YYYY-MM-DD in
 * Asia/Dubai.
 */
export function findDraft(
  context: DraftsContext,
  caller: Caller,
  of: Pick<SentDraft, 'serviceId' | 'requestId'>,
  today: string,
  language: Language,
): Promise<SavedDraft | undefined> {
  return context.database.transaction().execute(async (transaction) => {
    const about = await findAbout(context, transaction, caller, of);
    const row = await store.findAlive(transaction, writerOf(caller), about);
    if (!row) return undefined;
    const files = await store.selectFiles(transaction, caller.userId, about, row.attachment_ids);
    return {
      draftId: row.id,
      serviceId: about.serviceId,
      revision: row.revision,
      answers: keepFitting(about.form, row.answers).kept,
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
      formChanges: formChanges(row.form, about.form, row.answers, today, language),
    };
  });
}

export async function listDrafts(
  context: Omit<DraftsContext, 'lockToMend'>,
  caller: Caller,
  language: Language,
): Promise<DraftSummary[]> {
  return (await store.selectAlive(context.database, writerOf(caller))).map((row) => {
    const service = context.catalogue.findService(row.service_id);
    const mends =
      row.mends_request_id === null || row.mended_number === null
        ? undefined
        : { requestId: row.mends_request_id, requestNumber: row.mended_number };
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
      ...progressOf(mends ? undefined : service, row.passed),
      ...times(context, row.saved_at),
      isOffered: service !== undefined || mends !== undefined,
      ...(mends ? { mends } : {}),
    };
  });
}

export async function discardDraft(
  context: DraftsContext,
  caller: Caller,
  draftId: string,
): Promise<void> {
  if (!(await store.setDiscarded(context.database, writerOf(caller), draftId)))
    throw new Refusal('DraftNotFound');
}

/** Takes a discarded draft back. One that is alive stays as it is. */
export async function restoreDraft(
  context: DraftsContext,
  caller: Caller,
  draftId: string,
): Promise<void> {
  const writer = writerOf(caller);
  await context.database.transaction().execute(async (transaction) => {
    const requestId =
      (await store.findDraft(transaction, writer, draftId))?.mends_request_id ?? null;
    // Before its draft, as every step of a request locks.
    if (requestId !== null) await context.lockToMend(transaction, caller, { requestId });
    await store.lockWriter(transaction, writer.userId);
    const row = await store.lockDraft(transaction, writer, draftId);
    if (!row || row.request_id !== null) throw new Refusal('DraftNotFound');
    if (row.discarded_at === null) return;
    if (await store.findAlive(transaction, writer, { serviceId: row.service_id, requestId }))
      throw new Refusal('DraftHasChanged');
    if (requestId === null) await checkLimit(context, transaction, writer.userId);
    await store.setRestored(transaction, row);
  });
}

/**
 * Claims a draft for the request that its content is about to become, in that request's
 * transaction. Answers the request that it became already; whoever else sends it
 * meanwhile waits here. A draft that was never saved counts too. Throws DraftNotFound for one of
 * another service.
 */
export async function claimDraft(
  transaction: Transaction,
  caller: Caller,
  draftId: string,
  serviceId: number,
): Promise<{ id: number; number: string } | undefined> {
  const writer = writerOf(caller);
  await store.insertPlace(transaction, writer, draftId, serviceId);
  const row = await store.lockDraft(transaction, writer, draftId);
  if (!row || row.service_id !== serviceId || row.mends_request_id !== null)
    throw new Refusal('DraftNotFound');
  return row.request_id === null ? undefined : store.findSentAs(transaction, row.request_id);
}

/** The draft has become this request. */
export async function endDraft(
  transaction: Transaction,
  caller: Caller,
  draftId: string,
  requestId: number,
): Promise<void> {
  await store.setSent(transaction, caller.userId, draftId, requestId);
}

/**
 * Keeps documents in the caller's draft for mending a request, which this transaction has locked;
 * without one it begins with the answers that the request has.
 */
export async function keepToMend(
  transaction: Transaction,
  caller: Caller,
  row: Mendable & { answers: Record<string, unknown> },
  attachmentIds: readonly string[],
): Promise<void> {
  const writer = writerOf(caller);
  const about = { serviceId: row.service_id, requestId: row.id };
  await store.lockWriter(transaction, writer.userId);
  const draft = await store.findAlive(transaction, writer, about);
  if (draft) await store.updateDraft(transaction, draft, { ...draft, attachmentIds });
  else
    await store.insertDraft(transaction, writer, randomUUID(), about, {
      form: row.form,
      answers: row.answers,
      attachmentIds,
      passed: [],
    });
}

/** The ids of the documents in the caller's draft for mending a request. */
export async function findKeptToMend(
  database: Database,
  caller: Caller,
  { requestId, serviceId }: { requestId: number; serviceId: number },
): Promise<string[]> {
  return (
    (await store.findAlive(database, writerOf(caller), { serviceId, requestId }))?.attachment_ids ??
    []
  );
}

/**
 * The request has taken a step: what anybody was mending of it was for how it stood before. In that
 * step's transaction.
 */
export async function endMends(transaction: Transaction, requestId: number): Promise<void> {
  await store.deleteMends(transaction, requestId);
}

/**
 * Throws away drafts that nobody has touched for as long as the setting says, and discarded ones
 * that can no longer be taken back. Their files go as unused ones do.
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
