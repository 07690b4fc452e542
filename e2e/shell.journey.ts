import type { Locator, Page } from '@playwright/test';
import { changeUserPassword, login } from '@diwan/contract/people/users';
import { call, newToken, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import {
  expectAccessible,
  openBrowser,
  password,
  screens,
  switchLanguage,
  textsOf,
} from './steps.ts';

const phone = screens[0];
const desk = { language: 'ar-EG', width: 1280, height: 900 } as const;
const t = textsOf('ar-EG');
const banner = (page: Page) => page.getByRole('banner');
const userMenu = (page: Page) =>
  banner(page).getByRole('button', { name: new RegExp(t('shell:userMenu')) });
const toastOf = (page: Page, text: string) =>
  page.locator('[data-toasts]').getByText(text, { exact: true });

/** Presses Tab until an element has the focus, as keyboard users do. */
async function pressTabUntilFocused(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

// An employee for this journey only: changing the password ends every other session.
test('by keyboard alone: skip link, menu, and a change of the password', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, desk);
  const elsewhere = await newToken('locksmith');
  await storeSession(page, 'locksmith');
  await page.goto('/services');
  await expect(userMenu(page)).toBeVisible();

  await pressTabUntilFocused(page, page.getByRole('link', { name: t('shell:skipToContent') }));
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await page.reload();

  const chosen = 'Lantern#Orchid48xq';
  const dialog = page.getByRole('dialog', { name: t('users:password.title') });
  const [old, fresh, again] = ['oldPassword', 'newPassword', 'confirmNewPassword'].map((name) =>
    dialog.getByLabel(t(`users:password.${name}`), { exact: true }),
  ) as [Locator, Locator, Locator];
  await test.step('the dialog', async () => {
    await pressTabUntilFocused(page, userMenu(page));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: t('shell:profile') })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: t('shell:savedTexts') })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: t('shell:changePassword') })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await pressTabUntilFocused(page, old);
  });

  await test.step('it changes, this session stays, another ends, and the new one signs in', async () => {
    await page.keyboard.type(password);
    await pressTabUntilFocused(page, fresh);
    await page.keyboard.type(chosen);
    await pressTabUntilFocused(page, again);
    await page.keyboard.type(chosen);
    await page.keyboard.press('Enter');
    await expect(toastOf(page, t('users:password.PasswordHasChangedSuccessfully'))).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(userMenu(page)).toBeFocused();
    const token = await page.evaluate(() => sessionStorage.getItem('token') ?? '');
    const change = {
      oldPassword: 'x',
      newPassword: 'Anything#Else48xq',
      confirmNewPassword: 'Anything#Else48xq',
    };
    expect((await call(changeUserPassword, { token: elsewhere, body: change })).status).toBe(401);
    expect((await call(login, { body: { username: 'locksmith', password } })).refused.error).toBe(
      'WrongUsernameOrPassword',
    );
    expect((await call(login, { body: { username: 'locksmith', password: chosen } })).status).toBe(
      200,
    );
    // This session is still valid.
    expect((await call(changeUserPassword, { token, body: change })).refused.error).toBe(
      'IncorrectPassword',
    );
  });
  expect(problems).toEqual([]);
});

test('a module that fails to load: reloaded once automatically, then with a button; and after the connection returns', async ({
  browser,
}) => {
  const { page } = await openBrowser(browser, phone);
  let refusals = 0;
  let isGone = true;
  await page.route(/\/assets\/inquiry-page-.*\.js/, (route) => {
    if (!isGone) return route.continue();
    refusals += 1;
    return route.fulfill({ status: 404, body: '' });
  });
  const heading = page.getByRole('heading', { level: 1 });
  const openInquiry = async () => {
    await page.getByRole('button', { name: t('shell:openMenu') }).click();
    await page.getByRole('link', { name: t('shell:navigation.inquiry'), exact: true }).click();
  };
  await page.goto('/terms-and-conditions');
  await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
  await openInquiry();
  await expect
    .poll(() =>
      page
        .evaluate(() => (window as { marker?: string }).marker ?? 'loaded again')
        .catch(() => 'on its way'),
    )
    .toBe('loaded again');
  await expect(heading).toHaveText(t('shell:missingPart.title'));
  await expectAccessible(page);
  expect(refusals).toBeLessThan(6);
  isGone = false;
  await page.getByRole('button', { name: t('shell:broken.reload') }).click();
  await expect(heading).toHaveText(t('requests:inquiry.title'));

  await page.goto('/terms-and-conditions');
  await page.getByRole('button', { name: t('shell:openMenu') }).click();
  const services = page.getByRole('link', { name: t('shell:navigation.services'), exact: true });
  await expect(services).toBeVisible();
  await page.context().setOffline(true);
  await services.click();
  await expect(heading).toHaveText(t('shell:noConnection.title'));
  await page.context().setOffline(false);
  await expect(heading).toHaveText(t('services:title'));
});

test('the language of a supervisor is stored on the server, and a new browser begins with it', async ({
  browser,
}) => {
  const first = await openBrowser(browser, phone);
  await storeSession(first.page, 'supervisor2');
  await first.page.goto('/services');
  await expect(userMenu(first.page)).toBeVisible();
  await first.page.evaluate(() => Object.assign(window, { marker: 'still here' }));
  const sent = first.page.waitForRequest('**/api/Language/ChangeSupervisorLanguage*');
  await switchLanguage(first.page, 'ar-EG', 'ur-PK');
  expect((await sent).postDataJSON()).toEqual({
    SupervisorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    Language: 'Urdu',
  });
  await expect(
    banner(first.page).getByRole('button', {
      name: new RegExp(textsOf('ur-PK')('shell:userMenu')),
    }),
  ).toBeVisible();
  await expect
    .poll(
      () => first.page.evaluate(() => (window as { marker?: string }).marker),
      'whether it was loaded again',
    )
    .toBeUndefined();
  await first.context.close();

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await storeSession(page, 'supervisor2');
  await page.goto('/reports');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ur-PK');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('language'))).toBe('Urdu');
  await context.close();
});
