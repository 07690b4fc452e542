import { expect, test } from './journey.ts';
import { openBrowser, screens, signIn, textsOf } from './steps.ts';

// web/src/guarded-routes.test.ts covers every path and role; this is the real browser, once in each
// language of the screens.
const screen = screens[1];
test(`anonymous users sign in and return, users without the role are redirected to the home page (${screen.language})`, async ({
  browser,
}) => {
  const t = textsOf(screen.language);
  const { page, problems } = await openBrowser(browser, screen);
  const toast = (name: string) =>
    page.locator('[data-toasts]').getByText(t(`errors:refusals.${name}`), { exact: true });

  await page.goto('/companies/my-requests/new?group=done');
  await expect(page).toHaveURL(/\/account\/login$/);
  await expect(toast('YouHaveToLoginFirst')).toBeVisible();
  await signIn(page, screen.language, 'company');
  await expect(page).toHaveURL(/\/companies\/my-requests\/new\?group=done$/);

  await page.goto('/reports');
  await expect(page).toHaveURL(/\/home$/);
  await expect(toast('YouAreUnauthorized')).toBeVisible();
  // The home page ends the session (specification §2).
  await expect(
    page.getByRole('banner').getByRole('link', { name: t('shell:login'), exact: true }),
  ).toBeVisible();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();

  // An invalid token, and an expired one that is not renewed, are no session.
  for (const token of [
    'not a token',
    'e30.eyJzc2lkIjoiMSIsImRpc3BsYXlOYW1lIjoiYSIsImZ1bGxOYW1lIjoiYSIsInJvbGUiOiJBZG1pbiIsImlzU2VydmljZVByb3ZpZGVyIjpmYWxzZSwiZXhwIjoxfQ.e30',
  ]) {
    await page.evaluate((value) => sessionStorage.setItem('token', value), token);
    await page.goto('/dashboard/users');
    await expect(page).toHaveURL(/\/account\/login$/);
    await expect(toast('YouHaveToLoginFirst')).toBeVisible();
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
  }
  expect(problems).toEqual([]);
});
