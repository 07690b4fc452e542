import type { Catalogue } from '#features/services/services.actions.ts';
import { countGroup } from '#features/workflow/workflow-rules.actions.ts';
import type { Workflows } from '#features/workflow/workflows.actions.ts';
import { recordChanges, type ChangeAuthor, type ChangeEntry } from '#platform/auth/changes.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import { withoutTimeLimits, type Database, type Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  maximumPreviewedServices,
  type OpenRequestChoice,
  type PartnerServicesPreview,
} from '@diwan/contract/catalogue/partner-services';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { partnerAudience } from '../actions/request-hubs.ts';
import * as store from './handover.store.ts';

/** What handing services over needs. */
export interface HandoverContext {
  database: Database;
  catalogue: Catalogue;
  workflow: Workflows;
  /** Publishes the stored events of the hubs; called after the commit. */
  announce(hasMessages?: boolean): void;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** What a change would do, services with most open requests first. */
export async function previewServices(
  { database }: HandoverContext,
  {
    partnerId,
    isAssigned,
    serviceIds,
  }: { partnerId: number; isAssigned: boolean; serviceIds: readonly number[] },
  language: Language,
): Promise<PartnerServicesPreview> {
  if (!(await store.findPartner(database, partnerId))) throw new Refusal('NotFound');
  const found = await store.selectServiceRequests(database, serviceIds);
  if (found.length < new Set(serviceIds).size) throw new Refusal('ServiceNotFound');
  const services = found
    .filter(({ partner_id }) => (partner_id === partnerId) !== isAssigned)
    .map((row) => ({
      serviceId: row.id,
      name: localize(row.name, language),
      from:
        row.partner_id !== null && row.partner_name
          ? { id: row.partner_id, name: localize(row.partner_name, language) }
          : undefined,
      openRequestsCount: row.open,
      movableCount: isAssigned ? row.open : row.unseen,
    }));
  return {
    services: services.slice(0, maximumPreviewedServices),
    servicesCount: services.length,
    openRequestsCount: sum(services.map((each) => each.openRequestsCount)),
    movableCount: sum(services.map((each) => each.movableCount)),
  };
}

// Counts of two providers changed: the one that requests left, and the one that they reached.
async function storeEvents(
  transaction: Transaction,
  workflows: Workflows,
  moved: readonly store.MovedRequests[],
  to: number | null,
): Promise<void> {
  const events: store.PartnerEvent[] = [];
  const audiences = new Set<string>();
  for (const { workflow_id, status_id, from_partner: from, count: times } of moved) {
    const group = countGroup(await workflows.get(workflow_id, transaction), status_id, 'provider');
    for (const [partnerId, isNew] of [
      [from, false],
      [to, true],
    ] as const) {
      if (partnerId === null) continue;
      const audience = partnerAudience(partnerId);
      audiences.add(audience);
      if (group === 'new')
        events.push({ audience, event: isNew ? 'requestCreated' : 'requestDetails', times });
      if (group === 'processing')
        events.push({ audience, event: isNew ? 'requestProcessing' : 'requestSubmitted', times });
    }
  }
  if (audiences.size > 0) await store.insertEvents(transaction, events, [...audiences]);
}

type ServiceRow = Awaited<ReturnType<typeof store.lockServices>>[number];

const changesAtOnce = 1000;

// Each service has an entry with its providers, and each provider one with the numbers.
async function recordHandover(
  transaction: Transaction,
  author: ChangeAuthor,
  {
    services,
    to,
    partner,
    moved,
  }: {
    services: readonly ServiceRow[];
    to: number | null;
    partner: { id: number; name: LocalizedText };
    moved: readonly store.MovedRequests[];
  },
): Promise<void> {
  const movedOf = new Map<number, number>();
  for (const { service_id: id, count } of moved) movedOf.set(id, (movedOf.get(id) ?? 0) + count);
  const entries = services.map((service): ChangeEntry => {
    const movedRequests = movedOf.get(service.id) ?? 0;
    return {
      entity: 'service',
      entityId: service.id,
      name: service.name,
      action: 'assigned',
      before: { partner: service.partner_name },
      after: {
        partner: to === null ? null : partner.name,
        ...(movedRequests > 0 ? { movedRequests } : {}),
      },
    };
  });
  const concerned = new Map([[partner.id, partner.name]]);
  for (const { partner_id: id, partner_name: name } of services)
    if (id !== null && name) concerned.set(id, name);
  for (const [entityId, name] of concerned) {
    const isReceiver = entityId === to;
    const handed = isReceiver ? services : services.filter((each) => each.partner_id === entityId);
    const requests = isReceiver ? moved : moved.filter((each) => each.from_partner === entityId);
    const movedRequests = sum(requests.map(({ count }) => count));
    entries.push({
      entity: 'partner',
      entityId,
      name,
      action: 'assigned',
      after: {
        [isReceiver ? 'servicesReceived' : 'servicesLeft']: handed.length,
        ...(movedRequests > 0 ? { movedRequests } : {}),
      },
    });
  }
  for (let first = 0; first < entries.length; first += changesAtOnce)
    await recordChanges(transaction, author, entries.slice(first, first + changesAtOnce));
}

/**
 * Assigns services to an active partner, or takes them back. `partnerId` of a service is its partner
 * as the admin saw it. Throws NotFound, ServiceNotFound, RecordHasChanged, ProviderActionNotAllowed.
 */
export async function saveServices(
  { database, catalogue, workflow, announce }: HandoverContext,
  author: ChangeAuthor,
  change: {
    partnerId: number;
    isAssigned: boolean;
    services: readonly { serviceId: number; partnerId: number | null }[];
    openRequests: OpenRequestChoice;
  },
): Promise<{ servicesCount: number; movedRequestsCount: number }> {
  const { partnerId, isAssigned, openRequests } = change;
  const to = isAssigned ? partnerId : null;
  const seen = new Map(change.services.map((each) => [each.serviceId, each.partnerId]));
  // Thousands of requests may follow.
  const result = await inTransaction(withoutTimeLimits(database), async (transaction) => {
    const partner = await store.lockPartner(transaction, partnerId);
    if (!partner) throw new Refusal('NotFound');
    if (isAssigned && partner.state !== 'active') throw new Refusal('ProviderActionNotAllowed');
    const locked = await store.lockServices(transaction, [...seen.keys()]);
    if (locked.length < seen.size) throw new Refusal('ServiceNotFound');
    if (locked.some(({ id, partner_id }) => partner_id !== seen.get(id)))
      throw new Refusal('RecordHasChanged');
    if (!isAssigned && locked.some(({ partner_id }) => partner_id !== partnerId))
      throw new Refusal('RecordHasChanged');
    const services = locked.filter(({ partner_id }) => partner_id !== to);
    if (services.length === 0) return { servicesCount: 0, movedRequestsCount: 0 };
    await store.setPartner(
      transaction,
      services.map(({ id }) => id),
      to,
    );
    const moved =
      openRequests === 'move' ? await store.moveOpenRequests(transaction, services, to) : [];
    await storeEvents(transaction, workflow, moved, to);
    await recordHandover(transaction, author, { services, to, partner, moved });
    return {
      servicesCount: services.length,
      movedRequestsCount: sum(moved.map(({ count }) => count)),
    };
  });
  announce(false);
  await afterCall(() => catalogue.refresh());
  return result;
}
