import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, wordsOf } from './steps.ts';
import { findService, sandboxUrl, sendRequest } from './api.ts';

const serviceName = 'register-labour-complaints-private-sector-employees';

// A code is sent to a number once a minute, so each journey has a phone of its own.
const phones = {
  'ar-EG': { typed: '٠٥٠٥٥٥٠١٠١', kept: '+971505550101' },
  'en-US': { typed: '050 555 0202', kept: '+971505550202' },
};

const arabicDigits = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));

/**
 * The newest code that the stand-in for an SMS gateway was given for a number, as its page shows
 * it.
 */
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

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);

  test(`anybody finds a request by its number, and by a mobile with its code (${language}, ${screen.width} px)`, async ({
    browser,
  }) => {
    const phone = phones[language];
    const [service, { requestNumber }] = await Promise.all([
      findService(serviceName, language),
      sendRequest('individual2', serviceName, { applicantMobile: phone.kept }),
    ]);
    const { page, context, problems } = await openBrowser(browser, screen);
    const keyword = page.locator('[data-focus-id~=SearchKeyword]');
    const ask = async (text: string) => {
      await keyword.fill(text);
      await page.getByRole('button', { name: say('requests:inquiry.submit'), exact: true }).click();
    };

    await test.step('nothing typed, and a number that there is not', async () => {
      await page.goto('/requests/inquiry');
      await ask('   ');
      await expect(page.getByText(say('requests:inquiry.empty'))).toBeVisible();
      await expect(keyword).toBeFocused();
      await ask('DW-2020-999999');
      await expect(page.getByText(say('requests:inquiry.notFoundTitle'))).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('by number, however it is written', async () => {
      for (const written of [
        requestNumber,
        requestNumber.toLowerCase(),
        requestNumber.replaceAll('-', ''),
        arabicDigits(requestNumber.toLowerCase().replaceAll('-', ' ')),
      ]) {
        await page.goto('/requests/inquiry');
        await ask(written);
        await expect(page.getByRole('main').getByText(requestNumber), written).toBeVisible();
        await expect(page.getByRole('main')).toContainText(service.name);
      }
      await expectAccessible(page);
    });

    await test.step('by mobile: a wrong code, then the one that was sent', async () => {
      await ask(phone.typed);
      const code = page.locator('[data-focus-id~=VerificationCodeWrong]');
      await expect(code).toBeFocused();
      await expectAccessible(page);
      const messages = await context.newPage();
      const right = await readCode(messages, phone.kept);
      await messages.close();
      await code.fill(right === '000000' ? '111111' : '000000');
      await page.keyboard.press('Enter');
      await expect(
        page.getByText(say('errors:refusals.VerificationCodeWrong')).first(),
      ).toBeVisible();
      await expect(page.getByRole('main').getByText(requestNumber)).toHaveCount(0);
      await code.fill(language === 'ar-EG' ? arabicDigits(right) : right);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main').getByText(requestNumber)).toBeVisible();
      // A phone number must not stand in an address that others can read.
      expect(page.url()).not.toContain('555');
      await expectAccessible(page);
    });
    expect(problems).toEqual([]);
  });
}
