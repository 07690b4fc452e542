import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, waitUntilIdle, textsOf } from '../steps.ts';

const screen = { language: 'ur-PK', width: 1280, height: 900 } as const;

const box = (page: Page) => page.getByRole('combobox').first();
const list = (page: Page) => page.getByRole('listbox');
const options = (page: Page) => list(page).getByRole('option');
const rows = (page: Page) => page.locator('main ul > li h2');
const activeName = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

test(`suggestions by keyboard alone ${where}`, async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screen);
  // Visitors of this account type choose a service without signing in (specification §4).
  await page.addInitScript(() => sessionStorage.setItem('accountType', '1'));
  await page.goto('/services');
  await expect(rows(page)).toHaveCount(5);

  await test.step('an empty field and blanks open no list; keys move in the list', async () => {
    await box(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('   ');
    await expect(list(page)).toHaveCount(0);
    await box(page).fill('a');
    await expect(options(page)).toHaveCount(15);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
    await expect(box(page)).toHaveAttribute(
      'aria-activedescendant',
      (await options(page).first().getAttribute('id')) ?? '',
    );
    await page.keyboard.press('End');
    await expect(options(page).last()).toHaveAttribute('aria-selected', 'true');
    await expect(options(page).last()).toBeInViewport();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(list(page)).toHaveCount(0);
    await expect(box(page)).toBeFocused();
    await box(page).fill('');
  });

  await test.step('from the first letter; the list is at most 240 px high and the field at most 600 wide', async () => {
    await page.keyboard.type('e');
    await expect(options(page)).toHaveCount(15);
    const height = (await list(page).boundingBox())?.height ?? 0;
    expect(height).toBeGreaterThan(100);
    expect(height).toBeLessThanOrEqual(240);
    expect((await page.locator('[role=search]').boundingBox())?.width ?? 0).toBeLessThanOrEqual(
      600,
    );
    await expectAccessible(page);
    await page.keyboard.press('ArrowUp');
    await expect(options(page).last()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ArrowDown');
    await expect(box(page)).not.toHaveAttribute('aria-activedescendant', /./);
    await page.keyboard.press('Tab');
    await expect(list(page)).toHaveCount(0);
    await box(page).fill('zzzzzz');
    await expect(page.locator('[role=search] [role=status]').last()).toHaveText(
      t('shell:kit.notFound'),
    );
  });

  await test.step('a failure on selection leads nowhere; a missing connection is reported; then the service opens', async () => {
    await box(page).fill('mulkiya');
    await expect(options(page).first()).toBeVisible();
    const choose = async () => {
      await box(page).focus();
      await page.keyboard.press('ArrowDown');
      await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
      await page.keyboard.press('Enter');
    };
    const answers: Parameters<Page['route']>[1][] = [
      (route) => route.fulfill({ json: { name: '', replacedName: '' } }),
      (route) =>
        route.fulfill({ status: 500, json: { error: 'InternalServerError', message: 'x' } }),
      (route) => route.abort(),
    ];
    for (const answer of answers) {
      const done = page.waitForEvent('request', (request) =>
        request.url().includes('GetServiceNameByServiceId'),
      );
      await page.route('**/GetServiceNameByServiceId*', answer, { times: 1 });
      await choose();
      await done;
      await waitUntilIdle(page);
      await expect(page).toHaveURL(/\/services$/);
    }
    await expect(page.getByText(t('errors:refusals.ServerNotConnected'))).toBeVisible();
    // Errors that are only logged stay invisible.
    expect(problems.length).toBe(3);
    await choose();
    await expect(page).toHaveURL(/\/requests\/Create\/renew-vehicle-ownership$/);
  });

  await test.step('the last searches that contain the text, and clearing them', async () => {
    await page.goto('/services');
    for (let index = 1; index <= 16; index += 1) {
      await box(page).fill(`passport ${index}`);
      await box(page).press('Enter');
      await expect(page).toHaveURL(new RegExp(`q=passport\\+${index}$`));
    }
    await box(page).fill('passport');
    await expect(
      list(page)
        .getByRole('group', { name: t('services:search.history') })
        .getByRole('option'),
    ).toHaveCount(3);
    await expect(options(page).first()).toHaveText('passport 16');
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=passport\+15$/);
    await box(page).fill('passport');
    await expect(options(page).first()).toHaveText('passport 15');
    // Over the button that clears the text.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await activeName(page)).toBe(t('services:search.forgetHistory'));
    await page.keyboard.press('Enter');
    await expect(list(page).getByRole('group', { name: t('services:search.history') })).toHaveCount(
      0,
    );
    await expect(box(page)).toBeFocused();
  });
});
