import { readFile } from 'node:fs/promises';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { languages } from '@diwan/contract/wire/languages';
import {
  call,
  findService,
  newToken,
  sendRequest,
  storeSession,
  waitUntilInEffect,
} from '../api.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openAction, openBrowser, textsOf } from '../steps.ts';

const serviceName = 'people-of-determination-card';
const details = (number: string) => `/requests/request-details?request-number=${number}`;
const desk = { width: 1280, height: 900 };

// They edit one template.
test.describe.configure({ mode: 'default' });

async function textOf(path: string): Promise<string> {
  const data = new Uint8Array(await readFile(path));
  const pdf = await getDocument({ data, verbosity: 0 }).promise;
  const { items } = await (await pdf.getPage(1)).getTextContent();
  await pdf.destroy();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}

for (const language of languages) {
  const t = textsOf(language);

  test(`a certificate: template, completion, download and check (${language})`, async ({
    browser,
  }) => {
    const { id } = await findService(serviceName);

    await test.step('an admin writes its template', async () => {
      const { page, context } = await openBrowser(browser, { language, ...desk });
      await storeSession(page, 'admin');
      await page.goto(`/dashboard/certificates?edit=${id}`);
      for (const part of ['title', 'body'])
        for (const each of languages)
          await page
            .locator(`[name="${part}.${each}"]`)
            .fill(
              part === 'title'
                ? textsOf(each)('certificates:title')
                : `${textsOf(each)('certificates:lead')} {{applicant}} {{requestNumber}}`,
            );
      await expectAccessible(page);
      await page.getByRole('button', { name: t('certificates:save'), exact: true }).click();
      await expect(page).toHaveURL(/\/dashboard\/certificates$/);
      await context.close();
    });

    const { requestId, requestNumber } = await sendRequest('individual', serviceName);
    await call(receiveRequest, {
      token: await newToken('employee'),
      params: { requestId },
      query: {},
    });

    await test.step('a clerk completes the request with it', async () => {
      const { page, context } = await openBrowser(browser, { language, ...desk });
      await storeSession(page, 'employee');
      await page.goto(details(requestNumber));
      await openAction(page, language, 'submitted');
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText(t('certificates:issued'));
      await page.screenshot({ path: `test-results/certificate-${language}.png` });
      await dialog
        .getByRole('button', { name: t('requests:dialogs.completeSend'), exact: true })
        .click();
      await waitUntilInEffect('employee', requestNumber);
      await context.close();
    });

    await test.step('the person downloads it, and its code says that it is genuine', async () => {
      const { page } = await openBrowser(browser, { language, width: 390, height: 844 });
      await storeSession(page, 'individual');
      await page.goto(details(requestNumber));
      const downloading = page.waitForEvent('download');
      await page
        .getByRole('button', { name: t('certificates:download.button'), exact: true })
        .click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/^CRT-\d{4}-\d{6}\.pdf$/);
      const text = await textOf(await download.path());
      expect(text).toContain(requestNumber);
      const code = /\/certificate\?code=([\w.-]+)/.exec(text)?.[1];
      // Papers that were printed before have the address of the page for invoices.
      await page.goto(`/invoice?code=${code}`);
      await expect(page).toHaveURL(/\/certificate\?code=/);
      await expect(page.getByText(t('certificates:check.valid')).first()).toBeVisible();
      const changed = `${code?.slice(0, -1)}${code?.endsWith('A') ? 'B' : 'A'}`;
      await page.goto(`/certificate?code=${changed}`);
      await expect(page.getByText(t('certificates:check.unknown')).first()).toBeVisible();
    });
  });
}
