import type { Database, Transaction } from '#platform/database/database.ts';
import type { FeeRule } from '@diwan/contract/catalogue/fees';
import { findFeeChanges } from '../services/fee-changes.actions.ts';
import { isSameContent } from './compare-documents.ts';
import { selectLiveServices } from './service-designs.store.ts';
import { insertVersions, selectNewestVersions } from './versions.store.ts';
import { selectVersionFees } from './waiting-publications.store.ts';

/**
 * Locks published services and appends each as a version, unless the newest one has this content
 * already. `publishedBy` made them so; null for nobody that is known. Returns the number of the newest
 * version of each that has one.
 */
export async function keepVersions(
  transaction: Transaction,
  serviceIds: readonly number[],
  publishedBy: string | null,
): Promise<Map<number, number>> {
  const live = await selectLiveServices(transaction, serviceIds, true);
  const newest = await selectNewestVersions(transaction, serviceIds);
  const fresh = [...live].flatMap(([serviceId, { document }]) => {
    const last = newest.get(serviceId);
    return last && isSameContent(last.document, document)
      ? []
      : [
          {
            serviceId,
            number: (last?.number ?? 0) + 1,
            document,
            origin: 'outside' as const,
            publishedBy,
          },
        ];
  });
  await insertVersions(transaction, fresh);
  return new Map([
    ...[...newest].map(([id, { number }]) => [id, number] as const),
    ...fresh.map(({ serviceId, number }) => [serviceId, number] as const),
  ]);
}

/**
 * The fees from which a change of services by one person is counted: those of a day ago, or that a second
 * person confirmed. Where no version has the fees of today they count from today, and so they do for a
 * service without versions. Decision 0136.
 */
export async function countedFees(
  database: Database | Transaction,
  services: ReadonlyMap<number, readonly FeeRule[]>,
): Promise<Map<number, readonly FeeRule[]>> {
  const rows = await selectVersionFees(database, [...services.keys()]);
  const isKept = ({ id, newest }: (typeof rows)[number]) =>
    findFeeChanges(newest, services.get(id) ?? []).sum === 0;
  return new Map([
    ...services,
    ...rows.filter(isKept).map(({ id, counted }) => [id, counted ?? []] as const),
  ]);
}
