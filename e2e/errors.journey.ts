import type { Page } from '@playwright/test';
import { languages } from '@diwan/contract/wire/languages';
import { logout } from '@diwan/contract/people/users';
import { call, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { openBrowser, password, screens, waitUntilIdle, signIn, textsOf } from './steps.ts';

const [arabic, english] = screens;
const page500 = {
  status: 500,
  json: {
    error: 'InternalServerError',
    message: 'The server says: failed.',
    requestId: '0f9c1b7e-2d40-4a55-9a53-6b1f2a3c4d5e',
  },
};
const html = (status: number) => ({
  status,
  contentType: 'text/html',
  body: '<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>',
});

const toast = (page: Page, text: string) =>
  page.locator('[data-toasts]').getByText(text, { exact: true });

// One handler serves every call (specification §8); the sign-in call represents all calls of
// buttons.
const screen = screens[0];
test(`errors are explained, and input stays (${screen.language})`, async ({ browser }) => {
  const { language } = screen;
  const t = textsOf(language);
  const { page, problems } = await openBrowser(browser, screen);
  await page.goto('/account/login');
  const name = page.getByLabel(t('users:login.username'), { exact: true });
  const secret = page.getByLabel(t('users:login.password'), { exact: true });
  await name.fill('individual');
  await secret.fill(password);

  const refusal = (error: string, message: string) => ({ error, message });
  const rows: [
    string,
    Parameters<Parameters<Parameters<Page['route']>[1]>[0]['fulfill']>[0] | 'abort',
    string[],
  ][] = [
    [
      '400 with errors: each message',
      {
        status: 400,
        json: {
          errors: { username: ['First thing', 'Second thing'], password: ['Third thing'] },
        },
      },
      ['First thing', 'Second thing', 'Third thing'],
    ],
    [
      '404: what the server says',
      { status: 404, json: refusal('NotFound', 'The server says: not there.') },
      ['The server says: not there.'],
    ],
    ['404 of something in between', html(404), [t('errors:refusals.NotFound')]],
    [
      '500: what the server says, and by what support finds it',
      page500,
      [
        `The server says: failed. ${t('errors:reference', { requestId: page500.json.requestId.slice(0, 8) })}`,
      ],
    ],
    ['502 of a proxy', html(502), [t('errors:refusals.ServerNotConnected')]],
    ['504 of a proxy', html(504), [t('errors:refusals.ServerNotConnected')]],
    [
      '429: how long to wait',
      {
        status: 429,
        headers: { 'retry-after': '600' },
        json: refusal('TooManyRequests', 'Slowly.'),
      },
      [`Slowly. ${t('errors:tryInMinutes_few', { count: 10 })}`],
    ],
    ['a page in place of the reply', html(200), [t('errors:refusals.ServerNotConnected')]],
    [
      'nothing in place of the reply',
      { status: 200, body: '' },
      [t('errors:refusals.InternalServerError')],
    ],
    ['no connection', 'abort', [t('errors:refusals.ServerNotConnected')]],
  ];
  for (const [what, reply, words] of rows) {
    await test.step(what, async () => {
      await page.route('**/api/User/Login?*', (route) =>
        reply === 'abort' ? route.abort('connectionrefused') : route.fulfill(reply),
      );
      await secret.press('Enter');
      for (const text of words) await expect(toast(page, text), what).toBeVisible();
      await expect(page).toHaveURL(/\/account\/login$/);
      await expect(name).toHaveValue('individual');
      await expect(secret).toHaveValue(password);
      await page.unroute('**/api/User/Login?*');
      await secret.fill(password);
      // Closes each toast by hand, unless it closes by itself at that moment.
      const close = page.locator('[data-toasts]').getByRole('button');
      await expect(async () => {
        if ((await close.count()) > 0) await close.first().click({ timeout: 500 });
        await expect(close).toHaveCount(0, { timeout: 100 });
      }).toPass({ intervals: [10] });
    });
  }

  await test.step('another 400: reported, and its field is focused and highlighted', async () => {
    await secret.fill('wrong');
    await name.focus();
    await name.press('Enter');
    await expect(toast(page, t('errors:refusals.WrongUsernameOrPassword'))).toBeVisible();
    await expect(secret).toBeFocused();
    await expect(page.locator('[data-highlighted]')).toHaveCount(1);
  });

  await test.step('403: to the root', async () => {
    await page.route('**/api/User/Login?*', (route) =>
      route.fulfill({ status: 403, json: refusal('YouAreUnauthorized', 'x') }),
    );
    await secret.press('Enter');
    await expect(toast(page, t('errors:refusals.YouAreUnauthorized'))).toBeVisible();
    await expect(page).toHaveURL(/\/home$/);
  });
  // The console reports failures of the server; any other message is a problem of the page.
  expect(
    problems.filter((problem) => !/InternalServerError|The server says: failed/.test(problem)),
  ).toEqual([]);
  expect(problems).not.toEqual([]);
});

for (const language of languages) {
  test(`an expired session leads to sign-in and back, and drafts stay (${language})`, async ({
    browser,
  }) => {
    const t = textsOf(language);
    const { page, problems } = await openBrowser(browser, {
      ...(language === 'en-US' ? english : arabic),
      language,
    });
    await storeSession(page, 'individual');
    await page.goto(
      '/requests/Create/register-labour-complaints-private-sector-employees#applicant',
    );
    const mobile = page.locator('[data-focus-id~="answers.applicantMobile"]');
    await mobile.fill('0509876543');
    await call(logout, {
      token: (await page.evaluate(() => sessionStorage.getItem('token'))) ?? '',
    });

    let asked = 0;
    page.on('response', (response) => void (asked += response.status() === 401 ? 1 : 0));
    await page.goto('/requests');
    await expect(page).toHaveURL(/\/account\/login$/);
    await expect(toast(page, t('errors:refusals.YouHaveToLoginFirst'))).toBeVisible();
    await waitUntilIdle(page);
    expect(asked).toBeLessThan(6);
    expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
    await signIn(page, language, 'individual');
    await expect(page).toHaveURL(/\/requests$/);
    await page.goto(
      '/requests/Create/register-labour-complaints-private-sector-employees#applicant',
    );
    await expect(mobile).toHaveValue('0509876543');
    expect(problems).toEqual([]);
  });
}
