import { closeService, getServiceClosures, openService } from '@diwan/contract/catalogue/closures';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { timeInDubai } from '@diwan/contract/wire/days';
import { call, discardDrafts, findService, newToken, storeSession } from './api.ts';
import { fillForm, readService } from './fill-form.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, textsOf } from './steps.ts';

// A service of this journey only: others send requests while it is closed.
const serviceName = 'register-labor-complaint-domestic-workers';
const username = 'individual2';
const reason = { 'ar-EG': 'صيانة الأنظمة.', 'en-US': 'Maintenance.', 'ur-PK': 'نظام کی مرمت۔' };
const at = (hours: number) => timeInDubai(new Date(Date.now() + hours * 3_600_000));

/** Opens the service, whether it is closed or not. */
async function open(serviceId: number): Promise<void> {
  const token = await newToken('admin');
  const { body } = await call(getServiceClosures, { token });
  const closed = body.find((each) => each.serviceId === serviceId);
  if (closed) await call(openService, { token, body: { serviceId, version: closed.version } });
}

async function close(serviceId: number): Promise<void> {
  const { status } = await call(closeService, {
    token: await newToken('admin'),
    body: { serviceId, reason, from: at(-1), until: at(48) },
  });
  expect(status).toBe(200);
}

test('a service closes between filling in and sending: nothing is lost, and it is sent when it opens (ar-EG, 390 px)', async ({
  browser,
}) => {
  const t = textsOf('ar-EG');
  const service = await findService(serviceName, 'ar-EG');
  await open(service.id);
  await discardDrafts(username, serviceName);
  const { page, problems } = await openBrowser(browser, {
    language: 'ar-EG',
    width: 390,
    height: 844,
  });
  await storeSession(page, username);
  await page.goto(`/requests/Create/${serviceName}#start`);
  await fillForm(page, await readService(page, serviceName, 'ar-EG'), 'ar-EG');
  const agreed = page.getByRole('checkbox', { name: t('forms:review.agree') });
  const send = page.getByRole('button', { name: t('forms:review.send'), exact: true });
  const closed = page.getByRole('button', { name: t('forms:closed.start') });
  const note = page.locator('[data-focus-id=ServiceClosed]');
  await agreed.check();

  try {
    await test.step('sending is refused, and the page says why and until when', async () => {
      await close(service.id);
      await send.click();
      await expect(note).toBeFocused();
      await expect(note).toContainText(reason['ar-EG']);
      await expect(closed).toBeDisabled();
      await expectAccessible(page);
    });

    await test.step('lists say so; the draft opens with everything, and is changed', async () => {
      await page.goto('/home/services/individuals');
      const goOn = t('drafts:list.goOn');
      const begun = page.getByRole('region', { name: t('requests:own.drafts') });
      const row = begun.getByRole('listitem').filter({ hasText: service.name });
      await expect(row).toContainText(t('drafts:list.closedUntil').split('{{')[0]!);
      await expect(row).not.toContainText(goOn);
      await page.goto('/requests');
      const draft = page
        .getByRole('region', { name: t('drafts:list.title') })
        .getByRole('listitem')
        .filter({ hasText: service.name });
      await expect(draft).toContainText(reason['ar-EG']);
      await expect(draft).not.toContainText(goOn);
      await expectAccessible(page);
      await draft.getByRole('link').click();
      await expect(page).toHaveURL(/#review$/);
      await expect(note).toContainText(reason['ar-EG']);
      await page.goto(`/requests/Create/${serviceName}`);
      await page.getByRole('button', { name: t('forms:closed.continue') }).click();
      await expect(page).toHaveURL(/#review$/);
      await page.goto(`/requests/Create/${serviceName}#${service.form.steps[0]?.name ?? ''}`);
      await expect(note).toContainText(reason['ar-EG']);
      await page.locator('[data-focus-id~="answers.applicantName"]').fill('مريم الشامسي');
      await expect(page.locator('[data-saving]')).toHaveAttribute('data-saving', 'saved');
      await page.goto(`/requests/Create/${serviceName}#review`);
      await expect(page.getByText('مريم الشامسي')).toBeVisible();
      await expect(closed).toBeDisabled();
    });
  } finally {
    await open(service.id);
  }

  // The open page reads the service again; nobody reloads it.
  await expect(send).toBeEnabled({ timeout: 40_000 });
  await expect(note).toHaveCount(0);
  await agreed.check();
  await send.click();
  await expect(page).toHaveURL(/accepted-request/);
  const left = await call(getDrafts, { token: await newToken(username) });
  expect(left.body.filter((draft) => draft.replacedName === serviceName)).toEqual([]);
  expect(problems).toEqual([]);
});
