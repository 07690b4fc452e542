import { paidService } from '../../api/src/testing/requests/request-stage.ts';
import { sandboxUrl, sendRequest, storeSession } from '../api.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, password, screens, textsOf } from '../steps.ts';

const [phone, desk] = screens;
const details = (number: string) => `/requests/request-details?request-number=${number}`;
const why = 'The hospital needs the blood group of the driver now';

test('an employee reads a request of another agency urgently, all learn of it, and a second person reviews it', async ({
  browser,
}) => {
  const t = textsOf(desk.language);
  const ar = textsOf(phone.language);
  // Of the Roads and Transport Authority; the employee is of the Ministry of Interior.
  const { requestNumber } = await sendRequest('individual', paidService);
  const reader = await openBrowser(browser, desk);
  await storeSession(reader.page, 'employee-urgent');

  await test.step('the employee finds nothing without the right, and opens it with the reason', async () => {
    const { page } = reader;
    await page.goto('/requests/all');
    await page.getByRole('link', { name: t('urgent:page.link'), exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('urgent:title'));
    await page.getByRole('textbox', { name: t('urgent:page.number') }).fill(requestNumber);
    await page
      .getByRole('radio', { name: t('urgent:reasons.danger'), exact: true })
      .check({ force: true });
    await page.getByRole('textbox', { name: t('urgent:page.words') }).fill(why);
    await page.locator('input[type=password]').fill(password);
    await expectAccessible(page);
    await page.getByRole('button', { name: t('urgent:page.open'), exact: true }).click();
    await expect(page.getByText(t('urgent:page.confirmRequired')).first()).toBeVisible();
    await page.getByRole('checkbox', { name: t('urgent:page.confirm') }).check({ force: true });
    await page.getByRole('button', { name: t('urgent:page.open'), exact: true }).click();
    await expect(page).toHaveURL(/\/requests\/request-details/);
    await expect(page.getByText(t('urgent:page.banner'))).toBeVisible();
    await expect(
      page.getByRole('button', { name: t('requests:actions.receive'), exact: true }),
    ).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('the applicant is notified, and reads who looked and why (ar-EG on a phone)', async () => {
    const applicant = await openBrowser(browser, phone);
    await storeSession(applicant.page, 'individual');
    await applicant.page.goto('/account/notifications');
    const notice = applicant.page
      .getByRole('listitem')
      .filter({ hasText: ar('notifications:kinds.openedUrgently') })
      .filter({ hasText: requestNumber });
    await expect(notice).toBeVisible();
    await expectAccessible(applicant.page);
    await applicant.page.goto(details(requestNumber));
    await applicant.page.getByText(ar('acting:reads.title'), { exact: true }).click();
    const entry = applicant.page.getByRole('listitem').filter({ hasText: why });
    await expect(entry).toContainText(ar('acting:reasons.urgent'));
    await expectAccessible(applicant.page);
    expect(applicant.problems).toEqual([]);
  });

  await test.step('the administrators of the agency and of the portal get mail', async () => {
    const subject = textsOf('en-US')('urgent:mail.subject', { number: requestNumber });
    for (const address of ['agency-rta@example.com', 'admin@example.com', 'individual@example.com'])
      await expect
        .poll(
          async () => {
            const messages = await (await fetch(`${sandboxUrl}/messages`)).text();
            return messages
              .split(address)
              .slice(1)
              .some((message) => message.slice(0, 2000).includes(requestNumber));
          },
          { message: `${address}: ${subject}` },
        )
        .toBe(true);
  });

  await test.step('the administrator of the agency reviews it', async () => {
    const admin = await openBrowser(browser, desk);
    await storeSession(admin.page, 'agency-rta');
    await admin.page.goto('/dashboard/reading');
    const row = admin.page.getByRole('row').filter({ hasText: requestNumber });
    await expect(row).toContainText(why);
    await row.getByRole('button', { name: t('urgent:list.review'), exact: true }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog
      .getByRole('radio', { name: t('urgent:list.findings.justified'), exact: true })
      .check({ force: true });
    await dialog.getByRole('textbox').fill('The hospital confirmed the accident by phone');
    await expectAccessible(admin.page);
    await dialog.getByRole('button', { name: t('urgent:review.send'), exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(row).toContainText(t('urgent:list.findings.justified'));
    await expect(row.getByRole('button')).toHaveCount(0);
    expect(admin.problems).toEqual([]);
  });
  expect(reader.problems).toEqual([]);
});
