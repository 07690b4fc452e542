import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { journeysSandboxPort } from './server.ts';
import {
  expectAccessible,
  openBrowser,
  password as demoPassword,
  screens,
  wordsOf,
} from './steps.ts';

const chosen = 'Quiet-Lanterns-7042!';
const firstPassword = 'Paper-Harbours-3186!';
const urdu = { language: 'ur-PK', width: 390, height: 844 } as const;

/**
 * The code in the newest message to an address, as the stand-in shows it to whoever has that
 * address.
 */
async function readCode(page: Page, address: string): Promise<string> {
  const viewer = await page.context().newPage();
  const message = viewer.locator('ul.messages li').filter({ hasText: address }).first();
  await expect(async () => {
    await viewer.goto(`http://localhost:${journeysSandboxPort}/messages`);
    await expect(message).toContainText(/\b\d{6}\b/, { timeout: 500 });
  }).toPass();
  const code = /\b\d{6}\b/.exec(await message.innerText())?.[0] ?? '';
  await viewer.close();
  return code;
}

const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);
const goOn = (page: Page) => page.locator('main form button[type=submit]').click();
const unique = () => Math.random().toString(36).slice(2, 10);

test('an individual registers in Arabic on a phone; nothing typed is lost on the way, and the profile proves the phone too', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[0]);
  const say = wordsOf('ar-EG');
  const [username, email] = [`noura.${unique()}`, `noura.${unique()}@mail.example`];
  await page.goto('/account/login');
  await page.getByRole('link', { name: say('users:login.register') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('accounts:register.title'));

  await test.step('who: what is missing is said, a slip in the Emirates ID only warns', async () => {
    await goOn(page);
    await expect(page.locator('main').getByRole('alert')).toContainText(
      say('accounts:register.fullName'),
    );
    await expectAccessible(page);
    await field(page, 'fullName').fill('نورة سالم');
    await field(page, 'emiratesId').fill('٧٨٤١٩٩٠١٢٣٤٥٦٧٩');
    await expect(page.getByText(say('accounts:register.emiratesIdWarning'))).toBeVisible();
    await goOn(page);
  });
  await test.step('contact and password, with a taken username that is mended later', async () => {
    await field(page, 'email').fill(email);
    await field(page, 'phoneNumber').fill('٠٥٠١٢٣٤٥٦٧');
    await goOn(page);
    await field(page, 'username').fill('individual');
    await field(page, 'password').fill(chosen);
    await field(page, 'confirmPassword').fill(chosen);
    await expectAccessible(page);
    await goOn(page);
  });
  await test.step('the code: a wrong one, the right one, and back to the username', async () => {
    const code = await readCode(page, email);
    await field(page, 'code').fill(code === '000000' ? '111111' : '000000');
    await goOn(page);
    await expect(page.locator('main').getByRole('alert')).toContainText(
      say('errors:refusals.VerificationCodeWrong'),
    );
    await expectAccessible(page);
    // Pasted as it comes, in digits of another set.
    await field(page, 'code').fill(
      ` ${code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')} `,
    );
    await expect(field(page, 'code')).toHaveValue(code);
    await goOn(page);
    await expect(page.locator('main').getByRole('alert')).toContainText(
      say('errors:refusals.UsernameTaken'),
    );
    await field(page, 'username').fill(username);
    await expect(field(page, 'password')).toHaveValue(chosen);
    await goOn(page);
    await expect(field(page, 'code')).toHaveValue(code);
    await goOn(page);
    await expect(page).toHaveURL(/\/home\/services/);
  });
  await test.step('the profile: the mobile number is proved, and the session is listed', async () => {
    await page.goto('/account/profile');
    await expect(page.getByText(say('accounts:contact.notVerified'))).toBeVisible();
    await expect(page.getByText(say('accounts:sessions.current'))).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole('button', {
        name: new RegExp(
          `^${say('accounts:contact.change')} ?: ${say('users:profile.phoneNumber')}$`,
        ),
      })
      .click();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await field(page, 'code').fill(await readCode(page, '+971501234567'));
    await field(page, 'password').fill(chosen);
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expect(page.getByText(say('accounts:contact.notVerified'))).toHaveCount(0);
    await page.getByRole('button', { name: say('accounts:sessions.endAll') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('accounts:sessions.endAll') })
      .click();
    await expect(page).toHaveURL(/\/account\/login$/);
  });
  expect(problems).toEqual([]);
});

test('a company registers in English, changes the language on the way, and its first user manages it', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  await page.goto('/account/register?type=company');
  await goOn(page);
  await expect(page.locator('main').getByRole('alert')).toContainText(
    wordsOf('en-US')('accounts:register.oneName'),
  );
  await field(page, 'company.nameEn').fill('Journey Palm Trading LLC');
  await field(page, 'company.licenceNumber').fill(`CN-${unique()}`);
  await field(page, 'fullName').fill('Khalid Test');
  await goOn(page);
  const email = `khalid.${unique()}@mail.example`;
  await field(page, 'email').fill(email);
  await field(page, 'phoneNumber').fill('0507654321');
  await goOn(page);
  await field(page, 'username').fill(`khalid.${unique()}`);
  await field(page, 'password').fill(chosen);
  await field(page, 'confirmPassword').fill(chosen);
  await goOn(page);
  await field(page, 'code').fill(await readCode(page, email));
  await page.locator('header').getByRole('button', { name: 'English' }).click();
  await page
    .getByRole('menuitemradio', { name: 'العربية' })
    .or(page.getByRole('menuitem', { name: 'العربية' }))
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    wordsOf('ar-EG')('accounts:register.title'),
  );
  await expect(field(page, 'code')).not.toHaveValue('');
  await goOn(page);
  await expect(page).toHaveURL(/\/home\/services/);
  await page.goto('/account/profile');
  await expect(page.getByText('Journey Palm Trading LLC')).toBeVisible();
  expect(problems).toEqual([]);
});

/** An account of this journey's own, so that others keep theirs. */
async function openAccount(page: Page, username: string): Promise<void> {
  const email = `${username}@mail.example`;
  await page.request.post('/api/User/SendVerificationCode', {
    data: { channel: 'email', address: email, purpose: 'register' },
  });
  const verification = { channel: 'email', code: await readCode(page, email) };
  const answer = await page.request.post('/api/User/CreateUser', {
    data: {
      username,
      password: firstPassword,
      confirmPassword: firstPassword,
      fullName: 'Imran Test',
      email,
      phoneNumber: '0509998877',
      verification,
    },
  });
  expect(answer.status()).toBe(200);
}

test('a forgotten password is replaced in Urdu; the old one opens nothing more', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, urdu);
  const say = wordsOf('ur-PK');
  const username = `imran.${unique()}`;
  await openAccount(page, username);
  await page.goto('/account/login');
  await page.getByRole('link', { name: say('users:login.forgotten') }).click();
  await field(page, 'account').fill(username);
  await goOn(page);
  await field(page, 'newPassword').fill(chosen);
  await field(page, 'confirmNewPassword').fill(`${chosen}x`);
  await field(page, 'code').fill('123456');
  await goOn(page);
  await expect(page.locator('main').getByRole('alert')).toContainText(
    say('errors:validation.NewPasswordAndConfirmNewPasswordDoNotMatch'),
  );
  await expectAccessible(page);
  await field(page, 'confirmNewPassword').fill(chosen);
  // The newest message is the one with this code: the one before it was for the registration.
  await expect(async () => {
    await field(page, 'code').fill(await readCode(page, username));
    await goOn(page);
    await expect(page).toHaveURL(/\/account\/login$/, { timeout: 2000 });
  }).toPass();
  const signIn = async (password: string) => {
    await field(page, 'username').fill(username);
    await field(page, 'password').fill(password);
    await goOn(page);
  };
  await signIn(firstPassword);
  await expect(
    page.getByText(say('errors:refusals.WrongUsernameOrPassword')).first(),
  ).toBeVisible();
  await signIn(chosen);
  await expect(page).not.toHaveURL(/\/account\/login$/);
  expect(problems).toEqual([]);
});

test('UAE PASS leads to the password of an account that names the same Emirates ID', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[0]);
  const say = wordsOf('ar-EG');
  // What the server says is tested beside it; here is what the browser makes of it.
  await page.route('**/api/User/UeaPassInegration**', (route) =>
    route.fulfill({ status: 400, json: { error: 'LinkConfirmationRequired', message: 'x' } }),
  );
  await page.goto('/?code=x&state=y');
  await expect(page).toHaveURL(/\/account\/link$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('accounts:link.title'));
  await expectAccessible(page);
  await field(page, 'username').fill('individual');
  await field(page, 'password').fill(demoPassword);
  await goOn(page);
  // Without a real way back from UAE PASS in this browser there is nothing to link.
  await expect(page.getByText(say('accounts:link.over')).first()).toBeVisible();
  expect(problems).toEqual([]);
});
