import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { journeysSandboxPort } from './server.ts';
import { expectAccessible, openBrowser, screens, textsOf } from './steps.ts';

const newPassword = 'Quiet-Lanterns-7042!';
const firstPassword = 'Paper-Harbours-3186!';
const urdu = { language: 'ur-PK', width: 390, height: 844 } as const;

/** The code in the newest message to an address, as the sandbox shows it to the recipient. */
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
const continueForm = (page: Page) => page.locator('main form button[type=submit]').click();
const unique = () => Math.random().toString(36).slice(2, 10);

test('an individual registers in Arabic on a phone, and the profile verifies the phone too', async ({
  browser,
}) => {
  const { page, problems } = await openBrowser(browser, screens[0]);
  const t = textsOf('ar-EG');
  const [username, email] = [`noura.${unique()}`, `noura.${unique()}@mail.example`];
  await page.goto('/account/login');
  await page.getByRole('link', { name: t('users:login.register') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('accounts:register.title'));

  await test.step('who, contact and password', async () => {
    await field(page, 'fullName').fill('نورة سالم');
    await field(page, 'emiratesId').fill('٧٨٤١٩٩٠١٢٣٤٥٦٧٩');
    await continueForm(page);
    await field(page, 'email').fill(email);
    await field(page, 'phoneNumber').fill('٠٥٠١٢٣٤٥٦٧');
    await continueForm(page);
    await field(page, 'username').fill(username);
    await field(page, 'password').fill(newPassword);
    await field(page, 'confirmPassword').fill(newPassword);
    await continueForm(page);
  });
  await test.step('the code', async () => {
    const code = await readCode(page, email);
    // Pasted with the digits of another script.
    await field(page, 'code').fill(
      ` ${code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')} `,
    );
    await expect(field(page, 'code')).toHaveValue(code);
    await continueForm(page);
    await expect(page).toHaveURL(/\/home\/services/);
  });
  await test.step('the profile: the mobile number is verified, and the session is listed', async () => {
    await page.goto('/account/profile');
    await expect(page.getByText(t('accounts:contact.notVerified'))).toBeVisible();
    await expect(page.getByText(t('accounts:sessions.current'))).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole('button', {
        name: new RegExp(`^${t('accounts:contact.change')} ?: ${t('users:profile.phoneNumber')}$`),
      })
      .click();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await field(page, 'code').fill(await readCode(page, '+971501234567'));
    await field(page, 'password').fill(newPassword);
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expect(page.getByText(t('accounts:contact.notVerified'))).toHaveCount(0);
    await page.getByRole('button', { name: t('accounts:sessions.endAll') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('accounts:sessions.endAll') })
      .click();
    await expect(page).toHaveURL(/\/account\/login$/);
  });
  expect(problems).toEqual([]);
});

test('a company registers in English, and its first user is the manager', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, screens[1]);
  await page.goto('/account/register?type=company');
  await field(page, 'company.nameEn').fill('Journey Palm Trading LLC');
  await field(page, 'company.licenceNumber').fill(`CN-${unique()}`);
  await field(page, 'fullName').fill('Khalid Test');
  await continueForm(page);
  const email = `khalid.${unique()}@mail.example`;
  await field(page, 'email').fill(email);
  await field(page, 'phoneNumber').fill('0507654321');
  await continueForm(page);
  await field(page, 'username').fill(`khalid.${unique()}`);
  await field(page, 'password').fill(newPassword);
  await field(page, 'confirmPassword').fill(newPassword);
  await continueForm(page);
  await field(page, 'code').fill(await readCode(page, email));
  await continueForm(page);
  await expect(page).toHaveURL(/\/home\/services/);
  await page.goto('/account/profile');
  await expect(page.getByText('Journey Palm Trading LLC')).toBeVisible();
  expect(problems).toEqual([]);
});

/** An account for this journey only, because its password changes. */
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

test('a forgotten password is replaced in Urdu; the old one is refused', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, urdu);
  const t = textsOf('ur-PK');
  const username = `imran.${unique()}`;
  await openAccount(page, username);
  await page.goto('/account/login');
  await page.getByRole('link', { name: t('users:login.forgotten') }).click();
  await field(page, 'account').fill(username);
  await continueForm(page);
  await field(page, 'newPassword').fill(newPassword);
  await field(page, 'confirmNewPassword').fill(newPassword);
  // Selects the newest message with this code: the one before was for the registration.
  await expect(async () => {
    await field(page, 'code').fill(await readCode(page, username));
    await continueForm(page);
    await expect(page).toHaveURL(/\/account\/login$/, { timeout: 2000 });
  }).toPass();
  const signIn = async (password: string) => {
    await field(page, 'username').fill(username);
    await field(page, 'password').fill(password);
    await continueForm(page);
  };
  await signIn(firstPassword);
  await expect(page.getByText(t('errors:refusals.WrongUsernameOrPassword')).first()).toBeVisible();
  await signIn(newPassword);
  await expect(page).not.toHaveURL(/\/account\/login$/);
  expect(problems).toEqual([]);
});
