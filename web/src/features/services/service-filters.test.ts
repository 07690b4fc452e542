import { describe, expect, it } from 'vitest';
import { readServiceFilters } from './service-filters.ts';

describe('readServiceFilters', () => {
  it('reads what the specification names', () => {
    expect(readServiceFilters({ serviceSerach: ' visa ', serviceCategoryId: 3, governmentAgencyId: 4, accountTypeId: 1, pageNumber: 2 })).toEqual({ serviceSerach: 'visa', serviceCategoryId: 3, governmentAgencyId: 4, accountTypeId: 1, pageNumber: 2 });
  });

  it.each([null, undefined, 'x', 7, { serviceSerach: '  ', serviceCategoryId: -1, governmentAgencyId: '4', pageNumber: 1.5 }])('filters nothing by %j', (state) => {
    expect(Object.values(readServiceFilters(state)).filter((value) => value !== undefined)).toEqual([]);
  });
});
