import type { Page } from '@playwright/test';
import type { Answers } from '@diwan/contract/forms/forms';
import { logout } from '@diwan/contract/people/users';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import type { Language } from '@diwan/contract/wire/languages';
import { smallPdf } from '../api/src/testing/requests/demo-request.ts';
import { call, findService, discardDrafts, sendRequest, storeSession } from './api.ts';
import { fillStep, readService } from './fill-form.ts';
import { expect, test } from './journey.ts';
import { journeysPaymentsPort, journeysPort } from './server.ts';
import { openBrowser, screens, waitUntilIdle, signIn, switchLanguage, textsOf } from './steps.ts';

const field = (page: Page, name: string) => page.locator(`[data-focus-id~="answers.${name}"]`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const continueForm = (page: Page, language: Language) =>
  page.getByRole('button', { name: textsOf(language)('forms:continue'), exact: true }).click();

/** The texts that describe a field: its hint and its error. */
async function expectErrorText(page: Page, name: string, message: string): Promise<void> {
  await expect
    .poll(
      () =>
        field(page, name).evaluate((control) => {
          const ids =
            control.closest('[aria-describedby]')?.getAttribute('aria-describedby')?.split(' ') ??
            [];
          return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
        }),
      { message: name },
    )
    .toContain(message);
}

async function choose(
  page: Page,
  document: string,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.locator(`[data-focus-id~="attachments.${document}"]`).click();
  await (await choosing).setFiles(file);
}

/**
 * Goes from the first step of the renewal of a trade name, whose applicant is known from the session,
 * to its documents.
 */
async function goToDocuments(page: Page, language: Language, tradeName: string): Promise<void> {
  const service = await readService(page, 'trade-name-renewal', language);
  const answers: Answers = {};
  await expect(field(page, 'applicantName')).not.toHaveValue('');
  await continueForm(page, language);
  await fillStep(page, service, 1, { answers, language });
  await field(page, 'nameInArabic').fill(tradeName);
  await continueForm(page, language);
  await fillStep(page, service, 2, { answers, language });
  await continueForm(page, language);
  await expect(heading(page)).toContainText(textsOf(language)('forms:documents.title'));
}

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

// A draft belongs to one user, so these users send nothing else.
const [person, company] = ['typist', 'company2'];

test(`a form names each problem at its field and loses no input ${where}`, async ({ browser }) => {
  const service = await findService('renew-vehicle-ownership', language);
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, person);
  await discardDrafts(person, 'renew-vehicle-ownership');
  await page.goto('/requests/Create/renew-vehicle-ownership#applicant');

  const wrong = {
    applicantName: ['   ', 'whitespace'],
    applicantMobile: ['12345', 'mobile'],
    applicantEmail: ['nobody@', 'email'],
    applicantEmiratesId: ['784-1990-1234567-0', 'emiratesId'],
  } as const;
  await test.step('invalid, and the same in another language without a reload', async () => {
    for (const [name, [text]] of Object.entries(wrong)) await field(page, name).fill(text);
    await continueForm(page, language);
    for (const [name, [, code]] of Object.entries(wrong))
      await expectErrorText(page, name, t(`errors:validation.${code}`));
    await expect(page.locator('form [role=alert]')).toBeFocused();
    await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
    const other = 'ur-PK';
    await switchLanguage(page, language, other);
    await expect(heading(page)).toContainText(service.form.steps[0]?.title[other] ?? '');
    for (const [name, [text, code]] of Object.entries(wrong)) {
      await expectErrorText(page, name, textsOf(other)(`errors:validation.${code}`));
      await expect(field(page, name)).toHaveValue(text);
    }
    await switchLanguage(page, other, language);
    expect(await page.evaluate(() => (window as { marker?: string }).marker)).toBe('still here');
  });

  await test.step('a reload restores the input; valid answers lead on', async () => {
    await page.reload();
    await expect(field(page, 'applicantMobile')).toHaveValue('12345');
    const right = {
      applicantName: 'سارة Smith',
      applicantMobile: '٠٥٠ ١٢٣ ٤٥٦٧',
      applicantEmail: 'sara@example.com',
      applicantEmiratesId: '784-1990-1234567-6',
    };
    for (const [name, text] of Object.entries(right)) await field(page, name).fill(text);
    await continueForm(page, language);
    await expect(heading(page)).toContainText(service.form.steps[1]?.title[language] ?? '');
  });
  expect(problems).toEqual([]);
});

test(`a lost connection and a lost session lose no document and no input ${where}`, async ({
  browser,
}) => {
  const document = 'identityDocument';
  const { page, context, problems } = await openBrowser(browser, screen);
  await storeSession(page, company);
  await discardDrafts(company, 'trade-name-renewal');
  await page.goto('/requests/Create/trade-name-renewal#applicant');
  await goToDocuments(page, language, 'مخبز النخلة');
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.locator('bdi', { hasText: name }) });
  /** The beginning of a text up to its first placeholder. */
  const startOf = (key: string) => t(key, { size: '|', share: '|' }).split('|')[0] ?? '';

  await test.step('offline, then interrupted in the middle: the upload resumes automatically', async () => {
    await page.route('**/storage/*comp=block&*', (route) => route.abort('connectionreset'), {
      times: 1,
    });
    await context.setOffline(true);
    await expect(page.getByText(t('shell:offline'))).toBeVisible();
    await choose(page, document, {
      name: 'paper.pdf',
      mimeType: 'application/pdf',
      buffer: smallPdf,
    });
    await expect(row('paper.pdf')).toContainText(startOf('attachments:row.waiting'));
    await context.setOffline(false);
    await expect(page.getByText(t('shell:offline'))).toHaveCount(0);
    await expect(row('paper.pdf')).toContainText(startOf('shell:kit.fileDone'));
  });

  await test.step('a reload restores the document', async () => {
    await page.reload();
    await expect(row('paper.pdf')).toContainText(startOf('shell:kit.fileDone'));
  });

  await test.step('a session that the server ended: sign in and continue', async () => {
    await row('paper.pdf').getByRole('button').click();
    await waitUntilIdle(page);
    await call(logout, {
      token: await page.evaluate(() => sessionStorage.getItem('token') ?? ''),
    });
    await choose(page, document, {
      name: 'newer.pdf',
      mimeType: 'application/pdf',
      buffer: smallPdf,
    });
    await expect(page).toHaveURL(/\/account\/login$/);
    await expect(
      page.locator('[data-toasts]').getByText(t('errors:refusals.YouHaveToLoginFirst')),
    ).toBeVisible();
    await signIn(page, language, company);
    await expect(page).toHaveURL(/\/requests\/Create\/trade-name-renewal#documents$/);
    await choose(page, document, {
      name: 'newer.pdf',
      mimeType: 'application/pdf',
      buffer: smallPdf,
    });
    await expect(row('newer.pdf')).toContainText(startOf('shell:kit.fileDone'));
  });

  await test.step('a session that the window lost: sign in, and the input is restored', async () => {
    await page.evaluate(() => sessionStorage.removeItem('token'));
    await page.reload();
    // The button moves while the page loads.
    await waitUntilIdle(page);
    await page.getByRole('button', { name: t('forms:intro.start'), exact: true }).click();
    await expect(page).toHaveURL(/\/account\/login$/);
    await signIn(page, language, company);
    await expect(page).toHaveURL(/#documents$/);
    await continueForm(page, language);
    await expect(heading(page)).toContainText(t('forms:review.title'));
    await expect(page.getByText('مخبز النخلة')).toBeVisible();
    await expect(page.locator('bdi', { hasText: 'newer.pdf' })).toBeVisible();
  });
  expect(problems).toEqual([]);
});

test(`a payment is declined, cancelled and made from the list ${where}`, async ({ browser }) => {
  const { requestNumber: number } = await sendRequest(company, 'trade-name-renewal');
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, company);
  const payFromList = async (result: 'declined' | 'cancelled' | 'paid') => {
    await page.goto('/requests');
    await page.getByRole('listitem').filter({ hasText: number }).getByRole('link').click();
    await page.getByRole('button', { name: t('requests:record.pay').trim() }).click();
    await page.waitForURL(new RegExp(`:${journeysPaymentsPort}/pay/`));
    await page.locator(`button[value=${result}]`).click();
    await page.waitForURL(new RegExp(`:${journeysPort}/payment-status`));
  };
  for (const result of ['declined', 'cancelled'] as const) {
    await payFromList(result);
    await expect(heading(page)).toHaveText(t('payments:failure.title'));
  }
  await payFromList('paid');
  await expect(page).toHaveURL(/\/payment-status\?result=success/);
  expect((await call(checkRequestIsPaid, { query: { RequestNumber: number } })).body.isPaid).toBe(
    true,
  );
  // Nothing is due on the page where it was paid.
  await page.goto(`/requests/request-details?request-number=${number}`);
  await expect(
    page.getByText(new RegExp(t('requests:money.isPaid', { amount: '.+' }))),
  ).toBeVisible();
  await expect(page.getByText(t('requests:record.payHint'))).toHaveCount(0);
  expect(problems).toEqual([]);
});
