import type { Page } from '@playwright/test';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { findService, newToken, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, switchLanguage, wordsOf } from './steps.ts';

interface PortalPage {
  path: string;
  /** The words of its main heading, or what a reader of them answers. */
  heading: string | ((language: Language) => Promise<string>);
  as?: string;
  /** What holds a page that would go on by itself. */
  hold?: string;
  /** What is done before the next page. */
  after?: (page: Page) => Promise<unknown>;
  /** Another language loads the page again: specification §7. */
  isLoadedAgain?: boolean;
}

const freeService = 'register-labour-complaints-private-sector-employees';
const nameOf = (service: string) => async (language: Language) =>
  (await findService(service, language)).name;
const stepOf = (service: string) => async (language: Language) =>
  (await findService(service, language)).form.steps[0]?.title[language] ?? '';

const groups: Record<string, (number: string) => PortalPage[]> = {
  'home and services': () => [
    { path: '/home', heading: 'home:question' },
    { path: '/home/services', heading: 'services:allServices' },
    {
      path: '/home/auth/1',
      heading: 'users:wizard.title',
      after: (page) => page.evaluate(() => sessionStorage.setItem('identitySkipped', 'yes')),
    },
    { path: '/home/auth/9', heading: 'users:wizard.chooseTitle' },
    { path: '/home/services/individuals#all', heading: 'pages:titles.individuals' },
    { path: '/home/services/companies#category', heading: 'pages:titles.companies' },
    { path: '/services', heading: 'services:title' },
    { path: '/requests/Create/renew-trade-licence', heading: nameOf('renew-trade-licence') },
    { path: '/requests/Create/no-such-service', heading: 'forms:missing.title' },
  ],
  'accounts and texts': () => [
    { path: '/account/login', heading: 'users:login.title' },
    { path: '/account/register', heading: 'accounts:register.title' },
    { path: '/account/forgot-password', heading: 'accounts:forgotten.title' },
    { path: '/terms-and-conditions', heading: 'static:terms.title' },
    { path: '/privacy-policy', heading: 'static:privacy.title' },
    { path: '/service-provider-term-and-conditions', heading: 'static:providerTerms.title' },
    { path: '/terms-and-conditions-data-sharing', heading: 'static:dataSharing.title' },
    { path: '/sitemap.xml', heading: 'static:sitemap.title' },
  ],
  'inquiry, payment and errors': (number) => [
    { path: '/requests/inquiry', heading: 'requests:inquiry.title' },
    { path: `/requests/inquiry?request-number=${number}`, heading: 'requests:inquiry.title' },
    {
      path: `/payment-status?result=success&request-number=${number}`,
      heading: 'payments:success.title',
      hold: 'payments:countdown.hold',
    },
    {
      path: `/payment-status?request-number=${number}`,
      heading: 'payments:failure.title',
      hold: 'payments:countdown.hold',
    },
    { path: '/requests/accepted-request', heading: 'payments:accepted.noneTitle' },
    {
      path: `/requests/accepted-request?request-number=${number}`,
      heading: 'payments:accepted.title',
    },
    { path: '/accessibility', heading: 'static:accessibility.title' },
    { path: '/not-found', heading: 'static:notFound.title' },
    { path: '/server-error', heading: 'static:serverError.title' },
  ],
  'pages of people who are signed in': (number) => [
    { path: '/requests', heading: 'requests:mine.title', as: 'individual2' },
    {
      path: `/requests/request-details?request-number=${number}`,
      heading: nameOf(freeService),
      as: 'individual2',
    },
    {
      path: '/requests/request-details?request-number=DW-2020-999999',
      heading: 'requests:record.title',
      as: 'individual2',
    },
    {
      path: '/requests/Create/renew-vehicle-ownership#applicant',
      heading: stepOf('renew-vehicle-ownership'),
      as: 'individual2',
    },
    { path: '/companies/my-requests/new', heading: 'requests:mine.companyTitle', as: 'company2' },
    { path: '/account/profile', heading: 'users:profile.title', as: 'company2' },
    { path: '/companies/users', heading: 'companies:title', as: 'company2' },
    { path: '/dash-board', heading: 'dashboards:company.title', as: 'company2' },
    { path: '/requests/new', heading: 'requests:staff.newTitle', as: 'employee' },
    { path: '/requests/processing', heading: 'requests:staff.processingTitle', as: 'employee' },
    {
      path: '/requests/all',
      heading: 'requests:staff.allTitle',
      as: 'supervisor2',
      isLoadedAgain: true,
    },
    {
      path: `/requests/request-details?request-number=${number}`,
      heading: nameOf(freeService),
      as: 'employee',
    },
  ],
};

async function expectInLanguage(
  page: Page,
  { heading }: PortalPage,
  language: Language,
): Promise<void> {
  const say = wordsOf(language);
  const h1 = page.getByRole('heading', { level: 1 });
  await expect(h1).toContainText(
    typeof heading === 'string' ? say(heading) : await heading(language),
  );
  await expect(h1).not.toContainText('…');
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language));
  const name = (await h1.innerText()).trim();
  await expect
    .poll(async () => {
      const title = await page.title();
      return title.startsWith(name) && title.endsWith(` | ${say('shell:wordmark')}`)
        ? 'right'
        : title;
    })
    .toBe('right');
}

async function expectFitting(page: Page, width: number): Promise<void> {
  const size = page.viewportSize() ?? { width, height: 900 };
  await page.setViewportSize({ ...size, width });
  // The letters of a language may still be on their way, and those in their place are wider.
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          await document.fonts.ready;
          return document.documentElement.scrollWidth - document.documentElement.clientWidth;
        }),
      `${page.url()} scrolls sideways at ${width} px`,
    )
    .toBeLessThanOrEqual(0);
  await page.setViewportSize(size);
}

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

for (const [group, pagesOf] of Object.entries(groups)) {
  test(`${group}: whole, accessible and in each language (${phone.width} and ${desk.width} px)`, async ({
    browser,
  }) => {
    test.setTimeout(180_000);
    const { requestNumber } = await sendRequest('individual2', freeService);
    const { page, problems } = await openBrowser(browser, { language: 'ar-EG', ...phone });
    await page.goto('/not-found');
    let order = [...languages];
    for (const entry of pagesOf(requestNumber)) {
      await test.step(`${entry.as ?? 'anybody'}: ${entry.path}`, async () => {
        if (entry.as)
          await page.evaluate(
            (token) => sessionStorage.setItem('token', token),
            await newToken(entry.as),
          );
        await page.goto(entry.path);
        if (entry.hold)
          await page
            .getByRole('button', { name: wordsOf(order[0] ?? 'ar-EG')(entry.hold), exact: true })
            .click();
        await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
        for (const [index, language] of order.entries()) {
          if (index > 0) await switchLanguage(page, order[index - 1] ?? 'ar-EG', language);
          await expectInLanguage(page, entry, language);
          for (const width of [320, desk.width]) await expectFitting(page, width);
          // Axe looks at each language once, the one in the middle on a desk: what it finds comes
          // with a language or with a width.
          if (language === 'en-US') await page.setViewportSize(desk);
          await expectAccessible(page);
          if (language === 'en-US') await page.setViewportSize(phone);
        }
        expect(
          await page.evaluate(() => (window as { marker?: string }).marker),
          'whether it was loaded again',
        ).toBe(entry.isLoadedAgain ? undefined : 'still here');
        expect(problems, entry.path).toEqual([]);
        await entry.after?.(page);
      });
      // The language stays over the loads between pages, so the next one begins with it.
      order = order.toReversed();
    }
  });
}
