import type { Page } from '@playwright/test';
import * as calls from '@diwan/contract/requests/requests';
import type { Language } from '@diwan/contract/wire/languages';
import { smallPdf } from '../api/src/testing/requests/demo-request.ts';
import { freeService } from '../api/src/testing/requests/request-stage.ts';
import { call, newToken, storeSession, sendRequest, waitUntilInEffect } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openAction, openBrowser, textsOf, waitUntilIdle } from './steps.ts';

const field = (page: Page, name: string) => page.locator(`[data-focus-id~="answers.${name}"]`);
const details = (number: string) =>
  `/requests/request-details?request-number=${encodeURIComponent(number)}`;
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };
const document = 'attachments.identityDocument';

async function openRequest(
  browser: Parameters<typeof openBrowser>[0],
  username: string,
  number: string,
  screen: typeof phone & { language: Language },
) {
  const opened = await openBrowser(browser, screen);
  await storeSession(opened.page, username);
  await opened.page.goto(details(number));
  await expect(opened.page.getByRole('heading', { level: 1 })).toBeVisible();
  return opened;
}

async function readRequest(username: string, number: string) {
  const token = await newToken(username);
  const { body } = await call(calls.getRequestIdByRequestNumber, {
    token,
    query: { RequestNumber: number },
  });
  return {
    token,
    record: (await call(calls.getRequestById, { token, query: { RequestId: body.requestId } }))
      .body,
  };
}

async function attach(page: Page, focusId: string, name: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.locator(`[data-focus-id~="${focusId}"]`).click();
  await (await choosing).setFiles({ name, mimeType: 'application/pdf', buffer: smallPdf });
  await expect(page.getByText(name).first()).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
}

test('two clerks receive at the same time and one learns who received it; two fields and a document are marked, corrected, compared, and the supervisor completes (ar-EG)', async ({
  browser,
}) => {
  test.setTimeout(150_000);
  const language = 'ar-EG';
  const t = textsOf(language);
  const { requestNumber } = await sendRequest('individual', freeService);
  const clerk = await openRequest(browser, 'employee', requestNumber, { ...desk, language });
  const other = await openRequest(browser, 'employee2', requestNumber, { ...desk, language });

  await test.step('both press receive: one gets the request, the other learns who and when and sees the current state', async () => {
    await expect(other.page.locator('[data-focus-id=receive]')).toBeVisible();
    // The other page gets no events, as on a slow line, so its action is too late.
    await other.page.route(/\/api\/Request\/GetRequestById/, (route) => route.abort());
    // A read that began before would bring the new state.
    await waitUntilIdle(other.page);
    await clerk.page.locator('[data-focus-id=receive]').click();
    await expect(clerk.page.locator('[data-focus-id=approve]')).toBeAttached();
    await other.page.locator('[data-focus-id=receive]').click();
    await expect(other.page.locator('main')).toContainText(/استلام الطلب: .?مريم العرض.?، \d/);
    await other.page.unroute(/\/api\/Request\/GetRequestById/);
    await other.page.getByRole('button', { name: t('requests:faster.reload') }).click();
    await expect(other.page.locator('[data-focus-id=receive]')).toHaveCount(0);
    await other.context.close();
  });

  await test.step('the clerk marks two answers and a document, with a listed reason and with custom texts', async () => {
    const { page } = clerk;
    const dialog = page.getByRole('dialog');
    const flag = (title: RegExp) => dialog.getByRole('button', { name: title });
    const { record } = await readRequest('employee', requestNumber);
    const titles = (names: string[]) =>
      record.form.steps
        .flatMap((step) => step.fields)
        .filter(({ name }) => names.includes(name))
        .map(({ title }) => title[language]);
    const [name = '', email = ''] = titles(['applicantName', 'applicantEmail']);
    // One mark while reading, beside its answer; the others in the dialog.
    await page
      .locator('main')
      .getByRole('button', { name: t('returns:marks.markName', { title: email }), exact: true })
      .click();
    await page.getByRole('menuitem', { name: t('returns:marks.ownWords') }).click();
    await openAction(page, language, 'return');
    await expect(dialog).toContainText(t('returns:marks.count_one'));
    await dialog.getByText(t('returns:marks.others')).click();
    await flag(new RegExp(`: ${name}$`)).click();
    await page.getByRole('menuitem').nth(1).click();
    await flag(/paper\.pdf/).click();
    await page.getByRole('menuitem').nth(2).click();
    // Nothing is sent while a mark has no text, and the first empty field has the focus.
    await dialog.getByRole('button', { name: t('requests:dialogs.returnSend') }).click();
    // The request was sent in English, so that English is enough and Arabic can be added.
    const text = (name: string) =>
      dialog.locator(`[data-focus-id~="answers.applicantEmail:${name}"]`);
    await expect(text('messageEn')).toBeFocused();
    await text('messageEn').fill('The address takes no mail');
    await dialog.getByText(t('requests:dialogs.otherLanguages')).first().click();
    await text('messageAr').fill('البريد لا يستقبل الرسائل');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: t('requests:dialogs.returnSend') }).click();
    await expect(dialog).toHaveCount(0);
    await waitUntilInEffect('employee', requestNumber);
  });

  const person = await openRequest(browser, 'individual', requestNumber, { ...phone, language });
  await test.step('the applicant sees exactly these marks, on a phone one after the other, and input survives', async () => {
    const { page } = person;
    await expect(page.getByText('البريد لا يستقبل الرسائل').first()).toBeVisible();
    await page.getByRole('button', { name: t('requests:record.correct') }).click();
    await expect(
      page.getByRole('heading', { name: t('returns:correct.title_few', { count: 3 }) }),
    ).toBeVisible();
    await expect(page.locator('form ol > li')).toHaveCount(3);
    await expect(field(page, 'applicantMobile')).toHaveCount(0);
    await expectAccessible(page);
    await field(page, 'applicantName').fill('سارة بعد التصحيح');
    await page.getByText(t('requests:correct.agree')).click();
    await page.getByRole('button', { name: t('requests:correct.send') }).click();
    await expect(page.getByText(t('returns:correct.notCorrected'))).toHaveCount(2);
    await expect(page.locator('[data-saving]')).toHaveAttribute('data-saving', 'saved');
    // On another device and in another language the correction continues; changes there appear here
    // too.
    const english = textsOf('en-US');
    const other = await openRequest(browser, 'individual', requestNumber, {
      ...desk,
      language: 'en-US',
    });
    await other.page.getByRole('button', { name: english('requests:record.correctGoOn') }).click();
    await expect(field(other.page, 'applicantName')).toHaveValue('سارة بعد التصحيح');
    await field(other.page, 'applicantEmail').fill('corrected@example.com');
    await expect(other.page.locator('[data-saving]')).toHaveAttribute('data-saving', 'saved');
    expect(other.problems).toEqual([]);
    await other.context.close();
    await field(page, 'applicantName').fill('سارة بعد التصحيح ');
    await expect(field(page, 'applicantEmail')).toHaveValue('corrected@example.com');
    await page.goto('/requests');
    await page
      .locator('section[aria-labelledby=drafts] li')
      .filter({ hasText: requestNumber })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: t('requests:record.correctGoOn') }).click();
    await expect(field(page, 'applicantName')).toHaveValue(/^سارة بعد التصحيح/);
    await attach(page, document, 'new-identity.pdf');
    await page.getByText(t('requests:correct.agree')).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: t('requests:correct.send') }).click();
    await page.getByText(t('requests:record.answers'), { exact: true }).click();
    await expect(page.getByText('سارة بعد التصحيح').first()).toBeVisible();
  });

  await test.step('the clerk sees before and after, the old document too, and approves', async () => {
    const { page } = clerk;
    await page.reload();
    const changes = page.locator('main');
    await expect(changes).toContainText(t('returns:changes.title'));
    await expect(changes.getByText(t('returns:changes.corrected'), { exact: true })).toHaveCount(3);
    for (const text of [
      'سارة بعد التصحيح',
      'Palm Trading',
      'corrected@example.com',
      'someone@example.com',
      'new-identity.pdf',
      'paper.pdf',
    ])
      await expect(changes.getByText(text).first()).toBeVisible();
    await expectAccessible(page);
    await page.locator('[data-focus-id=receive]').click();
    await openAction(page, language, 'approve');
    await expect(page.locator('[data-focus-id=approve]')).toHaveCount(0);
    await waitUntilInEffect('employee', requestNumber);
  });

  await test.step('the supervisor accepts it and completes it with a result, which the applicant gets', async () => {
    const supervisor = await openRequest(browser, 'supervisor2', requestNumber, {
      ...desk,
      language,
    });
    await openAction(supervisor.page, language, 'accept');
    await openAction(supervisor.page, language, 'submitted');
    await attach(supervisor.page, 'result', 'licence.pdf');
    await supervisor.page
      .getByRole('dialog')
      .getByRole('button', { name: t('requests:dialogs.completeSend') })
      .click();
    await expect(supervisor.page.getByRole('dialog')).toHaveCount(0);
    await waitUntilInEffect('supervisor2', requestNumber);
    await person.page.reload();
    await expect(person.page.getByText('licence.pdf').first()).toBeVisible();
    expect(supervisor.problems).toEqual([]);
  });
  expect(clerk.problems).toEqual([]);
  expect(person.problems).toEqual([]);
});
