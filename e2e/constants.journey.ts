import { directionOf } from '@diwan/contract/wire/languages';
import { storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, textsOf } from './steps.ts';

const screens = [
  { language: 'ar-EG', width: 1280, height: 900 },
  { language: 'en-US', width: 1280, height: 900 },
] as const;

// Specification §2, §9: numbers and positions that no other test checks.
const screen = screens[0];
const { language } = screen;
const t = textsOf(language);

test(`half a second, ten seconds, the bottom end and the footer (${language})`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  const heading = page.getByRole('heading', { level: 1 });
  const toast = page.locator('[data-toasts] [data-surface]');
  await page.clock.install({ time: '2026-11-21T08:00:00Z' });
  await page.clock.pauseAt('2026-11-21T09:00:00Z');

  await test.step('a cancelled login is removed from the address at once, and reported after 500 ms at the bottom end', async () => {
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
    expect(directionOf(language) === 'rtl' ? x : screen.width - x - width).toBeLessThan(32);
  });

  await test.step('the payment page redirects after ten seconds', async () => {
    await page.goto('/payment-status?result=success');
    await expect(heading).toHaveText(t('payments:success.title'));
    for (let left = 9; left > 0; left -= 1) {
      await page.clock.runFor(1000);
      await expect(page.getByRole('timer')).toContainText(
        language === 'ar-EG' && left < 3 ? /./ : String(left),
      );
    }
    await expect(page).toHaveURL(/\/payment-status/);
    await page.clock.runFor(1000);
    await expect(page).toHaveURL(/\/requests\/accepted-request$/);
  });

  await test.step('footer', async () => {
    const footer = page.getByRole('contentinfo');
    for (const text of ['2.1.3', '2026', '+971 4 000 0000', 'info@diwan.example'])
      await expect(footer).toContainText(text);
    for (const name of ['Visa', 'Mastercard'])
      await expect(footer.getByRole('img', { name })).toBeVisible();
    const addresses = await footer
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual(
      expect.arrayContaining([
        'tel:+97140000000',
        'mailto:info@diwan.example',
        '/privacy-policy',
        '/terms-and-conditions',
      ]),
    );
    await expect(
      footer.getByRole('list', { name: t('shell:footer.social'), exact: true }).getByRole('link'),
    ).toHaveCount(4);
  });
  expect(problems).toEqual([]);
});

test('skipping leads to the whole list; it is not offered without an account type', async ({
  browser,
}) => {
  const { page } = await openBrowser(browser, screens[1]);
  const t = textsOf('en-US');
  const filters = () => page.evaluate(() => (window.history.state as { usr: unknown }).usr);
  await storeSession(page, 'individual');
  await page.goto('/home/services/investors');
  await page.getByRole('link', { name: t('services:skip'), exact: true }).click();
  await expect(page).toHaveURL(/\/services\?account=3$/);
  expect(await filters()).toEqual({ accountTypeId: 3 });
  await page.goto('/home/services');
  await expect(page.getByRole('tab').first()).toBeVisible();
  await expect(page.getByRole('link', { name: t('services:skip'), exact: true })).toHaveCount(0);
  await page.goto('/home');
  await page.getByRole('link', { name: t('home:skip'), exact: true }).click();
  await expect(page).toHaveURL(/\/services$/);
  expect(await filters()).toEqual({});
});

test('the link to /dash-board loads the page from the server', async ({ browser }) => {
  const { page } = await openBrowser(browser, screens[0]);
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
