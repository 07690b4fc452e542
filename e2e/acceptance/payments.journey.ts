import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { getPaymentCases, getPayments, requestRefund } from '@diwan/contract/payments/events';
import { fetchSettlement } from '@diwan/contract/payments/ledger';
import { createPayment } from '@diwan/contract/requests/payments';
import { receiveRequest, rejectRequest } from '@diwan/contract/requests/request-actions';
import { getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { Fault } from '../../api/src/sandbox/payments/payment-journal.ts';
import { call, newToken, paymentsUrl, sendRequest, storeSession } from '../api.ts';
import { expect, test } from '../journey.ts';
import { openBrowser, textsOf } from '../steps.ts';

// The switches of an account are for all journeys: one after the other.
test.describe.configure({ mode: 'default' });

const details = (number: string) => `/requests/request-details?request-number=${number}`;
const folder = process.env.PICTURES;

/** What the page of the return says, by the switch of the sandbox. */
const endings: readonly {
  fault: Fault;
  decision?: 'paid' | 'declined' | 'cancelled';
  title: string;
  /** What the page says about the money, besides its title. */
  money?: string;
}[] = [
  { fault: 'none', title: 'payments:success.title', money: 'payments:success.text' },
  {
    fault: 'none',
    decision: 'declined',
    title: 'payments:failure.title',
    money: 'payments:reasons.declined',
  },
  {
    fault: 'none',
    decision: 'cancelled',
    title: 'payments:failure.title',
    money: 'payments:reasons.cancelled',
  },
  { fault: 'threeDSecure', title: 'payments:success.title' },
  { fault: 'messageLost', title: 'payments:success.title' },
  { fault: 'messageDoubled', title: 'payments:success.title' },
  { fault: 'messageLate', title: 'payments:success.title' },
  { fault: 'messageFirst', title: 'payments:success.title' },
  { fault: 'wrongAmount', title: 'payments:checking.title', money: 'payments:checking.held' },
  { fault: 'wrongCurrency', title: 'payments:checking.title', money: 'payments:checking.held' },
  { fault: 'chargedThenError', title: 'payments:success.title' },
  { fault: 'chargedTwice', title: 'payments:success.title' },
  { fault: 'reportedFailed', title: 'payments:success.title' },
  { fault: 'authorisedOnly', title: 'payments:success.title' },
  { fault: 'refundRefused', title: 'payments:success.title' },
];

async function keepPicture(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: resolve(folder, `${name}.png`), fullPage: true });
}

/** Starts a payment of a new request. Returns the number of the request. */
async function openPaymentPage(
  page: Page,
  language: Language,
  service = 'refund-of-incomplete-id-issuance-fees',
): Promise<string> {
  const { requestId, requestNumber } = await sendRequest('company', service);
  const { body } = await call(createPayment, {
    token: await newToken('company'),
    params: { requestId },
    language,
  });
  await page.goto(body.paymentUrl);
  return requestNumber;
}

async function setSwitches(own: Record<string, string>): Promise<void> {
  await fetch(`${paymentsUrl}/switches`, {
    method: 'POST',
    body: new URLSearchParams({ account: 'paypro', fault: 'none', ...own }),
    redirect: 'manual',
  });
}

for (const language of ['ar-EG', 'ur-PK'] as const) {
  const t = textsOf(language);
  const phone = { language, width: 390, height: 844 };

  for (const { fault, decision = 'paid', title, money } of endings)
    test(`${decision} with the switch ${fault}: ${title} (${language})`, async ({ browser }) => {
      const { page } = await openBrowser(browser, phone);
      await storeSession(page, 'company');
      const number = await openPaymentPage(page, language);
      const card = page.locator('button[value=paid]');
      await expect(card).toHaveText(t('sandbox-payments:pay'));
      if (fault === 'none' && decision === 'paid') await keepPicture(page, `card-${language}`);
      await page.locator('select[name=fault]').selectOption(fault);
      await page.locator(`button[value=${decision}]`).click();
      if (fault === 'threeDSecure') {
        await expect(page.getByText(t('sandbox-payments:bankStep'))).toBeVisible();
        await keepPicture(page, `bank-${language}`);
        await page.locator('button[value=verified]').click();
      }
      if (fault === 'chargedThenError') {
        // The visitor sees an error page of the provider, and opens the request again.
        await expect(page.getByText('502 Bad Gateway')).toBeVisible();
      } else {
        await page.waitForURL(/payment-status/);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t(title), {
          timeout: 30_000,
        });
        if (money) await expect(page.getByText(t(money), { exact: true })).toBeVisible();
        await keepPicture(page, `${decision}-${fault}-${language}`);
      }
      // A closed tab: the request says the same.
      await page.goto(details(number));
      const isPaid = title === 'payments:success.title';
      const pay = page.getByRole('button', { name: t('requests:record.pay').trim() });
      if (isPaid)
        await expect(
          page.getByText(new RegExp(t('requests:money.isPaid', { amount: '.+' }))),
        ).toBeVisible({ timeout: 30_000 });
      if (isPaid) await expect(pay).toHaveCount(0);
      else await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });

  test(`a provider that is down at the return: still checking, then paid (${language})`, async ({
    browser,
  }) => {
    const { page } = await openBrowser(browser, phone);
    await storeSession(page, 'company');
    await openPaymentPage(page, language);
    await page.locator('select[name=fault]').selectOption('messageLost');
    await setSwitches({ isDown: 'on' });
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/payment-status/);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(t('payments:checking.title'));
    await expect(page.getByText(t('payments:failure.tryAgain'))).toHaveCount(0);
    await keepPicture(page, `down-${language}`);
    await setSwitches({});
    await expect(heading).toHaveText(t('payments:success.title'), { timeout: 30_000 });
  });

  test(`a provider that is slow: the page of the second one, paid once (${language})`, async ({
    browser,
  }) => {
    const { page } = await openBrowser(browser, phone);
    await storeSession(page, 'company');
    await setSwitches({ isSlow: 'on' });
    const number = await openPaymentPage(page, language);
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/payment-status/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('payments:success.title'));
    await setSwitches({});
    const { body } = await call(getPayments, {
      token: await newToken('admin'),
      query: { Keyword: number },
    });
    const paid = body.items.filter(({ status }) => status === 'paid');
    expect(paid.map(({ provider }) => provider)).toEqual(['reserve']);
  });

  test(`a refund that the provider refuses: an admin closes the case (${language})`, async ({
    browser,
  }) => {
    const { page } = await openBrowser(browser, phone);
    await storeSession(page, 'admin');
    const number = await openPaymentPage(page, language, 'renew-trade-licence');
    await page.locator('select[name=fault]').selectOption('refundRefused');
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/payment-status/);
    const [clerk, admin] = [await newToken('employee'), await newToken('admin')];
    const requestId = (
      await call(getRequestIdByRequestNumber, { token: admin, query: { RequestNumber: number } })
    ).body.requestId;
    await call(receiveRequest, { token: clerk, params: { requestId }, query: {} });
    const words = { messageAr: 'مرفوض', messageEn: 'Refused', messageUr: 'مسترد' };
    await call(rejectRequest, {
      token: clerk,
      body: { requestId, requestHistoryRejectionReasonId: 1, ...words },
    });
    const asked = await call(requestRefund, {
      token: admin,
      body: { requestId, amount: 100, refundedBefore: 0, note: 'Rejected' },
    });
    const [refund] = asked.body;
    await expect
      .poll(
        async () =>
          (await call(getPaymentCases, { token: admin, query: { Take: '100' } })).body.items.map(
            ({ merchantReference }) => merchantReference,
          ),
        { timeout: 60_000 },
      )
      .toContain(refund?.merchantReference);
    await page.goto('/dashboard/payments?tab=cases');
    const name = refund?.merchantReference ?? '';
    await page
      .getByRole('button', { name: t('payment-desk:cases.decideName', { name }) })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading')).toHaveText(
      t('payment-desk:cases.kinds.refundRefused'),
    );
    await dialog.getByRole('textbox').fill('BANK-78');
    await keepPicture(page, `refund-refused-${language}`);
    await dialog.getByRole('button', { name: t('payment-desk:cases.decide') }).click();
    await expect(dialog).toHaveCount(0);
    await page.goto(details(number));
    await expect(page.getByText(t('requests:refunds.title')).first()).toBeVisible();
    await keepPicture(page, `refund-refused-request-${language}`);
  });

  test(`a settlement file with a difference: an admin resolves it (${language})`, async ({
    browser,
  }) => {
    const { page } = await openBrowser(browser, phone);
    await storeSession(page, 'admin');
    await setSwitches({ account: 'reserve', hasSettlementDifference: 'on' });
    const day = dayAfter(todayInDubai(), language === 'ar-EG' ? -3 : -4);
    await call(fetchSettlement, {
      token: await newToken('admin'),
      body: { provider: 'reserve', day },
    });
    await setSwitches({ account: 'reserve' });
    await page.goto('/dashboard/payments?tab=reconciliation');
    const name = `UNKNOWN-${day}`;
    await page
      .getByRole('button', { name: t('ledger:differences.decideName', { name }) })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('radio', { name: new RegExp(t('ledger:differences.decisions.accept')) })
      .check({ force: true });
    await dialog.getByRole('textbox').fill('BANK-79');
    await keepPicture(page, `difference-${language}`);
    await dialog.getByRole('button', { name: t('ledger:differences.decide') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(name)).toHaveCount(0);
  });
}
