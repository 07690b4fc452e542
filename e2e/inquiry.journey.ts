import type { Page } from '@playwright/test';
import { findService, sandboxUrl, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, textsOf } from './steps.ts';

const serviceName = 'register-labour-complaints-private-sector-employees';

// A number gets one code a minute, so this journey has its own phone.
const phone = { typed: '٠٥٠٥٥٥٠١٠١', stored: '+971505550101' };

const arabicDigits = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));

/** The newest code for a number on the page of the SMS sandbox. */
async function readCode(page: Page, phone: string): Promise<string> {
  const messages = page.getByRole('listitem').filter({ hasText: phone });
  await expect(async () => {
    await page.goto(`${sandboxUrl}/messages`);
    await expect(messages.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  const code = /(?<!\d)\d{6}(?!\d)/.exec(await messages.first().locator('.text').innerText())?.[0];
  if (!code) throw new Error('the message holds no code');
  return code;
}

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);

test(`everybody finds a request by its number, and by a mobile number with its code (${language}, ${screen.width} px)`, async ({
  browser,
}) => {
  const [service, { requestNumber }] = await Promise.all([
    findService(serviceName, language),
    sendRequest('individual2', serviceName, { applicantMobile: phone.stored }),
  ]);
  const { page, context, problems } = await openBrowser(browser, screen);
  const keyword = page.locator('[data-focus-id~=SearchKeyword]');
  const ask = async (text: string) => {
    await keyword.fill(text);
    await page.getByRole('button', { name: t('requests:inquiry.submit'), exact: true }).click();
  };

  await test.step('by number, in any spelling', async () => {
    for (const written of [
      requestNumber,
      arabicDigits(requestNumber.toLowerCase().replaceAll('-', ' ')),
    ]) {
      await page.goto('/requests/inquiry');
      await ask(written);
      await expect(page.getByRole('main').getByText(requestNumber), written).toBeVisible();
      await expect(page.getByRole('main')).toContainText(service.name);
    }
    await expectAccessible(page);
  });

  await test.step('by mobile number: a wrong code, then the right one', async () => {
    await ask(phone.typed);
    const code = page.locator('[data-focus-id~=VerificationCodeWrong]');
    await expect(code).toBeFocused();
    await expectAccessible(page);
    const messages = await context.newPage();
    const right = await readCode(messages, phone.stored);
    await messages.close();
    await code.fill(right === '000000' ? '111111' : '000000');
    await page.keyboard.press('Enter');
    await expect(page.getByText(t('errors:refusals.VerificationCodeWrong')).first()).toBeVisible();
    await expect(page.getByRole('main').getByText(requestNumber)).toHaveCount(0);
    await code.fill(arabicDigits(right));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByText(requestNumber)).toBeVisible();
    // A phone number must not be in an address that others can read.
    expect(page.url()).not.toContain('555');
    await expectAccessible(page);
  });
  expect(problems).toEqual([]);
});
