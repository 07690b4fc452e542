import type { CatalogueService } from './catalogue-records.ts';

/** Filters of a list of services; a missing one admits all. */
export interface ServiceFilter {
  agencyId?: number | undefined;
  categoryId?: number | undefined;
  accountTypeId?: number | undefined;
}

/** Whether a service fits all filters. */
export function passes(service: CatalogueService, filter: ServiceFilter): boolean {
  return (
    (filter.agencyId === undefined || service.agency.id === filter.agencyId) &&
    (filter.categoryId === undefined || service.category.id === filter.categoryId) &&
    (filter.accountTypeId === undefined || service.accountTypeIds.includes(filter.accountTypeId))
  );
}

const keyOf = ({ agencyId, categoryId, accountTypeId }: ServiceFilter) =>
  `${agencyId ?? '-'} ${categoryId ?? '-'} ${accountTypeId ?? '-'}`;

/**
 * Groups services by the filters that are set in `example`. A service is in one group, or in one for
 * each of its account types.
 */
function groupLike(
  services: readonly CatalogueService[],
  example: ServiceFilter,
): ReadonlyMap<string, readonly CatalogueService[]> {
  const groups = new Map<string, CatalogueService[]>();
  for (const service of services)
    for (const accountTypeId of example.accountTypeId === undefined
      ? [undefined]
      : new Set(service.accountTypeIds)) {
      const key = keyOf({
        agencyId: example.agencyId === undefined ? undefined : service.agency.id,
        categoryId: example.categoryId === undefined ? undefined : service.category.id,
        accountTypeId,
      });
      const group = groups.get(key);
      if (group) group.push(service);
      else groups.set(key, [service]);
    }
  return groups;
}

/**
 * Finds the services that fit filters, in the order of `services`. Each combination of filters is
 * grouped at its first use, so that a list costs the same however large the catalogue is.
 */
export function openServiceBuckets(
  services: readonly CatalogueService[],
): (filter: ServiceFilter) => readonly CatalogueService[] {
  const groupings = new Map<string, ReadonlyMap<string, readonly CatalogueService[]>>();
  return (filter) => {
    const { agencyId, categoryId, accountTypeId } = filter;
    const kinds = [agencyId, categoryId, accountTypeId].map((id) => id !== undefined).join(' ');
    let grouping = groupings.get(kinds);
    if (!grouping) groupings.set(kinds, (grouping = groupLike(services, filter)));
    return grouping.get(keyOf(filter)) ?? [];
  };
}
