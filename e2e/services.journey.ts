import type { Page } from '@playwright/test';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { getServices } from '@diwan/contract/catalogue/services';
import { call, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, waitUntilIdle, textsOf } from './steps.ts';

const screen = { language: 'ar-EG', width: 390, height: 844 } as const;

const box = (page: Page) => page.getByRole('combobox').first();
const rows = (page: Page) => page.locator('main ul > li h2');
const range = (page: Page) => page.locator('main p[role=status][tabindex="-1"]');
const scrolled = (page: Page) =>
  page
    .locator('main section ul')
    .first()
    .evaluate((tiles) => Math.abs(tiles.scrollLeft));

async function expectRange(
  page: Page,
  language: Language,
  first: number,
  last: number,
): Promise<void> {
  await expect(range(page)).toContainText(
    language === 'ur-PK' ? new RegExp(`${first} - ${last}$`) : new RegExp(`${first} - ${last} `),
  );
}

const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

test(`tiles by keys, wheel and buttons; tabs by fragment, back and forward ${where}`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, 'individual2');
  await page.goto('/home/services/companies');
  const tab = (name: string) =>
    page.getByRole('tab', { name: t(`services:tabs.${name}`), exact: true });
  const next = page.getByRole('button', { name: t('services:tiles.next'), exact: true });
  const previous = page.getByRole('button', {
    name: t('services:tiles.previous'),
    exact: true,
  });
  const forward = directionOf(language) === 'rtl' ? 'ArrowLeft' : 'ArrowRight';

  await test.step('the buttons appear only when there is more', async () => {
    await expect(tab('categories')).toHaveAttribute('aria-selected', 'true');
    await expect(next).toBeVisible();
    await expect(previous).toHaveCount(0);
    await expectAccessible(page);
    for (let presses = 0; presses < 30 && (await next.count()) > 0; presses += 1) {
      const before = await scrolled(page);
      await next.click({ timeout: 2000 }).catch(() => undefined);
      await expect
        .poll(async () => (await next.count()) === 0 || (await scrolled(page)) > before)
        .toBe(true);
    }
    await expect(next).toHaveCount(0);
    await expect(previous).toBeFocused();
  });

  await test.step('the wheel moves the tiles to their start, then the page', async () => {
    await page.locator('main section ul').first().hover();
    const atEnd = await scrolled(page);
    await page.mouse.wheel(0, -100);
    await expect.poll(() => scrolled(page)).toBeLessThan(atEnd);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -2000);
        return scrolled(page);
      })
      .toBeLessThanOrEqual(2);
    await expect(previous).toHaveCount(0);
    await page.evaluate(() => window.scrollTo(0, 200));
    await page.locator('main section ul').first().hover();
    const top = await page.evaluate(() => window.scrollY);
    expect(top).toBeGreaterThan(0);
    await page.mouse.wheel(0, -120);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(top);
  });

  await test.step('arrow keys move over the tiles and bring them into view', async () => {
    const links = page.locator('main section ul a');
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press(forward);
    await expect(links.nth(4)).toBeFocused();
    await page.keyboard.press('End');
    await expect(links.last()).toBeFocused();
    await expect(links.last()).toBeInViewport();
    await page.keyboard.press('Home');
    await expect(links.first()).toBeFocused();
  });

  await test.step('tabs', async () => {
    await tab('categories').focus();
    await page.keyboard.press(forward);
    await expect(page).toHaveURL(/#category$/);
    await expect(tab('agencies')).toBeFocused();
    await expect(tab('agencies')).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(page);
    await page.goBack();
    await expect(tab('categories')).toHaveAttribute('aria-selected', 'true');
    await page.goForward();
    await expect(tab('agencies')).toHaveAttribute('aria-selected', 'true');
    await page.reload();
    await expect(tab('agencies')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a tile opens the filtered listing', async () => {
    const tile = page.locator('main section li').first();
    const agency = await tile.getByRole('link').innerText();
    await tile.getByRole('link').press('Enter');
    await expect(page).toHaveURL(/\/services\?/);
    const chips = page.getByRole('list', { name: t('services:filters.title') });
    await expect(chips.getByRole('button')).toHaveCount(2);
    await expect(chips).toContainText(agency);
    expect(
      await page.evaluate(() => Object.keys((window.history.state as { usr: object }).usr).sort()),
    ).toEqual(['accountTypeId', 'governmentAgencyId']);
  });
  expect(problems).toEqual([]);
});

test(`the listing keeps filters, page and position; its pager has bounds ${where}`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  // Visitors of this account type choose a service without signing in (specification §4).
  await page.addInitScript(() => sessionStorage.setItem('accountType', '1'));
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.push(request.url());
  });
  await page.goto('/services');
  await expect(rows(page)).toHaveCount(5);
  await waitUntilIdle(page);
  expect(
    asked.filter((url) => url.includes('GetServices?')),
    'asked for once, early',
  ).toHaveLength(1);
  const pager = page.getByRole('navigation', { name: t('shell:kit.pages') });
  const press = (key: string, number?: number) =>
    pager.getByRole('button', {
      name: number === undefined ? t(`shell:kit.${key}`) : t('shell:kit.page', { number }),
      exact: true,
    });

  await test.step('bounds', async () => {
    await expect(press('firstPage')).toBeDisabled();
    await expect(press('previousPage')).toBeDisabled();
    await expect(pager.getByRole('button')).toHaveCount(7);
    await press('lastPage').click();
    await expect(press('lastPage')).toBeDisabled();
    // Another journey removes a service from the catalogue meanwhile.
    const { totalCount } = (await call(getServices, {})).body;
    const lastPage = Math.ceil(totalCount / 5);
    await expect(press('page', lastPage)).toHaveAttribute('aria-current', 'page');
    await expect(rows(page)).toHaveCount(totalCount - (lastPage - 1) * 5);
    await expect(range(page)).toBeFocused();
    await press('previousPage').click();
    await expectRange(page, language, (lastPage - 2) * 5 + 1, (lastPage - 1) * 5);
    await page.goto('/services?page=999');
    await page.getByRole('button', { name: t('services:listing.firstPage') }).click();
    await expectRange(page, language, 1, 5);
  });

  let names: string[] = [];
  await test.step('a search, its third page, a position on it', async () => {
    await box(page).fill('visa');
    await box(page).press('Enter');
    await expect(page).toHaveURL(/\/services\?q=visa$/);
    await press('page', 3).click();
    await expect(press('page', 3)).toHaveAttribute('aria-current', 'page');
    await expectRange(page, language, 11, 15);
    names = await rows(page).allInnerTexts();
    await waitUntilIdle(page);
    await page.evaluate(() => window.scrollTo(0, 500));
  });

  const expectSame = async () => {
    await expect(rows(page)).toHaveText(names);
    await expect(box(page)).toHaveValue('visa');
    await expect.poll(() => page.evaluate(() => Math.abs(window.scrollY - 500))).toBeLessThan(60);
  };
  await test.step('after a reload, to a service and back', async () => {
    await page.reload();
    await expectSame();
    // A press by the mouse would first scroll it into view.
    await rows(page)
      .last()
      .getByRole('link')
      .evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveURL(/\/requests\/Create\//);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(names.at(-1) ?? '');
    await page.goBack();
    await expectSame();
    await page.goBack();
    await expectRange(page, language, 1, 5);
    await page.goForward();
    await expect(rows(page)).toHaveText(names);
  });

  await test.step('its address opens the same for another user, and agencies are counted within it', async () => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect(rows(other)).toHaveText(names);
    await expect(box(other)).toHaveValue('visa');
    const choice =
      screen.width < 768
        ? other
            .getByRole('combobox', { name: t('services:agencies.title') })
            .locator('option')
            .nth(1)
        : other.locator('aside li').nth(1);
    const count = Number(/\d+/.exec((await choice.textContent()) ?? '')?.[0]);
    if (screen.width < 768)
      await other
        .getByRole('combobox', { name: t('services:agencies.title') })
        .selectOption({ index: 1 });
    else await choice.getByRole('button').click();
    await expect(range(other)).toContainText(String(count));
    await expectAccessible(other);
    await other.getByRole('button', { name: t('services:listing.showAll') }).click();
    await expect(range(other)).toContainText(String((await call(getServices, {})).body.totalCount));
    await expect(other).toHaveURL(/\/services$/);
  });
  expect(problems).toEqual([]);
});

test(`hostile input is quoted and breaks nothing ${where}`, async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screen);
  const none = page.getByRole('heading', { name: t('services:listing.none') });
  await page.goto('/services');
  for (const [text, quoted] of [
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['\u202Eqqqq\u2066\u200Fzzzz', 'qqqqzzzz'],
    ['q'.repeat(10_000), `${'q'.repeat(80)}…`],
  ] as const) {
    await box(page).fill(text);
    await box(page).press('Enter');
    await expect(none).toBeVisible();
    await expect(page.locator('main [role=status] bdi')).toHaveText(quoted);
    await expectAccessible(page);
    expect(page.url().length).toBeLessThan(2500);
    await page.reload();
    await expect(page.locator('main [role=status] bdi')).toHaveText(quoted);
  }
  await page
    .getByRole('button', { name: t('services:listing.showAll') })
    .last()
    .click();
  await expect(rows(page)).toHaveCount(5);
  await box(page).fill('\u202E\u200B');
  await box(page).press('Enter');
  await expect(rows(page)).toHaveCount(5);
  expect(problems).toEqual([]);
});

test('the first screen of a service loads in one round trip and prints completely', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, {
    language: 'en-US',
    width: 1280,
    height: 900,
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/|create-request-flow/.test(request.url()))
      asked.push(new URL(request.url()).pathname);
  });
  await page.goto('/requests/Create/renew-trade-licence');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renew Trade Licence');
  await waitUntilIdle(page);
  expect(
    asked.filter((path) => path.startsWith('/api/Service')),
    'one call, and no code of the form',
  ).toEqual(['/api/Service/GetServiceByServiceName']);
  expect(asked.some((path) => path.includes('create-request-flow'))).toBe(false);
  const start = page.getByRole('button', {
    name: textsOf('en-US')('forms:intro.start'),
    exact: true,
  });
  await start.hover();
  await expect.poll(() => asked.some((path) => path.includes('create-request-flow'))).toBe(true);
  const terms = page.locator('details');
  await expect(terms).not.toHaveAttribute('open');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(terms).toHaveAttribute('open');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(start).toBeHidden();
  await expect(
    page.getByRole('heading', { name: textsOf('en-US')('forms:intro.related') }),
  ).toBeHidden();
  await expect(
    page.getByRole('heading', { name: textsOf('en-US')('forms:cost.title') }),
  ).toBeVisible();
  expect(problems).toEqual([]);
});
