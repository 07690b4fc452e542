import type { AgencyScope } from '#platform/auth/caller.ts';
import {
  recordChange,
  toSimple,
  type ChangeAuthor,
  type ChangeEntry,
} from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { ListPage } from '#platform/database/keyword-search.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  decidePublication as decidePublicationCall,
  RetiredService,
  ServiceDesign,
  VersionOrigin,
} from '@diwan/contract/catalogue/service-designs';
import { serviceDocument, type ServiceDocument } from '@diwan/contract/catalogue/service-document';
import type { BodyOf, EveryField } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { findFeeChanges } from '../services/fee-changes.actions.ts';
import { chooseServiceWorkflow } from '../workflow/choose-workflow.actions.ts';
import { isPublishable } from './check-document.ts';
import { compareDocuments, isSameContent } from './compare-documents.ts';
import { keepVersions } from './keep-versions.actions.ts';
import { nameCodes } from './name-codes.ts';
import {
  findProblems,
  getServiceDesign,
  type Reader,
  getVersion,
  lockDraft,
  requireOwnAgency,
  type DesignsContext,
  type DraftAt,
} from './service-designs.actions.ts';
import * as store from './service-designs.store.ts';
import { insertVersions, type Confirmation } from './versions.store.ts';
import * as waiting from './waiting-publications.store.ts';

interface Publication {
  serviceId: number;
  document: ServiceDocument;
  origin: VersionOrigin;
  restoredFrom?: number | undefined;
  publishedBy: string | null;
  confirmation?: Confirmation | undefined;
}

/**
 * Replaces what visitors read of a service and appends the version, in the caller's transaction.
 * What an import wrote since the last version becomes a version first, so that it can be restored too.
 */
async function publishDocument(
  transaction: Transaction,
  author: ChangeAuthor,
  { serviceId, document, origin, restoredFrom, publishedBy, confirmation }: Publication,
): Promise<void> {
  const live = await store.findLiveService(transaction, serviceId, true);
  const kept = (await keepVersions(transaction, [serviceId], null)).get(serviceId) ?? 0;
  await store.writeLiveService(transaction, serviceId, document);
  await insertVersions(transaction, [
    { serviceId, number: kept + 1, document, origin, restoredFrom, publishedBy, confirmation },
  ]);
  await waiting.deleteWaitingPublication(transaction, serviceId);
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
 * Whether a publication changes the fees of a service by more than one person may, together with what
 * was published within 24 hours and nobody confirmed. Decision 0136.
 */
async function needsSecondPerson(
  { feeApprovalAbove }: DesignsContext,
  transaction: Transaction,
  serviceId: number,
  { fees }: ServiceDocument,
): Promise<boolean> {
  if (feeApprovalAbove === undefined) return false;
  // What an import wrote is a version then, from which is counted.
  await keepVersions(transaction, [serviceId], null);
  const counted = await waiting.findCountedFees(transaction, serviceId);
  // guard: fees above which a publication waits for a second person (fee-approval) => false
  return findFeeChanges(counted, fees).sum > feeApprovalAbove;
}

/**
 * Publishes a draft now, or stores the time at which it is published. One that changes fees by more
 * than one person may waits for a second one. Visitors see it immediately
 * in this process, within a second in others. Throws ServiceHasProblems, ServiceDraftOutdated,
 * PublicationTimePassed, RecordHasChanged and ServiceNotFound.
 */
export async function publishService(
  context: DesignsContext,
  caller: Reader,
  { at, ...target }: DraftAt & { at?: Date | undefined },
  address: string,
): Promise<EveryField<ServiceDesign>> {
  const { serviceId } = target;
  const author = { caller, address };
  if (at && at <= context.now()) throw new Refusal('PublicationTimePassed');
  await inTransaction(context.database, async (transaction) => {
    const draft = await lockDraft(transaction, target);
    requireOwnAgency(caller, draft.document);
    const document = await readPublishable(context, transaction, draft);
    if (await needsSecondPerson(context, transaction, serviceId, document)) {
      await store.setPublication(transaction, serviceId, {});
      await waiting.insertWaitingPublication(transaction, serviceId, {
        draftVersion: draft.version + 1,
        publishAt: at,
        askedBy: caller.userId,
      });
      await recordChange(transaction, author, {
        entity: 'service',
        entityId: serviceId,
        name: document.name,
        action: 'requested',
      });
      return;
    }
    if (at) {
      await store.setPublication(transaction, serviceId, { at, by: caller.userId });
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
  return getServiceDesign(context, caller, serviceId);
}

/**
 * Cancels a publication at a set time, or one that waits for a second person; the draft stays. With
 * version 0 there is no draft, but a version that is to be published again. Throws what `lockDraft`
 * throws.
 */
export async function cancelPublication(
  context: DesignsContext,
  caller: Reader,
  at: DraftAt,
): Promise<EveryField<ServiceDesign>> {
  await inTransaction(context.database, async (transaction) => {
    if (at.version > 0) {
      await lockDraft(transaction, at);
      await store.setPublication(transaction, at.serviceId, {});
    }
    await waiting.deleteWaitingPublication(transaction, at.serviceId);
  });
  return getServiceDesign(context, caller, at.serviceId);
}

/** Publishes what a second person has confirmed, or stores when it is published. */
async function publishConfirmed(
  context: DesignsContext,
  transaction: Transaction,
  { row, serviceId, caller }: { row: waiting.WaitingRow; serviceId: number; caller: Reader },
): Promise<void> {
  const confirmation = { by: caller.userId, at: context.now(), askedAt: row.asked_at };
  const author = { authorName: row.asked_by_name };
  const by = { serviceId, publishedBy: row.asked_by, confirmation };
  if (row.restored_from !== null) {
    const document = await readRestorable(context, transaction, serviceId, row.restored_from);
    requireOwnAgency(caller, document);
    await publishDocument(transaction, author, {
      ...by,
      document,
      origin: 'restored',
      restoredFrom: row.restored_from,
    });
    return;
  }
  const draft = await lockDraft(transaction, { serviceId, version: row.draft_version ?? 0 });
  requireOwnAgency(caller, draft.document);
  const document = await readPublishable(context, transaction, draft);
  if (row.publish_at && row.publish_at > context.now()) {
    await waiting.deleteWaitingPublication(transaction, serviceId);
    await store.setPublication(transaction, serviceId, {
      at: row.publish_at,
      by: row.asked_by,
      confirmation,
    });
    return;
  }
  await publishDocument(transaction, author, { ...by, document, origin: 'designer' });
  await store.deleteServiceDraft(transaction, serviceId);
}

/**
 * Confirms a publication that another person asked for, or refuses it; who asked may refuse it too. The
 * draft of a refused one stays. Throws DecisionNotPossible when it no longer waits,
 * DecisionNeedsSecondPerson, SecondPersonNotIndependent, and what publishing throws.
 */
export async function decidePublication(
  context: DesignsContext,
  { caller, address }: { caller: Reader; address: string },
  { serviceId, id, isConfirmed }: BodyOf<typeof decidePublicationCall>,
): Promise<EveryField<ServiceDesign>> {
  await inTransaction(context.database, async (transaction) => {
    // In the order in which publishing locks them.
    const draft = await store.findServiceDraft(transaction, serviceId, true);
    const live = await store.findLiveService(transaction, serviceId, true);
    const row = await waiting.findWaitingPublication(transaction, serviceId, true);
    if (row?.id !== id) throw new Refusal('DecisionNotPossible');
    if (isConfirmed) {
      // guard: second person of a publication (fee-approval)
      if (row.asked_by === caller.userId) throw new Refusal('DecisionNeedsSecondPerson');
      // guard: independent second person of a publication (fee-approval)
      await requireIndependence(transaction, {
        askedBy: row.asked_by,
        confirmedBy: caller.userId,
      });
      await publishConfirmed(context, transaction, { row, serviceId, caller });
    } else await waiting.deleteWaitingPublication(transaction, serviceId);
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'service',
        entityId: serviceId,
        name: live?.document.name ?? draft?.document.name,
        action: isConfirmed ? 'confirmed' : 'refused',
      },
    );
  });
  if (isConfirmed) await refreshAll(context);
  return getServiceDesign(context, caller, serviceId);
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
        const confirmation = draft.publish_confirmed_by
          ? {
              by: draft.publish_confirmed_by,
              at: draft.publish_confirmed_at,
              askedAt: draft.publish_asked_at,
            }
          : undefined;
        if (!confirmation && (await needsSecondPerson(context, transaction, serviceId, document)))
          throw new Refusal('PublicationNeedsSecondPerson');
        await publishDocument(
          transaction,
          { authorName: draft.saved_by_name ?? '' },
          { serviceId, document, origin: 'designer', publishedBy, confirmation },
        );
        await store.deleteServiceDraft(transaction, serviceId);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const problem = error.refusal;
        await store.setPublication(transaction, serviceId, { problem });
      }
      return serviceId;
    });
    if (found === undefined) return;
    await refreshAll(context);
  }
}

/** The document of a version that can be published again. Throws what prevents it. */
async function readRestorable(
  context: DesignsContext,
  transaction: Transaction,
  serviceId: number,
  number: number,
): Promise<ServiceDocument> {
  const live = await store.findLiveService(transaction, serviceId, true);
  if (!live) throw new Refusal('ServiceNotFound');
  const document = await getVersion(transaction, serviceId, number);
  const problems = await findProblems(context, transaction, serviceId, { document, live });
  if (!isPublishable(problems)) throw new Refusal('ServiceHasProblems');
  return document;
}

/**
 * Publishes an earlier version again, or lets it wait for a second person as `publishService` does.
 * The draft stays as it is, and is outdated then. Throws
 * ServiceNotFound, NotFound, and ServiceHasProblems when what it refers to is no longer there.
 */
export async function restoreServiceVersion(
  context: DesignsContext,
  caller: Reader,
  { serviceId, number }: { serviceId: number; number: number },
  address: string,
): Promise<EveryField<ServiceDesign>> {
  await inTransaction(context.database, async (transaction) => {
    const document = await readRestorable(context, transaction, serviceId, number);
    requireOwnAgency(caller, document);
    if (await needsSecondPerson(context, transaction, serviceId, document)) {
      await waiting.insertWaitingPublication(transaction, serviceId, {
        restoredFrom: number,
        askedBy: caller.userId,
      });
      await recordChange(
        transaction,
        { caller, address },
        { entity: 'service', entityId: serviceId, name: document.name, action: 'requested' },
      );
      return;
    }
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
  return getServiceDesign(context, caller, serviceId);
}

/** Offers a retired service again. Throws ServiceNotFound for one that is not retired. */
export async function restoreService(
  context: DesignsContext,
  caller: Reader,
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
  await afterCall(() => context.catalogue.refresh());
  return getServiceDesign(context, caller, serviceId);
}

/** One page of the services that can be offered again. */
export async function listRetiredServices(
  { database }: DesignsContext,
  scope: AgencyScope,
  page: ListPage,
  language: Language,
): Promise<{ items: RetiredService[]; pageNumber: number; totalCount: number }> {
  const { items, totalCount } = await store.selectRetiredServices(database, scope, page);
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
