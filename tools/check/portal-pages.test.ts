import { expect, it } from 'vitest';
import { publicPages, unlistedPaths } from '@diwan/contract/catalogue/sitemap';
import { personalPortalPages, publicPortalPages } from '../../e2e/portal-pages.mjs';

/** Paths that redirect, or that need a record: journeys of their own visit them. */
const otherPaths = [
  '/account',
  '/account/invitation',
  '/companies',
  '/companies/my-requests',
  '/dashboard',
  '/dashboard/companies/:companyId',
  '/dashboard/service-providers/:partnerId',
  '/dashboard/services/:serviceId',
  '/dashboard/staff',
  '/dashboard/users/:userId',
  '/home/auth/:accountType',
  '/home/identity',
  '/home/services/investors',
  '/partner',
  '/payment-status',
  '/requests/request-details',
];

it('the list of pages has every path of the site map', () => {
  const visited = [...publicPortalPages, ...personalPortalPages].map(({ path }) =>
    path.replace(/#.*$/, ''),
  );
  const known = [...publicPages.map(({ path }) => path), ...unlistedPaths];
  expect(known.filter((path) => !visited.includes(path)).toSorted()).toEqual(otherPaths);
});

it('the list of pages has unique names', () => {
  const names = [...publicPortalPages, ...personalPortalPages].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
