import type { Caller } from '#platform/auth/caller.ts';
import {
  recordChange,
  toSimple,
  type ChangeAuthor,
  type ChangeEntry,
} from '#platform/auth/changes.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { ListPage } from '#platform/database/keyword-search.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  RetiredService,
  ServiceDesign,
  VersionOrigin,
} from '@diwan/contract/catalogue/service-designs';
import { serviceDocument, type ServiceDocument } from '@diwan/contract/catalogue/service-document';
import type { EveryField } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { chooseServiceWorkflow } from '../workflow/choose-workflow.actions.ts';
import { isPublishable } from './check-document.ts';
import { compareDocuments, isSameContent } from './compare-documents.ts';
import { keepVersions } from './keep-versions.actions.ts';
import { nameCodes } from './name-codes.ts';
import {
  findProblems,
  getServiceDesign,
  getVersion,
  lockDraft,
  type DesignsContext,
  type DraftAt,
} from './service-designs.actions.ts';
import * as store from './service-designs.store.ts';

interface Publication {
  serviceId: number;
  document: ServiceDocument;
  origin: VersionOrigin;
  restoredFrom?: number;
  publishedBy: string | null;
}

/**
 * Replaces what visitors read of a service and appends the version, in the caller's transaction.
 * What an import wrote since the last version becomes a version first, so that it can be restored too.
 */
async function publishDocument(
  transaction: Transaction,
  author: ChangeAuthor,
  { serviceId, document, origin, restoredFrom, publishedBy }: Publication,
): Promise<void> {
  const live = await store.findLiveService(transaction, serviceId, true);
  const kept = (await keepVersions(transaction, [serviceId], null)).get(serviceId) ?? 0;
  await store.writeLiveService(transaction, serviceId, document);
  await store.insertVersions(transaction, [
    { serviceId, number: kept + 1, document, origin, restoredFrom, publishedBy },
  ]);
  if ((live?.document.workflowId ?? null) !== document.workflowId)
    await chooseServiceWorkflow(transaction, serviceId, document.workflowId, publishedBy);
  await recordChange(transaction, author, {
    entity: 'service',
    entityId: serviceId,
    name: document.name,
    action: origin === 'restored' ? 'rolledBack' : 'published',
    ...(await describeChange(transaction, live?.document, document)),
  });
}

/** What a publication changed, for the log of changes: a field for each difference. */
async function describeChange(
  transaction: Transaction,
  before: ServiceDocument | undefined,
  after: ServiceDocument,
): Promise<Pick<ChangeEntry, 'after' | 'fields'>> {
  if (!before) return { after: { name: after.name, replacedName: after.replacedName } };
  const pair = [before, after] as const;
  const differences = await nameCodes(transaction, compareDocuments(...pair), pair);
  return {
    fields: differences.map(({ property = '', language, before: was, after: is, ...place }) => ({
      field: property,
      language,
      before: toSimple(was),
      after: toSimple(is),
      place,
    })),
  };
}

async function refreshAll({ catalogue, workflow }: DesignsContext): Promise<void> {
  await Promise.all([catalogue.refresh(), workflow.refresh()]);
}

/** The document of a draft that can be published now. Throws what prevents it. */
async function readPublishable(
  context: DesignsContext,
  transaction: Transaction,
  draft: store.DraftRow,
): Promise<ServiceDocument> {
  const live = await store.findLiveService(transaction, draft.service_id, true);
  if (live && !isSameContent(draft.base, live.document)) throw new Refusal('ServiceDraftOutdated');
  const { document } = draft;
  const problems = await findProblems(context, transaction, draft.service_id, { document, live });
  if (!isPublishable(problems)) throw new Refusal('ServiceHasProblems');
  return serviceDocument.parse(document);
}

/**
 * Publishes a draft now, or stores the time at which it is published. Visitors see it immediately
 * in this process, within a second in others. Throws ServiceHasProblems, ServiceDraftOutdated,
 * PublicationTimePassed, RecordHasChanged and ServiceNotFound.
 */
export async function publishService(
  context: DesignsContext,
  caller: Caller,
  { at, ...target }: DraftAt & { at?: Date | undefined },
  address: string,
): Promise<EveryField<ServiceDesign>> {
  const { serviceId } = target;
  const author = { caller, address };
  if (at && at <= context.now()) throw new Refusal('PublicationTimePassed');
  await inTransaction(context.database, async (transaction) => {
    const draft = await lockDraft(transaction, target);
    const document = await readPublishable(context, transaction, draft);
    if (at) {
      await store.setPublication(transaction, serviceId, { at, by: caller.userId, problem: null });
      await recordChange(transaction, author, {
        entity: 'service',
        entityId: serviceId,
        name: document.name,
        action: 'scheduled',
        after: { publishAt: at },
      });
      return;
    }
    await publishDocument(transaction, author, {
      serviceId,
      document,
      origin: 'designer',
      publishedBy: caller.userId,
    });
    await store.deleteServiceDraft(transaction, serviceId);
  });
  if (!at) await refreshAll(context);
  return getServiceDesign(context, serviceId);
}

/** Cancels a publication at a set time; the draft stays. Throws what `lockDraft` throws. */
export async function cancelPublication(
  context: DesignsContext,
  at: DraftAt,
): Promise<EveryField<ServiceDesign>> {
  await inTransaction(context.database, async (transaction) => {
    await lockDraft(transaction, at);
    await store.setPublication(transaction, at.serviceId, { at: null, by: null, problem: null });
  });
  return getServiceDesign(context, at.serviceId);
}

/**
 * Publishes drafts whose time has come, each in one transaction: of several processes one publishes
 * it, and one that is killed leaves it due. A draft that cannot be published any more stays, with
 * the refusal for its designer.
 */
export async function publishDueServices(context: DesignsContext): Promise<void> {
  for (;;) {
    const found = await inTransaction(context.database, async (transaction) => {
      const draft = await store.lockDueDraft(transaction, context.now());
      if (!draft) return undefined;
      const { service_id: serviceId, publish_by: publishedBy } = draft;
      try {
        const document = await readPublishable(context, transaction, draft);
        await publishDocument(
          transaction,
          { authorName: draft.saved_by_name ?? '' },
          { serviceId, document, origin: 'designer', publishedBy },
        );
        await store.deleteServiceDraft(transaction, serviceId);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const problem = error.refusal;
        await store.setPublication(transaction, serviceId, { at: null, by: null, problem });
      }
      return serviceId;
    });
    if (found === undefined) return;
    await refreshAll(context);
  }
}

/**
 * Publishes an earlier version again. The draft stays as it is, and is outdated then. Throws
 * ServiceNotFound, NotFound, and ServiceHasProblems when what it refers to is no longer there.
 */
export async function restoreServiceVersion(
  context: DesignsContext,
  caller: Caller,
  { serviceId, number }: { serviceId: number; number: number },
  address: string,
): Promise<EveryField<ServiceDesign>> {
  await inTransaction(context.database, async (transaction) => {
    const live = await store.findLiveService(transaction, serviceId, true);
    if (!live) throw new Refusal('ServiceNotFound');
    const document = await getVersion(transaction, serviceId, number);
    const problems = await findProblems(context, transaction, serviceId, { document, live });
    if (!isPublishable(problems)) throw new Refusal('ServiceHasProblems');
    await publishDocument(
      transaction,
      { caller, address },
      {
        serviceId,
        document,
        origin: 'restored',
        restoredFrom: number,
        publishedBy: caller.userId,
      },
    );
  });
  await refreshAll(context);
  return getServiceDesign(context, serviceId);
}

/** Offers a retired service again. Throws ServiceNotFound for one that is not retired. */
export async function restoreService(
  context: DesignsContext,
  caller: Caller,
  serviceId: number,
  address: string,
): Promise<EveryField<ServiceDesign>> {
  await inTransaction(context.database, async (transaction) => {
    if (!(await store.setServiceRestored(transaction, serviceId)))
      throw new Refusal('ServiceNotFound');
    const live = await store.findLiveService(transaction, serviceId);
    await recordChange(
      transaction,
      { caller, address },
      { entity: 'service', entityId: serviceId, name: live?.document.name, action: 'restored' },
    );
  });
  await context.catalogue.refresh();
  return getServiceDesign(context, serviceId);
}

/** One page of the services that can be offered again. */
export async function listRetiredServices(
  { database }: DesignsContext,
  page: ListPage,
  language: Language,
): Promise<{ items: RetiredService[]; pageNumber: number; totalCount: number }> {
  const { items, totalCount } = await store.selectRetiredServices(database, page);
  return {
    items: items.map((row) => ({
      serviceId: row.id,
      name: localize(row.name, language),
      agencyName: localize(row.agency_name, language),
      retiredAt: row.retired_at.toISOString(),
    })),
    pageNumber: page.pageNumber,
    totalCount,
  };
}
