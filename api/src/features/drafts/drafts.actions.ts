import type { DraftSummary, SavedDraft } from '@diwan/contract/drafts';
import type { Language } from '@diwan/contract/languages';
import type { Config } from '../../config.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { localize } from '../../platform/localize.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { Catalogue, CatalogueService } from '../services/services.actions.ts';
import { formChanges, keepFitting } from './draft-answers.ts';
import * as store from './drafts.store.ts';

export interface DraftsHouse {
  database: Database;
  catalogue: Catalogue;
  config: Pick<Config, 'DRAFT_DAYS' | 'DRAFTS_PER_PERSON'>;
}

/** A draft as somebody sends it; `revision` is the one that they read, 0 for a new one. */
export interface SentDraft {
  draftId: string;
  serviceId: number;
  revision: number;
  answers: Record<string, unknown>;
  attachmentIds: readonly string[];
  passed: readonly string[];
}

const dayMs = 86_400_000;
/** How long a discarded draft can be taken back. */
const undoMs = dayMs;

/** Whoever acts for a company writes for it; what they began for another one, or for themselves, is not among it. */
export function writerOf(caller: Caller): store.Writer {
  return { userId: caller.userId, companyId: caller.roles.includes('CompanyUser') ? caller.companyId : null };
}

const times = (house: DraftsHouse, savedAt: Date) => ({ savedAt: savedAt.toISOString(), keptUntil: new Date(savedAt.getTime() + house.config.DRAFT_DAYS * dayMs).toISOString() });

// Stages have names of their own: the steps, then the documents where there are any.
function progressOf(service: CatalogueService | undefined, passed: readonly string[]): { done: number; total: number } {
  if (!service) return { done: 0, total: 0 };
  const names = new Set([...service.form.steps.map((step) => step.name), ...(service.attachments.length > 0 ? ['documents'] : [])]);
  return { done: passed.filter((name) => names.has(name.replace(/-step$/, ''))).length, total: names.size };
}

async function begin(house: DraftsHouse, transaction: Transaction, writer: store.Writer, sent: SentDraft, content: store.DraftContent): Promise<store.DraftRow> {
  if (sent.revision !== 0) throw new Refusal('DraftNotFound');
  await store.lockWriter(transaction, writer.userId);
  if (await store.findAlive(transaction, writer, sent.serviceId)) throw new Refusal('DraftHasChanged');
  await checkLimit(house, transaction, writer.userId);
  await store.deleteOldDiscarded(transaction, writer.userId, house.config.DRAFTS_PER_PERSON);
  const row = await store.insertDraft(transaction, writer, sent.draftId, sent.serviceId, content);
  if (!row) throw new Refusal('DraftNotFound');
  return row;
}

async function checkLimit(house: DraftsHouse, transaction: Transaction, userId: string): Promise<void> {
  const maximum = house.config.DRAFTS_PER_PERSON;
  if ((await store.countAlive(transaction, userId)) >= maximum) throw new Refusal('DraftLimitReached', { maximum });
}

/** Keeps a draft whole, or nothing of it. A save on another revision than the newest is refused: whoever sent it has not seen what is there. */
export async function saveDraft(house: DraftsHouse, caller: Caller, sent: SentDraft): Promise<{ draftId: string; revision: number; savedAt: string; keptUntil: string; leftOut: string[] }> {
  const service = house.catalogue.getService(sent.serviceId);
  const { kept, leftOut } = keepFitting(service.form, sent.answers);
  const writer = writerOf(caller);
  return house.database.transaction().execute(async (transaction) => {
    const files = await store.selectFreeFiles(transaction, writer.userId, service.id, sent.attachmentIds);
    const content = { form: service.form, answers: kept, attachmentIds: files.map(({ id }) => id), passed: sent.passed };
    const row = await store.lockDraft(transaction, writer, sent.draftId);
    if (row && row.request_id !== null) throw new Refusal('DraftAlreadySent');
    if (row && (row.discarded_at !== null || row.service_id !== service.id)) throw new Refusal('DraftNotFound');
    if (row && row.revision !== sent.revision) throw new Refusal('DraftHasChanged');
    const saved = row ? await store.updateDraft(transaction, row, content) : await begin(house, transaction, writer, sent, content);
    return { draftId: saved.id, revision: saved.revision, ...times(house, saved.saved_at), leftOut: [...leftOut, ...(files.length < new Set(sent.attachmentIds).size ? ['attachmentIds'] : [])] };
  });
}

/** `today` is YYYY-MM-DD in Asia/Dubai. */
export async function findDraft(house: DraftsHouse, caller: Caller, serviceId: number, today: string, language: Language): Promise<SavedDraft | undefined> {
  const service = house.catalogue.getService(serviceId);
  const row = await store.findAlive(house.database, writerOf(caller), service.id);
  if (!row) return undefined;
  const files = await store.selectFreeFiles(house.database, caller.userId, service.id, row.attachment_ids);
  return {
    draftId: row.id, serviceId: service.id, revision: row.revision, answers: keepFitting(service.form, row.answers).kept, passed: row.passed, ...times(house, row.saved_at),
    documents: files.map((file) => ({ attachmentId: file.id, name: file.name, fileName: file.file_name, mediaType: file.media_type, size: file.size })),
    formChanges: formChanges(row.form, service.form, row.answers, today, language),
  };
}

export async function listDrafts(house: DraftsHouse, caller: Caller, language: Language): Promise<DraftSummary[]> {
  return (await store.selectAlive(house.database, writerOf(caller))).map((row) => {
    const service = house.catalogue.findService(row.service_id);
    return {
      draftId: row.id, serviceId: row.service_id, serviceName: localize(row.service_name, language), replacedName: row.replaced_name,
      governmentAgency: { id: row.agency_id, name: localize(row.agency_name, language), logo: row.agency_logo }, ...progressOf(service, row.passed), ...times(house, row.saved_at), isOffered: service !== undefined,
    };
  });
}

export async function discardDraft(house: DraftsHouse, caller: Caller, draftId: string): Promise<void> {
  if (!(await store.setDiscarded(house.database, writerOf(caller), draftId))) throw new Refusal('DraftNotFound');
}

/** Takes a discarded draft back. One that is alive stays as it is. */
export async function restoreDraft(house: DraftsHouse, caller: Caller, draftId: string): Promise<void> {
  const writer = writerOf(caller);
  await house.database.transaction().execute(async (transaction) => {
    await store.lockWriter(transaction, writer.userId);
    const row = await store.lockDraft(transaction, writer, draftId);
    if (!row || row.request_id !== null) throw new Refusal('DraftNotFound');
    if (row.discarded_at === null) return;
    if (await store.findAlive(transaction, writer, row.service_id)) throw new Refusal('DraftHasChanged');
    await checkLimit(house, transaction, writer.userId);
    await store.setRestored(transaction, row);
  });
}

/**
 * Claims a draft for the request that its content is about to become, in that request's transaction. Answers the request that it became already; whoever else sends it
 * meanwhile waits here. A draft that was never saved counts too. Throws DraftNotFound for one of another service.
 */
export async function claimDraft(transaction: Transaction, caller: Caller, draftId: string, serviceId: number): Promise<{ id: number; number: string } | undefined> {
  const writer = writerOf(caller);
  await store.insertPlace(transaction, writer, draftId, serviceId);
  const row = await store.lockDraft(transaction, writer, draftId);
  if (!row || row.service_id !== serviceId) throw new Refusal('DraftNotFound');
  return row.request_id === null ? undefined : store.findSentAs(transaction, row.request_id);
}

/** The draft has become this request. */
export async function endDraft(transaction: Transaction, caller: Caller, draftId: string, requestId: number): Promise<void> {
  await store.setSent(transaction, caller.userId, draftId, requestId);
}

/** Throws away drafts that nobody has touched for as long as the setting says, and discarded ones that can no longer be taken back. Their files go as unused ones do. */
export function pruneDrafts({ database, config }: Pick<DraftsHouse, 'database' | 'config'>, now = Date.now()): Promise<number> {
  return store.deleteOld(database, new Date(now - config.DRAFT_DAYS * dayMs), new Date(now - undoMs));
}
