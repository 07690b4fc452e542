import type { Transaction } from '#platform/database/database.ts';
import { isSameContent } from './compare-documents.ts';
import { selectLiveServices } from './service-designs.store.ts';
import { insertVersions, selectNewestVersions } from './versions.store.ts';

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
