import { readFileSync } from 'node:fs';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as calls from '@diwan/contract/requests/requests';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { freeService } from '../api/src/testing/requests/request-stage.ts';
import {
  call,
  newToken,
  storeSession,
  sendRequest,
  paymentsUrl,
  waitUntilInEffect,
} from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openAction, openBrowser, waitUntilIdle, textsOf } from './steps.ts';

const details = (number: string) =>
  `/requests/request-details?request-number=${encodeURIComponent(number)}`;

test('a clerk approves with a fine and a fee; the applicant sees them and pays exactly that (ar-EG)', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const language = 'ar-EG';
  const t = textsOf(language);
  const { requestId, requestNumber } = await sendRequest('individual', freeService);
  const token = await newToken('employee');
  await call(actionCalls.receiveRequest, { token, params: { requestId } });

  await test.step('the clerk types the amounts, sees the VAT and the sum', async () => {
    const { page, problems, context } = await openBrowser(browser, {
      language,
      width: 1280,
      height: 900,
    });
    await storeSession(page, 'employee');
    await page.goto(details(requestNumber));
    await openAction(page, language, 'options');
    const dialog = page.getByRole('dialog');
    const [fines, fees] = [
      dialog.locator('[data-focus-id~=fines]'),
      dialog.locator('[data-focus-id~=totalAdminstrativeFees]'),
    ];
    await fines.fill('٢٠٠');
    await fees.fill('50');
    for (const name of ['finesReason', 'feesReason']) {
      await dialog.getByRole('button', { name: t(`requests:charges.${name}`) }).click();
      await page.getByRole('option').first().click();
    }
    await expect(dialog).toContainText(/252[.,٫]50|٢٥٢٫٥٠/);
    await expectAccessible(page);
    // A reload restores the choice.
    await dialog.getByText(t('staff:telling.silent')).click();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await openAction(page, language, 'options');
    await expect(fines).toHaveValue(/200|٢٠٠/);
    await expect(dialog.locator('[data-focus-id~=isSilent]')).toBeChecked();
    await dialog.getByText(t('staff:telling.silent')).click();
    await dialog.getByRole('button', { name: t('requests:charges.send') }).click();
    await expect(dialog).toHaveCount(0);
    await waitUntilInEffect('employee', requestNumber);
    await expect(page.locator('main')).toContainText('بانتظار دفع رسوم إضافية');
    expect(problems).toEqual([]);
    await context.close();
  });

  await test.step('the applicant pays on a phone, and the request moves on automatically', async () => {
    const { page, problems, context } = await openBrowser(browser, {
      language,
      width: 390,
      height: 844,
    });
    await storeSession(page, 'individual');
    await page.goto(details(requestNumber));
    await expect(page.getByRole('region', { name: t('requests:record.dueFor') })).toContainText(
      /غرامات.*200[.,٫]00.*رسوم إدارية.*52[.,٫]50/,
    );
    await expect(
      page.getByText(new RegExp(t('requests:story.charged', { amount: '.*252[.,٫]50' }))),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: /252[.,٫]50|٢٥٢٫٥٠/ }).click();
    await page.waitForURL(`${paymentsUrl}/pay/**`);
    await expect(page.locator('dl').first()).toContainText('غرامات');
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/payment-status/);
    await waitUntilIdle(page);
    await page.getByRole('button', { name: t('payments:toConfirmation'), exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      t('payments:accepted.paidHeading'),
    );
    expect(
      (await call(calls.getRequestById, { token, query: { RequestId: requestId } })).body,
    ).toMatchObject({ statusId: 6, due: 0, total: 25_250 });
    expect(problems).toEqual([]);
    await context.close();
  });
});

test('an admin sees what a document changes, activates it for one service and resets it (en-US)', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const language = 'en-US';
  const t = textsOf(language);
  const shipped = JSON.parse(
    readFileSync(new URL('../api/seed/workflow.json', import.meta.url), 'utf8'),
  ) as Workflow;
  const short = {
    ...shipped,
    name: 'Without putting back',
    version: 9,
    transitions: shipped.transitions.filter(({ action }) => action !== 'release'),
  };
  const { page, problems, context } = await openBrowser(browser, {
    language,
    width: 1280,
    height: 900,
  });
  await storeSession(page, 'admin');
  await page.goto('/dashboard/workflow');
  await expect(page.getByRole('img', { name: /Standard workflow/ })).toBeVisible();
  await page.getByRole('combobox').fill('Visa Extension');
  await page.getByRole('option', { name: 'Visa Extension', exact: true }).click();
  await expect(page.getByText(t('workflow:page.follows'))).toBeVisible();
  const box = page.locator('textarea');
  await box.fill(JSON.stringify(short));
  await expect(page.getByText(/Action removed: .?Return to queue/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: t('workflow:replace.put') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('workflow:replace.put') })
    .click();
  await expect(page.getByRole('img', { name: /Without putting back/ })).toBeVisible();
  await page.getByRole('button', { name: t('workflow:replace.back') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('workflow:replace.goBack') })
    .click();
  await expect(page.getByText(t('workflow:page.follows'))).toBeVisible();
  expect(problems).toEqual([]);
  await context.close();
});
