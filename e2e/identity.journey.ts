import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { expect, test } from './journey.ts';
import { journeysPort, journeysSandboxPort } from './server.ts';
import { expectAccessible, openBrowser, screens, settle, skipIdentity, wordsOf } from './steps.ts';

const home = `http://localhost:${journeysPort}`;
const provider = new RegExp(`:${journeysSandboxPort}/idshub/authorize`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const uaePass = (page: Page, language: Language) =>
  page.getByRole('link', { name: wordsOf(language)('users:identity.signIn'), exact: true });
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

/** Remembers where UAE PASS led the browser back to. */
function watchReturns(page: Page): string[] {
  const returns: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().startsWith(`${home}/?`))
      returns.push(request.url());
  });
  return returns;
}

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);
  const where = `(${language}, ${screen.width} px)`;

  test(`a person new to the portal signs in by the wizard, and the way back works once ${where}`, async ({
    browser,
  }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const returns = watchReturns(page);
    await test.step('account type, identity, services', async () => {
      await page.goto('/home');
      await page.locator('a[href*="/home/services/individuals"]').first().click();
      await expect(page).toHaveURL(/\/home\/auth\/1$/);
      await expect(heading(page)).toHaveText(say('users:wizard.title'));
      await uaePass(page, language).click();
      expect(new URL(page.url()).searchParams.get('ui_locales')).toBe(
        language === 'ar-EG' ? 'ar' : 'en',
      );
      await decide(page, language === 'ar-EG' ? 'imran' : 'hessa', 'approve');
      await expect(page).toHaveURL(/\/home\/services\/individuals$/);
      expect(await isSignedIn(page)).toEqual([true, true]);
      await expectAccessible(page);
    });

    await test.step('the code is nowhere to be found, and a reload is only a reload', async () => {
      expect(returns).toHaveLength(1);
      await page.reload();
      await expect(heading(page)).toBeVisible();
      expect(await isSignedIn(page)).toEqual([true, true]);
      // Back over it leads to the stand-in's page or the portal's, never to an address with a code.
      await page.goBack();
      expect(page.url()).not.toContain('code=ey');
      expect(new URL(page.url()).searchParams.get('code')).toBeNull();
      await page.goForward();
      await expect(page).toHaveURL(/\/home\/services\/individuals$/);
      expect(returns).toHaveLength(1);
    });

    await test.step('the same address again is refused, in words, and nobody is signed in', async () => {
      await page.goto(returns[0] ?? '');
      await expect(heading(page)).toHaveText(say('users:identity.failed'));
      await expect(page.getByRole('main')).toContainText(
        say('errors:refusals.IdentityNotConfirmed'),
      );
      await expect(page).toHaveURL(/\/home\/identity$/);
      expect(await isSignedIn(page)).toEqual([false, false]);
      await expectAccessible(page);
      await page.reload();
      await expect(page).toHaveURL(/\/home$/);
    });
    expect(problems).toEqual([]);
  });

  test(`a person who is known signs in from where they were going; cancelling and errors lead home ${where}`, async ({
    browser,
  }) => {
    const { page, problems } = await openBrowser(browser, screen);
    for (const decision of ['cancel', 'error'] as const) {
      await page.goto('/account/login');
      await uaePass(page, language).click();
      await decide(page, 'sara', decision);
      await expect(page).toHaveURL(`${home}/home`);
      await expect(page.getByText(say('errors:UserCancelledTheLogin'))).toBeVisible();
      expect(await isSignedIn(page)).toEqual([false, false]);
    }
    await page.goto('/requests?search=x');
    await expect(page).toHaveURL(/\/account\/login$/);
    await uaePass(page, language).click();
    await decide(page, 'sara', 'approve');
    await expect(page).toHaveURL(/\/requests\?search=x$/);
    await expect(heading(page)).toHaveText(say('requests:mine.title'));
    // Home opened afresh signs out (specification §2), and the flag goes with the token.
    await page.goto('/home');
    // The heading is there before any script is.
    await expect.poll(() => isSignedIn(page)).toEqual([false, false]);
    expect(problems).toEqual([]);
  });
}

test('an account that is not verified is told so, in Urdu', async ({ browser }) => {
  const language = 'ur-PK';
  const { page, problems } = await openBrowser(browser, { language, width: 390, height: 844 });
  await page.goto('/home/auth/companies');
  await expectAccessible(page);
  await uaePass(page, language).click();
  await decide(page, 'john', 'approve');
  await expect(page.getByRole('main')).toContainText(
    wordsOf(language)('errors:refusals.IdentityNotVerified'),
  );
  await expectAccessible(page);
  expect(await isSignedIn(page)).toEqual([false, false]);
  expect(problems).toEqual([]);
});

test('nobody is kept from the services: skipped once is skipped, and without an answer people go on', async ({
  browser,
}) => {
  const screen = screens[0];
  const { page, problems } = await openBrowser(browser, screen);
  await page.goto('/home/services/companies#category');
  await expect(page).toHaveURL(/\/home\/auth\/2$/);
  await skipIdentity(page, screen.language);
  await expect(page).toHaveURL(/\/home\/services\/companies#all$/);
  await page.goto('/home/services/investors');
  await expect(page).toHaveURL(/\/home\/services\/investors$/);
  await expect(heading(page)).toBeVisible();
  await page.goto('/home/auth/martians');
  await expect(heading(page)).toHaveText(wordsOf(screen.language)('users:wizard.chooseTitle'));
  await page.locator('main a[href*="/home/services/individuals"]').click();
  await expect(page).toHaveURL(/\/home\/services\/individuals#all$/);
  expect(problems).toEqual([]);

  const another = await openBrowser(browser, screen);
  await another.page.route(/CheckUAEPassEnabled/, (route) => route.abort());
  await another.page.goto('/home/services/individuals');
  await expect(another.page).toHaveURL(/\/home\/services\/individuals$/);
  await expect(another.page.getByRole('tab').first()).toBeVisible();
});

test('hostile ways back break nothing, lead nowhere else and are taken out of the address', async ({
  browser,
}) => {
  const screen = screens[1];
  const say = wordsOf(screen.language);
  const { page, problems } = await openBrowser(browser, screen);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('UeaPassInegration')) asked.push(request.url());
  });
  await page.goto('/not-found');
  await page.evaluate(() => sessionStorage.setItem('returnUrl', '//evil.example'));
  const markup = encodeURIComponent('<img src=x onerror=alert(1)>');
  for (const query of [
    'code=a',
    `code=${markup}&state=${markup}`,
    `code=${'x'.repeat(10_000)}&state=y`,
    'code=&state=',
    'code=%00&state=%E2%80%AE',
    'code=__proto__&state=constructor&code=second',
    `code=a&state=b&redirect=https://evil.example`,
  ]) {
    await page.goto(`/?${query}`);
    await expect(heading(page), query.slice(0, 40)).toHaveText(say('users:identity.failed'));
    await expect(page.getByRole('main')).toContainText(say('errors:refusals.IdentityNotConfirmed'));
    await expect(page).toHaveURL(`${home}/home/identity`);
    await expect(page.getByRole('main')).not.toContainText('onerror');
  }
  // What is too long or not whole never leaves the browser.
  expect(asked).toHaveLength(4);
  for (const query of [
    'error=cancelledOnApp',
    `error=access_denied&error_description=${markup}`,
    'error=LOGIN_REQUIRED&redirect=//evil.example',
  ]) {
    await page.goto(`/home?${query}`);
    await expect(page).toHaveURL(`${home}/home`);
    await expect(page.getByText(say('errors:UserCancelledTheLogin'))).toBeVisible();
  }
  // Without an answer there is a way to try again.
  await page.route(/UeaPassInegration/, (route) => route.abort());
  await page.goto('/?code=a&state=b');
  await expect(page.getByRole('main')).toContainText(say('errors:refusals.ServerNotConnected'));
  await expect(uaePass(page, screen.language)).toBeVisible();
  await settle(page);
  expect(problems).toEqual([]);
});
