import { describe, expect, it } from 'vitest';
import { listingOf, readServiceFilters } from './service-filters.ts';

const given = (filters: object) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

describe('readServiceFilters', () => {
  it('reads the filters of the specification', () => {
    expect(
      readServiceFilters({
        serviceSerach: ' visa ',
        serviceCategoryId: 3,
        governmentAgencyId: 4,
        accountTypeId: 1,
        pageNumber: 2,
      }),
    ).toEqual({
      serviceSerach: 'visa',
      serviceCategoryId: 3,
      governmentAgencyId: 4,
      accountTypeId: 1,
      pageNumber: 2,
    });
  });

  it.each([
    null,
    undefined,
    'x',
    7,
    { serviceSerach: '  ', serviceCategoryId: -1, governmentAgencyId: '4', pageNumber: 1.5 },
    { serviceSerach: '\u202E\u200B', accountTypeId: 2 ** 31, pageNumber: 1_000_001 },
  ])('ignores the invalid state %j', (state) => {
    expect(given(readServiceFilters(state))).toEqual({});
  });

  it('reads the address without navigation state', () => {
    expect(
      given(readServiceFilters(null, '?q=visa&agency=4&page=2&account=x&category=1e3')),
    ).toEqual({ serviceSerach: 'visa', governmentAgencyId: 4, pageNumber: 2 });
    expect(given(readServiceFilters({ key: 'of another page' }, '?q=visa'))).toEqual({
      serviceSerach: 'visa',
    });
  });

  it('prefers the navigation state as a whole', () => {
    expect(given(readServiceFilters({ accountTypeId: 2 }, '?q=visa&agency=4'))).toEqual({
      accountTypeId: 2,
    });
  });
});

describe('listingOf', () => {
  it('can be restored from its address alone', () => {
    const filters = {
      serviceSerach: 'رخصة & <b>',
      serviceCategoryId: 3,
      governmentAgencyId: 4,
      accountTypeId: 1,
      pageNumber: 2,
    };
    const { to, state } = listingOf(filters);
    expect(state).toEqual(filters);
    expect(readServiceFilters(null, to.slice('/services'.length))).toEqual(filters);
  });

  it('leaves a long text out of the address', () => {
    const { to, state } = listingOf({ serviceSerach: 'x'.repeat(10_000), accountTypeId: 1 });
    expect(to).toBe('/services?account=1');
    expect(state.serviceSerach?.length).toBe(10_000);
    expect(listingOf({}).to).toBe('/services');
  });
});
