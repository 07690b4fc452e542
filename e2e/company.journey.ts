import { readFileSync } from 'node:fs';
import { createPayment } from '@diwan/contract/requests/payments';
import { receiveRequest, rejectRequest } from '@diwan/contract/requests/request-actions';
import { smallPdf } from '../api/src/testing/requests/demo-request.ts';
import {
  call,
  findService,
  newToken,
  storeSession,
  sendRequest,
  waitUntilInEffect,
} from './api.ts';
import { fillForm } from './fill-form.ts';
import { expect, test } from './journey.ts';
import { journeysPaymentsPort, journeysPort } from './server.ts';
import {
  expectAccessible,
  openAction,
  openBrowser,
  signIn,
  skipIdentity,
  textsOf,
} from './steps.ts';

const language = 'ur-PK';
const screen = { language, width: 390, height: 844 } as const;
const serviceName = 'renew-trade-licence';
const t = textsOf(language);
const resultName = 'Trade licence 2027.pdf';
const resultPdf = Buffer.concat([
  smallPdf.subarray(0, 9),
  Buffer.from('% issued for one year\n'),
  smallPdf.subarray(9),
]);

// pages.journey.ts runs axe on unchanged pages; this journey runs it on changed ones.
test(`a company renews its trade licence, and gets it as a document (${language}, ${screen.width} px)`, async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const service = await findService(serviceName, language);
  const company = await openBrowser(browser, screen);
  const { page } = company;

  await test.step('companies, agency, service, sign-in', async () => {
    await page.goto('/home');
    await page.locator('a[href*="/home/services/companies"]').first().click();
    await skipIdentity(page, language);
    await page.getByRole('tab', { name: t('services:tabs.agencies') }).click();
    await expect(page).toHaveURL(/\/home\/services\/companies#category$/);
    await page.getByRole('link', { name: service.governmentAgency.name, exact: true }).click();
    await expect(page).toHaveURL(/\/services(\?|$)/);
    await page.locator('input[type=search]').fill(service.name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: service.name, exact: true })).toBeVisible();
    await page.getByRole('link', { name: service.name, exact: true }).click();
    // The service is not for individuals: the company signs in first and returns to the service.
    await expect(page).toHaveURL(/\/account\/login$/);
    await signIn(page, language, 'company');
    await expect(page).toHaveURL(new RegExp(`/requests/Create/${serviceName}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(service.name);
  });

  await test.step('form, documents, review, payment', async () => {
    await page.getByRole('button', { name: t('forms:intro.start'), exact: true }).click();
    await fillForm(page, service, language);
    // Text in another script keeps its own direction among Urdu words.
    await expect(
      page.getByRole('main').locator('bdi', { hasText: 'Palm Trading' }).first(),
    ).toBeVisible();
    await expect(
      page.getByRole('main').locator('bdi', { hasText: 'tradeLicence.pdf' }),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByText(t('forms:review.agree')).click();
    await page
      .getByRole('button', { name: new RegExp(t('forms:review.sendAndPay').split(' ')[0] ?? '') })
      .last()
      .click();
    await expect(page).toHaveURL(new RegExp(`:${journeysPaymentsPort}/pay/`));
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await page.locator('button[value=paid]').click();
    await expect(page).toHaveURL(new RegExp(`:${journeysPort}/payment-status\\?result=success`));
  });
  const number = new URL(page.url()).searchParams.get('request-number') ?? '';
  await test.step('the receipt', async () => {
    await page.getByRole('button', { name: t('payments:toConfirmation'), exact: true }).click();
    await expect(page).toHaveURL(/\/requests\/accepted-request/);
    await expect(page.locator('[data-request-number]')).toHaveText(number);
  });

  await test.step('a clerk receives and approves it', async () => {
    const clerk = await openBrowser(browser, screen);
    await storeSession(clerk.page, 'employee');
    await clerk.page.goto('/requests/new');
    await clerk.page.getByRole('link', { name: number }).click();
    await expect(clerk.page.locator('bdi', { hasText: 'Palm Trading' }).first()).toBeVisible();
    await openAction(clerk.page, language, 'receive');
    await openAction(clerk.page, language, 'approve');
    await expect(
      clerk.page.getByText(t('requests:actions.done.approve'), { exact: true }),
    ).toBeVisible();
    await waitUntilInEffect('employee', number);
    await expectAccessible(clerk.page);
    expect(clerk.problems).toEqual([]);
    await clerk.context.close();
  });

  await test.step('the partner accepts it and completes it with the new licence', async () => {
    const partner = await openBrowser(browser, screen);
    const desk = partner.page;
    await storeSession(desk, 'supervisor');
    await desk.goto('/requests/all');
    await desk.getByRole('link', { name: number }).click();
    await openAction(desk, language, 'accept');
    await openAction(desk, language, 'submitted');
    const dialog = desk.getByRole('dialog');
    const choosing = desk.waitForEvent('filechooser');
    await dialog.locator('[data-focus-id~="attachments.result"]').click();
    await (
      await choosing
    ).setFiles({ name: resultName, mimeType: 'application/pdf', buffer: resultPdf });
    await expect(dialog.locator('bdi', { hasText: resultName })).toBeVisible();
    await expect(dialog.getByRole('progressbar')).toHaveCount(0);
    await expectAccessible(desk);
    await dialog
      .getByRole('button', { name: t('requests:dialogs.completeSend'), exact: true })
      .click();
    await expect(dialog).toHaveCount(0);
    await expectAccessible(desk);
    await waitUntilInEffect('supervisor', number);
    expect(partner.problems).toEqual([]);
    await partner.context.close();
  });

  await test.step('the company finds its licence and saves it', async () => {
    await page.goto('/companies/my-requests/new');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      t('requests:mine.companyTitle'),
    );
    await expectAccessible(page);
    await page.getByRole('listitem').filter({ hasText: number }).getByRole('link').click();
    await expect(
      page.getByRole('heading', { name: t('requests:record.readyOne'), exact: true }),
    ).toBeVisible();
    await expect(
      page.getByRole('main').locator('bdi', { hasText: resultName }).first(),
    ).toBeVisible();
    await expectAccessible(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: t('requests:record.downloadFile') }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(resultName);
    expect(readFileSync(await download.path()).equals(resultPdf)).toBe(true);
  });

  await test.step('another request is rejected; an admin records the refund, and the company sees it', async () => {
    const { requestId, requestNumber } = await sendRequest('company', serviceName);
    await page.goto(
      (await call(createPayment, { token: await newToken('company'), params: { requestId } })).body
        .paymentUrl,
    );
    await page.locator('button[value=paid]').click();
    await expect(page).toHaveURL(new RegExp(`:${journeysPort}/payment-status\\?result=success`));
    const token = await newToken('employee');
    expect((await call(receiveRequest, { token, params: { requestId }, query: {} })).status).toBe(
      200,
    );
    const words = { messageAr: 'مرفوض', messageEn: 'Refused', messageUr: 'مسترد' };
    expect(
      (
        await call(rejectRequest, {
          token,
          body: { requestId, requestHistoryRejectionReasonId: 1, ...words },
        })
      ).status,
    ).toBe(200);

    const { page: desk, problems, context } = await openBrowser(browser, screen);
    await storeSession(desk, 'admin');
    await desk.goto('/requests/all?refund=due');
    await expect(
      desk.getByRole('button', {
        name: t('shell:kit.removeFilter', { filter: t('requests:refunds.due') }),
      }),
    ).toBeVisible();
    await expectAccessible(desk);
    await desk.getByRole('link', { name: requestNumber }).click();
    await desk.getByRole('button', { name: t('requests:refunds.record'), exact: true }).click();
    const dialog = desk.getByRole('dialog');
    const send = dialog.getByRole('button', { name: t('requests:refunds.record'), exact: true });
    await dialog.getByLabel(t('requests:refunds.amount')).fill('1');
    await dialog.getByLabel(t('requests:refunds.referenceLabel')).fill('BANK-77');
    await dialog.getByText(t('requests:refunds.confirm'), { exact: true }).click();
    await send.click();
    await expect(dialog).toHaveCount(0);
    await expect(desk.getByText(t('requests:refunds.left'))).toBeVisible();
    await expect(desk.locator('bdi', { hasText: 'BANK-77' })).toBeVisible();
    await expectAccessible(desk);
    expect(problems).toEqual([]);
    await context.close();

    await page.goto(`/requests/request-details?request-number=${requestNumber}`);
    await expect(page.locator('bdi', { hasText: 'BANK-77' })).toBeVisible();
    await expect(page.getByText(t('requests:refunds.dueText'))).toBeVisible();
    await expectAccessible(page);
  });
  expect(company.problems).toEqual([]);
});
