import type { Page } from '@playwright/test';
import { storedLanguages, type Language } from '@diwan/contract/wire/languages';
import { expect, test } from './journey.ts';
import { portalUrl } from './server.ts';
import { openBrowser, textsOf } from './steps.ts';

const arabic = textsOf('ar-EG');
const english = textsOf('en-US');
const urdu = textsOf('ur-PK');

/** The metadata of the page for sharing and saving. */
function readMetadata(page: Page) {
  return page.evaluate(() => {
    const content = (selector: string, attribute: string) =>
      [...document.head.querySelectorAll(selector)]
        .map((place) => place.getAttribute(attribute))
        .join(' ');
    return {
      title: document.title,
      language: document.documentElement.lang,
      description: content('meta[name=description]', 'content'),
      canonical: content('link[rel=canonical]', 'href'),
      alternates: document.head.querySelectorAll('link[hreflang]').length,
      shared: [
        content('meta[property="og:title"]', 'content'),
        content('meta[property="og:url"]', 'content'),
        content('meta[property="og:locale"]', 'content'),
      ],
      data: document.head.querySelectorAll('#page-data').length,
    };
  });
}

const expected = (
  path: string,
  language: Language,
  { title, description, data = 0 }: { title: string; description: string; data?: number },
) => {
  const address = `${portalUrl}${path}${language === 'ar-EG' ? '' : `?ln=${language}`}`;
  const whole = `${title} | ${textsOf(language)('shell:wordmark')}`;
  return {
    title: whole,
    language,
    description,
    canonical: address,
    alternates: 4,
    shared: [whole, address, language.replace('-', '_')],
    data,
  };
};

test('an address chooses the language and stores it; the metadata follows pages and languages', async ({
  browser,
}) => {
  const { context, page, problems } = await openBrowser(browser, {
    language: 'ar-EG',
    width: 1280,
    height: 900,
  });
  await page.goto('/requests/Create/renew-trade-licence?x=1&ln=en-US#top');
  await expect(page.getByRole('heading', { level: 1, name: 'Renew Trade Licence' })).toBeVisible();
  // The heading is in the first screen of the server, before the portal reads the address.
  await expect.poll(() => new URL(page.url()).search).toBe('?x=1');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('language')))
    .toBe(storedLanguages['en-US']);
  const { description } = await readMetadata(page);
  expect(await readMetadata(page)).toEqual(
    expected('/requests/Create/renew-trade-licence', 'en-US', {
      title: 'Renew Trade Licence',
      description,
      data: 1,
    }),
  );

  await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: english('static:sitemap.title') })
    .click();
  await expect
    .poll(() => readMetadata(page))
    .toEqual(
      expected('/sitemap.xml', 'en-US', {
        title: english('pages:titles.sitemap'),
        description: english('pages:descriptions.sitemap'),
      }),
    );
  await page.getByText('Dubai Customs').click();
  await page.getByRole('button', { name: english('static:sitemap.showAll') }).click();
  await page.getByRole('link', { name: 'Renew Trade Licence', exact: true }).click();
  await expect
    .poll(() => readMetadata(page))
    .toEqual(
      expected('/requests/Create/renew-trade-licence', 'en-US', {
        title: 'Renew Trade Licence',
        description,
      }),
    );

  await page.goBack();
  await page.getByRole('button', { name: english('shell:chooseLanguage') }).click();
  await page.getByRole('menuitemradio', { name: urdu('shell:languages.ur-PK') }).click();
  await expect
    .poll(() => readMetadata(page))
    .toEqual(
      expected('/sitemap.xml', 'ur-PK', {
        title: urdu('pages:titles.sitemap'),
        description: urdu('pages:descriptions.sitemap'),
      }),
    );
  expect(
    await page.evaluate(() => (window as { marker?: string }).marker),
    'nothing was loaded again',
  ).toBe('still here');

  await page.goto('/home?ln=%22%3E%3Cscript%3E');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ur-PK');
  expect(problems, 'the content policy allows the data of a service').toEqual([]);
  await context.close();
});

test('the site map is a page for people and a file for search engines; texts have sections; unknown pages say so', async ({
  browser,
}) => {
  const { context, page, problems } = await openBrowser(browser, {
    language: 'ar-EG',
    width: 390,
    height: 844,
  });
  const opened = await page.goto('/sitemap.xml');
  expect(opened?.headers()['content-type']).toContain('text/html');
  await expect(
    page.getByRole('heading', { level: 1, name: arabic('static:sitemap.title') }),
  ).toBeVisible();
  // Parsed in an empty page: Trusted Types refuse it in the portal.
  const blank = await context.newPage();
  const served = await page.request.get('/sitemap.xml');
  const file = await blank.evaluate(
    (text) => {
      const parsed = new DOMParser().parseFromString(text, 'application/xml');
      return {
        errors: parsed.querySelectorAll('parsererror').length,
        root: parsed.documentElement.namespaceURI,
        addresses: parsed.querySelectorAll('url > loc').length,
      };
    },
    await served.text(),
  );
  await blank.close();
  expect(file).toMatchObject({ errors: 0, root: 'http://www.sitemaps.org/schemas/sitemap/0.9' });
  expect(file.addresses).toBeGreaterThan(600);
  const agency = page.locator('main details').first();
  await agency.locator('summary').press('Enter');
  await expect(agency.getByRole('link').first()).toBeVisible();

  await page.goto('/terms-and-conditions');
  await page.getByRole('link', { name: arabic('legal:terms.refunds.title') }).click();
  const refunds = page.getByRole('heading', { name: arabic('legal:terms.refunds.title') });
  await expect(refunds).toBeFocused();
  await page.reload();
  await expect(refunds).toBeFocused();
  await expect(refunds).toBeInViewport();
  await expect(page.getByText(arabic('static:demonstration'))).toHaveCount(1);

  const missing = await page.goto('/no/such/page');
  expect(missing?.status()).toBe(404);
  await expect(page.locator('main').getByText(arabic('errors:refusals.NotFound'))).toBeVisible();
  await page
    .locator('main')
    .getByRole('link', { name: arabic('static:sitemap.title') })
    .click();
  await expect(
    page.getByRole('heading', { level: 1, name: arabic('static:sitemap.title') }),
  ).toBeVisible();
  await page.goto('/server-error');
  await expect(
    page.locator('main').getByText(arabic('errors:refusals.InternalServerError')),
  ).toBeVisible();
  expect(problems).toEqual([]);
  await context.close();
});
