import type { Page } from '@playwright/test';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { findService, newToken, sendRequest } from './api.ts';
import { expect, isEveryPage, test } from './journey.ts';
import { portalVisits } from './portal-visits.ts';
import { expectAccessible, openBrowser, switchLanguage, textsOf } from './steps.ts';

interface VisitedPage {
  path: string;
  /** The key of the main heading, or a function that returns its text. */
  heading: string | ((language: Language) => Promise<string>);
  as?: string;
  /** The key of the button that stops an automatic redirect. */
  hold?: string;
  /** Runs before the next page. */
  after?: (page: Page) => Promise<unknown>;
  /** Changing the language reloads the page: specification §7. */
  isReloaded?: boolean;
}

const freeService = 'register-labour-complaints-private-sector-employees';
const nameOf = (service: string) => async (language: Language) =>
  (await findService(service, language)).name;
const firstStepOf = (service: string) => async (language: Language) =>
  (await findService(service, language)).form.steps[0]?.title[language] ?? '';

/** A page of the list of all pages. */
function listed(name: string, changes: Partial<VisitedPage> = {}): VisitedPage {
  const page = portalVisits.find((each) => each.name === name);
  if (!page?.heading) throw new Error(`The list has no page ${name} with a heading.`);
  return { ...page, heading: page.heading, ...changes };
}
const anonymous = { as: undefined };

const groups: Record<string, (number: string) => VisitedPage[]> = {
  'home and services': () => [
    listed('home'),
    listed('all-services'),
    listed('wizard-identity', {
      after: (page) => page.evaluate(() => sessionStorage.setItem('identitySkipped', '1,2,3')),
    }),
    listed('wizard-choose'),
    listed('home-services', anonymous),
    listed('home-services-agencies', anonymous),
    listed('services'),
    { path: '/requests/Create/renew-trade-licence', heading: nameOf('renew-trade-licence') },
    listed('service-missing'),
  ],
  'accounts and texts': () =>
    [
      'login',
      'register',
      'forgot-password',
      'terms',
      'privacy',
      'provider-terms',
      'data-sharing',
      'sitemap',
    ].map((name) => listed(name)),
  'inquiry, payment and errors': (number) => [
    listed('inquiry'),
    listed('inquiry', { path: `/requests/inquiry?request-number=${number}` }),
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
    listed('accepted-request-none'),
    {
      path: `/requests/accepted-request?request-number=${number}`,
      heading: 'payments:accepted.title',
    },
    listed('accessibility'),
    listed('not-found'),
    listed('server-error'),
  ],
  'pages of people': (number) => [
    listed('my-requests', { as: 'individual2' }),
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
      heading: firstStepOf('renew-vehicle-ownership'),
      as: 'individual2',
    },
  ],
  'pages of companies and staff': (number) => [
    listed('company-requests'),
    listed('profile'),
    listed('company-users'),
    listed('company-dashboard'),
    listed('new-requests'),
    listed('processing-requests'),
    listed('all-requests', { as: 'supervisor2', isReloaded: true }),
    {
      path: `/requests/request-details?request-number=${number}`,
      heading: nameOf(freeService),
      as: 'employee',
    },
  ],
};

/**
 * The languages in which a page is tried, one after the other. The page begins with the language of the
 * page before. The project `acceptance` tries all three; npm test changes the language on each fourth page
 * and where the page is loaded again.
 */
function languagesOf(at: number, current: Language, isReloaded = false): readonly Language[] {
  const from = languages.indexOf(current);
  const inTurn = [...languages.slice(from), ...languages.slice(0, from)];
  if (isEveryPage()) return inTurn;
  return inTurn.slice(0, at % 4 === 3 || isReloaded ? 2 : 1);
}

// The narrowest phone of the design: a page that fits it fits the wider ones.
const phone = { width: 320, height: 844 };
const desk = { width: 1280, height: 900 };

async function expectInLanguage(
  page: Page,
  { heading }: VisitedPage,
  language: Language,
): Promise<void> {
  const t = textsOf(language);
  const h1 = page.getByRole('heading', { level: 1 });
  await expect(h1).toContainText(
    typeof heading === 'string' ? t(heading) : await heading(language),
  );
  await expect(h1).not.toContainText('…');
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language));
  const name = (await h1.innerText()).trim();
  await expect
    .poll(async () => {
      const title = await page.title();
      return title.startsWith(name) && title.endsWith(` | ${t('shell:wordmark')}`)
        ? 'right'
        : title;
    })
    .toBe('right');
}

async function expectFitting(page: Page): Promise<void> {
  // The fonts of a language may still be loading, and fallback fonts are wider.
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          await document.fonts.ready;
          return document.documentElement.scrollWidth - document.documentElement.clientWidth;
        }),
      `${page.url()} scrolls sideways at ${page.viewportSize()?.width} px`,
    )
    .toBeLessThanOrEqual(0);
}

for (const [index, [group, pagesOf]] of Object.entries(groups).entries()) {
  test(`${group}: complete, accessible and in each language (${phone.width} and ${desk.width} px)`, async ({
    browser,
  }) => {
    test.setTimeout(180_000);
    const { requestNumber } = await sendRequest('individual2', freeService);
    let language = languages[index % languages.length] ?? 'ar-EG';
    const { page, problems } = await openBrowser(browser, { language, ...phone });
    await page.goto('/not-found');
    let person = '';
    for (const [at, entry] of pagesOf(requestNumber).entries()) {
      const tried = languagesOf(at, language, entry.isReloaded);
      await test.step(`${entry.as ?? 'anonymous'}: ${entry.path}`, async () => {
        if (entry.as && entry.as !== person) {
          person = entry.as;
          await page.evaluate(
            (token) => sessionStorage.setItem('token', token),
            await newToken(entry.as),
          );
        }
        await page.goto(entry.path);
        if (entry.hold)
          await page
            .getByRole('button', { name: textsOf(language)(entry.hold), exact: true })
            .click();
        await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
        for (const next of tried) {
          if (next !== language) await switchLanguage(page, language, next);
          language = next;
          await expectInLanguage(page, entry, language);
          await expectFitting(page);
          await page.setViewportSize(desk);
          await expectFitting(page);
          // What axe finds depends on the direction and the width. npm test tries every second page at
          // one of the two: `npm run measure -- accessibility` runs two engines over all pages.
          const isInspected = isEveryPage() || at % 2 === 0;
          if (isInspected && at % 4 < 2) await expectAccessible(page);
          await page.setViewportSize(phone);
          if (isInspected && at % 4 >= 2) await expectAccessible(page);
        }
        expect(
          await page.evaluate(() => (window as { marker?: string }).marker),
          'whether it was loaded again',
        ).toBe(entry.isReloaded ? undefined : 'still here');
        expect(problems, entry.path).toEqual([]);
        await entry.after?.(page);
      });
    }
  });
}
