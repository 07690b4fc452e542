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
test('by keyboard alone: skip link, menus, and a password change with each possible error', async ({
  browser,
}) => {
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
  const submit = dialog.getByRole('button', { name: t('users:password.submit'), exact: true });
  await test.step('the dialog', async () => {
    await pressTabUntilFocused(page, userMenu(page));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: t('shell:profile') })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: t('shell:changePassword') })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await expect(submit).toBeDisabled();
    await pressTabUntilFocused(page, old);
    await expect(old).toHaveAttribute('autocomplete', 'current-password');
    await expect(fresh).toHaveAttribute('autocomplete', 'new-password');
  });

  await test.step('errors are shown at their fields', async () => {
    await page.keyboard.type('   ');
    await page.keyboard.press('Tab');
    await expect(old).toHaveAccessibleDescription(t('errors:validation.OldPasswordIsRequired'));
    await old.fill('NotMyPassword2026!');
    await expect(dialog.getByText(t('errors:validation.OldPasswordIsRequired'))).toHaveCount(0);
    for (const [typed, fault] of [
      ['   ', 'NewPasswordIsRequired'],
      ['Aa1!', 'PasswordMinLengthIs12'],
      [`Aa1!${'xy'.repeat(24)}`, 'PasswordMaxLengthIs50'],
      ['Orchid #48 lantern', 'PasswordCannotContainSpaces'],
      ['LANTERN#ORCHID48', 'OneLowercaseCharacterIsRequired'],
      ['lantern#orchid48', 'OneUppercaseCharacterIsRequired'],
      ['Lantern#Orchid', 'OneNumberIsRequired'],
      ['LanternOrchid48', 'OneSpecialCharacterIsRequired'],
      ['Password@12345', 'PasswordIsTooWellKnown'],
    ] as const) {
      await fresh.fill(typed);
      await fresh.blur();
      await expect(
        dialog.getByText(t(`errors:validation.${fault}`), { exact: true }),
        typed,
      ).toBeVisible();
      await expect(submit).toBeDisabled();
    }
    await old.fill(chosen);
    await fresh.fill(chosen);
    await expect(
      dialog.getByText(t('errors:validation.NewPasswordMustBeDifferentFromTheOldPassword'), {
        exact: true,
      }),
    ).toBeVisible();
    await again.fill('other');
    await again.blur();
    await expect(
      dialog.getByText(t('errors:validation.NewPasswordAndConfirmNewPasswordDoNotMatch'), {
        exact: true,
      }),
    ).toBeVisible();
    await expect(dialog.locator('li[data-met=false]')).toHaveCount(1);
    await expectAccessible(page);
    await again.fill('');
    await expect(
      dialog.getByText(t('errors:validation.ConfirmNewPasswordIsRequired'), { exact: true }),
    ).toBeVisible();
  });

  await test.step('the server reports a wrong old password under its field until it is edited; input stays', async () => {
    await again.fill(chosen);
    await old.fill('NotMyPassword2026!');
    await expect(dialog.locator('li[data-met=false]')).toHaveCount(0);
    await submit.press('Enter');
    await expect(old).toHaveAccessibleDescription(t('errors:refusals.IncorrectPassword'));
    await expect(old).toBeFocused();
    await expect(submit).toBeDisabled();
    await expectAccessible(page);
    await old.press('End');
    await page.keyboard.type('x');
    await expect(dialog.getByText(t('errors:refusals.IncorrectPassword'))).toHaveCount(0);
    await expect(submit).toBeEnabled();
    expect([await fresh.inputValue(), await again.inputValue()]).toEqual([chosen, chosen]);
  });

  await test.step('any other refusal has no message, only the state of the password', async () => {
    await page.route('**/api/User/ChangeUserPassword*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'IdentityProviderUnreachable', message: 'away' },
      }),
    );
    await submit.press('Enter');
    await expect(dialog.getByText(t('users:password.notConfirmed'))).toBeVisible();
    await expect(page.getByText('away')).toHaveCount(0);
    await page.unroute('**/api/User/ChangeUserPassword*');
  });

  await test.step('it changes, this session stays, another ends, and the new one signs in', async () => {
    await old.fill(password);
    await old.press('Enter');
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
  expect(problems.filter((problem) => !problem.includes('away'))).toEqual([]);
});

test('the menus of an administrator on a phone and on a desk', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, phone);
  await storeSession(page, 'admin');
  await page.goto('/services');
  const open = banner(page).getByRole('button', { name: t('shell:openMenu') });
  const menu = page.getByRole('dialog', { name: t('shell:menu') });
  await pressTabUntilFocused(page, open);
  await page.keyboard.press('Enter');
  await expect(menu).toBeVisible();
  await expectAccessible(page);
  // The menu of the header has the same entries on a desk.
  const managed = await menu.locator('a[href^="/dashboard/"]').allInnerTexts();
  expect(managed.length).toBeGreaterThan(9);
  const inside = () => menu.evaluate((element) => element.contains(document.activeElement));
  for (let press = 0; press < 25; press += 1) {
    await page.keyboard.press('Tab');
    expect(await inside()).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  await menu.getByRole('link', { name: t('shell:navigation.partners') }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/partners$/);
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.setViewportSize({ width: desk.width, height: desk.height });
  const navigation = page.getByRole('navigation', { name: t('shell:mainNavigation') });
  expect(
    new Set(
      await navigation
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top)),
    ).size,
    'one line',
  ).toBe(1);
  await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
  const manage = navigation.getByRole('button', { name: t('shell:navigation.manage') });
  await manage.press('Enter');
  for (const name of managed)
    await expect(page.getByRole('menuitem', { name: name.trim(), exact: true })).toBeVisible();
  await expect(
    page.getByRole('menuitem', { name: t('shell:navigation.partners') }),
  ).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/audit$/);
  expect(await page.evaluate(() => (window as { marker?: string }).marker)).toBe('still here');
  expect(problems).toEqual([]);
});

test('toasts stay three seconds, longer while they are hovered, and can be read again', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, phone);
  await page.clock.install();
  await storeSession(page, 'company');
  await page.goto('/dashboard/users');
  const unauthorized = toastOf(page, t('errors:refusals.YouAreUnauthorized'));
  await expect(page).toHaveURL(/\/home$/);
  await expect(unauthorized).toBeVisible();
  await expect(page.locator('[data-toasts] [role=alert]')).toContainText(
    t('errors:refusals.YouAreUnauthorized'),
  );
  await unauthorized.hover();
  // From here on the test controls the clock.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 6000));
  await expect(unauthorized).toBeVisible();
  await page.mouse.move(10, 10);
  await page.clock.runFor(2900);
  await expect(unauthorized).toBeVisible();
  await page.clock.runFor(200);
  await expect(unauthorized).toHaveCount(0);
  await page.clock.resume();

  const messages = banner(page).getByRole('button', { name: t('shell:kit.messages') });
  await messages.click();
  await page.clock.runFor(500);
  await expect(page.getByRole('dialog')).toContainText(t('errors:refusals.YouAreUnauthorized'));
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await test.step('offline and back', async () => {
    await page.context().setOffline(true);
    await expect(page.getByText(t('shell:offline'))).toBeVisible();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await expect(page.getByText(t('shell:offline'))).toHaveCount(0);
  });
  await test.step('F6 goes to the message and back', async () => {
    await expect(toastOf(page, t('shell:backOnline'))).toBeVisible();
    await messages.focus();
    await page.keyboard.press('F6');
    const close = page.locator('[data-toasts]').getByRole('button');
    await expect(close).toBeFocused();
    await page.clock.runFor(6000);
    await expect(close).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(close).toHaveCount(0);
    await expect(messages).toBeFocused();
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
  expect(
    await first.page.evaluate(() => (window as { marker?: string }).marker),
    'loaded again',
  ).toBeUndefined();
  await first.context.close();

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await storeSession(page, 'supervisor2');
  await page.goto('/reports');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ur-PK');
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('Urdu');
  await context.close();
});
