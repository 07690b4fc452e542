import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { smallPdf } from '../api/src/testing/requests/demo-request.ts';
import { storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { journeysSandboxPort } from './server.ts';
import { expectAccessible, openBrowser, screens, textsOf } from './steps.ts';

const [phone, desk] = screens;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** A user who is new to the portal, by UAE PASS. */
async function signInAs(page: Page, language: Language, persona: string): Promise<void> {
  await page
    .getByRole('link', { name: textsOf(language)('users:identity.signIn'), exact: true })
    .click();
  await expect(page).toHaveURL(new RegExp(`:${journeysSandboxPort}/idshub/authorize`));
  await page.locator(`input[name=persona][value=${persona}]`).check({ force: true });
  await page.locator('button[name=decision][value=approve]').click();
}

async function uploadPartnerDocument(page: Page, name: string, fileName: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.locator(`[data-focus-id~="documents.${name}"]`).click();
  await (
    await choosing
  ).setFiles({ name: fileName, mimeType: 'application/pdf', buffer: smallPdf });
  await expect(page.getByText(fileName).first()).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
}

async function decide(
  page: Page,
  language: Language,
  action: string,
  reason?: string,
): Promise<void> {
  const t = textsOf(language);
  await page
    .getByRole('button', { name: t(`partners:decide.${action}.open`), exact: true })
    .click();
  const dialog = page.getByRole('dialog');
  if (reason) {
    await dialog.getByText(reason, { exact: true }).click();
  }
  await dialog
    .getByRole('button', { name: t(`partners:decide.${action}.send`), exact: true })
    .click();
  await expect(dialog).toBeHidden();
}

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diwan-provider-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a provider registers, is asked again, corrects the registration, is accepted and works (ar-EG on a phone, the admin in en-US)', async ({
  browser,
}) => {
  test.setTimeout(150_000);
  const { language } = phone;
  const t = textsOf(language);
  const name = `مركز الرحلة ${Date.now() % 100_000}`;
  const { page, problems } = await openBrowser(browser, phone);
  const admin = await openBrowser(browser, desk);
  await storeSession(admin.page, 'admin');

  await test.step('registers', async () => {
    await page.goto('/partner/register');
    await expect(heading(page)).toHaveText(t('partners:register.title'));
    await expectAccessible(page);
    await page.getByRole('button', { name: t('partners:register.signIn'), exact: true }).click();
    await signInAs(page, language, 'imran');
    await expect(page).toHaveURL(/\/partner\/register$/);
    const fill = (field: string, value: string) =>
      page.locator(`[data-focus-id~="${field}"]`).fill(value);
    await fill('nameAr', name);
    await fill('nameEn', 'Journey Centre');
    await fill('licenceNumber', `J-${Date.now()}`);
    await page
      .getByRole('group', { name: t('partners:form.agencyIds') })
      .getByRole('checkbox')
      .first()
      .check({ force: true });
    await fill('contactName', 'عمران');
    await fill('contactEmail', 'journey-centre@example.com');
    await fill('contactPhone', '٠٥٠ ١٢٣ ٤٥٦٧');
    await uploadPartnerDocument(page, 'tradeLicence', 'licence.pdf');
    await uploadPartnerDocument(page, 'authorisationLetter', 'letter.pdf');
    await page.locator('[data-focus-id~="TermsNotAccepted"]').check({ force: true });
    await page.getByRole('button', { name: t('partners:register.send'), exact: true }).click();
    await expect(page).toHaveURL(/\/partner\/profile$/);
    await expect(page.getByText(t('partners:standing.registered.title'))).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('has no access elsewhere: other addresses redirect', async () => {
    for (const address of ['/reports', '/dashboard-supervisor', '/requests', '/account/profile']) {
      await page.goto(address);
      await expect(page).toHaveURL(/\/partner\/profile$/);
    }
  });

  const english = textsOf(desk.language);
  await test.step('the admin verifies and asks again', async () => {
    await admin.page.goto('/dashboard/partners?state=registered');
    await expectAccessible(admin.page);
    await admin.page.getByRole('link', { name: 'Journey Centre', exact: true }).first().click();
    await expect(heading(admin.page)).toContainText('Journey Centre');
    await expectAccessible(admin.page);
    await decide(admin.page, desk.language, 'verify');
    await decide(
      admin.page,
      desk.language,
      'askAgain',
      'The authorisation letter is not signed or stamped',
    );
    await expect(admin.page.getByText(english('partners:story.askAgain'))).toBeVisible();
  });

  await test.step('the provider sees the reason and corrects it', async () => {
    await page.reload();
    await expect(page.getByText('خطاب التفويض غير موقّع أو غير مختوم').first()).toBeVisible();
    await expectAccessible(page);
    await expect(page.locator('[data-focus-id~="nameAr"]')).toHaveValue(name);
    await expect(page.locator('[data-focus-id~="documents.authorisationLetter"]')).toBeVisible();
    const session = await page.context().newCDPSession(page);
    const network = (uploadThroughput: number) =>
      session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    const arrived: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('comp=block&') && response.status() === 201)
        arrived.push(response.url());
    });
    page.on('dialog', (dialog) => void dialog.accept());
    const letter = join(folder, 'signed-letter.pdf');
    writeFileSync(
      letter,
      Buffer.concat([
        smallPdf.subarray(0, 9),
        Buffer.alloc(3 * 1024 * 1024, '%signed\n'),
        Buffer.from('\n'),
        smallPdf.subarray(9),
      ]),
    );
    const choose = async () => {
      const choosing = page.waitForEvent('filechooser');
      await page.locator('[data-focus-id~="documents.authorisationLetter"]').click();
      await (await choosing).setFiles(letter);
    };
    const row = page.locator('li[data-state]').filter({ hasText: 'signed-letter.pdf' });
    await network(1_000_000);
    await choose();
    await expect.poll(() => arrived.length).toBeGreaterThan(0);
    await page.reload();
    await expect(row).toContainText(t('attachments:row.unfinished'));
    const before = arrived.length;
    await network(-1);
    await choose();
    await expect(row).toHaveAttribute('data-state', 'done');
    // At most the block that the reload interrupted is sent again.
    expect(arrived.length - before).toBeLessThanOrEqual(4 - before + 1);
    await page.getByRole('button', { name: t('partners:correct.send'), exact: true }).click();
    await expect(page.getByText(t('partners:standing.verifying.title'))).toBeVisible();
  });

  await test.step('accepted, it works without signing in again', async () => {
    await admin.page.reload();
    await expect(admin.page.getByText('signed-letter.pdf')).toBeVisible();
    const saved = admin.page.waitForEvent('download');
    await admin.page.getByRole('button', { name: /signed-letter\.pdf/ }).click();
    expect((await saved).suggestedFilename()).toBe('signed-letter.pdf');
    await decide(admin.page, desk.language, 'accept');
    await expect(admin.page.getByText(english('partners:states.active')).first()).toBeVisible();
    await page.reload();
    await expect(page.getByText(t('partners:agencies.title'))).toBeVisible();
    await page.goto('/dashboard-supervisor');
    await expect(heading(page)).toHaveText(t('dashboards:supervisor.title'));
  });
  expect([problems, admin.problems]).toEqual([[], []]);
});

test('a suspended provider signs in, sees the reason, and is reactivated (ur-PK)', async ({
  browser,
}) => {
  const t = textsOf('ur-PK');
  const { page, problems } = await openBrowser(browser, { ...desk, language: 'ur-PK' });
  await storeSession(page, 'provider-suspended');
  await page.goto('/partner/profile');
  await expect(page.getByText(t('partners:standing.suspended.title'))).toBeVisible();
  await expect(page.getByText('تجارتی لائسنس کی مدت ختم ہو چکی ہے').first()).toBeVisible();
  await expect(
    page
      .getByRole('banner')
      .getByRole('link', { name: t('shell:navigation.reports'), exact: true }),
  ).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/reports');
  await expect(page).toHaveURL(/\/partner\/profile$/);

  const admin = await openBrowser(browser, desk);
  await storeSession(admin.page, 'admin');
  await admin.page.goto('/dashboard/service-providers?q=provider-suspended');
  await admin.page
    .getByRole('link', { name: 'Demo Property Services Centre', exact: true })
    .first()
    .click();
  await decide(admin.page, desk.language, 'reactivate');
  await page.reload();
  await expect(page.getByText(t('partners:services.title'))).toBeVisible();
  // During its work, and without an event to its browser.
  await decide(admin.page, desk.language, 'suspend', 'The trade licence has expired');
  await page.goto('/reports');
  await expect(page).toHaveURL(/\/partner\/profile$/);
  await expect(page.getByText(t('partners:standing.suspended.title'))).toBeVisible();
  // The browser logs a refused hub connection; that is not a problem of the page.
  expect(
    [...problems, ...admin.problems].filter(
      (problem) => !/^WebSocket connection .* Unexpected response code: 403$/.test(problem),
    ),
  ).toEqual([]);
});
