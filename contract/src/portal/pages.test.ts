import { expect, it } from 'vitest';
import { listedPages, pageList } from './page-list.ts';
import { pages } from './pages.ts';

it('each path is declared once, in any case of letters', () => {
  const paths = pageList.map(({ path }) => path.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
});

it('a redirect leads to a page that the same people may open', () => {
  for (const { name, who, redirectTo } of pageList)
    if (redirectTo) expect(pages[redirectTo].who, name).toEqual(who);
});

it('a listed page is open to everybody and has an address without a parameter', () => {
  for (const { name, who, address } of listedPages)
    expect([who, address.includes(':')], name).toEqual(['anyone', false]);
});

it.each([
  ['/home', () => pages.home.calls().map(({ path }) => path), 2],
  [
    'companies',
    () => pages.allServices.calls({ params: { accountType: 'companies' }, hasFilters: false }),
    2,
  ],
  ['no account type', () => pages.allServices.calls({ params: {}, hasFilters: false }), 0],
  [
    'a name of every object',
    () => pages.allServices.calls({ params: { accountType: 'toString' }, hasFilters: false }),
    0,
  ],
  ['services', () => pages.services.calls({ params: {}, hasFilters: false }), 2],
  ['filtered services', () => pages.services.calls({ params: {}, hasFilters: true }), 0],
])('first calls of %s', (_, calls, count) => {
  expect(calls()).toHaveLength(count);
});
