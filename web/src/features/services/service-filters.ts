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
}

/** The parameter names in an address that can be shared. */
const names = {
  serviceSerach: 'q',
  serviceCategoryId: 'category',
  governmentAgencyId: 'agency',
  accountTypeId: 'account',
  pageNumber: 'page',
} as const;
type FilterName = keyof typeof names;
const filterNames = Object.keys(names) as FilterName[];

// A longer text is only in the navigation state, because addresses have a length limit.
export const maximumSharedLength = 200;
// The maximum of an integer in the database, and the maximum page number of the contract.
const maximumOf: Record<Exclude<FilterName, 'serviceSerach'>, number> = {
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

function filtersOf(read: (name: FilterName) => unknown): ServiceFilters {
  const text = read('serviceSerach');
  const number = (name: keyof typeof maximumOf) => wholeNumber(read(name), maximumOf[name]);
  return {
    serviceSerach: typeof text === 'string' && !isBlank(text) ? text.trim() : undefined,
    serviceCategoryId: number('serviceCategoryId'),
    governmentAgencyId: number('governmentAgencyId'),
    accountTypeId: number('accountTypeId'),
    pageNumber: number('pageNumber'),
  };
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
