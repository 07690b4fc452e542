import { directionOf, languages } from '@diwan/contract/wire/languages';
import { expect, test } from './journey.ts';
import { openBrowser, signIn, textsOf } from './steps.ts';

const service = '/requests/Create/renew-trade-licence';
const paths = [
  '/home',
  '/services',
  '/services?q=visa&page=2',
  '/services?agency=5',
  service,
  '/storage-and-cookies',
];

/**
 * Runs in a page: the name, the place and the style of each element. The style is one number, because
 * the styles of a page are ten megabytes; with `only` it is that of this element in words.
 */
function readLooks(only?: number): string[][] {
  const elements = [...document.querySelectorAll('#root *')];
  const properties = [...getComputedStyle(document.body)].filter((name) => !name.startsWith('--'));
  const numberOf = (text: string) => {
    let number = 0;
    for (let at = 0; at < text.length; at += 1)
      number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0;
    return String(number);
  };
  return elements
    .filter((_, index) => only === undefined || index === only)
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      // Pictures come with the style sheet; without its picture an icon would be a box of its colour.
      const later = element.matches('.social-icon') ? /mask|background/ : /background-image/;
      const lines = properties.map((name) =>
        later.test(name) ? '' : `${name}: ${style.getPropertyValue(name)}`,
      );
      return [
        `${element.tagName}.${element.getAttribute('class') ?? ''}`,
        `at ${x} ${y}, ${width} ${height}`,
        ...(only === undefined ? [numberOf(lines.join('\n'))] : lines),
      ];
    });
}

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

    // Pages of legal text are there whole.
    await open('/privacy-policy');
    const officer = page.getByRole('heading', { name: t('legal:privacy.officer.title') });
    await expect(officer).toBeVisible();
    await open('/storage-and-cookies');
    await expect(page.getByRole('cell', { name: 'diwan-device' })).toBeVisible();
    await context.close();
  });

  test(`the first screens look the same without the style sheet (${language})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      colorScheme: language === 'ur-PK' ? 'dark' : 'light',
      viewport: { width: screen.width, height: screen.height },
    });
    const [page, bare] = [await context.newPage(), await context.newPage()];
    await bare.route('**/*.css', (route) => route.abort());
    for (const path of ['/home', '/services?q=visa&page=2', '/services?q=zzzz', service]) {
      const address = `${path}${path.includes('?') ? '&' : '?'}ln=${language}`;
      await page.goto(address);
      await bare.goto(address);
      const complete = await page.evaluate(readLooks, undefined);
      const looks = await bare.evaluate(readLooks, undefined);
      expect(looks.length).toBe(complete.length);
      const different = looks.findIndex((look, index) => `${look}` !== `${complete[index]}`);
      if (different === -1) continue;
      const [own = []] = await bare.evaluate(readLooks, different);
      expect([own], path).toEqual(await page.evaluate(readLooks, different));
    }
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
      // What was searched is counted, and the days of an agency come, after the page is complete.
      if (/\/api\/(?!Service\/RecordSearch|Calendar\/GetServiceDays)/.test(request.url()))
        calls.push(request.url());
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
  for (const path of [service, '/services']) {
    const reply = await page.goto(path);
    expect(await reply?.text(), path).not.toContain('rendered-state');
    await expect(
      page.getByRole('button', { name: textsOf('ur-PK')('shell:userMenu') }),
    ).toBeVisible();
  }
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
