import { expect, test } from './journey.ts';
import { openBrowser, screens, signIn, wordsOf } from './steps.ts';

// Every path and every role are in web/src/guarded-routes.test.ts; this is the real thing, once in
// each language of the screens.
for (const screen of screens) {
  test(`who is not signed in signs in and comes back, who may not see a page goes home (${screen.language})`, async ({
    browser,
  }) => {
    const say = wordsOf(screen.language);
    const { page, problems } = await openBrowser(browser, screen);
    const toast = (name: string) =>
      page.locator('[data-toasts]').getByText(say(`errors:refusals.${name}`), { exact: true });

    await page.goto('/companies/my-requests/new?group=done');
    await expect(page).toHaveURL(/\/account\/login$/);
    await expect(toast('YouHaveToLoginFirst')).toBeVisible();
    await signIn(page, screen.language, 'company');
    await expect(page).toHaveURL(/\/companies\/my-requests\/new\?group=done$/);

    await page.goto('/reports');
    await expect(page).toHaveURL(/\/home$/);
    await expect(toast('YouAreUnauthorized')).toBeVisible();
    // Still signed in.
    await expect(
      page.getByRole('banner').getByRole('button', { name: new RegExp(say('shell:userMenu')) }),
    ).toBeVisible();

    // A token that is none and one that has expired and is not renewed are no session.
    for (const token of [
      'not a token',
      'e30.eyJzc2lkIjoiMSIsImRpc3BsYXlOYW1lIjoiYSIsImZ1bGxOYW1lIjoiYSIsInJvbGUiOiJBZG1pbiIsImlzU2VydmljZVByb3ZpZGVyIjpmYWxzZSwiZXhwIjoxfQ.e30',
    ]) {
      await page.evaluate((value) => sessionStorage.setItem('token', value), token);
      await page.goto('/dashboard/users');
      await expect(page).toHaveURL(/\/account\/login$/);
      await expect(toast('YouHaveToLoginFirst')).toBeVisible();
      expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
    }
    expect(problems).toEqual([]);
  });
}
