import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { newToken } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, switchLanguage, wordsOf } from './steps.ts';

type Say = ReturnType<typeof wordsOf>;

const pages = [
  ['admin', '/dashboard', '/dashboard-Admin', 'dashboards:admin.title', 'dashboards:admin.waiting'],
  ['admin', '/dashboard/users', '/dashboard/users', 'dashboards:users.title', 'Omar Al Demo'],
  ['admin', '/dashboard/partners', '/dashboard/partners', 'dashboards:partners.title', undefined],
  [
    'admin',
    '/dashboard/companies',
    '/dashboard/companies',
    'dashboards:companies.title',
    undefined,
  ],
  ['admin', '/dashboard/services', '/dashboard/services', 'dashboards:services.title', undefined],
  [
    'admin',
    '/dashboard/attachments',
    '/dashboard/attachments',
    'dashboards:attachments.title',
    undefined,
  ],
  [
    'admin',
    '/dashboard/service-providers',
    '/dashboard/service-providers',
    'dashboards:serviceProviders.title',
    'Fatima Al Demo',
  ],
  [
    'admin',
    '/dashboard/serviceCategories',
    '/dashboard/serviceCategories',
    'dashboards:serviceCategories.title',
    undefined,
  ],
  [
    'admin',
    '/dashboard/rejectionReasons',
    '/dashboard/rejectionReasons',
    'dashboards:rejectionReasons.title',
    undefined,
  ],
  [
    'admin',
    '/dashboard/audit',
    '/dashboard/audit',
    'dashboards:audit.title',
    'dashboards:audit.kinds.signedIn',
  ],
  ['admin', '/reports', '/reports', 'reports:title', 'reports:how.title'],
  [
    'supervisor',
    '/dashboard-supervisor',
    '/dashboard-supervisor',
    'dashboards:supervisor.title',
    'dashboards:supervisor.waiting',
  ],
  [
    'supervisor',
    '/partner',
    '/partner/profile',
    'partners:profile.title',
    'partners:agencies.title',
  ],
  ['supervisor', '/reports', '/reports', 'reports:title', 'reports:how.title'],
  [
    'company',
    '/dash-board',
    '/dash-board',
    'dashboards:company.title',
    'dashboards:company.waiting',
  ],
  ['company', '/companies', '/companies/my-requests/new', 'requests:mine.companyTitle', undefined],
] as const;

// Axe looks at these in pages.journey.ts.
const seenInPages: readonly string[] = ['/dash-board', '/companies'];

const textOf = (say: Say, text: string) => (text.includes(':') ? say(text) : text);

async function become(page: Page, username: string): Promise<void> {
  await page.evaluate((token) => sessionStorage.setItem('token', token), await newToken(username));
}

for (const screen of screens) {
  test(`dashboards, lists and reports: whole and accessible (${screen.language}, ${screen.width} px)`, async ({
    browser,
  }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const say = wordsOf(screen.language);
    await page.goto('/not-found');
    let person = '';
    for (const [username, path, address, title, text] of pages) {
      await test.step(`${username}: ${path}`, async () => {
        if (username !== person) await become(page, username);
        person = username;
        await page.goto(path);
        await expect(page).toHaveURL(new RegExp(`${address}$`));
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(say(title));
        if (text)
          await expect(
            page.getByText(textOf(say, text), { exact: true }).filter({ visible: true }).first(),
          ).toBeVisible();
        else
          await expect(page.getByRole('main').locator('table, main ul, li').first()).toBeVisible();
        if (!seenInPages.includes(path)) await expectAccessible(page);
        expect(problems, path).toEqual([]);
      });
    }
  });
}

test('an admin searches users, filters them, and finds both again after reload and back', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  const say = wordsOf('en-US');
  const rows = page.getByRole('main').locator('tbody tr');
  await page.goto('/not-found');
  await become(page, 'admin');
  await page.goto('/dashboard/users');
  // The eleven of the demo, and whoever other journeys make meanwhile; only the nine known ones
  // have a phone number with so many noughts.
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(11);
  const search = page.getByRole('search', { name: say('dashboards:list.search') });
  await search.getByRole('textbox').fill('50000000');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(9);
  await search.getByRole('button', { name: new RegExp(say('dashboards:users.role')) }).click();
  await page.getByRole('option', { name: say('shell:roles.ServiceProvider'), exact: true }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/\?q=50000000&role=ServiceProvider$/);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(search.getByRole('textbox')).toHaveValue('50000000');
  await page.goBack();
  await expect(rows).toHaveCount(9);
  await switchLanguage(page, 'en-US', 'ar-EG');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    wordsOf('ar-EG')('dashboards:users.title'),
  );
  await expect(rows).toHaveCount(9);
  // What makes no sense in an address is no filter, and a page that is not there says so.
  await page.goto(
    `/dashboard/users?q=${encodeURIComponent('<script>alert(1)</script>\u202E')}&role=King&page=-3`,
  );
  await expect(page.getByText(wordsOf('ar-EG')('dashboards:list.nothingTitle'))).toBeVisible();
  await page.goto('/dashboard/users?page=99');
  await page.getByRole('button', { name: wordsOf('ar-EG')('dashboards:list.firstPage') }).click();
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(11);
  expect(problems).toEqual([]);
});

test('a service leaves the catalogue only after its admin has read what is lost', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  const say = wordsOf('en-US');
  const name = 'Cancelling an Economic Licence';
  await page.goto('/not-found');
  await become(page, 'admin');
  await page.goto(`/dashboard/services?q=${encodeURIComponent(name)}`);
  const remove = page.getByRole('button', { name: new RegExp(name) }).first();
  const count = await page
    .getByRole('main')
    .locator('tbody tr')
    .count()
    .then(
      async (before) =>
        before || (await remove.waitFor(), page.getByRole('main').locator('tbody tr').count()),
    );
  await remove.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(say('dashboards:services.kept'))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: say('dashboards:services.keep'), exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(count);
  await remove.click();
  await dialog
    .getByRole('button', { name: say('dashboards:services.deleteSend'), exact: true })
    .click();
  await expect(page.getByText(say('dashboards:services.deleted'))).toBeVisible();
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(count - 1);
  expect(problems).toEqual([]);
});

test('a report of other days, as a table, as a file, and by its address', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  const say = wordsOf('en-US');
  await page.goto('/not-found');
  await become(page, 'supervisor');
  await page.goto('/reports');
  await page.getByRole('button', { name: 'Last 90 days', exact: true }).click();
  await expect(page).toHaveURL(/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
  await expect(page.getByRole('img', { name: say('reports:chart.byWeek') })).toBeVisible();
  await page.getByRole('button', { name: say('reports:chart.asTable'), exact: true }).click();
  await expect(
    page.getByRole('table', { name: say('reports:chart.byWeek') }).getByRole('row'),
  ).toHaveCount(14);
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: say('reports:download'), exact: true }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^diwan-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.startsWith(`\uFEFF${say('reports:csv.measure')},`)).toBe(true);
  expect(text.split('\r\n').filter((line) => /^\d{4}-\d\d-\d\d,/.test(line))).toHaveLength(90);
  // Days in the wrong order are told beside their fields and not asked for.
  await page.getByLabel(say('reports:period.from'), { exact: true }).fill('2026-05-05');
  await page.getByLabel(say('reports:period.to'), { exact: true }).fill('2026-05-01');
  await expect(page.getByText(say('reports:period.order'))).toBeVisible();
  await expect(
    page.getByRole('button', { name: say('reports:period.show'), exact: true }),
  ).toBeDisabled();
  expect(problems).toEqual([]);
});

test('who has not the role goes home and is told why', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screens[0]);
  const say = wordsOf('ar-EG');
  await page.goto('/not-found');
  for (const [username, path] of [
    ['employee', '/dashboard/users'],
    ['supervisor', '/dashboard-Admin'],
    ['company', '/reports'],
    ['individual', '/dash-board'],
    ['admin', '/partner/profile'],
  ] as const) {
    await become(page, username);
    await page.goto(path);
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByText(say('errors:refusals.YouAreUnauthorized')).first()).toBeVisible();
  }
  await page.evaluate(() => sessionStorage.removeItem('token'));
  await page.goto('/dashboard/users?role=Admin');
  await expect(page).toHaveURL(/\/account\/login$/);
  expect(problems).toEqual([]);
});
