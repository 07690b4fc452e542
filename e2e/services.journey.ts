import type { Page } from '@playwright/test';
import { getServices } from '@diwan/contract/catalogue/services';
import { directionOf } from '@diwan/contract/wire/languages';
import { call, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, waitUntilIdle, textsOf } from './steps.ts';

const screen = { language: 'ar-EG', width: 390, height: 844 } as const;

const box = (page: Page) => page.getByRole('combobox').first();
const rows = (page: Page) => page.locator('main ul > li h2');
const range = (page: Page) => page.locator('main p[role=status][tabindex="-1"]');
const scrolled = (page: Page) =>
  page
    .locator('[role=tabpanel] section ul')
    .first()
    .evaluate((tiles) => Math.abs(tiles.scrollLeft));

async function expectRange(page: Page, first: number, last: number): Promise<void> {
  await expect(range(page)).toContainText(new RegExp(`${first} - ${last}(?!\\d)`));
}

const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

test(`tiles by wheel; tabs by fragment, back and forward ${where}`, async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, 'individual2');
  await page.goto('/home/services/companies');
  const tab = (name: string) =>
    page.getByRole('tab', { name: t(`services:tabs.${name}`), exact: true });
  const forward = directionOf(language) === 'rtl' ? 'ArrowLeft' : 'ArrowRight';

  await test.step('the wheel moves the tiles to their start, then the page', async () => {
    const last = page.locator('[role=tabpanel] section ul a').last();
    await expect(last).toBeAttached();
    await expectAccessible(page);
    await last.focus();
    await expect.poll(() => scrolled(page)).toBeGreaterThan(0);
    await page.locator('[role=tabpanel] section ul').first().hover();
    const atEnd = await scrolled(page);
    await page.mouse.wheel(0, -100);
    await expect.poll(() => scrolled(page)).toBeLessThan(atEnd);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -2000);
        return scrolled(page);
      })
      .toBeLessThanOrEqual(2);
    await page.evaluate(() => window.scrollTo(0, 200));
    await page.locator('[role=tabpanel] section ul').first().hover();
    const top = await page.evaluate(() => window.scrollY);
    expect(top).toBeGreaterThan(0);
    await page.mouse.wheel(0, -120);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(top);
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
  expect(problems).toEqual([]);
});

test(`the listing keeps its search, page and position ${where}`, async ({ browser }) => {
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
    'the list comes with the page',
  ).toHaveLength(0);
  const pager = page.getByRole('navigation', { name: t('shell:kit.pages') });
  const press = (key: string, number?: number) =>
    pager.getByRole('button', {
      name: number === undefined ? t(`shell:kit.${key}`) : t('shell:kit.page', { number }),
      exact: true,
    });

  let names: string[] = [];
  await test.step('a search, its third page, a position on it', async () => {
    await box(page).fill('visa');
    await box(page).press('Enter');
    await expect(page).toHaveURL(/\/services\?q=visa$/);
    await press('page', 3).click();
    await expect(press('page', 3)).toHaveAttribute('aria-current', 'page');
    await expectRange(page, 11, 15);
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
    await expectRange(page, 1, 5);
    await page.goForward();
    await expect(rows(page)).toHaveText(names);
  });

  await test.step('its address opens the same for another user, and agencies are counted within it', async () => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect(rows(other)).toHaveText(names);
    await expect(box(other)).toHaveValue('visa');
    if (screen.width < 768)
      await other
        .locator('main summary')
        .filter({ hasText: t('services:agencies.title') })
        .click();
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
  ).toEqual(['/api/Service/GetServiceIdByServiceName']);
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
