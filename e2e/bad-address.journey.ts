import { expect, test, type Page } from '@playwright/test';
import { directionOf, type Language } from '@diwan/contract/languages';
import { plantSession } from './api.ts';
import { expectAccessible, openBrowser, screens, settle, signIn, wordsOf } from './steps.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Every page stands in the shell, says what it is, and leads on. */
async function expectHelpful(page: Page, language: Language, words: string): Promise<void> {
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('main')).toContainText(words);
  await expect(page.getByRole('banner').getByRole('link', { name: wordsOf(language)('shell:wordmark') })).toBeVisible();
}

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);
  const where = `(${language}, ${screen.width} px)`;

  test(`an address that leads nowhere is answered with a way on ${where}`, async ({ browser }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const addresses: Record<string, string> = {
      '/requests/Create/no-such-service': say('forms:missing.heading'),
      '/requests/Create/%3Cscript%3Ealert(1)%3C%2Fscript%3E': say('forms:missing.heading'),
      [`/requests/Create/${'x'.repeat(2000)}`]: say('forms:missing.heading'),
      '/no/such/page?with=%E2%80%AEquery#and-more': say('static:notFound.title'),
      '/payment-status?result=': say('payments:success.title'),
      '/payment-status?result=%00%3Cb%3E&request-number=%E2%80%AE-1': say('payments:success.title'),
      '/payment-status?result=success&request-number=DW-2020-999999': say('payments:success.title'),
      '/payment-status': say('payments:failure.title'),
      '/requests/accepted-request?request-number=%E2%80%AE%00': say('payments:accepted.number'),
      '/requests/inquiry?request-number=%E2%80%AE%F0%9F%98%80': say('requests:inquiry.notFoundTitle'),
      '/requests/inquiry?request-number=DW%00': say('requests:inquiry.failed'),
      '/home/services/martians': say('services:allServices'),
    };
    for (const [address, words] of Object.entries(addresses)) {
      await test.step(address.slice(0, 60), async () => {
        await page.goto(address);
        await expectHelpful(page, language, words);
        await settle(page);
        expect(problems, address).toEqual([]);
      });
    }
  });

  test(`a search of ten thousand characters, or of signs that turn the line, finds nothing and breaks nothing ${where}`, async ({ browser }) => {
    const { page, problems } = await openBrowser(browser, screen);
    const searches = ['q'.repeat(10_000), 'بحث '.repeat(2500), '\u202Eqzzq\u2066 \u200Fxyzzy', '%_\\\'";--<img src=x onerror=alert(1)>'];
    for (const text of searches) {
      await page.goto('/services');
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
      await page.locator('input[type=search]').fill(text);
      await page.keyboard.press('Enter');
      await settle(page);
      await expect(heading(page)).toHaveText(say('services:title'));
      await expect(page.getByText(say('services:listing.none'), { exact: true }).or(page.getByRole('main').getByRole('listitem').first()).first()).toBeVisible();
      await expect(page.getByText(say('errors:refusals.ServerNotConnected'))).toHaveCount(0);
      await expectAccessible(page);
      expect(problems, text.slice(0, 20)).toEqual([]);
    }
  });

  test(`what a browser keeps may be nonsense ${where}`, async ({ browser }) => {
    const { page, problems } = await openBrowser(browser, screen);
    await page.goto('/services');
    await page.evaluate(() => {
      localStorage.setItem('language', 'tlh-KX');
      localStorage.setItem('searchHistory', '{');
      sessionStorage.setItem('returnUrl', '//evil.example');
    });
    for (const token of ['not a token', 'a.b.c', `e30.${Buffer.from('{"ssid":1}').toString('base64url')}.x`, 'null', '{}']) {
      await page.evaluate((kept) => sessionStorage.setItem('token', kept), token);
      await page.goto('/services');
      // A language that there is not is the first one.
      await expect(page.locator('html')).toHaveAttribute('lang', 'ar-EG');
      await expect(page.locator('html')).toHaveAttribute('dir', directionOf('ar-EG'));
      await expectHelpful(page, 'ar-EG', wordsOf('ar-EG')('services:title'));
      await page.goto('/requests');
      await expect(page).toHaveURL(/\/account\/login$/);
      await expect(heading(page)).toHaveText(wordsOf('ar-EG')('users:login.title'));
    }
    expect(problems).toEqual([]);
  });

  test(`a page is shown to whom it is for ${where}`, async ({ browser }) => {
    const notFor: Record<string, string[]> = {
      individual: ['/requests/new', '/requests/all', '/companies/my-requests/new'],
      company: ['/requests/processing'],
      employee: ['/companies/my-requests/new'],
    };
    for (const [username, addresses] of Object.entries(notFor)) {
      const { page, context, problems } = await openBrowser(browser, screen);
      await plantSession(page, username);
      for (const address of addresses) {
        await page.goto(address);
        await expect(page).toHaveURL(/\/home$/);
        await expect(page.getByRole('status').getByText(say('errors:refusals.YouAreUnauthorized'))).toBeVisible();
      }
      expect(problems).toEqual([]);
      await context.close();
    }
    const { page, problems } = await openBrowser(browser, screen);
    for (const address of ['/requests/new', '/companies/my-requests/new', '/requests/request-details?request-number=DW-2020-999999', '/requests?search=visa']) {
      await page.goto(address);
      await expect(page).toHaveURL(/\/account\/login$/);
      await expect(page.getByRole('status').getByText(say('errors:refusals.YouHaveToLoginFirst'))).toBeVisible();
    }
    await signIn(page, language, 'individual2');
    await expect(page).toHaveURL(/\/requests\?search=visa$/);
    await expect(heading(page)).toHaveText(say('requests:mine.title'));
    expect(problems).toEqual([]);
  });
}
