import { getCompanyUsers } from '@diwan/contract/people/companies';
import { call, newToken, storeSession, sandboxUrl } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, textsOf } from './steps.ts';

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);
const manager = 'company';

test(`a company invites a user, who joins; after removal their next call is refused (${language}, ${screen.width} px)`, async ({
  browser,
}) => {
  const email = `invited-${language.slice(0, 2)}-${Date.now()}x@example.com`;
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, manager);
  let link = '';

  await test.step('the manager invites; an invalid address is reported at the field', async () => {
    await page.goto('/companies/users');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('companies:title'));
    await expectAccessible(page);
    await page.getByRole('button', { name: t('companies:invite.open'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('companies:invite.email')).fill('not an address');
    await dialog.getByRole('button', { name: t('companies:invite.send') }).click();
    await expect(dialog.getByText(t('errors:validation.email'))).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel(t('companies:invite.email')).fill(email);
    await dialog.getByRole('button', { name: t('companies:invite.send') }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(email)).toBeVisible();
    await expect(page.getByText(t('companies:invitations.open'))).toBeVisible();
    const messages = await (await page.request.get(`${sandboxUrl}/messages`)).text();
    const own = messages.slice(messages.indexOf(email));
    link = /companies\/join#[\w-]+/.exec(own)?.[0] ?? '';
    expect(link).not.toBe('');
  });

  const invited = await openBrowser(browser, screen);
  await test.step('the invited user creates an account and has access', async () => {
    await invited.page.goto(`/${link}`);
    await expect(invited.page.getByText(email)).toBeVisible();
    await expectAccessible(invited.page);
    await invited.page
      .getByRole('button', { name: t('accounts:invitation.new'), exact: true })
      .click();
    await invited.page.getByRole('button', { name: t('companies:join.create') }).click();
    await expect(invited.page.getByRole('alert').first()).toBeVisible();
    await expectAccessible(invited.page);
    const fill = (name: string, value: string) =>
      invited.page.getByLabel(t(`accounts:register.${name}`), { exact: true }).fill(value);
    await fill('fullName', 'Journey Person');
    await fill('phoneNumber', '٠٥٠١٢٣٤٥٦٧');
    await fill('username', `journey-${language.slice(0, 2)}-${Date.now() % 1_000_000}`);
    await fill('password', 'Green-harbours-7!');
    await fill('confirmPassword', 'Green-harbours-7!');
    await invited.page.getByRole('button', { name: t('companies:join.create') }).click();
    await expect(invited.page).toHaveURL(/\/companies\/users$/);
    await expect(invited.page.getByText(t('companies:onlyManagers'))).toBeVisible();
    await expect(
      invited.page.getByRole('button', { name: t('companies:invite.open'), exact: true }),
    ).toHaveCount(0);
    await expectAccessible(invited.page);
  });

  await test.step('the link works once', async () => {
    const other = await openBrowser(browser, screen);
    await other.page.goto(`/${link}`);
    await expect(other.page.getByText(t('accounts:invitation.goneTitle'))).toBeVisible();
    await expectAccessible(other.page);
    await other.context.close();
  });

  await test.step('after removal the next page redirects to the home page and the server refuses', async () => {
    const token = await invited.page.evaluate(() => sessionStorage.getItem('token') ?? '');
    expect((await call(getCompanyUsers, { token })).status).toBe(200);
    await page.reload();
    await page
      .getByRole('button', { name: `${t('companies:actions.remove')}: Journey Person` })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('companies:confirm.remove.send') })
      .click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByText(email)).toHaveCount(0);
    expect((await call(getCompanyUsers, { token })).refused.error).toBe('YouAreUnauthorized');
    await invited.page.reload();
    await expect(invited.page).toHaveURL(/\/home$/);
  });

  await test.step('the last manager cannot be removed', async () => {
    const own = (
      await call(getCompanyUsers, { token: await newToken(manager), language })
    ).body.users.find(({ isMe }) => isMe)!;
    await page
      .getByRole('button', { name: `${t('companies:actions.endManager')}: ${own.fullName}` })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('companies:confirm.endManager.send') })
      .click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
      t('errors:refusals.CompanyNeedsManager'),
    );
  });
  expect([problems, invited.problems]).toEqual([[], []]);
});
