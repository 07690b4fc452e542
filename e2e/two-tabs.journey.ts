import type { Page } from '@playwright/test';
import { logout, refreshToken } from '@diwan/contract/people/users';
import { call, discardDrafts, findService, newToken, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, screens, waitUntilIdle, signIn, textsOf } from './steps.ts';

const [arabic, english] = screens;
const readToken = (page: Page) => page.evaluate(() => sessionStorage.getItem('token'));
const writeToken = (page: Page, token: string) =>
  page.evaluate((value) => sessionStorage.setItem('token', value), token);

const countWaiting = (page: Page) =>
  page
    .evaluate(async () => {
      const { pending = [] } = await navigator.locks.query();
      return pending.filter(({ name }) => name === 'refresh-token').length;
    })
    .catch(() => 0);

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
  // The live connection may have tried such a token before the first call was refused.
  expect(problems.filter((text) => !text.startsWith('WebSocket'))).toEqual([]);
});

// npm test in Arabic, the project `acceptance` in every language.
for (const screen of [...screens, { ...arabic, language: 'ur-PK' as const }]) {
  const tag = screen.language === arabic.language ? [] : '@acceptance';
  test(
    `a new tab continues the session, and a sign-out ends it in all tabs (${screen.language})`,
    { tag },
    async ({ browser }) => {
      const t = textsOf(screen.language);
      const { context, page, problems } = await openBrowser(browser, screen);
      const toasts = (tab: Page) => tab.locator('[data-toasts]');
      const account = (tab: Page) => tab.getByRole('heading', { level: 1 });
      await storeSession(page, 'individual');
      await page.goto('/requests');
      await waitUntilIdle(page);

      // As from a mail: the new tab has no storage of the first one.
      const tab = await context.newPage();
      await tab.goto('/account/profile');
      await expect(account(tab)).toBeVisible();
      await expect(tab).toHaveURL(/\/account\/profile$/);
      await expect(toasts(tab).getByText(t('errors:refusals.YouHaveToLoginFirst'))).toHaveCount(0);
      expect(await readToken(tab)).toBe(await readToken(page));

      // A public page shows the user too.
      const services = await context.newPage();
      await services.goto('/services');
      await expect.poll(() => readToken(services)).toBe(await readToken(page));

      // The home page signs its own tab out; the session continues in the others.
      const token = (await readToken(page)) ?? '';
      await services.goto('/home');
      await expect.poll(() => readToken(services)).toBeNull();
      await tab.reload();
      await expect(account(tab)).toBeVisible();
      expect((await call(refreshToken, { body: { token } })).status).toBe(200);
      await services.close();

      await page
        .getByRole('banner')
        .getByRole('button', { name: t('shell:userMenu') })
        .click();
      await page.getByRole('menuitem', { name: t('shell:logout') }).click();
      await expect(page).toHaveURL(/\/home$/);
      await expect(tab).toHaveURL(/\/account\/login$/);
      await expect(toasts(tab).getByText(t('errors:signedOutInOtherTab')).first()).toBeVisible();
      expect(await readToken(tab)).toBeNull();

      // Who only opens an address is asked to sign in, without an alarm.
      await tab.goto('/requests');
      await expect(tab).toHaveURL(/\/account\/login$/);
      const message = tab.getByRole('status').getByText(t('errors:refusals.YouHaveToLoginFirst'));
      await expect(message.first()).toBeVisible();
      expect(problems).toEqual([]);
    },
  );
}

test('a form that is open when another tab signs out keeps every letter (ar-EG, 390 px)', async ({
  browser,
}) => {
  const { language } = arabic;
  const serviceName = 'register-labour-complaints-private-sector-employees';
  await discardDrafts('individual2', serviceName);
  const { context, page, problems } = await openBrowser(browser, arabic);
  const t = textsOf(language);
  await storeSession(page, 'individual2');
  const service = await findService(serviceName, language);
  const field = (tab: Page, name: string) => tab.locator(`[data-focus-id~="answers.${name}"]`);
  await page.goto(`/requests/Create/${serviceName}#${service.form.steps[0]?.name ?? ''}`);
  await expect(field(page, 'applicantEmail')).toHaveValue(/@/);
  const tab = await context.newPage();
  await tab.goto('/account/profile');
  await expect(tab.getByRole('heading', { level: 1 })).toBeVisible();
  await field(page, 'applicantName').fill('مريم أحمد');
  await field(page, 'applicantEmail').pressSequentially('x');
  // The last letter is not sent yet.
  await tab
    .getByRole('banner')
    .getByRole('button', { name: t('shell:userMenu') })
    .click();
  await tab.getByRole('menuitem', { name: t('shell:logout') }).click();
  await expect(page).toHaveURL(/\/account\/login$/);
  await expect(
    page.locator('[data-toasts]').getByText(t('errors:signedOutInOtherTab')).first(),
  ).toBeVisible();
  // Another person of this browser does not see it.
  await signIn(page, language, 'individual');
  await expect(field(page, 'applicantEmail')).toHaveValue(/@/);
  await expect(field(page, 'applicantName')).not.toHaveValue('مريم أحمد');
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/account/login');
  await signIn(page, language, 'individual2');
  await expect.poll(() => readToken(page)).not.toBeNull();
  await page.goto(`/requests/Create/${serviceName}#${service.form.steps[0]?.name ?? ''}`);
  await expect(field(page, 'applicantName')).toHaveValue('مريم أحمد');
  await expect(field(page, 'applicantEmail')).toHaveValue(/@.*x$/);
  expect(problems).toEqual([]);
});
