import type { CatalogueService } from '../catalogue-records.ts';
import type { ServiceFilter } from '../service-buckets.ts';

/** A bit for each service. */
type Bits = Uint32Array;

const isSet = (bits: Bits, at: number) => (((bits[at >>> 5] as number) >>> (at & 31)) & 1) === 1;

function bitsBy(
  services: readonly CatalogueService[],
  idsOf: (service: CatalogueService) => readonly number[],
): ReadonlyMap<number, Bits> {
  const byId = new Map<number, Bits>();
  for (const [at, service] of services.entries())
    for (const id of idsOf(service)) {
      const bits = byId.get(id) ?? new Uint32Array(Math.ceil(services.length / 32));
      byId.set(id, bits);
      bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31));
    }
  return byId;
}

/**
 * Prepares one set of services for each value of a filter. The function that it returns is
 * `undefined` for a filter that admits all.
 */
export function openFilters(
  services: readonly CatalogueService[],
): (filter: ServiceFilter) => ((service: number) => boolean) | undefined {
  const none: Bits = new Uint32Array(Math.ceil(services.length / 32));
  const byAgency = bitsBy(services, ({ agency }) => [agency.id]);
  const byCategory = bitsBy(services, ({ category }) => [category.id]);
  const byAccountType = bitsBy(services, ({ accountTypeIds }) => accountTypeIds);
  const bitsOf = (byId: ReadonlyMap<number, Bits>, id: number | undefined) =>
    id === undefined ? [] : [byId.get(id) ?? none];
  return ({ agencyId, categoryId, accountTypeId }) => {
    const sets = [
      ...bitsOf(byAgency, agencyId),
      ...bitsOf(byCategory, categoryId),
      ...bitsOf(byAccountType, accountTypeId),
    ];
    return sets.length === 0 ? undefined : (service) => sets.every((bits) => isSet(bits, service));
  };
}
