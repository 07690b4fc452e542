import {
  administeredAgencies,
  onlyAgencyOf,
} from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency, type AgencyScope, type Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  DesignDifference,
  ServiceDesign,
  serviceTemplates,
  WaitingPublication,
} from '@diwan/contract/catalogue/service-designs';
import { draftDocument, type DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { EveryField } from '@diwan/contract/wire/call';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { findFeeChanges } from '../services/fee-changes.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { Workflows } from '../workflow/workflows.actions.ts';
import { findDesignProblems } from './check-document.ts';
import { compareDocuments, isSameContent, mergePublished } from './compare-documents.ts';
import { nameCodes } from './name-codes.ts';
import { makeCopy, makeFromTemplate } from './new-document.ts';
import { readReferences } from './references.store.ts';
import * as store from './service-designs.store.ts';
import { findVersion, selectVersions } from './versions.store.ts';
import { findWaitingPublication, selectWaitingPublications } from './waiting-publications.store.ts';

export interface DesignsContext {
  database: Database;
  catalogue: Pick<Catalogue, 'refresh'>;
  workflow: Pick<Workflows, 'refresh'>;
  now: () => Date;
  /** `FEE_APPROVAL_ABOVE`, in fils. */
  feeApprovalAbove: number | undefined;
}

/** A draft at the version that the caller read. */
export interface DraftAt {
  serviceId: number;
  version: number;
}

/** Who reads or changes a design, and in which language. */
export interface Reader extends Caller {
  language: Language;
}

type Part = Database | Transaction;

function describeDraft(draft: store.DraftRow | undefined, language: Language) {
  if (!draft)
    return {
      version: 0,
      savedAt: undefined,
      savedBy: undefined,
      publishAt: undefined,
      publishProblem: undefined,
    };
  return {
    version: draft.version,
    savedAt: draft.saved_at.toISOString(),
    savedBy:
      draft.saved_by_name === null
        ? undefined
        : localizePersonName(
            { full_name: draft.saved_by_name, full_name_ar: draft.saved_by_name_ar },
            language,
          ),
    publishAt: draft.publish_at?.toISOString(),
    publishProblem: draft.publish_problem ?? undefined,
  };
}

/** What waits for a second person, with the fees that it changes for visitors. */
async function describeWaiting(
  database: Part,
  caller: Reader,
  serviceId: number,
  { live, draft }: { live: store.LiveService | undefined; draft: store.DraftRow | undefined },
): Promise<WaitingPublication | undefined> {
  const row = await findWaitingPublication(database, serviceId);
  if (!row) return undefined;
  const document =
    row.restored_from === null
      ? draft?.document
      : await getVersion(database, serviceId, row.restored_from);
  return {
    id: row.id,
    askedBy: localizePersonName(
      { full_name: row.asked_by_name, full_name_ar: row.asked_by_name_ar },
      caller.language,
    ),
    isOwn: row.asked_by === caller.userId,
    askedAt: row.asked_at.toISOString(),
    ...(row.publish_at && { publishAt: row.publish_at.toISOString() }),
    ...(row.restored_from === null ? {} : { restoredFrom: row.restored_from }),
    fees: findFeeChanges(live?.document.fees ?? [], document?.fees ?? []).fees,
  };
}

async function describeDesign(
  context: DesignsContext,
  database: Part,
  caller: Reader,
  serviceId: number,
): Promise<EveryField<ServiceDesign>> {
  const [live, draft] = [
    await store.findLiveService(database, serviceId),
    await store.findServiceDraft(database, serviceId),
  ];
  const document = draft?.document ?? live?.document;
  if (!document) throw new Refusal('ServiceNotFound');
  const move = await store.findAgencyMove(database, serviceId, document.agencyId);
  return {
    serviceId,
    document,
    ...describeDraft(draft, caller.language),
    isPublished: live !== undefined,
    isRetired: live?.isRetired ?? false,
    isOutdated: Boolean(draft && live && !isSameContent(draft.base, live.document)),
    waiting: await describeWaiting(database, caller, serviceId, { live, draft }),
    agencyMove: move && {
      agencyName: localize(move.name, caller.language),
      openRequests: move.count,
      isMoving: move.isMoving,
    },
    problems: await findProblems(context, database, serviceId, { document, live }),
  };
}

/** The problems of a document for a service. */
export async function findProblems(
  { now }: DesignsContext,
  database: Part,
  serviceId: number,
  { document, live }: { document: DraftDocument; live: store.LiveService | undefined },
) {
  return findDesignProblems(document, {
    references: await readReferences(database, serviceId, document.replacedName),
    publishedAddress: live?.document.replacedName,
    today: dayInDubai(now()),
  });
}

/** A service as its designer sees it: its draft, else what is published. Throws ServiceNotFound. */
export const getServiceDesign = (
  context: DesignsContext,
  caller: Reader,
  serviceId: number,
): Promise<EveryField<ServiceDesign>> =>
  describeDesign(context, context.database, caller, serviceId);

/** The publications that wait for a second person, the oldest first. */
export async function listWaitingPublications({ database }: DesignsContext, caller: Reader) {
  return (await selectWaitingPublications(database, administeredAgencies(caller))).map((row) => ({
    serviceId: row.service_id,
    name: row.name,
    askedBy: localizePersonName(
      { full_name: row.asked_by_name, full_name_ar: row.asked_by_name_ar },
      caller.language,
    ),
    isOwn: row.asked_by === caller.userId,
    askedAt: row.asked_at.toISOString(),
  }));
}

export async function listServiceDesigns(
  { database }: DesignsContext,
  scope: AgencyScope,
  language: Language,
) {
  return (await store.selectServiceDrafts(database, scope, language)).map((row) => ({
    serviceId: row.service_id,
    name: row.name,
    isPublished: row.is_published,
    savedAt: row.saved_at.toISOString(),
    savedBy: row.saved_by_name ?? undefined,
    publishAt: row.publish_at?.toISOString(),
  }));
}

/** What a service is called in the log of changes; a new one has no name yet. */
const nameOf = ({ name }: DraftDocument) => (Object.values(name).includes('') ? undefined : name);

/**
 * Refuses a document by which a service would come to an agency that the caller does not administer, or
 * to none: its administrator would lose it. Throws a ValidationRefusal.
 */
export function requireOwnAgency(
  caller: Pick<Caller, 'roles' | 'scope'>,
  { agencyId }: Pick<DraftDocument, 'agencyId'>,
): void {
  const scope = administeredAgencies(caller);
  // guard: agency of a service that an agency administrator saves (agency-administration)
  if (scope !== 'all' && (agencyId === null || !coversAgency({ scope }, agencyId)))
    throw new ValidationRefusal([{ field: 'document.agencyId', code: 'otherAgency' }]);
}

/** Begins a new service. Throws ServiceNotFound for a copy of a service that is not there. */
export async function createServiceDraft(
  { database }: DesignsContext,
  caller: Caller,
  from: {
    template?: (typeof serviceTemplates)[number] | undefined;
    copyOf?: number | undefined;
    agencyId?: number | undefined;
  },
  address: string,
): Promise<{ serviceId: number }> {
  return inTransaction(database, async (transaction) => {
    const { copyOf, template = 'blank' } = from;
    const copied =
      copyOf === undefined
        ? undefined
        : ((await store.findServiceDraft(transaction, copyOf))?.document ??
          (await store.findLiveService(transaction, copyOf))?.document);
    if (copyOf !== undefined && !copied) throw new Refusal('ServiceNotFound');
    const made = copied ? makeCopy(copied) : makeFromTemplate(template);
    const agencyId = from.agencyId ?? made.agencyId ?? onlyAgencyOf(caller) ?? null;
    const document = { ...made, agencyId };
    requireOwnAgency(caller, document);
    const serviceId = await store.takeServiceId(transaction);
    await store.insertServiceDraft(transaction, serviceId, {
      document,
      base: null,
      savedBy: caller.userId,
    });
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'service',
        entityId: serviceId,
        name: nameOf(document),
        action: 'created',
        after: copyOf === undefined ? { template } : { copyOf },
      },
    );
    return { serviceId };
  });
}

/**
 * The draft of a service, locked, at the version that the caller read. Throws RecordHasChanged, and
 * ServiceNotFound where there is none.
 */
export async function lockDraft(transaction: Transaction, { serviceId, version }: DraftAt) {
  const draft = await store.findServiceDraft(transaction, serviceId, true);
  if (!draft) {
    const live = await store.findLiveService(transaction, serviceId);
    throw new Refusal(live && version > 0 ? 'RecordHasChanged' : 'ServiceNotFound');
  }
  if (draft.version !== version) throw new Refusal('RecordHasChanged');
  return draft;
}

// NUL and lone surrogates, which PostgreSQL cannot store, as JSON writes them.
const unreadable = /\\u(0000|d[89a-f][0-9a-f]{2})/i;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a document that an admin has sent. Throws a ValidationRefusal that names each place. */
function readDocument(text: string): DraftDocument {
  const parsed = parseJson(text);
  if (unreadable.test(JSON.stringify(parsed) ?? ''))
    throw new ValidationRefusal([{ field: 'document', code: 'unreadableText' }]);
  const read = draftDocument.safeParse(parsed);
  if (read.success) return read.data;
  throw new ValidationRefusal(
    read.error.issues.slice(0, 20).map(({ path }) => ({
      field: ['document', ...path].map(String).join('.'),
      code: 'wrongType',
    })),
  );
}

/**
 * Saves a draft, with or without problems; the first save of a published service begins one. Throws
 * ServiceNotFound, a ValidationRefusal, and RecordHasChanged when somebody else has saved.
 */
export async function saveServiceDraft(
  context: DesignsContext,
  caller: Reader,
  { serviceId, version, document: text }: DraftAt & { document: string },
): Promise<EveryField<ServiceDesign>> {
  const document = readDocument(text);
  requireOwnAgency(caller, document);
  return inTransaction(context.database, async (transaction) => {
    const savedBy = caller.userId;
    const draft = await store.findServiceDraft(transaction, serviceId, true);
    if (draft) {
      if (draft.version !== version) throw new Refusal('RecordHasChanged');
      const { base } = draft;
      await store.updateServiceDraft(transaction, serviceId, { document, base, savedBy });
    } else {
      const live = await store.findLiveService(transaction, serviceId);
      if (!live) throw new Refusal('ServiceNotFound');
      const content = { document, base: live.document, savedBy };
      const isInserted =
        version === 0 && (await store.insertServiceDraft(transaction, serviceId, content));
      if (!isInserted) throw new Refusal('RecordHasChanged');
    }
    return describeDesign(context, transaction, caller, serviceId);
  });
}

/** Discards a draft; what is published stays. Throws RecordHasChanged and ServiceNotFound. */
export async function discardServiceDraft(
  { database }: DesignsContext,
  caller: Caller,
  at: DraftAt,
  address: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const draft = await lockDraft(transaction, at);
    await store.deleteServiceDraft(transaction, at.serviceId);
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'service',
        entityId: at.serviceId,
        name: nameOf(draft.document),
        action: 'changed',
        before: { draft: draft.version },
        after: {},
      },
    );
  });
}

/**
 * Takes into the draft what was changed in the published service and not in the draft. Throws
 * RecordHasChanged and ServiceNotFound.
 */
export async function updateServiceDraft(
  context: DesignsContext,
  caller: Reader,
  at: DraftAt,
): Promise<EveryField<ServiceDesign>> {
  return inTransaction(context.database, async (transaction) => {
    const draft = await lockDraft(transaction, at);
    const live = await store.findLiveService(transaction, at.serviceId);
    if (!live) throw new Refusal('ServiceNotFound');
    const base = draft.base ?? live.document;
    const document = mergePublished(draft.document, base, live.document);
    requireOwnAgency(caller, document);
    await store.updateServiceDraft(transaction, at.serviceId, {
      document,
      base: live.document,
      savedBy: caller.userId,
    });
    return describeDesign(context, transaction, caller, at.serviceId);
  });
}

/** The published versions, newest first. Throws ServiceNotFound. */
export async function listServiceVersions(
  { database }: DesignsContext,
  serviceId: number,
  language: Language,
) {
  const rows = await selectVersions(database, serviceId, language);
  if (rows.length === 0 && !(await store.findLiveService(database, serviceId)))
    if (!(await store.findServiceDraft(database, serviceId))) throw new Refusal('ServiceNotFound');
  return rows.map((row) => ({
    number: row.number,
    origin: row.origin,
    restoredFrom: row.restored_from ?? undefined,
    at: row.published_at.toISOString(),
    by: row.published_by_name ?? undefined,
    confirmation:
      row.confirmed_by_name === null
        ? undefined
        : {
            by: row.confirmed_by_name,
            at: row.confirmed_at?.toISOString(),
            askedAt: row.asked_at?.toISOString(),
          },
  }));
}

/** The document of a version. Throws NotFound. */
export async function getVersion(database: Part, serviceId: number, number: number) {
  const found = await findVersion(database, serviceId, number);
  if (!found) throw new Refusal('NotFound');
  return found.document;
}

/**
 * The differences from one version to another; without a number from the published service, to the
 * draft. A service that was never published has none. Throws ServiceNotFound and NotFound.
 */
export async function compareServiceVersions(
  { database }: DesignsContext,
  {
    serviceId,
    from,
    to,
  }: { serviceId: number; from?: number | undefined; to?: number | undefined },
): Promise<DesignDifference[]> {
  const live = (await store.findLiveService(database, serviceId))?.document;
  const draft = (await store.findServiceDraft(database, serviceId))?.document;
  const before = from === undefined ? live : await getVersion(database, serviceId, from);
  const after = to === undefined ? (draft ?? live) : await getVersion(database, serviceId, to);
  if (!after) throw new Refusal('ServiceNotFound');
  return before ? nameCodes(database, compareDocuments(before, after), [before, after]) : [];
}
