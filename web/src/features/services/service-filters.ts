import { isBlank } from '#lib/i18n/normalize.ts';
import { maximumId } from '@diwan/contract/wire/ids';

/**
 * The filters of the list in the navigation state; the spelling is that of the specification (§2).
 */
export interface ServiceFilters {
  serviceSerach?: string;
  serviceCategoryId?: number;
  governmentAgencyId?: number;
  accountTypeId?: number;
  pageNumber?: number;
  /** All services on one page; false where another filter is set. */
  isWhole?: boolean;
}

/** The parameter names in an address that can be shared. */
const names = {
  serviceSerach: 'q',
  serviceCategoryId: 'category',
  governmentAgencyId: 'agency',
  accountTypeId: 'account',
  pageNumber: 'page',
  isWhole: 'all',
} as const;
type FilterName = keyof typeof names;
const filterNames = Object.keys(names) as FilterName[];

// A longer text is only in the navigation state, because addresses have a length limit.
export const maximumSharedLength = 200;
// The maximum of an integer in the database, and the maximum page number of the contract.
const maximumOf: Record<Exclude<FilterName, 'serviceSerach' | 'isWhole'>, number> = {
  serviceCategoryId: maximumId,
  governmentAgencyId: maximumId,
  accountTypeId: maximumId,
  pageNumber: 1_000_000,
};

function wholeNumber(value: unknown, maximum: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maximum
    ? value
    : undefined;
}

/** The filters that leave services out. */
export function narrowingOf({
  serviceSerach,
  serviceCategoryId,
  governmentAgencyId,
  accountTypeId,
}: ServiceFilters): ServiceFilters {
  return { serviceSerach, serviceCategoryId, governmentAgencyId, accountTypeId };
}

export const isNarrowed = (filters: ServiceFilters): boolean =>
  Object.values(narrowingOf(filters)).some((value) => value !== undefined);

function filtersOf(read: (name: FilterName) => unknown): ServiceFilters {
  const text = read('serviceSerach');
  const number = (name: keyof typeof maximumOf) => wholeNumber(read(name), maximumOf[name]);
  const filters = {
    serviceSerach: typeof text === 'string' && !isBlank(text) ? text.trim() : undefined,
    serviceCategoryId: number('serviceCategoryId'),
    governmentAgencyId: number('governmentAgencyId'),
    accountTypeId: number('accountTypeId'),
    pageNumber: number('pageNumber'),
  };
  return read('isWhole') === true && !isNarrowed(filters) ? { isWhole: true } : filters;
}

/**
 * Reads the filters. Navigation state survives reloads and may be older than the code, so it is
 * validated; it takes precedence over the address.
 */
export function readServiceFilters(state: unknown, search = ''): ServiceFilters {
  const stored = (typeof state === 'object' && state !== null ? state : {}) as Record<
    string,
    unknown
  >;
  if (filterNames.some((name) => Object.hasOwn(stored, name)))
    return filtersOf((name) => stored[name]);
  const query = new URLSearchParams(search);
  return filtersOf((name) => {
    const value = query.get(names[name]);
    if (name === 'isWhole') return value === 'true';
    return name === 'serviceSerach' || value === null
      ? value
      : Number(/^\d+$/.test(value) ? value : Number.NaN);
  });
}

/**
 * The location of the list with these filters: an address to share and the navigation state of the
 * specification.
 */
export function listingOf(filters: ServiceFilters): { to: string; state: ServiceFilters } {
  const query = new URLSearchParams();
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== undefined && String(value).length <= maximumSharedLength)
      query.set(names[name], String(value));
  }
  return { to: query.size > 0 ? `/services?${query}` : '/services', state: filters };
}
