import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import { deleteService } from '@diwan/contract/catalogue/services';
import { logout } from '@diwan/contract/people/users';
import { smallPdf } from '../api/src/testing/requests/demo-request.ts';
import { call, findService, discardDrafts, newToken, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { journeysPort, journeysSandboxPort } from './server.ts';
import {
  fillForm,
  openBrowser,
  screens,
  waitUntilIdle,
  signIn,
  switchLanguage,
  textsOf,
} from './steps.ts';

const field = (page: Page, name: string) => page.locator(`[data-focus-id~="answers.${name}"]`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const continueForm = (page: Page, language: Language) =>
  page.getByRole('button', { name: textsOf(language)('forms:continue'), exact: true }).click();
const otherLanguage: Record<'ar-EG' | 'en-US', Language> = { 'ar-EG': 'ur-PK', 'en-US': 'ar-EG' };

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
 * Goes from the first step of the service for inquiries, whose applicant is known from the session,
 * to its documents.
 */
async function goToDocuments(page: Page, language: Language, question: string): Promise<void> {
  await expect(field(page, 'applicantName')).not.toHaveValue('');
  await continueForm(page, language);
  await page.getByRole('radio').first().check({ force: true });
  await field(page, 'question').fill(question);
  await continueForm(page, language);
  await expect(heading(page)).toContainText(textsOf(language)('forms:documents.title'));
}

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);
const where = `(${language}, ${screen.width} px)`;

// A draft belongs to one user, so each language uses users of its own.
const [person, company] = language === 'ar-EG' ? ['typist', 'company2'] : ['typist2', 'company'];

test(`a form names each problem at its field and loses no input ${where}`, async ({ browser }) => {
  const service = await findService('renew-vehicle-ownership', language);
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, person);
  await discardDrafts(person, 'renew-vehicle-ownership');
  await page.goto('/requests/Create/renew-vehicle-ownership#applicant');
  const names = ['applicantName', 'applicantMobile', 'applicantEmail', 'applicantEmiratesId'];

  await test.step('empty', async () => {
    await expect(field(page, 'applicantName')).not.toHaveValue('');
    for (const name of names) await field(page, name).fill('');
    await continueForm(page, language);
    for (const name of names) await expectErrorText(page, name, t('forms:required.answer'));
    await expect(page.locator('form [role=alert]')).toBeFocused();
  });

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
    const other = otherLanguage[language];
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

  await test.step('choices and patterns', async () => {
    await continueForm(page, language);
    for (const { name, kind, required } of service.form.steps[1]?.fields ?? []) {
      if (required)
        await expectErrorText(
          page,
          name,
          t(`forms:required.${['emirate', 'choice'].includes(kind) ? 'choose' : 'answer'}`),
        );
    }
    const patterned = (service.form.steps[1]?.fields ?? []).filter((each) => each.pattern);
    for (const { name } of patterned) await field(page, name).fill('?!');
    await continueForm(page, language);
    for (const { name, patternMessage } of patterned)
      await expectErrorText(
        page,
        name,
        patternMessage?.[language] ?? t('errors:validation.pattern'),
      );
  });
  expect(problems).toEqual([]);
});

test(`refused files are explained; a lost connection and a lost session lose no input ${where}`, async ({
  browser,
}) => {
  const document = 'supportingDocument';
  const { page, context, problems } = await openBrowser(browser, screen);
  const announced: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('CreateAttachment')) announced.push(request.url());
  });
  await storeSession(page, company);
  await discardDrafts(company, 'business-activity-inquiry');
  await page.goto('/requests/Create/business-activity-inquiry#applicant');
  await goToDocuments(page, language, 'Which activity fits a bakery?');
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.locator('bdi', { hasText: name }) });
  /** The beginning of a text up to its first placeholder. */
  const startOf = (key: string) =>
    t(key, { types: '|', size: '|', maximum: '|', share: '|' }).split('|')[0] ?? '';

  await test.step('refused before the transfer', async () => {
    await choose(page, document, {
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('notes'),
    });
    await expect(row('notes.txt')).toContainText(startOf('attachments:refused.wrongType'));
    await expect(row('notes.txt')).toContainText('PDF');
    await choose(page, document, {
      name: 'scan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.concat([smallPdf, Buffer.alloc(6 * 1024 * 1024, 32)]),
    });
    await expect(row('scan.pdf')).toContainText(startOf('attachments:refused.tooLarge'));
    await choose(page, document, {
      name: 'nothing.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(0),
    });
    await expect(row('nothing.pdf')).toContainText(t('attachments:refused.empty'));
    expect(announced).toEqual([]);
  });

  await test.step('a program under another file name is refused after the transfer', async () => {
    await choose(page, document, {
      name: 'invoice.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.concat([Buffer.from('MZ\u0090\u0000'), Buffer.alloc(2000, 7)]),
    });
    await expect(row('invoice.pdf')).toContainText(t('errors:refusals.AttachmentTypeNotAccepted'));
    expect(announced).toHaveLength(1);
  });

  await test.step('offline, then interrupted in the middle: the upload resumes by itself', async () => {
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
    await expect(page).toHaveURL(/\/requests\/Create\/business-activity-inquiry#documents$/);
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
    await page.getByRole('button', { name: t('forms:intro.start'), exact: true }).click();
    await expect(page).toHaveURL(/\/account\/login$/);
    await signIn(page, language, company);
    await expect(page).toHaveURL(/#documents$/);
    await continueForm(page, language);
    await expect(heading(page)).toContainText(t('forms:review.title'));
    await expect(page.getByText('Which activity fits a bakery?')).toBeVisible();
    await expect(page.locator('bdi', { hasText: 'newer.pdf' })).toBeVisible();
  });
  expect(problems).toEqual([]);
});

test(`a double click sends one request, which is declined, cancelled and paid from the list ${where}`, async ({
  browser,
}) => {
  const service = await findService('refund-of-incomplete-id-issuance-fees', language);
  const { page: first, context, problems } = await openBrowser(browser, screen);
  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/CreateRequest')) sent.push(request.url());
  });
  await storeSession(first, company);
  await discardDrafts(company, service.replacedName);
  await first.goto(`/requests/Create/${service.replacedName}#${service.form.steps[0]?.name ?? ''}`);
  await fillForm(first, service, language);
  await first.getByText(t('forms:review.agree')).click();
  await first
    .getByRole('button', { name: new RegExp(t('forms:review.sendAndPay').split(' ')[0] ?? '') })
    .last()
    .dblclick();
  await first.waitForURL(new RegExp(`:${journeysSandboxPort}/pay/`));
  expect(sent).toHaveLength(1);
  await first.locator('button[value=declined]').click();
  await expect(first).toHaveURL(new RegExp(`:${journeysPort}/payment-status\\?request-number=`));
  await expect(heading(first)).toHaveText(t('payments:failure.title'));
  const number = new URL(first.url()).searchParams.get('request-number') ?? '';

  // The window is closed and another one opened: the server has the draft.
  await first.close();
  const page = await context.newPage();
  const payFromList = async () => {
    await page.getByRole('listitem').filter({ hasText: number }).getByRole('link').click();
    await page.getByRole('button', { name: t('requests:record.pay').trim() }).click();
    await page.waitForURL(new RegExp(`:${journeysSandboxPort}/pay/`));
  };
  await page.goto('/requests');
  await expect(page).toHaveURL(/\/account\/login$/);
  await signIn(page, language, company);
  await payFromList();
  await page.locator('button[value=cancelled]').click();
  await expect(heading(page)).toHaveText(t('payments:failure.title'));
  await page.goto('/requests');
  await payFromList();
  await page.locator('button[value=paid]').click();
  await expect(page).toHaveURL(/\/payment-status\?result=success/);
  expect((await call(checkRequestIsPaid, { query: { RequestNumber: number } })).body.isPaid).toBe(
    true,
  );
  // Nothing is due on the page where it was paid.
  await page.goto(`/requests/request-details?request-number=${number}`);
  await expect(
    page.getByText(t('requests:money.status.paid'), { exact: true }).first(),
  ).toBeVisible();
  await expect(page.getByText(t('requests:record.payHint'))).toHaveCount(0);
  expect(problems).toEqual([]);
});

test(`a service that is removed before its form is sent is named, and the form keeps its input ${where}`, async ({
  browser,
}) => {
  const service = await findService(
    { 'ar-EG': 'fines-inquiry-service', 'en-US': 'residency-details-report' }[language],
    language,
  );
  const { page, problems } = await openBrowser(browser, screen);
  await storeSession(page, 'individual2');
  await page.goto(`/requests/Create/${service.replacedName}#applicant`);
  await goToDocuments(page, language, 'What do I owe?');
  await continueForm(page, language);
  await page.getByText(t('forms:review.agree')).click();
  await call(deleteService, {
    token: await newToken('admin'),
    params: { serviceId: service.id },
  });
  await page.getByRole('button', { name: t('forms:review.send'), exact: true }).click();
  await expect(page.getByText(t('errors:refusals.ServiceNotFound')).first()).toBeVisible();
  await expect(page.getByText(t('forms:review.notSent'))).toBeVisible();
  await expect(page.getByText('What do I owe?')).toBeVisible();
  await expect(page.getByRole('checkbox')).toBeChecked();
  expect(problems).toEqual([]);
});
