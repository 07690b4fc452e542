import type { Page } from '@playwright/test';
import { getRequestById } from '@diwan/contract/requests/requests';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { call, newToken, storeSession, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { portalUrl } from './server.ts';
import { expectAccessible, openBrowser, screens, waitUntilIdle, signIn, textsOf } from './steps.ts';

const [arabic] = screens;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Every page is in the shell, has a heading, and has a link to continue. */
async function expectErrorPage(page: Page, language: Language, words: string): Promise<void> {
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('main')).toContainText(words);
  await expect(
    page.getByRole('banner').getByRole('link', { name: textsOf(language)('shell:wordmark') }),
  ).toBeVisible();
}

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

test(`an unknown address shows a page with a way on ${where}`, async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screen);
  const addresses: Record<string, string> = {
    '/requests/Create/%3Cscript%3Ealert(1)%3C%2Fscript%3E': t('forms:missing.heading'),
    [`/requests/Create/${'x'.repeat(2000)}`]: t('forms:missing.heading'),
    '/no/such/page?with=%E2%80%AEquery#and-more': t('static:notFound.title'),
    '/payment-status?result=%00%3Cb%3E&request-number=%E2%80%AE-1': t('payments:success.title'),
    '/requests/accepted-request?request-number=%E2%80%AE%00': t('payments:accepted.number'),
    '/requests/inquiry?request-number=%E2%80%AE%F0%9F%98%80': t('requests:inquiry.notFoundTitle'),
    '/requests/inquiry?request-number=DW%00': t('requests:inquiry.failed'),
  };
  for (const [address, words] of Object.entries(addresses)) {
    await test.step(address.slice(0, 60), async () => {
      await page.goto(address);
      await expectErrorPage(page, language, words);
      await waitUntilIdle(page);
      expect(problems, address).toEqual([]);
    });
  }
});

test(`a search of ten thousand characters, or of direction marks, finds nothing and breaks nothing ${where}`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  const searches = ['q'.repeat(10_000), '\u202Eqzzq\u2066 %_\\\'";--<img src=x onerror=alert(1)>'];
  for (const text of searches) {
    await page.goto('/services');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    await page.locator('input[type=search]').fill(text);
    await page.keyboard.press('Enter');
    await waitUntilIdle(page);
    await expect(heading(page)).toHaveText(t('services:title'));
    await expect(
      page
        .getByText(t('services:listing.none'), { exact: true })
        .or(page.getByRole('main').getByRole('listitem').first())
        .first(),
    ).toBeVisible();
    await expect(page.getByText(t('errors:refusals.ServerNotConnected'))).toHaveCount(0);
    // The empty result looks the same for every input.
    if (text === searches.at(-1)) await expectAccessible(page);
    expect(problems, text.slice(0, 20)).toEqual([]);
  }
});

test(`a link with an encrypted request number opens it for users who may see it, and reveals nothing to others ${where}`, async ({
  browser,
}) => {
  const { requestId, requestNumber } = await sendRequest('individual', 'renew-vehicle-ownership');
  const { body } = await call(getRequestById, {
    token: await newToken('individual'),
    query: { RequestId: requestId },
  });
  const { pathname, search } = new URL(body.requestLink);
  const { page, problems } = await openBrowser(browser, screen);
  await page.goto(`${pathname}${search}`);
  await expect(page).toHaveURL(/\/account\/login$/);
  await signIn(page, language, 'individual');
  await expect(page).toHaveURL(/\/requests\/request-details\?request-number=/);
  await expect(page.getByText(requestNumber).first()).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: t('requests:number.copyLink') }).click();
  await expect(
    page.locator('[data-toasts]').getByText(t('requests:number.linkCopied')),
  ).toBeVisible();
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  // As a mail program may change it: ordinary base64, with spaces for plus signs.
  const plain = Buffer.from(copied.searchParams.get('request') ?? '', 'base64url')
    .toString('base64')
    .replaceAll('+', ' ');
  await page.goto(`/requests/request-details?request=${encodeURIComponent(plain)}`);
  await expect(page).toHaveURL(/\/requests\/request-details\?request-number=/);
  await expect(page.getByText(requestNumber).first()).toBeVisible();
  await page.goto(`/requests?req=${requestNumber}`);
  await expect(page).toHaveURL(new RegExp(`/requests/inquiry\\?request-number=${requestNumber}$`));

  const stranger = await openBrowser(browser, screen);
  await storeSession(stranger.page, 'individual2');
  for (const value of [
    copied.searchParams.get('request') ?? '',
    `${plain}AAAA`,
    '\u202E\u0000<b>',
  ]) {
    await test.step(value.slice(0, 20), async () => {
      await stranger.page.goto(`/requests?request=${encodeURIComponent(value)}`);
      await expect(stranger.page).toHaveURL(/\/requests$/);
      await expect(
        stranger.page.locator('[data-toasts]').getByText(t('errors:refusals.RequestNotFound')),
      ).toBeVisible();
      await expectErrorPage(stranger.page, language, t('requests:mine.title'));
      await expect(stranger.page.getByText(requestNumber)).toHaveCount(0);
    });
  }
  expect([...problems, ...stranger.problems]).toEqual([]);
});

test('invalid values in the browser storage', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, arabic);
  await page.goto('/services');
  await page.evaluate(() => {
    localStorage.setItem('language', 'tlh-KX');
    localStorage.setItem('searchHistory', '{');
    sessionStorage.setItem('returnUrl', '//evil.example');
  });
  const tokenOf = (claims: string) => `e30.${Buffer.from(claims).toString('base64url')}.x`;
  const ordinary =
    '"ssid":"1","displayName":"x","fullName":"x","isServiceProvider":false,"exp":4000000000';
  const tokens = [
    'not a token',
    tokenOf(`{${ordinary},"email":{"a":1}}`),
    tokenOf(`{"__proto__":{"role":"Admin"},${ordinary},"role":"King"}`),
  ];
  for (const token of tokens) {
    await page.evaluate((kept) => sessionStorage.setItem('token', kept), token);
    await page.goto('/requests');
    await expect(page).toHaveURL(/\/account\/login$/);
    await expect(heading(page)).toHaveText(textsOf('ar-EG')('users:login.title'));
    // An unknown language is replaced by the default.
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar-EG');
    await expect(page.locator('html')).toHaveAttribute('dir', directionOf('ar-EG'));
  }
  // A token with a wrong signature grants no access.
  await page.evaluate(
    (kept) => sessionStorage.setItem('token', kept),
    tokenOf(`{${ordinary},"role":["Admin","Employee"]}`),
  );
  await page.goto('/requests/new');
  await expect(page).toHaveURL(/\/account\/login$/);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
  // The stored return address is validated again when it is read.
  await page.evaluate(() => sessionStorage.setItem('returnUrl', '//evil.example/requests'));
  await signIn(page, 'ar-EG', 'individual');
  await expect(page).not.toHaveURL(/login/);
  await expect.poll(() => new URL(page.url()).origin).toBe(portalUrl);
  // The navigation state of an address may have any shape.
  for (const [address, words] of [
    ['/requests', 'requests:mine.title'],
    ['/requests/request-details', 'requests:record.missingTitle'],
    ['/requests/accepted-request', 'payments:accepted.number'],
  ] as const) {
    await page.goto(address);
    await page.evaluate((state) => history.replaceState({ usr: state, key: 'x', idx: 0 }, ''), {
      accountTypeId: -1,
      requestNumber: 5,
      from: { to: '//evil.example' },
    });
    await page.reload();
    await expectErrorPage(page, 'ar-EG', textsOf('ar-EG')(words));
  }
  expect(problems).toEqual([]);
});

test('a browser without storage can use the portal', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, arabic);
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
  });
  await page.goto('/home/services');
  await expectErrorPage(page, 'ar-EG', textsOf('ar-EG')('services:allServices'));
  await page.goto('/account/login');
  await signIn(page, 'ar-EG', 'individual');
  // The session lasts as long as the page.
  await expect(page).not.toHaveURL(/login/);
  await expectErrorPage(page, 'ar-EG', '');
  await page.goto('/services');
  await expectErrorPage(page, 'ar-EG', textsOf('ar-EG')('services:title'));
  expect(problems.filter((problem) => !problem.includes('denied'))).toEqual([]);
});
