import { beforeEach, expect, it } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';
import type { Role } from '@diwan/contract/wire/call';

openFakeBrowser(() => jsonReply({}));
const { nextAddress } = await import('./next-address.ts');
const { storeReturnUrl, storeToken } = await import('#lib/api/session.ts');

beforeEach(() => window.sessionStorage.clear());

// Every sign-in ends here: with a password, a code, UAE PASS, a registration, a linked account.
it.each<[Role, string, string]>([
  ['Employee', '/reports', '/requests/new'],
  ['Employee', '/dashboard/users/0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01', '/requests/new'],
  ['Employee', '/Reports/?by=agency', '/requests/new'],
  ['ServiceProvider', '/reports?by=agency', '/reports?by=agency'],
  ['ServiceProvider', '/companies', '/dashboard-supervisor'],
  ['Admin', '/partner/profile', '/dashboard-Admin'],
  ['Admin', '/dashboard/users', '/dashboard/users'],
  ['CompanyUser', '/requests/all#1', '/home/services/companies'],
  ['CompanyUser', '/companies/join#token', '/companies/join#token'],
  ['Client', '/dashboard', '/home/services/individuals'],
  ['Client', '/requests?request=a%2Bb', '/requests?request=a%2Bb'],
  // The home page ends the session.
  ['Client', '/home', '/home/services/individuals'],
  ['Client', '/', '/home/services/individuals'],
  ['Client', '/?from=mail', '/home/services/individuals'],
  ['Client', '/home/services/investors', '/home/services/investors'],
  ['Client', '/no-such-page', '/no-such-page'],
])('a sign-in as %s returns from %s to %s', async (role, from, to) => {
  storeReturnUrl(from);
  storeToken(fakeToken(60, { role }));
  expect(await nextAddress()).toBe(to);
});
