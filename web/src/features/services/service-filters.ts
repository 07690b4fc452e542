import { isBlank } from '../../lib/i18n/quotable-text.ts';

/**
 * The filters of the listing as navigation state carries them; the spelling is the specification's
 * (§2).
 */
export interface ServiceFilters {
  serviceSerach?: string;
  serviceCategoryId?: number;
  governmentAgencyId?: number;
  accountTypeId?: number;
  pageNumber?: number;
}

/** The same in an address that can be shared. */
const names = {
  serviceSerach: 'q',
  serviceCategoryId: 'category',
  governmentAgencyId: 'agency',
  accountTypeId: 'account',
  pageNumber: 'page',
} as const;
type FilterName = keyof typeof names;
const filterNames = Object.keys(names) as FilterName[];

// A longer text stays in the navigation state: nobody shares it, and addresses have an end.
const longestShared = 200;
// The database numbers with four bytes; page numbers end where the contract ends them.
const greatest: Record<Exclude<FilterName, 'serviceSerach'>, number> = {
  serviceCategoryId: 2_147_483_647,
  governmentAgencyId: 2_147_483_647,
  accountTypeId: 2_147_483_647,
  pageNumber: 1_000_000,
};

function wholeNumber(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= most
    ? value
    : undefined;
}

function filtersOf(read: (name: FilterName) => unknown): ServiceFilters {
  const text = read('serviceSerach');
  const number = (name: keyof typeof greatest) => wholeNumber(read(name), greatest[name]);
  return {
    serviceSerach: typeof text === 'string' && !isBlank(text) ? text.trim() : undefined,
    serviceCategoryId: number('serviceCategoryId'),
    governmentAgencyId: number('governmentAgencyId'),
    accountTypeId: number('accountTypeId'),
    pageNumber: number('pageNumber'),
  };
}

/**
 * Navigation state survives reload and may be older than the code, so it is read with care; it wins
 * over the address.
 */
export function readServiceFilters(state: unknown, search = ''): ServiceFilters {
  const kept = (typeof state === 'object' && state !== null ? state : {}) as Record<
    string,
    unknown
  >;
  if (filterNames.some((name) => Object.hasOwn(kept, name))) return filtersOf((name) => kept[name]);
  const query = new URLSearchParams(search);
  return filtersOf((name) => {
    const value = query.get(names[name]);
    return name === 'serviceSerach' || value === null
      ? value
      : Number(/^\d+$/.test(value) ? value : Number.NaN);
  });
}

/**
 * Where the listing with these filters is: an address to share, and the navigation state that the
 * specification names.
 */
export function listingOf(filters: ServiceFilters): { to: string; state: ServiceFilters } {
  const query = new URLSearchParams();
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== undefined && String(value).length <= longestShared)
      query.set(names[name], String(value));
  }
  return { to: query.size > 0 ? `/services?${query}` : '/services', state: filters };
}
