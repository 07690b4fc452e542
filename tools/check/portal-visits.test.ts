import { expect, it } from 'vitest';
import { pageList } from '@diwan/contract/portal/page-list';
import { portalVisits } from '../../e2e/portal-visits.ts';

/** Pages that need a record or another site: separate journeys visit them. */
const notListed = [
  'adminCompany',
  'adminPartner',
  'adminServiceDesign',
  'adminUser',
  'identityReturn',
  'investors',
  'paymentStatus',
  'requestDetails',
  'staffInvitation',
];

it('every page is visited, except those that need a record', () => {
  const visited = new Set(portalVisits.map(({ page }) => page));
  const missed = pageList.filter(({ name, redirectTo }) => !redirectTo && !visited.has(name));
  expect(missed.map(({ name }) => name).toSorted()).toEqual(notListed);
});

it('the visits have unique names', () => {
  const names = portalVisits.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
