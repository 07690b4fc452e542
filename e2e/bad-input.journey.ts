import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import { deleteService } from '@diwan/contract/catalogue/services';
import { logout } from '@diwan/contract/people/users';
import { smallPdf } from '../api/src/testing/demo-request.ts';
import { call, findService, forgetDraft, newToken, plantSession } from './api.ts';
import { expect, test } from './journey.ts';
import { journeysPort, journeysSandboxPort } from './server.ts';
import {
  fillForm,
  openBrowser,
  screens,
  settle,
  signIn,
  switchLanguage,
  wordsOf,
} from './steps.ts';

const field = (page: Page, name: string) => page.locator(`[data-focus-id~="answers.${name}"]`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const goOn = (page: Page, language: Language) =>
  page.getByRole('button', { name: wordsOf(language)('forms:continue'), exact: true }).click();
const another: Record<'ar-EG' | 'en-US', Language> = { 'ar-EG': 'ur-PK', 'en-US': 'ar-EG' };

/** What is said of a field where it stands: the hint and the error that it is described by. */
async function expectSaid(page: Page, name: string, message: string): Promise<void> {
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
 * From the first step of a service for inquiries, whose applicant is known from the session, to its
 * documents.
 */
async function walkToDocuments(page: Page, language: Language, question: string): Promise<void> {
  await expect(field(page, 'applicantName')).not.toHaveValue('');
  await goOn(page, language);
  await page.getByRole('radio').first().check({ force: true });
  await field(page, 'question').fill(question);
  await goOn(page, language);
  await expect(heading(page)).toContainText(wordsOf(language)('forms:documents.title'));
}

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);
  const where = `(${language}, ${screen.width} px)`;

  // A draft is a person's wherever they are, so each language has people of its own.
  const [person, company] = language === 'ar-EG' ? ['typist', 'company2'] : ['typist2', 'company'];

  test(`a form says what is wrong, where it is wrong, and forgets nothing ${where}`, async ({
    browser,
  }) => {
    const service = await findService('renew-vehicle-ownership', language);
    const { page, problems } = await openBrowser(browser, screen);
    await plantSession(page, person);
    await forgetDraft(person, 'renew-vehicle-ownership');
    await page.goto('/requests/Create/renew-vehicle-ownership#applicant');
    const names = ['applicantName', 'applicantMobile', 'applicantEmail', 'applicantEmiratesId'];

    await test.step('empty', async () => {
      await expect(field(page, 'applicantName')).not.toHaveValue('');
      for (const name of names) await field(page, name).fill('');
      await goOn(page, language);
      for (const name of names) await expectSaid(page, name, say('forms:required.answer'));
      await expect(page.locator('form [role=alert]')).toBeFocused();
    });

    const wrong = {
      applicantName: ['   ', 'whitespace'],
      applicantMobile: ['12345', 'mobile'],
      applicantEmail: ['nobody@', 'email'],
      applicantEmiratesId: ['784-1990-1234567-0', 'emiratesId'],
    } as const;
    await test.step('wrong, and the same in another language without a reload', async () => {
      for (const [name, [text]] of Object.entries(wrong)) await field(page, name).fill(text);
      await goOn(page, language);
      for (const [name, [, code]] of Object.entries(wrong))
        await expectSaid(page, name, say(`errors:validation.${code}`));
      await expect(page.locator('form [role=alert]')).toBeFocused();
      await page.evaluate(() => Object.assign(window, { marker: 'still here' }));
      const other = another[language];
      await switchLanguage(page, language, other);
      await expect(heading(page)).toContainText(service.form.steps[0]?.title[other] ?? '');
      for (const [name, [text, code]] of Object.entries(wrong)) {
        await expectSaid(page, name, wordsOf(other)(`errors:validation.${code}`));
        await expect(field(page, name)).toHaveValue(text);
      }
      await switchLanguage(page, other, language);
      expect(await page.evaluate(() => (window as { marker?: string }).marker)).toBe('still here');
    });

    await test.step('a reload keeps what was typed; right answers lead on', async () => {
      await page.reload();
      await expect(field(page, 'applicantMobile')).toHaveValue('12345');
      const right = {
        applicantName: 'سارة Smith',
        applicantMobile: '٠٥٠ ١٢٣ ٤٥٦٧',
        applicantEmail: 'sara@example.com',
        applicantEmiratesId: '784-1990-1234567-6',
      };
      for (const [name, text] of Object.entries(right)) await field(page, name).fill(text);
      await goOn(page, language);
      await expect(heading(page)).toContainText(service.form.steps[1]?.title[language] ?? '');
    });

    await test.step('choices and patterns', async () => {
      await goOn(page, language);
      for (const { name, kind, required } of service.form.steps[1]?.fields ?? []) {
        if (required)
          await expectSaid(
            page,
            name,
            say(`forms:required.${['emirate', 'choice'].includes(kind) ? 'choose' : 'answer'}`),
          );
      }
      const patterned = (service.form.steps[1]?.fields ?? []).filter((each) => each.pattern);
      for (const { name } of patterned) await field(page, name).fill('?!');
      await goOn(page, language);
      for (const { name, patternMessage } of patterned)
        await expectSaid(
          page,
          name,
          patternMessage?.[language] ?? say('errors:validation.pattern'),
        );
    });
    expect(problems).toEqual([]);
  });

  test(`a file that is not taken is refused in words, a lost connection and a lost session lose nothing ${where}`, async ({
    browser,
  }) => {
    const document = 'supportingDocument';
    const { page, context, problems } = await openBrowser(browser, screen);
    const announced: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('CreateAttachment')) announced.push(request.url());
    });
    await plantSession(page, company);
    await forgetDraft(company, 'business-activity-inquiry');
    await page.goto('/requests/Create/business-activity-inquiry#applicant');
    await walkToDocuments(page, language, 'Which activity fits a bakery?');
    const row = (name: string) =>
      page.getByRole('listitem').filter({ has: page.locator('bdi', { hasText: name }) });
    /** The words before the first figure of a text. */
    const startOf = (key: string) =>
      say(key, { types: '|', size: '|', maximum: '|', share: '|' }).split('|')[0] ?? '';

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
      await expect(row('nothing.pdf')).toContainText(say('attachments:refused.empty'));
      expect(announced).toEqual([]);
    });

    await test.step('a program under another name is refused after it', async () => {
      await choose(page, document, {
        name: 'invoice.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.concat([Buffer.from('MZ\u0090\u0000'), Buffer.alloc(2000, 7)]),
      });
      await expect(row('invoice.pdf')).toContainText(
        say('errors:refusals.AttachmentTypeNotAccepted'),
      );
      expect(announced).toHaveLength(1);
    });

    await test.step('offline, then cut in the middle: it goes on by itself', async () => {
      await page.route('**/storage/*comp=block&*', (route) => route.abort('connectionreset'), {
        times: 1,
      });
      await context.setOffline(true);
      await expect(page.getByText(say('shell:offline'))).toBeVisible();
      await choose(page, document, {
        name: 'paper.pdf',
        mimeType: 'application/pdf',
        buffer: smallPdf,
      });
      await expect(row('paper.pdf')).toContainText(startOf('attachments:row.waiting'));
      await context.setOffline(false);
      await expect(page.getByText(say('shell:offline'))).toHaveCount(0);
      await expect(row('paper.pdf')).toContainText(startOf('shell:kit.fileDone'));
    });

    await test.step('a reload keeps the document', async () => {
      await page.reload();
      await expect(row('paper.pdf')).toContainText(startOf('shell:kit.fileDone'));
    });

    await test.step('a session that the server has ended: sign in, and on', async () => {
      await row('paper.pdf').getByRole('button').click();
      await settle(page);
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
        page.locator('[data-toasts]').getByText(say('errors:refusals.YouHaveToLoginFirst')),
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

    await test.step('a session that the window has lost: sign in, and all is there', async () => {
      await page.evaluate(() => sessionStorage.removeItem('token'));
      await page.reload();
      await page.getByRole('button', { name: say('forms:intro.start'), exact: true }).click();
      await expect(page).toHaveURL(/\/account\/login$/);
      await signIn(page, language, company);
      await expect(page).toHaveURL(/#documents$/);
      await goOn(page, language);
      await expect(heading(page)).toContainText(say('forms:review.title'));
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
    await plantSession(first, company);
    await forgetDraft(company, service.replacedName);
    await first.goto(
      `/requests/Create/${service.replacedName}#${service.form.steps[0]?.name ?? ''}`,
    );
    await fillForm(first, service, language);
    await first.getByText(say('forms:review.agree')).click();
    await first
      .getByRole('button', { name: new RegExp(say('forms:review.sendAndPay').split(' ')[0] ?? '') })
      .last()
      .dblclick();
    await first.waitForURL(new RegExp(`:${journeysSandboxPort}/pay/`));
    expect(sent).toHaveLength(1);
    await first.locator('button[value=declined]').click();
    await expect(first).toHaveURL(new RegExp(`:${journeysPort}/payment-status\\?request-number=`));
    await expect(heading(first)).toHaveText(say('payments:failure.title'));
    const number = new URL(first.url()).searchParams.get('request-number') ?? '';

    // The window is closed and another one opened: what the server has is there.
    await first.close();
    const page = await context.newPage();
    const payFromList = async () => {
      await page.getByRole('listitem').filter({ hasText: number }).getByRole('link').click();
      await page.getByRole('button', { name: say('requests:record.pay').trim() }).click();
      await page.waitForURL(new RegExp(`:${journeysSandboxPort}/pay/`));
    };
    await page.goto('/requests');
    await expect(page).toHaveURL(/\/account\/login$/);
    await signIn(page, language, company);
    await payFromList();
    await page.locator('button[value=cancelled]').click();
    await expect(heading(page)).toHaveText(say('payments:failure.title'));
    await page.goto('/requests');
    await payFromList();
    await page.locator('button[value=paid]').click();
    await expect(page).toHaveURL(/\/payment-status\?result=success/);
    expect((await call(checkRequestIsPaid, { query: { RequestNumber: number } })).body.isPaid).toBe(
      true,
    );
    // Nothing is left to pay where it was paid from.
    await page.goto(`/requests/request-details?request-number=${number}`);
    await expect(
      page.getByText(say('requests:money.status.paid'), { exact: true }).first(),
    ).toBeVisible();
    await expect(page.getByText(say('requests:record.payHint'))).toHaveCount(0);
    expect(problems).toEqual([]);
  });

  test(`a service that is gone when its form is sent is named, and the form keeps all ${where}`, async ({
    browser,
  }) => {
    const service = await findService(
      { 'ar-EG': 'fines-inquiry-service', 'en-US': 'residency-details-report' }[language],
      language,
    );
    const { page, problems } = await openBrowser(browser, screen);
    await plantSession(page, 'individual2');
    await page.goto(`/requests/Create/${service.replacedName}#applicant`);
    await walkToDocuments(page, language, 'What do I owe?');
    await goOn(page, language);
    await page.getByText(say('forms:review.agree')).click();
    await call(deleteService, {
      token: await newToken('admin'),
      params: { serviceId: service.id },
    });
    await page.getByRole('button', { name: say('forms:review.send'), exact: true }).click();
    await expect(page.getByText(say('errors:refusals.ServiceNotFound')).first()).toBeVisible();
    await expect(page.getByText(say('forms:review.notSent'))).toBeVisible();
    await expect(page.getByText('What do I owe?')).toBeVisible();
    await expect(page.getByRole('checkbox')).toBeChecked();
    expect(problems).toEqual([]);
  });
}
