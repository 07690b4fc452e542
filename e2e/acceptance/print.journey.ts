import type { Page } from '@playwright/test';
import { getDocument, OPS, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
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
  /** Frames as wide as a card that hold no text, by their edges in points. */
  emptyBoxes: string[];
}

type Edges = readonly [number, number, number, number];

interface Drawing {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
}

/** The edges of what is drawn, in points from the lower left corner. */
function drawnEdges({ fnArray, argsArray }: Drawing): Edges[] {
  let matrix = [1, 0, 0, 1, 0, 0];
  const saved: number[][] = [];
  return fnArray.flatMap((operation, place): Edges[] => {
    if (operation === OPS.save) saved.push(matrix);
    if (operation === OPS.restore) matrix = saved.pop() ?? matrix;
    if (operation === OPS.transform)
      matrix = Util.transform(matrix, argsArray[place] as number[]) as number[];
    const edges =
      operation === OPS.constructPath
        ? (argsArray[place] as [unknown, unknown, Edges | null])[2]
        : null;
    if (!edges) return [];
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
    const at = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f] as const;
    const [[x0, y0], [x1, y1]] = [at(edges[0], edges[1]), at(edges[2], edges[3])];
    return [[Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]];
  });
}

/** A card whose content stands on another sheet leaves a frame without a text. */
function findEmptyBoxes(drawing: Drawing, texts: readonly (readonly [number, number])[]): string[] {
  return drawnEdges(drawing)
    .filter(
      ([left, bottom, right, top]) => right - left > 300 && top - bottom > 6 && top - bottom < 800,
    )
    .filter(
      ([left, bottom, right, top]) =>
        !texts.some(([x, y]) => x > left - 2 && x < right + 2 && y > bottom - 2 && y < top + 2),
    )
    .map((edges) => edges.map(Math.round).join(' '));
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
      const drawing: Drawing = await sheet.getOperatorList();
      const { fnArray, argsArray } = drawing;
      const texts = items.flatMap((item) =>
        'str' in item && item.str.trim() !== ''
          ? [[Number(item.transform[4]), Number(item.transform[5])] as const]
          : [],
      );
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
        emptyBoxes: findEmptyBoxes(drawing, texts),
      };
    }),
  );
  await pdf.destroy();
  return sheets;
}

function expectHeads(sheets: readonly Sheet[], requestNumber: string): void {
  for (const { text, points, isA4, emptyBoxes } of sheets) {
    expect(text).toContain(requestNumber);
    expect(points).toBeGreaterThan(300);
    expect(isA4).toBe(true);
    expect(emptyBoxes).toEqual([]);
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

test('no sheet of any request has a frame without a text, however the cards meet its end', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  for (const [language, width, username] of [
    ['ar-EG', 690, 'individual2'],
    ['ur-PK', 390, 'company'],
    ['en-US', 1280, 'individual2'],
  ] as const)
    await test.step(`${username} ${language}`, async () => {
      const { page, problems, context } = await openBrowser(browser, {
        language,
        width,
        height: 900,
      });
      await page.addInitScript(() => Object.assign(window, { print: () => undefined }));
      await storeSession(page, username);
      const { body } = await call(getRequestsByStatusId, {
        token: await newToken(username),
        query: { PageNumber: 1, Take: 50 },
      });
      const byStatus = new Map(body.items.map((item) => [item.statusId, item.requestNumber]));
      expect(byStatus.size).toBeGreaterThan(2);
      for (const number of byStatus.values()) {
        await page.goto(`/requests/request-details?request-number=${number}`);
        await expect(page.locator('[data-print-head] svg')).toBeAttached({ timeout: 30_000 });
        expectHeads(await printPage(page), number);
        await page
          .getByRole('button', { name: textsOf(language)('requests:record.printFull') })
          .click();
        expectHeads(await printPage(page), number);
      }
      expect(problems).toEqual([]);
      await context.close();
    });
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
