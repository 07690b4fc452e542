import type { Page } from '@playwright/test';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getServices } from '@diwan/contract/catalogue/services';
import { getAllCompanies } from '@diwan/contract/people/companies';
import { getAllPartners } from '@diwan/contract/people/partners';
import type { PageDefinition } from '@diwan/contract/portal/define-pages';
import type { PageName } from '@diwan/contract/portal/page-list';
import { pages } from '@diwan/contract/portal/pages';
import { getAllAttachments } from '@diwan/contract/requests/attachments';
import { getAllRejectionReasons } from '@diwan/contract/requests/rejection-reasons';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { Language } from '@diwan/contract/wire/languages';
import { call, newToken } from '../api.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, screens, textsOf } from '../steps.ts';

interface DashboardPage {
  as: string;
  page: PageName;
  /** The key of its main heading, where the table has none. */
  heading?: string;
  /**
   * A text that an empty page does not have: a pattern, the key of a text, or a function that asks
   * the API.
   */
  content: RegExp | string | ((language: Language, token: string) => Promise<string | undefined>);
}

const anyRequestNumber = /DW\d{2}-\d{5}-\d{5}/;

const dashboards: readonly DashboardPage[] = [
  {
    as: 'admin',
    page: 'dashboard',
    heading: 'dashboards:admin.title',
    content: anyRequestNumber,
  },
  {
    as: 'admin',
    page: 'adminUsers',
    heading: 'dashboards:users.title',
    content: async () => 'عمر العرض',
  },
  {
    as: 'admin',
    page: 'adminPartners',
    heading: 'dashboards:partners.title',
    content: async (language, token) =>
      (await call(getAllPartners, { token, language })).body.items[0]?.name,
  },
  {
    as: 'admin',
    page: 'adminCompanies',
    heading: 'dashboards:companies.title',
    content: async (language, token) =>
      (await call(getAllCompanies, { token, language })).body.items[0]?.name,
  },
  {
    as: 'admin',
    page: 'adminServices',
    heading: 'dashboards:services.title',
    content: async (language) => (await call(getServices, { language })).body.items[0]?.name,
  },
  {
    as: 'admin',
    page: 'adminAttachments',
    heading: 'dashboards:attachments.title',
    content: async (language, token) =>
      (await call(getAllAttachments, { token, language })).body.items.find(
        // Other journeys remove what is not part of a request yet.
        ({ requestNumber }) => requestNumber !== undefined,
      )?.fileName,
  },
  {
    as: 'admin',
    page: 'adminServiceProviders',
    heading: 'dashboards:serviceProviders.title',
    content: async (language) => (language === 'en-US' ? 'Fatima Al Demo' : 'فاطمة العرض'),
  },
  {
    as: 'admin',
    page: 'adminCategories',
    heading: 'dashboards:serviceCategories.title',
    content: async (language) => (await call(getAllServiceCategory, { language })).body[0]?.name,
  },
  {
    as: 'admin',
    page: 'adminRejectionReasons',
    heading: 'dashboards:rejectionReasons.title',
    content: async (language, token) =>
      (await call(getAllRejectionReasons, { token })).body[0]?.names[language],
  },
  {
    as: 'admin',
    page: 'adminAudit',
    heading: 'dashboards:audit.title',
    content: 'dashboards:audit.kinds.signedIn',
  },
  { as: 'admin', page: 'reports', heading: 'reports:title', content: 'reports:how.title' },
  {
    as: 'supervisor',
    page: 'supervisorDashboard',
    heading: 'dashboards:supervisor.title',
    content: anyRequestNumber,
  },
  {
    as: 'supervisor',
    page: 'partner',
    heading: 'partners:profile.title',
    content: 'partners:agencies.title',
  },
  { as: 'supervisor', page: 'reports', heading: 'reports:title', content: 'reports:how.title' },
  {
    as: 'company',
    page: 'companyDashboard',
    content: anyRequestNumber,
  },
  {
    as: 'company',
    page: 'companiesRoot',
    content: async (language, token) =>
      (await call(getRequestsByStatusId, { token, language })).body.items[0]?.requestNumber,
  },
];

// pages.journey.ts runs axe on these.
const inspectedElsewhere: readonly PageName[] = ['companyDashboard', 'companiesRoot'];
const screen = screens[0];

async function findContent(
  { content }: DashboardPage,
  language: Language,
  token: string,
): Promise<string | RegExp> {
  if (content instanceof RegExp) return content;
  const text =
    typeof content === 'string' ? textsOf(language)(content) : await content(language, token);
  if (!text) throw new Error('The list is empty, so its page cannot be checked.');
  return text;
}

async function switchUser(page: Page, username: string): Promise<string> {
  const token = await newToken(username);
  await page.evaluate((value) => sessionStorage.setItem('token', value), token);
  return token;
}

test(`dashboards, lists and reports: complete and accessible (${screen.language}, ${screen.width} px)`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  const t = textsOf(screen.language);
  await page.goto('/not-found');
  let [person, token] = ['', ''];
  for (const entry of dashboards) {
    const { as: username, page: name } = entry;
    const { path, redirectTo }: PageDefinition<PageName> = pages[name];
    const shown: PageDefinition = pages[redirectTo ?? name];
    const heading = entry.heading ?? shown.heading ?? '';
    await test.step(`${username}: ${path}`, async () => {
      if (username !== person) token = await switchUser(page, username);
      person = username;
      await page.goto(path);
      await expect(page).toHaveURL(new RegExp(`${shown.path}$`));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t(heading));
      const content = await findContent(entry, screen.language, token);
      await expect(
        page
          .getByRole('main')
          .getByText(content, { exact: true })
          .filter({ visible: true })
          .first(),
      ).toBeVisible();
      if (!inspectedElsewhere.includes(name)) await expectAccessible(page);
      expect(problems, path).toEqual([]);
    });
  }
});
