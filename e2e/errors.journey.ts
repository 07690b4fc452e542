import { logout } from '@diwan/contract/people/users';
import { call, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, screens, waitUntilIdle, signIn, textsOf } from './steps.ts';

// web/src/features/users/sign-in/login-page.test.tsx tests how each error is shown.
const screen = screens[0];
const { language } = screen;

test(`an expired session leads to sign-in and back, and drafts stay (${language})`, async ({
  browser,
}) => {
  const t = textsOf(language);
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, 'individual');
  const form = '/requests/Create/register-labour-complaints-private-sector-employees#applicant';
  await page.goto(form);
  const mobile = page.locator('[data-focus-id~="answers.applicantMobile"]');
  await mobile.fill('0509876543');
  await call(logout, {
    token: (await page.evaluate(() => sessionStorage.getItem('token'))) ?? '',
  });

  let asked = 0;
  page.on('response', (response) => void (asked += response.status() === 401 ? 1 : 0));
  await page.goto('/requests');
  await expect(page).toHaveURL(/\/account\/login$/);
  await expect(
    page
      .locator('[data-toasts]')
      .getByText(t('errors:refusals.YouHaveToLoginFirst'), { exact: true }),
  ).toBeVisible();
  await waitUntilIdle(page);
  expect(asked).toBeLessThan(8);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
  await signIn(page, language, 'individual');
  await expect(page).toHaveURL(/\/requests$/);
  await page.goto(form);
  await expect(mobile).toHaveValue('0509876543');
  expect(problems).toEqual([]);
});
