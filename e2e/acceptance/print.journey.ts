import type { Page } from '@playwright/test';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { freeService } from '../../api/src/testing/requests/request-stage.ts';
import { call, newToken, storeSession, sendRequest } from '../api.ts';
import { expect, test } from '../journey.ts';
import { openBrowser, textsOf, waitUntilIdle } from '../steps.ts';

interface Sheet {
  text: string;
  /**
   * The number of path points of the most complex drawing: a QR code has hundreds, a line or a box
   * a few.
   */
  points: number;
  isA4: boolean;
}

/** The sheets that a printer would get. */
async function printPage(page: Page): Promise<Sheet[]> {
  await waitUntilIdle(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const pdf = await getDocument({
    data: new Uint8Array(await page.pdf({ format: 'A4', printBackground: false })),
    useWasm: false,
    verbosity: 0,
  }).promise;
  const sheets = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index): Promise<Sheet> => {
      const sheet = await pdf.getPage(index + 1);
      const { items } = await sheet.getTextContent();
      const { fnArray, argsArray } = await sheet.getOperatorList();
      const drawn = fnArray.flatMap((operation, place) =>
        operation === OPS.constructPath
          ? [Number((argsArray[place] as [unknown, [Float32Array | null]])[1][0]?.length ?? 0)]
          : [],
      );
      const [, , width = 0, height = 0] = sheet.view;
      return {
        text: items.map((item) => ('str' in item ? item.str : '')).join(' '),
        points: Math.max(0, ...drawn),
        isA4: Math.abs(width - 595) < 2 && Math.abs(height - 842) < 2,
      };
    }),
  );
  await pdf.destroy();
  return sheets;
}

function expectHeads(sheets: readonly Sheet[], requestNumber: string): void {
  for (const { text, points, isA4 } of sheets) {
    expect(text).toContain(requestNumber);
    expect(points).toBeGreaterThan(300);
    expect(isA4).toBe(true);
  }
}

test('every printed sheet of a request and of its receipt names it and links to it, without parts for screens only', async ({
  browser,
}) => {
  const { requestId, requestNumber } = await sendRequest('individual', freeService);
  await call(receiveRequest, {
    token: await newToken('employee'),
    params: { requestId },
    query: {},
  });
  const details = `/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`;
  const cases: {
    username: string;
    address: string;
    screen: Parameters<typeof openBrowser>[1];
    isOneSheet: boolean;
  }[] = [
    {
      username: 'employee',
      address: details,
      screen: { language: 'ar-EG', width: 1280, height: 900 },
      isOneSheet: false,
    },
    {
      username: 'individual',
      address: details,
      screen: { language: 'ur-PK', width: 390, height: 844 },
      isOneSheet: true,
    },
    {
      username: 'individual',
      address: `/requests/accepted-request?request-number=${encodeURIComponent(requestNumber)}`,
      screen: { language: 'en-US', width: 1280, height: 900 },
      isOneSheet: true,
    },
  ];
  for (const { username, address, screen, isOneSheet } of cases) {
    await test.step(`${username} ${screen.language}`, async () => {
      const { page, problems, context } = await openBrowser(browser, screen);
      await storeSession(page, username);
      await page.goto(address);
      await expect(page.locator('[data-print-head] svg')).toBeAttached();
      const sheets = await printPage(page);
      expectHeads(sheets, requestNumber);
      expect(sheets.length === 1).toBe(isOneSheet);
      if (username === 'individual' && address === details) {
        // The applicant's full record is printed on demand, with all answers.
        await page.evaluate(() => Object.assign(window, { print: () => undefined }));
        const t = textsOf(screen.language);
        await page.getByRole('button', { name: t('requests:record.printFull') }).click();
        const full = await printPage(page);
        expectHeads(full, requestNumber);
        expect(full.length).toBeGreaterThan(1);
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      }
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('banner')).toBeHidden();
      await expect(page.getByRole('navigation').filter({ visible: true })).toHaveCount(0);
      await expect(page.locator('[data-no-print]').filter({ visible: true })).toHaveCount(0);
      expect(problems).toEqual([]);
      await context.close();
    });
  }
});

test('reports and dashboards are printed on few sheets, each table whole between its sides', async ({
  browser,
}) => {
  for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const)
    for (const [address, atMost] of [
      ['/reports', 2],
      ['/dashboard-Admin', 3],
    ] as const)
      await test.step(`${address} ${language}`, async () => {
        const { page, problems, context } = await openBrowser(browser, {
          language,
          width: 1280,
          height: 900,
        });
        await storeSession(page, 'admin');
        await page.goto(address);
        await expect(page.getByRole('table').first()).toBeVisible();
        const sheets = await printPage(page);
        expect(sheets.length).toBeLessThanOrEqual(language === 'ur-PK' ? atMost + 1 : atMost);
        expect(problems).toEqual([]);
        await context.close();
      });
});
