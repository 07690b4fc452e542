import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getServices } from '@diwan/contract/catalogue/services';
import { getAllCompanies } from '@diwan/contract/people/companies';
import { getAllPartners } from '@diwan/contract/people/partners';
import { getAllAttachments } from '@diwan/contract/requests/attachments';
import { getAllRejectionReasons } from '@diwan/contract/requests/rejection-reasons';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { Language } from '@diwan/contract/wire/languages';
import { call, newToken } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, switchLanguage, textsOf } from './steps.ts';

interface DashboardPage {
  as: string;
  path: string;
  /** The path after a redirect, where it differs. */
  address?: string;
  heading: string;
  /** A text of its content: the key of a text, or a function that asks the API. */
  content: string | ((language: Language, token: string) => Promise<string | undefined>);
}

const pages: readonly DashboardPage[] = [
  {
    as: 'admin',
    path: '/dashboard',
    address: '/dashboard-Admin',
    heading: 'dashboards:admin.title',
    content: 'dashboards:admin.waiting',
  },
  {
    as: 'admin',
    path: '/dashboard/users',
    heading: 'dashboards:users.title',
    content: async () => 'Omar Al Demo',
  },
  {
    as: 'admin',
    path: '/dashboard/partners',
    heading: 'dashboards:partners.title',
    content: async (language, token) =>
      (await call(getAllPartners, { token, language })).body.items[0]?.name,
  },
  {
    as: 'admin',
    path: '/dashboard/companies',
    heading: 'dashboards:companies.title',
    content: async (language, token) =>
      (await call(getAllCompanies, { token, language })).body.items[0]?.name,
  },
  {
    as: 'admin',
    path: '/dashboard/services',
    heading: 'dashboards:services.title',
    content: async (language) => (await call(getServices, { language })).body.items[0]?.name,
  },
  {
    as: 'admin',
    path: '/dashboard/attachments',
    heading: 'dashboards:attachments.title',
    content: async (language, token) =>
      (await call(getAllAttachments, { token, language })).body.items[0]?.fileName,
  },
  {
    as: 'admin',
    path: '/dashboard/service-providers',
    heading: 'dashboards:serviceProviders.title',
    content: async () => 'Fatima Al Demo',
  },
  {
    as: 'admin',
    path: '/dashboard/serviceCategories',
    heading: 'dashboards:serviceCategories.title',
    content: async (language) => (await call(getAllServiceCategory, { language })).body[0]?.name,
  },
  {
    as: 'admin',
    path: '/dashboard/rejectionReasons',
    heading: 'dashboards:rejectionReasons.title',
    content: async (language, token) =>
      (await call(getAllRejectionReasons, { token })).body[0]?.names[language],
  },
  {
    as: 'admin',
    path: '/dashboard/audit',
    heading: 'dashboards:audit.title',
    content: 'dashboards:audit.kinds.signedIn',
  },
  { as: 'admin', path: '/reports', heading: 'reports:title', content: 'reports:how.title' },
  {
    as: 'supervisor',
    path: '/dashboard-supervisor',
    heading: 'dashboards:supervisor.title',
    content: 'dashboards:supervisor.waiting',
  },
  {
    as: 'supervisor',
    path: '/partner',
    address: '/partner/profile',
    heading: 'partners:profile.title',
    content: 'partners:agencies.title',
  },
  { as: 'supervisor', path: '/reports', heading: 'reports:title', content: 'reports:how.title' },
  {
    as: 'company',
    path: '/dash-board',
    heading: 'dashboards:company.title',
    content: 'dashboards:company.waiting',
  },
  {
    as: 'company',
    path: '/companies',
    address: '/companies/my-requests/new',
    heading: 'requests:mine.companyTitle',
    content: async (language, token) =>
      (await call(getRequestsByStatusId, { token, language })).body.items[0]?.requestNumber,
  },
];

// pages.journey.ts runs axe on these.
const inspectedElsewhere: readonly string[] = ['/dash-board', '/companies'];

async function findContent(
  { content }: DashboardPage,
  language: Language,
  token: string,
): Promise<string> {
  const text =
    typeof content === 'string' ? textsOf(language)(content) : await content(language, token);
  if (!text) throw new Error('The list is empty, so its page cannot be checked.');
  return text;
}

async function switchUser(page: Page, username: string): Promise<void> {
  await page.evaluate((token) => sessionStorage.setItem('token', token), await newToken(username));
}

for (const screen of screens) {
  test(`dashboards, lists and reports: complete and accessible (${screen.language}, ${screen.width} px)`, async ({
    browser,
  }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const t = textsOf(screen.language);
    await page.goto('/not-found');
    let person = '';
    for (const entry of pages) {
      const { as: username, path, address = path, heading } = entry;
      await test.step(`${username}: ${path}`, async () => {
        if (username !== person) await switchUser(page, username);
        person = username;
        await page.goto(path);
        await expect(page).toHaveURL(new RegExp(`${address}$`));
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t(heading));
        const content = await findContent(entry, screen.language, await newToken(username));
        await expect(
          page
            .getByRole('main')
            .getByText(content, { exact: true })
            .filter({ visible: true })
            .first(),
        ).toBeVisible();
        if (!inspectedElsewhere.includes(path)) await expectAccessible(page);
        expect(problems, path).toEqual([]);
      });
    }
  });
}

test('an admin searches users, filters them, and finds both again after reload and back', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  const t = textsOf('en-US');
  const rows = page.getByRole('main').locator('tbody tr');
  await page.goto('/not-found');
  await switchUser(page, 'admin');
  await page.goto('/dashboard/users');
  // There are eleven demo users, and users that parallel journeys create; only the nine demo users
  // with this phone number match.
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(11);
  const search = page.getByRole('search', { name: t('dashboards:list.search') });
  await search.getByRole('textbox').fill('50000000');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(9);
  await search.getByRole('button', { name: new RegExp(t('dashboards:users.role')) }).click();
  await page.getByRole('option', { name: t('shell:roles.ServiceProvider'), exact: true }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/\?q=50000000&role=ServiceProvider$/);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(search.getByRole('textbox')).toHaveValue('50000000');
  await page.goBack();
  await expect(rows).toHaveCount(9);
  await switchLanguage(page, 'en-US', 'ar-EG');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    textsOf('ar-EG')('dashboards:users.title'),
  );
  await expect(rows).toHaveCount(9);
  // Invalid filters in an address are ignored, and an unknown page of the list is reported.
  await page.goto(
    `/dashboard/users?q=${encodeURIComponent('<script>alert(1)</script>\u202E')}&role=King&page=-3`,
  );
  await expect(page.getByText(textsOf('ar-EG')('dashboards:list.nothingTitle'))).toBeVisible();
  await page.goto('/dashboard/users?page=99');
  await page.getByRole('button', { name: textsOf('ar-EG')('dashboards:list.firstPage') }).click();
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(11);
  expect(problems).toEqual([]);
});

test('a service is deleted only after its admin has read the consequences', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  const t = textsOf('en-US');
  const name = 'Cancelling an Economic Licence';
  await page.goto('/not-found');
  await switchUser(page, 'admin');
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
  await expect(dialog.getByText(t('dashboards:services.kept'))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: t('dashboards:services.keep'), exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(count);
  await remove.click();
  await dialog
    .getByRole('button', { name: t('dashboards:services.deleteSend'), exact: true })
    .click();
  await expect(page.getByText(t('dashboards:services.deleted'))).toBeVisible();
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(count - 1);
  expect(problems).toEqual([]);
});

test('a report of other days, as a table, as a file, and by its address', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  const t = textsOf('en-US');
  await page.goto('/not-found');
  await switchUser(page, 'supervisor');
  await page.goto('/reports');
  await page.getByRole('button', { name: 'Last 90 days', exact: true }).click();
  await expect(page).toHaveURL(/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
  await expect(page.getByRole('img', { name: t('reports:chart.byWeek') })).toBeVisible();
  await page.getByRole('button', { name: t('reports:chart.asTable'), exact: true }).click();
  await expect(
    page.getByRole('table', { name: t('reports:chart.byWeek') }).getByRole('row'),
  ).toHaveCount(14);
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: t('reports:download'), exact: true }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^diwan-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.startsWith(`\uFEFF${t('reports:csv.measure')},`)).toBe(true);
  expect(text.split('\r\n').filter((line) => /^\d{4}-\d\d-\d\d,/.test(line))).toHaveLength(90);
  // Days in the wrong order are reported at their fields and send no query.
  await page.getByLabel(t('reports:period.from'), { exact: true }).fill('2026-05-05');
  await page.getByLabel(t('reports:period.to'), { exact: true }).fill('2026-05-01');
  await expect(page.getByText(t('reports:period.order'))).toBeVisible();
  await expect(
    page.getByRole('button', { name: t('reports:period.show'), exact: true }),
  ).toBeDisabled();
  expect(problems).toEqual([]);
});

test('a user without the role is redirected to the home page with a reason', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[0]);
  const t = textsOf('ar-EG');
  await page.goto('/not-found');
  for (const [username, path] of [
    ['employee', '/dashboard/users'],
    ['supervisor', '/dashboard-Admin'],
    ['company', '/reports'],
    ['individual', '/dash-board'],
    ['admin', '/partner/profile'],
  ] as const) {
    await switchUser(page, username);
    await page.goto(path);
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByText(t('errors:refusals.YouAreUnauthorized')).first()).toBeVisible();
  }
  await page.evaluate(() => sessionStorage.removeItem('token'));
  await page.goto('/dashboard/users?role=Admin');
  await expect(page).toHaveURL(/\/account\/login$/);
  expect(problems).toEqual([]);
});
