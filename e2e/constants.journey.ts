import { storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, textsOf } from './steps.ts';

// Specification §2, §9: numbers and positions that no other test checks.
const screen = { language: 'ar-EG', width: 1280, height: 900 } as const;
const { language } = screen;
const t = textsOf(language);

test(`half a second, ten seconds and the bottom right (${language})`, async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screen);
  const heading = page.getByRole('heading', { level: 1 });
  const toast = page.locator('[data-toasts] [data-surface]');
  await page.clock.install({ time: '2026-11-21T08:00:00Z' });
  await page.clock.pauseAt('2026-11-21T09:00:00Z');

  await test.step('a cancelled login is removed from the address immediately, and reported after 500 ms at the bottom right', async () => {
    await page.goto('/?error=access_denied&state=x');
    await expect(heading).toHaveText(t('home:question'));
    await expect(page).toHaveURL(/\/home$/);
    await page.clock.runFor(499);
    await expect(toast).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(toast).toHaveText(t('errors:UserCancelledTheLogin'));
    // The toast moves by a few pixels.
    const { x = 0, y = 0, width = 0, height = 0 } = (await toast.boundingBox()) ?? {};
    expect(screen.height - y - height).toBeLessThan(32);
    expect(screen.width - x - width).toBeLessThan(32);
  });

  await test.step('the payment page redirects after ten seconds', async () => {
    await page.goto('/payment-status?result=success');
    await expect(heading).toHaveText(t('payments:success.title'));
    for (let left = 9; left > 0; left -= 1) {
      await page.clock.runFor(1000);
      await expect(page.getByRole('timer')).toContainText(left < 3 ? /./ : String(left));
    }
    await expect(page).toHaveURL(/\/payment-status/);
    await page.clock.runFor(1000);
    await expect(page).toHaveURL(/\/requests\/accepted-request$/);
  });
  expect(problems).toEqual([]);
});

test('the link to /dash-board loads the page from the server', async ({ browser }) => {
  const { page } = await openBrowser(browser, screen);
  await storeSession(page, 'company');
  await page.goto('/services');
  await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
  const asked = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().endsWith('/dash-board'),
  );
  await page.locator('header a[href="/dash-board"]').click();
  await asked;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    textsOf('ar-EG')('dashboards:company.title'),
  );
  expect(await page.evaluate(() => (window as { marker?: string }).marker)).toBeUndefined();
});
