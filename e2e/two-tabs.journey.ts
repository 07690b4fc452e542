import type { Page } from '@playwright/test';
import { logout, refreshToken } from '@diwan/contract/people/users';
import { call, newToken, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, screens, waitUntilIdle, signIn, textsOf } from './steps.ts';

const [arabic, english] = screens;
const readToken = (page: Page) => page.evaluate(() => sessionStorage.getItem('token'));
const writeToken = (page: Page, token: string) =>
  page.evaluate((value) => sessionStorage.setItem('token', value), token);

const countWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.locks.query()).pending?.length ?? 0).catch(() => 0);

/** The same token as the browser sees it after expiry; the server treats it as the original. */
function withPastExpiry(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  return [
    header,
    Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString('base64url'),
    signature,
  ].join('.');
}

test('a token that expires in two tabs is exchanged once, and both continue with the new one', async ({
  browser,
}) => {
  const { context, page, problems } = await openBrowser(browser, english);
  await storeSession(page, 'individual');
  await page.goto('/requests');
  await waitUntilIdle(page);
  const old = (await readToken(page)) ?? '';
  // A tab that is opened from another one begins with a copy of its storage.
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(() => void window.open('/account/profile')),
  ]);
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await readToken(other)).toBe(old);
  await waitUntilIdle(other);

  // An exchange that a reload interrupts gives no token; it is started again.
  let exchanged = 0;
  context.on('requestfinished', (request) => {
    if (request.url().includes('/api/User/refreshToken')) exchanged += 1;
  });
  await context.route(/\/api\/User\/refreshToken/, async (route) => {
    // The test cannot wait a quarter of an hour, so the token that the browser sends is replaced by
    // the signed one.
    const { token } = route.request().postDataJSON() as { token: string };
    const originalToken = token === withPastExpiry(old) ? old : token;
    // The reply waits until the other tab waits for its turn, however long that takes to load.
    await expect
      .poll(
        async () => (await Promise.all([page, other].map(countWaiting))).some((count) => count > 0),
        { timeout: 5000 },
      )
      .toBe(true)
      .catch(() => undefined);
    await route.continue({ postData: JSON.stringify({ token: originalToken }) });
  });
  for (const tab of [page, other]) await writeToken(tab, withPastExpiry(old));
  // Both need it at the same moment.
  await Promise.all([page.reload(), other.reload()]);
  await expect
    .poll(async () => [await readToken(page), await readToken(other)].includes(withPastExpiry(old)))
    .toBe(false);
  await Promise.all([waitUntilIdle(page), waitUntilIdle(other)]);
  const [mine, theirs] = [await readToken(page), await readToken(other)];
  expect(mine).toBe(theirs);
  expect([old, withPastExpiry(old)]).not.toContain(mine);
  expect(exchanged).toBe(1);
  expect((await call(refreshToken, { body: { token: mine ?? '' } })).status).toBe(200);
  expect(problems).toEqual([]);
});

// forged-tokens.test.ts covers the server's replies to forged tokens; this tests what the user
// sees.
test('a token that the server refuses leads to sign-in, with a message, and back to the same page', async ({
  browser,
}) => {
  const { language } = arabic;
  const t = textsOf(language);
  const { page, problems } = await openBrowser(browser, arabic);
  await storeSession(page, 'individual');
  await page.goto('/requests');
  await waitUntilIdle(page);
  const ended = await newToken('individual');
  await call(logout, { token: ended });
  const good = (await readToken(page)) ?? '';
  const [header, payload = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const raised = Buffer.from(JSON.stringify({ ...claims, role: 'Admin' })).toString('base64url');
  const tokens = {
    'with another role': `${header}.${raised}.${good.split('.')[2]}`,
    unsigned: `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`,
    'of a session that has ended': ended,
  };
  for (const [what, token] of Object.entries(tokens)) {
    await test.step(what, async () => {
      await writeToken(page, token);
      await page.goto('/account/profile?from=here');
      await expect(page).toHaveURL(/\/account\/login$/);
      await expect(
        page
          .locator('[data-toasts]')
          .getByText(t('errors:refusals.YouHaveToLoginFirst'), { exact: true })
          .first(),
      ).toBeVisible();
      expect(await readToken(page)).toBeNull();
      await signIn(page, language, 'individual');
      await expect(page).toHaveURL(/\/account\/profile\?from=here$/);
    });
  }
  expect(problems).toEqual([]);
});
