import type { Page } from '@playwright/test';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { getRequestById } from '@diwan/contract/requests/requests';
import { call, newToken, plantSession, portalUrl, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, settle, signIn, wordsOf } from './steps.ts';

const [arabic] = screens;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Every page stands in the shell, says what it is, and leads on. */
async function expectHelpful(page: Page, language: Language, words: string): Promise<void> {
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('main')).toContainText(words);
  await expect(
    page.getByRole('banner').getByRole('link', { name: wordsOf(language)('shell:wordmark') }),
  ).toBeVisible();
}

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);
  const where = `(${language}, ${screen.width} px)`;

  test(`an address that leads nowhere is answered with a way on ${where}`, async ({ browser }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const addresses: Record<string, string> = {
      '/requests/Create/no-such-service': say('forms:missing.heading'),
      '/requests/Create/%3Cscript%3Ealert(1)%3C%2Fscript%3E': say('forms:missing.heading'),
      [`/requests/Create/${'x'.repeat(2000)}`]: say('forms:missing.heading'),
      '/no/such/page?with=%E2%80%AEquery#and-more': say('static:notFound.title'),
      '/payment-status?result=': say('payments:success.title'),
      '/payment-status?result=%00%3Cb%3E&request-number=%E2%80%AE-1': say('payments:success.title'),
      '/payment-status?result=success&request-number=DW-2020-999999': say('payments:success.title'),
      '/payment-status': say('payments:failure.title'),
      '/requests/accepted-request?request-number=%E2%80%AE%00': say('payments:accepted.number'),
      '/requests/inquiry?request-number=%E2%80%AE%F0%9F%98%80': say(
        'requests:inquiry.notFoundTitle',
      ),
      '/requests/inquiry?request-number=DW%00': say('requests:inquiry.failed'),
      '/home/services/martians': say('services:allServices'),
    };
    for (const [address, words] of Object.entries(addresses)) {
      await test.step(address.slice(0, 60), async () => {
        await page.goto(address);
        await expectHelpful(page, language, words);
        await settle(page);
        expect(problems, address).toEqual([]);
      });
    }
  });

  test(`a search of ten thousand characters, or of signs that turn the line, finds nothing and breaks nothing ${where}`, async ({
    browser,
  }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const searches = [
      'q'.repeat(10_000),
      'بحث '.repeat(2500),
      '\u202Eqzzq\u2066 \u200Fxyzzy',
      '%_\\\'";--<img src=x onerror=alert(1)>',
    ];
    for (const text of searches) {
      await page.goto('/services');
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
      await page.locator('input[type=search]').fill(text);
      await page.keyboard.press('Enter');
      await settle(page);
      await expect(heading(page)).toHaveText(say('services:title'));
      await expect(
        page
          .getByText(say('services:listing.none'), { exact: true })
          .or(page.getByRole('main').getByRole('listitem').first())
          .first(),
      ).toBeVisible();
      await expect(page.getByText(say('errors:refusals.ServerNotConnected'))).toHaveCount(0);
      // Nothing found looks the same whatever was typed.
      if (text === searches.at(-1)) await expectAccessible(page);
      expect(problems, text.slice(0, 20)).toEqual([]);
    }
  });

  test(`a link that carries a request opens it for whoever may see it, and tells a stranger nothing ${where}`, async ({
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
    await page.getByRole('button', { name: say('requests:number.copyLink') }).click();
    await expect(
      page.locator('[data-toasts]').getByText(say('requests:number.linkCopied')),
    ).toBeVisible();
    const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    // As a mail program may leave it: ordinary base64, with spaces for plus.
    const plain = Buffer.from(copied.searchParams.get('request') ?? '', 'base64url')
      .toString('base64')
      .replaceAll('+', ' ');
    await page.goto(`/requests/request-details?request=${encodeURIComponent(plain)}`);
    await expect(page).toHaveURL(/\/requests\/request-details\?request-number=/);
    await expect(page.getByText(requestNumber).first()).toBeVisible();
    await page.goto(`/requests?req=${requestNumber}`);
    await expect(page).toHaveURL(
      new RegExp(`/requests/inquiry\\?request-number=${requestNumber}$`),
    );

    const stranger = await openBrowser(browser, screen);
    await plantSession(stranger.page, 'individual2');
    for (const value of [
      copied.searchParams.get('request') ?? '',
      'nonsense',
      `${plain}AAAA`,
      plain.slice(0, -4),
      'A'.repeat(10_000),
      requestNumber,
      '\u202E\u0000<b>',
      '__proto__',
    ]) {
      await test.step(value.slice(0, 20), async () => {
        await stranger.page.goto(`/requests?request=${encodeURIComponent(value)}`);
        await expect(stranger.page).toHaveURL(/\/requests$/);
        await expect(
          stranger.page.locator('[data-toasts]').getByText(say('errors:refusals.RequestNotFound')),
        ).toBeVisible();
        await expectHelpful(stranger.page, language, say('requests:mine.title'));
        await expect(stranger.page.getByText(requestNumber)).toHaveCount(0);
      });
    }
    expect([...problems, ...stranger.problems]).toEqual([]);
  });

  test(`a page is shown to whom it is for ${where}`, async ({ browser }) => {
    const notFor: Record<string, string[]> = {
      individual: ['/requests/new', '/requests/all', '/companies/my-requests/new'],
      company: ['/requests/processing'],
      employee: ['/companies/my-requests/new'],
    };
    for (const [username, addresses] of Object.entries(notFor)) {
      const { page, context, problems } = await openBrowser(browser, screen);
      await plantSession(page, username);
      for (const address of addresses) {
        await page.goto(address);
        await expect(page).toHaveURL(/\/home$/);
        await expect(
          page.locator('[data-toasts]').getByText(say('errors:refusals.YouAreUnauthorized')),
        ).toBeVisible();
      }
      expect(problems).toEqual([]);
      await context.close();
    }
    const { page, problems } = await openBrowser(browser, screen);
    for (const address of [
      '/requests/new',
      '/companies/my-requests/new',
      '/requests/request-details?request-number=DW-2020-999999',
      '/requests?search=visa',
    ]) {
      await page.goto(address);
      await expect(page).toHaveURL(/\/account\/login$/);
      await expect(
        page.locator('[data-toasts]').getByText(say('errors:refusals.YouHaveToLoginFirst')),
      ).toBeVisible();
    }
    await signIn(page, language, 'individual2');
    await expect(page).toHaveURL(/\/requests\?search=visa$/);
    await expect(heading(page)).toHaveText(say('requests:mine.title'));
    expect(problems).toEqual([]);
  });
}

test('what a browser keeps may be nonsense', async ({ browser }) => {
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
    'x'.repeat(1_000_000),
    tokenOf('{"ssid":1}'),
    tokenOf(`{${ordinary},"email":{"a":1}}`),
    tokenOf(`{"__proto__":{"role":"Admin"},${ordinary},"role":"King"}`),
  ];
  for (const token of tokens) {
    await page.evaluate((kept) => sessionStorage.setItem('token', kept), token);
    await page.goto('/services');
    // A language that there is not is the first one.
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar-EG');
    await expect(page.locator('html')).toHaveAttribute('dir', directionOf('ar-EG'));
    await expectHelpful(page, 'ar-EG', wordsOf('ar-EG')('services:title'));
    await page.goto('/requests');
    await expect(page).toHaveURL(/\/account\/login$/);
    await expect(heading(page)).toHaveText(wordsOf('ar-EG')('users:login.title'));
  }
  // A token that looks right and was signed by nobody lets nobody in.
  await page.evaluate(
    (kept) => sessionStorage.setItem('token', kept),
    tokenOf(`{${ordinary},"role":["Admin","Employee"]}`),
  );
  await page.goto('/requests/new');
  await expect(page).toHaveURL(/\/account\/login$/);
  expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
  // Where to go after signing in is judged again when it is read.
  await page.evaluate(() => sessionStorage.setItem('returnUrl', '//evil.example/requests'));
  await signIn(page, 'ar-EG', 'individual');
  await expect(page).not.toHaveURL(/login/);
  expect(new URL(page.url()).origin).toBe(portalUrl);
  // What goes with an address may be of any form.
  for (const [address, words] of [
    ['/services', 'services:title'],
    ['/requests', 'requests:mine.title'],
    ['/requests/request-details', 'requests:record.missingTitle'],
    ['/requests/accepted-request', 'payments:accepted.number'],
  ] as const) {
    for (const usr of [
      {
        serviceSerach: { a: 1 },
        serviceCategoryId: 'x',
        governmentAgencyId: [1],
        accountTypeId: -1,
        requestNumber: 5,
        from: { to: '//evil.example' },
      },
      [null],
    ]) {
      await page.goto(address);
      await page.evaluate(
        (state) => history.replaceState({ usr: state, key: 'x', idx: 0 }, ''),
        usr,
      );
      await page.reload();
      await expectHelpful(page, 'ar-EG', wordsOf('ar-EG')(words));
    }
  }
  expect(problems).toEqual([]);
});

test('a browser that keeps nothing can be used all the same', async ({ browser }) => {
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
  await expectHelpful(page, 'ar-EG', wordsOf('ar-EG')('services:allServices'));
  await page.goto('/account/login');
  await signIn(page, 'ar-EG', 'individual');
  // The session lasts as long as the page does.
  await expect(page).not.toHaveURL(/login/);
  await expectHelpful(page, 'ar-EG', '');
  await page.goto('/services');
  await expectHelpful(page, 'ar-EG', wordsOf('ar-EG')('services:title'));
  expect(problems.filter((problem) => !problem.includes('denied'))).toEqual([]);
});
