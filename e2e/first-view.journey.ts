import { directionOf, languages } from '@diwan/contract/wire/languages';
import { expect, test } from './journey.ts';
import { openBrowser, signIn, textsOf } from './steps.ts';

const service = '/requests/Create/renew-trade-licence';
const paths = ['/home', '/services', '/services?q=visa&page=2', '/services?agency=5', service];

for (const language of languages) {
  const screen = { language, width: language === 'en-US' ? 1280 : 390, height: 844 };

  test(`the first screens can be read and used without a script (${language})`, async ({
    browser,
  }) => {
    const t = textsOf(language);
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: screen.width, height: screen.height },
    });
    const page = await context.newPage();
    const open = (path: string) =>
      page.goto(`${path}${path.includes('?') ? '&' : '?'}ln=${language}`);
    await open('/home');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('home:question'));
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(11);
    await expect(page.getByText('JavaScript')).toHaveCount(0);
    // No picture comes before what is read.
    await expect(page.locator('#root img').first()).toBeVisible();
    await expect(page.locator('#root img:not([fetchpriority=low])')).toHaveCount(0);
    await expect(page.locator('.social-icon').first()).not.toHaveCSS('mask-image', 'none');

    await open('/services');
    const rows = page.getByRole('main').getByRole('heading', { level: 2 });
    const first = (await rows.first().innerText()).trim();
    await rows.first().getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(t('services:title'));
    await open(new URL(page.url()).pathname);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(first);

    await open('/services');
    await page.getByRole('combobox', { name: t('services:search.label') }).fill(first);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/services\?q=/);
    await expect(page.getByRole('main')).toContainText(first.split(' ')[0] ?? '');
    await context.close();
  });

  test(`the browser continues the first screens without a call (${language})`, async ({
    browser,
  }) => {
    const { context, page, problems } = await openBrowser(browser, screen);
    await context.addCookies([
      { name: 'language', value: language, url: test.info().project.use.baseURL ?? '' },
    ]);
    const calls: string[] = [];
    page.on('request', (request) => {
      // What was searched is counted after the page is complete.
      if (/\/api\/(?!Service\/RecordSearch)/.test(request.url())) calls.push(request.url());
    });
    for (const path of paths) {
      await page.goto(path);
      const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
      expect(await page.locator('#rendered-state').count(), path).toBe(1);
      await expect
        .poll(() =>
          heading?.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__react'))),
        )
        .toBe(true);
      // A difference would have replaced the elements, and is an error in the console.
      expect(await heading?.evaluate((node) => node.isConnected), path).toBe(true);
    }
    expect([calls, problems]).toEqual([[], []]);
    await context.close();
  });
}

test('what a visitor does before the code runs is done', async ({ browser }) => {
  const screen = { language: 'en-US', width: 1280, height: 900 } as const;
  const t = textsOf(screen.language);
  const { context, page } = await openBrowser(browser, screen);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await context.addCookies([
    { name: 'language', value: 'en-US', url: test.info().project.use.baseURL ?? '' },
  ]);
  await page.route(/assets\/portal-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/services', { waitUntil: 'commit' });
  const search = page.getByRole('combobox', { name: t('services:search.label') });
  await search.fill('visa');
  await page.getByRole('button', { name: t('shell:kit.search') }).click();
  release();
  await expect(page).toHaveURL('/services?q=visa');
  await expect(search).toHaveValue('visa');

  await page.goto('/services', { waitUntil: 'commit' });
  // The first script has run, and the portal has not.
  await expect(page.locator('#root')).not.toHaveAttribute('data-rendered');
  await page.getByRole('button', { name: t('shell:chooseLanguage') }).click();
  await expect(page.getByRole('menuitemradio').first()).toBeVisible();
  await context.close();
});

test('a person who is signed in searches at once on a slow network', async ({ browser }) => {
  const language = 'ar-EG';
  const t = textsOf(language);
  const { context, page, problems } = await openBrowser(browser, {
    language,
    width: 390,
    height: 844,
  });
  await page.goto(`/account/login?ln=${language}`);
  await signIn(page, language, 'individual');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('token'))).not.toBeNull();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const limit = async (bitsPerSecond: number, latency: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: bitsPerSecond / 8,
      uploadThroughput: bitsPerSecond / 8,
    });
  await limit(400_000, 400);
  const search = page.getByRole('combobox', { name: t('services:search.label') });
  const isOfServer = () =>
    search.evaluate((field) => !Object.keys(field).some((key) => key.startsWith('__react')));
  /** Milliseconds since the first byte. */
  const elapsed = () =>
    page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      return performance.now() - (navigation as PerformanceNavigationTiming).responseStart;
    });

  await page.goto('/home/services/individuals', { waitUntil: 'commit' });
  // From here on: the page after signing in has asked for the same lists.
  const lists: string[] = [];
  page.on('request', (request) => {
    if (/GetRequestsByStatusId|GetDrafts/.test(request.url())) lists.push(request.url());
  });
  await search.fill('visa');
  expect(await elapsed()).toBeLessThan(3000);
  expect(await isOfServer()).toBe(true);
  await expect(page.locator('[data-skeleton]').first()).toBeVisible();
  await search.evaluate((field: HTMLInputElement) => field.setSelectionRange(1, 3));
  const place = await search.boundingBox();
  await limit(-8, 0);
  // The page of the browser takes its place, and nothing that was typed is lost.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await isOfServer()).toBe(false);
  await expect(search).toHaveValue('visa');
  await expect(search).toBeFocused();
  expect(
    await search.evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
      selectionStart,
      selectionEnd,
    ]),
  ).toEqual([1, 3]);
  expect(await search.boundingBox()).toEqual(place);
  // What is asked for while the code loads is not asked for again.
  expect(new Set(lists).size).toBe(4);
  expect(lists).toHaveLength(4);

  // The search needs no code: its results come from the server.
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/assets\/portal-.*\.js/, async (route) => {
    await held;
    // The page that asked may be closed.
    await route.continue().catch(() => undefined);
  });
  await page.goto('/home/services/individuals', { waitUntil: 'commit' });
  await search.fill('visa');
  await search.press('Enter');
  await expect(page).toHaveURL(/\/services\?q=visa/);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
  expect(await isOfServer()).toBe(true);
  // Home of a person who is signed in; `/home` would end the session.
  await expect(page.locator('main a[href="/home"]')).toHaveCount(0);

  // A press of a button before the code has come is repeated.
  await page.goto('/services', { waitUntil: 'commit' });
  await expect(page.locator('#root')).not.toHaveAttribute('data-rendered');
  await page.getByRole('button', { name: t('services:hints.renewRegistration') }).click();
  release();
  await expect(search).toHaveValue(t('services:hints.renewRegistration'));
  expect(await isOfServer()).toBe(false);
  expect(problems).toEqual([]);
  await context.close();
});

test('a page that was rendered in another language or for visitors is not shown', async ({
  browser,
}) => {
  const { context, page } = await openBrowser(browser, {
    language: 'ur-PK',
    width: 390,
    height: 844,
  });
  // The storage says Urdu, and the server does not know it yet.
  await page.goto('/services');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    textsOf('ur-PK')('services:title'),
  );
  await expect(page.locator('html')).toHaveAttribute('lang', 'ur-PK');
  await page.goto('/account/login');
  await signIn(page, 'ur-PK', 'individual');
  const token = () => page.evaluate(() => sessionStorage.getItem('token'));
  await expect.poll(token).not.toBeNull();
  const reply = await page.goto(service);
  expect(await reply?.text()).not.toContain('rendered-state');
  // A search that is too long for an address to share is shown by the browser alone.
  const {
    context: visitor,
    page: list,
    problems,
  } = await openBrowser(browser, {
    language: 'ar-EG',
    width: 390,
    height: 844,
  });
  const long = await list.goto(`/services?q=${'a'.repeat(300)}`);
  expect(await long?.text()).not.toContain('rendered-state');
  await expect(list.getByText(textsOf('ar-EG')('services:listing.none')).first()).toBeVisible();
  expect(problems).toEqual([]);
  await visitor.close();
  await context.close();
});
