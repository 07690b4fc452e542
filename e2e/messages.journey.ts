import { getMessages } from '@diwan/contract/requests/messages';
import { receiveRequest, returnRequest } from '@diwan/contract/requests/request-actions';
import { freeService, messageTexts } from '../api/src/testing/requests/request-stage.ts';
import { call, newToken, storeSession, sandboxUrl, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { journeysPort } from './server.ts';
import { expectAccessible, openBrowser, textsOf } from './steps.ts';

const phone = { language: 'ar-EG', width: 390, height: 844 } as const;
const desk = { language: 'en-US', width: 1280, height: 900 } as const;
const [arabic, english] = [textsOf(phone.language), textsOf(desk.language)];
const address = 'company2@example.com';
const addressError = (kind: string) =>
  fetch(`${sandboxUrl}/messages/faults`, {
    method: 'POST',
    body: new URLSearchParams({ recipient: address, kind }),
    redirect: 'manual',
  });
/** The number of messages about a request that were handed over. */
const countSent = async (requestNumber: string) =>
  (
    await call(getMessages, {
      token: await newToken('admin'),
      query: { SearchKeyword: requestNumber, State: 'sent' },
    })
  ).body.totalCount;

test('a mail about a returned request links to it; an admin retries a message that was refused', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const client = await openBrowser(browser, phone);
  const { page } = client;

  await test.step('the applicant chooses Arabic and both channels', async () => {
    await storeSession(page, 'company2');
    await page.goto('/account/profile');
    await page.getByRole('radio', { name: /البريد الإلكتروني والرسائل النصية/ }).check();
    await page.getByRole('button', { name: arabic('messages:own.save'), exact: true }).click();
    await expect(page.getByText(arabic('messages:own.saved')).first()).toBeVisible();
    await expectAccessible(page);
  });

  await addressError('refuse');
  const { requestId, requestNumber } = await sendRequest('company2', freeService);
  const employee = await newToken('employee');
  await call(receiveRequest, { token: employee, params: { requestId } });

  await test.step('the admin finds the refused message and retries it', async () => {
    const admin = await openBrowser(browser, desk);
    await storeSession(admin.page, 'admin');
    await expect
      .poll(
        async () =>
          (
            await call(getMessages, {
              token: await newToken('admin'),
              query: { SearchKeyword: requestNumber, State: 'failed' },
            })
          ).body.totalCount,
      )
      .toBe(1);
    await admin.page.goto(`/dashboard/messages?q=${requestNumber}`);
    const row = admin.page.getByRole('row').filter({ hasText: requestNumber });
    await expect(row).toContainText(address);
    await expect(row).toContainText(english('messages:faults.addressRefused'));
    await expectAccessible(admin.page);
    await addressError('');
    await row.getByRole('button', { name: new RegExp(english('messages:retry.one')) }).click();
    await expect(
      admin.page.getByText(english('messages:retry.done_one', { count: 1 })).first(),
    ).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect.poll(() => countSent(requestNumber)).toBe(2);
    await admin.page.goto(`/dashboard/messages?q=${requestNumber}&state=sent`);
    await expect(admin.page.getByRole('row').filter({ hasText: requestNumber })).toHaveCount(2);
    expect(admin.problems).toEqual([]);
    await admin.context.close();
  });

  await test.step('the mail about the return is read, and its link opens the request', async () => {
    const { status } = await call(returnRequest, {
      token: employee,
      body: { requestId, requestHistoryRejectionReasonsList: [1], ...messageTexts },
    });
    expect(status).toBe(200);
    const mails = page.locator('li[data-channel=email]').filter({ hasText: requestNumber });
    await expect(async () => {
      await page.goto(`${sandboxUrl}/messages?to=${address}`);
      await expect(mails).toHaveCount(2, { timeout: 500 });
    }).toPass();
    await expect.poll(() => countSent(requestNumber)).toBe(4);
    const mail = mails.first();
    await expect(mail.locator('[lang=ar][dir=rtl]')).toContainText(messageTexts.messageAr);
    await mail.locator(`a[href^="http://localhost:${journeysPort}/requests?request="]`).click();
    await expect(page).toHaveURL(/\/requests\/request-details/);
    await expect(page.getByRole('main')).toContainText(requestNumber);
    const history = page.getByRole('heading', { name: arabic('messages:sent.title') });
    await history.click();
    await page.getByText(arabic('messages:sent.read')).first().click();
    // The texts by mail and by SMS are shown as one, each with its state.
    const returned = page
      .getByRole('listitem')
      .filter({ hasText: messageTexts.messageAr, has: page.locator('details[open]') });
    for (const way of ['email', 'sms'])
      await expect(
        returned.getByRole('listitem').filter({ hasText: arabic(`messages:channels.${way}`) }),
      ).toContainText(arabic('messages:states.sent'));
    await expectAccessible(page);
  });
  expect(client.problems).toEqual([]);
  await client.context.close();
});
