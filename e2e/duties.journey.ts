import { pageList, type PageName } from '@diwan/contract/portal/page-list';
import type { Role } from '@diwan/contract/wire/call';
import { storeSession } from './api.ts';
import { expect, isEveryPage, test } from './journey.ts';
import { openBrowser, waitUntilIdle } from './steps.ts';

const people: readonly (readonly [Role, string])[] = [
  ['Finance', 'finance'],
  ['Content', 'content'],
  ['Auditor', 'auditor'],
];

/** The tabs of a page that make calls of their own. */
const tabs: Partial<Record<PageName, readonly string[]>> = {
  adminPayments: [
    'cases',
    'refunds',
    'receipts',
    'routing',
    'ledger',
    'journal',
    'reconciliation',
    'charges',
    'payouts',
    'sellers',
  ],
  adminAnnouncements: ['closures'],
};

/** The pages in the menus of a role, with their tabs. */
const addressesOf = (role: Role): string[] =>
  pageList
    .filter(({ who, menu }) => menu && who !== 'anyone' && who.includes(role))
    .filter(({ redirectTo, sameAs, path }) => !redirectTo && !sameAs && !path.includes(':'))
    .flatMap(({ name, address }) => [
      address,
      ...(tabs[name] ?? []).map((tab) => `${address}?tab=${tab}`),
    ]);

// One refused call shows "not permitted" and opens the home page, so a list that the page needs only for
// a filter would take the whole page from a duty.
for (const [role, username] of people)
  test(`${username} opens each page of the menus without a refused call`, async ({ browser }) => {
    test.setTimeout(120_000);
    const { page, problems } = await openBrowser(browser, {
      language: 'en-US',
      width: 1280,
      height: 900,
    });
    await storeSession(page, username);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403)
        refused.push(`${new URL(page.url()).pathname}: ${new URL(response.url()).pathname}`);
    });
    const addresses = addressesOf(role);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of isEveryPage() ? addresses : addresses.slice(0, 12))
      await test.step(address, async () => {
        await page.goto(address);
        await expect(page.locator('main h1')).toBeVisible();
        await waitUntilIdle(page);
        // The list of requests leads each role to its own one.
        if (address !== '/requests')
          expect.soft(new URL(page.url()).pathname).toBe(address.replace(/\?.*/, ''));
      });
    expect(refused).toEqual([]);
    expect(problems).toEqual([]);
  });
