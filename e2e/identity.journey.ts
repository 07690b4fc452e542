import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { expect, test } from './journey.ts';
import { journeysPort, journeysSandboxPort } from './server.ts';
import { expectAccessible, openBrowser, screens, waitUntilIdle, textsOf } from './steps.ts';

const home = `http://localhost:${journeysPort}`;
const provider = new RegExp(`:${journeysSandboxPort}/idshub/authorize`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const uaePass = (page: Page, language: Language) =>
  page.getByRole('link', { name: textsOf(language)('users:identity.signIn'), exact: true });
const isSignedIn = (page: Page) =>
  page.evaluate(() => [
    sessionStorage.getItem('token') !== null,
    sessionStorage.getItem('isUAEPass') === 'true',
  ]);

async function decide(
  page: Page,
  persona: string,
  decision: 'approve' | 'cancel' | 'error',
): Promise<void> {
  await expect(page).toHaveURL(provider);
  await page.locator(`input[name=persona][value=${persona}]`).check({ force: true });
  await page.locator(`button[name=decision][value=${decision}]`).click();
}

/** Stores the address to which UAE PASS redirected the browser. */
function recordReturnAddresses(page: Page): string[] {
  const returns: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().startsWith(`${home}/?`))
      returns.push(request.url());
  });
  return returns;
}

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

test(`a new user signs in by the wizard, and the redirect works once ${where}`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  const returns = recordReturnAddresses(page);
  await test.step('account type, identity, services', async () => {
    await page.goto('/home');
    await page.locator('a[href*="/home/services/individuals"]').first().click();
    await expect(page).toHaveURL(/\/home\/auth\/1$/);
    await expect(heading(page)).toHaveText(t('users:wizard.title'));
    await uaePass(page, language).click();
    await expect
      .poll(() => new URL(page.url()).searchParams.get('ui_locales'))
      .toBe(language === 'ar-EG' ? 'ar' : 'en');
    await decide(page, language === 'ar-EG' ? 'imran' : 'hessa', 'approve');
    await expect(page).toHaveURL(/\/home\/services\/individuals$/);
    await expect.poll(() => isSignedIn(page)).toEqual([true, true]);
    await expectAccessible(page);
  });

  await test.step('the code appears nowhere, and a reload is only a reload', async () => {
    expect(returns).toHaveLength(1);
    await page.reload();
    await expect(heading(page)).toBeVisible();
    await expect.poll(() => isSignedIn(page)).toEqual([true, true]);
    // Going back leads to the sandbox's page or the portal's, never to an address with a code.
    await page.goBack();
    expect(page.url()).not.toContain('code=ey');
    expect(new URL(page.url()).searchParams.get('code')).toBeNull();
    await page.goForward();
    await expect(page).toHaveURL(/\/home\/services\/individuals$/);
    expect(returns).toHaveLength(1);
  });

  await test.step('the same address again is refused with a message, and the user stays signed out', async () => {
    await page.goto(returns[0] ?? '');
    await expect(heading(page)).toHaveText(t('users:identity.failed'));
    await expect(page.getByRole('main')).toContainText(t('errors:refusals.IdentityNotConfirmed'));
    await expect(page).toHaveURL(/\/home\/identity$/);
    expect(await isSignedIn(page)).toEqual([false, false]);
    await expectAccessible(page);
    await page.reload();
    await expect(page).toHaveURL(/\/home$/);
  });
  expect(problems).toEqual([]);
});

test(`a known user signs in and returns to the same page; cancelling and errors lead home ${where}`, async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screen);
  for (const decision of ['cancel', 'error'] as const) {
    await page.goto('/account/login');
    await uaePass(page, language).click();
    await decide(page, 'sara', decision);
    await expect(page).toHaveURL(`${home}/home`);
    await expect(page.getByText(t('errors:UserCancelledTheLogin'))).toBeVisible();
    expect(await isSignedIn(page)).toEqual([false, false]);
  }
  await page.goto('/requests?search=x');
  await expect(page).toHaveURL(/\/account\/login$/);
  await uaePass(page, language).click();
  await decide(page, 'sara', 'approve');
  await expect(page).toHaveURL(/\/requests\?search=x$/);
  await expect(heading(page)).toHaveText(t('requests:mine.title'));
  // Opening the home page signs out (specification §2), and removes the flag with the token.
  await page.goto('/home');
  // The heading exists before any script runs.
  await expect.poll(() => isSignedIn(page)).toEqual([false, false]);
  expect(problems).toEqual([]);
});

test('hostile redirects break nothing, lead nowhere else and are removed from the address', async ({
  browser,
}) => {
  const screen = screens[1];
  const t = textsOf(screen.language);
  const { page, problems } = await openBrowser(browser, screen);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('UeaPassInegration')) asked.push(request.url());
  });
  await page.goto('/not-found');
  await page.evaluate(() => sessionStorage.setItem('returnUrl', '//evil.example'));
  const markup = encodeURIComponent('<img src=x onerror=alert(1)>');
  for (const query of [
    `code=${markup}&state=${markup}`,
    'code=&state=',
    'code=%00&state=%E2%80%AE',
    'code=__proto__&state=constructor&code=second',
    `code=a&state=b&redirect=https://evil.example`,
  ]) {
    await page.goto(`/?${query}`);
    await expect(heading(page), query.slice(0, 40)).toHaveText(t('users:identity.failed'));
    await expect(page.getByRole('main')).toContainText(t('errors:refusals.IdentityNotConfirmed'));
    await expect(page).toHaveURL(`${home}/home/identity`);
    await expect(page.getByRole('main')).not.toContainText('onerror');
  }
  // Missing values are not sent.
  expect(asked).toHaveLength(4);
  for (const query of [
    `error=access_denied&error_description=${markup}`,
    'error=LOGIN_REQUIRED&redirect=//evil.example',
  ]) {
    await page.goto(`/home?${query}`);
    await expect(page).toHaveURL(`${home}/home`);
    await expect(page.getByText(t('errors:UserCancelledTheLogin'))).toBeVisible();
  }
  // Without a reply there is a button to try again.
  await page.route(/UeaPassInegration/, (route) => route.abort());
  await page.goto('/?code=a&state=b');
  await expect(page.getByRole('main')).toContainText(t('errors:refusals.ServerNotConnected'));
  await expect(uaePass(page, screen.language)).toBeVisible();
  await waitUntilIdle(page);
  expect(problems).toEqual([]);
});
