import { getCompanyUsers } from '@diwan/contract/people/company-users';
import { call, newToken, plantSession, sandboxUrl } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, wordsOf } from './steps.ts';

for (const [index, screen] of screens.entries()) {
  const { language } = screen;
  const say = wordsOf(language);
  const manager = index === 0 ? 'company' : 'company2';

  test(`a company invites somebody, who joins; once removed their next call is refused (${language}, ${screen.width} px)`, async ({
    browser,
  }) => {
    const email = `invited-${language.slice(0, 2)}-${Date.now()}x@example.com`;
    const { page, problems } = await openBrowser(browser, screen);
    await plantSession(page, manager);
    let link = '';

    await test.step('the manager invites; a wrong address is said beside the field', async () => {
      await page.goto('/companies/users');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('companies:title'));
      await expectAccessible(page);
      await page.getByRole('button', { name: say('companies:invite.open'), exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say('companies:invite.email')).fill('not an address');
      await dialog.getByRole('button', { name: say('companies:invite.send') }).click();
      await expect(dialog.getByText(say('errors:validation.email'))).toBeVisible();
      await expectAccessible(page);
      await dialog.getByLabel(say('companies:invite.email')).fill(email);
      await dialog.getByRole('button', { name: say('companies:invite.send') }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(email)).toBeVisible();
      await expect(page.getByText(say('companies:invitations.open'))).toBeVisible();
      const messages = await (await page.request.get(`${sandboxUrl}/messages`)).text();
      const own = messages.slice(messages.indexOf(email));
      link = /companies\/join#[\w-]+/.exec(own)?.[0] ?? '';
      expect(link).not.toBe('');
    });

    const invited = await openBrowser(browser, screen);
    await test.step('the invited person makes an account and is in', async () => {
      await invited.page.goto(`/${link}`);
      await expect(invited.page.getByText(email)).toBeVisible();
      await expectAccessible(invited.page);
      await invited.page
        .getByRole('button', { name: say('companies:join.new'), exact: true })
        .click();
      await invited.page.getByRole('button', { name: say('companies:join.create') }).click();
      await expect(invited.page.getByRole('alert').first()).toBeVisible();
      await expectAccessible(invited.page);
      const fill = (name: string, value: string) =>
        invited.page.getByLabel(say(`companies:join.${name}`), { exact: true }).fill(value);
      await fill('fullName', 'Journey Person');
      await fill('phoneNumber', '٠٥٠١٢٣٤٥٦٧');
      await fill('username', `journey-${language.slice(0, 2)}-${Date.now() % 1_000_000}`);
      await fill('newPassword', 'Green-harbours-7!');
      await fill('confirmNewPassword', 'Green-harbours-7!');
      await invited.page.getByRole('button', { name: say('companies:join.create') }).click();
      await expect(invited.page).toHaveURL(/\/companies\/users$/);
      await expect(invited.page.getByText(say('companies:onlyManagers'))).toBeVisible();
      await expect(
        invited.page.getByRole('button', { name: say('companies:invite.open'), exact: true }),
      ).toHaveCount(0);
      await expectAccessible(invited.page);
    });

    await test.step('the link is spent', async () => {
      const other = await openBrowser(browser, screen);
      await other.page.goto(`/${link}`);
      await expect(other.page.getByText(say('companies:join.goneTitle'))).toBeVisible();
      await expectAccessible(other.page);
      await other.context.close();
    });

    await test.step('removed, their next step leads home and the server refuses them', async () => {
      const token = await invited.page.evaluate(() => sessionStorage.getItem('token') ?? '');
      expect((await call(getCompanyUsers, { token })).status).toBe(200);
      await page.reload();
      await page
        .getByRole('button', { name: `${say('companies:actions.remove')}: Journey Person` })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('companies:confirm.remove.send') })
        .click();
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(page.getByText(email)).toHaveCount(0);
      expect((await call(getCompanyUsers, { token })).refused.error).toBe('YouAreUnauthorized');
      await invited.page.reload();
      await expect(invited.page).toHaveURL(/\/home$/);
    });

    await test.step('the last manager stays', async () => {
      const own = (await call(getCompanyUsers, { token: await newToken(manager) })).body.users.find(
        ({ isMe }) => isMe,
      )!;
      await page
        .getByRole('button', { name: `${say('companies:actions.endManager')}: ${own.fullName}` })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('companies:confirm.endManager.send') })
        .click();
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
        say('errors:refusals.CompanyNeedsManager'),
      );
    });
    expect([problems, invited.problems]).toEqual([[], []]);
  });
}
