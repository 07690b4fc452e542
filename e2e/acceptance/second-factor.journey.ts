import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import type { Language } from '@diwan/contract/wire/languages';
import {
  endPrograms,
  newDataDir,
  startProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, screens, signIn, textsOf } from '../steps.ts';

// A role that must have a second factor would stop every other journey, so this one has a server of
// its own; with the bot check on, which is off in the demo.
let site: string;
test.beforeAll(async () => {
  const program = await startProgram({
    DATA_DIR: await newDataDir(),
    SANDBOX: 'on',
    SEED: 'demo',
    BOT_CHECK: 'on',
    BOT_CHECK_ACTIONS: 'login',
  });
  await program.waitUntilReady();
  site = `http://localhost:${program.port}`;
});
test.afterAll(endPrograms);

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const code = (page: Page) => page.locator('input[name=code]');
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later });

async function signInAt(page: Page, language: Language, username: string): Promise<void> {
  await page.goto(`${site}/account/login`);
  await signIn(page, language, username);
}

/** The calls to the bot check, and the tokens of the sign-ins. */
function watchBotCheck(page: Page): { scripts: string[]; tokens: string[] } {
  const seen = { scripts: [] as string[], tokens: [] as string[] };
  page.on('request', (request) => {
    if (request.url().endsWith('/bot-check.js')) seen.scripts.push(request.url());
    if (request.url().includes('/api/User/Login'))
      seen.tokens.push(request.headers()['bot-check-token'] ?? '');
  });
  return seen;
}

test('a role that must have a second factor sets it up, signs in with it, loses it and gets it reset', async ({
  browser,
}) => {
  const [phone, desk] = screens;
  const { language } = phone;
  const t = textsOf(language);
  const [admin, clerk, other] = [
    await openBrowser(browser, desk),
    await openBrowser(browser, phone),
    await openBrowser(browser, phone),
  ];
  const explained = `${site}/account/second-factor`;
  const lists = `${site}/requests/new`;
  const checked = watchBotCheck(admin.page);

  await test.step('an admin signs in through the bot check under the real content policy, and sets the rule', async () => {
    const adminSays = textsOf(desk.language);
    const { page } = admin;
    await signInAt(page, desk.language, 'admin');
    await expect(page).toHaveURL(`${site}/dashboard-Admin`);
    expect(new URL(checked.scripts[0] ?? '').origin).not.toBe(site);
    expect(checked.scripts).toHaveLength(1);
    // The first call is refused with the address of the check; the second has a token.
    expect(checked.tokens).toEqual(['', expect.stringMatching(/^[\w-]{36}$/)]);
    await signInAt(other.page, language, 'employee2');
    await expect(other.page).toHaveURL(lists);

    await page.goto(`${site}/dashboard/security`);
    await expect(
      page.getByRole('button', { name: adminSays('security:policy.save'), exact: true }),
    ).toBeDisabled();
    await page.locator('input[type=checkbox][value=Employee]').check({ force: true });
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: adminSays('security:policy.affected_other', { count: 2 }) }),
    ).toBeVisible();
    await expectAccessible(page);
    await press(page, adminSays('security:policy.save'));
    await expect(page.getByText(adminSays('security:policy.saved')).first()).toBeVisible();
    await expect(
      page.getByRole('button', { name: adminSays('security:policy.save'), exact: true }),
    ).toBeDisabled();
  });

  await test.step('a signed-in user is shown why calls are refused from now on', async () => {
    const { page } = other;
    await page.goto(`${site}/requests/all`);
    await expect(page).toHaveURL(explained);
    await expect(
      page.getByText(t('errors:refusals.SecondFactorSetupRequired')).first(),
    ).toBeVisible();
    await expect(page.getByText(t('security:factor.required'))).toBeVisible();
  });

  let secret = '';
  let recovery: string[] = [];
  await test.step('a clerk who signs in is led to set it up, and nowhere else', async () => {
    const { page } = clerk;
    await signInAt(page, language, 'employee');
    await expect(page).toHaveURL(explained);
    await expect(heading(page)).toHaveText(t('security:factor.title'));
    await page.goto(lists);
    await expect(page).toHaveURL(explained);
    await expectAccessible(page);
    await press(page, t('security:factor.begin'));
    await expect(page.getByRole('img', { name: t('security:setup.picture') })).toBeVisible();
    secret = (await page.locator('[data-secret]').innerText()).replace(/\s/g, '');
    await expect(page.getByRole('link', { name: t('security:setup.open') })).toHaveAttribute(
      'href',
      new RegExp(`^otpauth://totp/.*secret=${secret}&`),
    );
    await code(page).fill(
      codeOf(secret).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? ''),
    );
    await page.keyboard.press('Enter');
    const codes = page.getByRole('list', { name: t('security:codes.list') }).getByRole('listitem');
    await expect(codes).toHaveCount(10);
    recovery = await codes.allInnerTexts();
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await press(page, t('security:codes.download'));
    const file = await readFile(await (await saving).path(), 'utf8');
    for (const each of recovery) expect(file).toContain(each.trim());
    await press(page, t('security:codes.done'));
    await expect(page).toHaveURL(lists);
    await expect(heading(page)).toBeVisible();
  });

  await test.step('the next sign-in asks for a code of the app, and once a recovery code', async () => {
    const { page } = clerk;
    const askedAgain = async () => {
      await page.evaluate(() => sessionStorage.clear());
      await signInAt(page, language, 'employee');
      await expect(code(page)).toBeFocused();
    };
    await askedAgain();
    await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible(page);
    await code(page).fill(codeOf(secret, 30_000));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(lists);
    await askedAgain();
    await press(page, t('users:login.useRecovery'));
    await expect(code(page)).toBeFocused();
    await code(page).fill(recovery[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(lists);
    await page.goto(explained);
    await expect(page.getByText(t('security:state.cannotRemove'))).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${site}/account/profile`);
    await expect(page.getByRole('link', { name: t('security:card.manage') })).toBeVisible();
  });

  await test.step('an admin resets a lost one and removes the rule; a password is enough again', async () => {
    const adminSays = textsOf(desk.language);
    const { page } = admin;
    // The button is tested with the page of a user.
    await page.evaluate(async () => {
      const headers = {
        authorization: `Bearer ${sessionStorage.getItem('token')}`,
        'content-type': 'application/json',
      };
      const found = await fetch('/api/User/GetAllUsers?SearchKeyword=employee&Take=100', {
        headers,
      });
      const { items } = (await found.json()) as { items: { id: string; username: string }[] };
      const userId = items.find(({ username }) => username === 'employee')?.id;
      const body = JSON.stringify({ userId });
      await fetch('/api/User/ResetSecondFactor', { method: 'POST', headers, body });
    });
    await clerk.page.reload();
    await expect(clerk.page).toHaveURL(`${site}/account/login`);
    await page.goto(`${site}/dashboard/security`);
    await page.locator('input[type=checkbox][value=Employee]').uncheck({ force: true });
    await press(page, adminSays('security:policy.save'));
    await expect(page.getByText(adminSays('security:policy.saved')).first()).toBeVisible();
    await page.goto(`${site}/dashboard/audit`);
    await expect(
      page.getByText(adminSays('dashboards:audit.kinds.secondFactorReset')).last(),
    ).toBeVisible();
    await signInAt(clerk.page, language, 'employee');
    await expect(clerk.page).toHaveURL(`${site}/account/profile`);
    // The restriction ends, although the token still names it.
    await other.page.reload();
    await expect(
      other.page.getByRole('main').getByRole('link', { name: t('users:profile.title') }),
    ).toBeVisible();
    await expect(other.page.getByText(t('security:factor.required'))).toHaveCount(0);
    await other.page.goto(lists);
    await expect(other.page).toHaveURL(lists);
  });
  // The browser logs hub connections that are refused for restricted or signed-out users; that is
  // not a problem of the page.
  expect(
    [admin, clerk, other]
      .flatMap(({ problems }) => problems)
      .filter(
        (problem) => !/^WebSocket connection to .* failed: .*(Authentication|403)/.test(problem),
      ),
  ).toEqual([]);
});
