import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findTextPlaces } from './text-places.ts';

const root = join(import.meta.dirname, '..');
const places = findTextPlaces(join(root, 'src'), join(root, 'public/locales'));

it.each([
  ['home:banners', ['/home']],
  ['workflow:page', ['/dashboard/workflow']],
  // A page of several texts, and a loader beside the routes.
  ['static:terms', expect.arrayContaining(['/terms-and-conditions'])],
  ['users:login', expect.arrayContaining(['/account/login'])],
  // An optional parameter is left out, another one stays.
  ['services:tabs', expect.arrayContaining(['/home/services'])],
  ['forms:intro', expect.arrayContaining(['/requests/Create/:serviceName'])],
  // Keys with variables.
  ['pages:titles', expect.arrayContaining(['/sitemap.xml'])],
  ['shell:menu', ['*']],
  ['errors:refusals', ['*']],
  // The server writes them.
  ['account-messages:inquiry', undefined],
])('%s is on %j', (group, expected) => {
  expect(places[group]).toEqual(expected);
});

it('knows where every file is that a page of the portal loads', () => {
  const found = new Set(Object.keys(places).map((group) => group.split(':')[0]));
  const nowhere = readdirSync(join(root, 'public/locales/en-US'))
    .map((name) => name.replace('.json', ''))
    .filter((noun) => !found.has(noun));
  expect(nowhere).toEqual([
    'account-messages',
    'charges',
    'company-messages',
    'demonstration',
    'legal',
    'partner-messages',
    'request-history',
    'request-messages',
    'sandbox-identity',
    'sandbox-payments',
  ]);
});
