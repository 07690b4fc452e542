import type { Page } from '@playwright/test';
import { logout, refreshToken } from '@diwan/contract/people/users';
import { call, newToken, plantSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, screens, settle, signIn, wordsOf } from './steps.ts';

const [arabic, english] = screens;
const readToken = (page: Page) => page.evaluate(() => sessionStorage.getItem('token'));
const writeToken = (page: Page, token: string) =>
  page.evaluate((value) => sessionStorage.setItem('token', value), token);

const countWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.locks.query()).pending?.length ?? 0).catch(() => 0);

/**
 * The same token, as the browser sees it once it has expired; the server takes it for what it is.
 */
function expired(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  return [
    header,
    Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString('base64url'),
    signature,
  ].join('.');
}

test('a token that expires in two tabs is exchanged once, and both go on with the new one', async ({
  browser,
}) => {
  const { context, page, problems } = await openBrowser(browser, english);
  await plantSession(page, 'individual');
  await page.goto('/requests');
  await settle(page);
  const old = (await readToken(page)) ?? '';
  // A tab that is opened from another one begins with a copy of its storage.
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(() => void window.open('/account/profile')),
  ]);
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await readToken(other)).toBe(old);
  await settle(other);

  // An exchange that a reload cuts off gives no token; it is begun again.
  let exchanged = 0;
  context.on('requestfinished', (request) => {
    if (request.url().includes('/api/User/refreshToken')) exchanged += 1;
  });
  await context.route(/\/api\/User\/refreshToken/, async (route) => {
    // The browser cannot be made to wait a quarter of an hour, so what it sends is the token as it
    // was signed.
    const { token } = route.request().postDataJSON() as { token: string };
    const kept = token === expired(old) ? old : token;
    // Answered when the other tab waits for its turn too, however long it takes to load.
    await expect
      .poll(
        async () => (await Promise.all([page, other].map(countWaiting))).some((count) => count > 0),
        { timeout: 5000 },
      )
      .toBe(true)
      .catch(() => undefined);
    await route.continue({ postData: JSON.stringify({ token: kept }) });
  });
  for (const tab of [page, other]) await writeToken(tab, expired(old));
  // Both want it at the same moment.
  await Promise.all([page.reload(), other.reload()]);
  await expect
    .poll(async () => [await readToken(page), await readToken(other)].includes(expired(old)))
    .toBe(false);
  await Promise.all([settle(page), settle(other)]);
  const [mine, theirs] = [await readToken(page), await readToken(other)];
  expect(mine).toBe(theirs);
  expect([old, expired(old)]).not.toContain(mine);
  expect(exchanged).toBe(1);
  expect((await call(refreshToken, { body: { token: mine ?? '' } })).status).toBe(200);
  expect(problems).toEqual([]);
});

// What the server says to each forged token is in session.test.ts and forged-tokens.test.ts; this
// is what the person sees.
test('a token that the server refuses leads to sign-in, with a message, and back to where the person was', async ({
  browser,
}) => {
  const { language } = arabic;
  const say = wordsOf(language);
  const { page, problems } = await openBrowser(browser, arabic);
  await plantSession(page, 'individual');
  await page.goto('/requests');
  await settle(page);
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
          .getByText(say('errors:refusals.YouHaveToLoginFirst'), { exact: true })
          .first(),
      ).toBeVisible();
      expect(await readToken(page)).toBeNull();
      await signIn(page, language, 'individual');
      await expect(page).toHaveURL(/\/account\/profile\?from=here$/);
    });
  }
  expect(problems).toEqual([]);
});
