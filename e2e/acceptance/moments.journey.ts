import type { Browser, Page } from '@playwright/test';
import {
  receiveRequest,
  releaseRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { getRequestById, getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { languages, type Language } from '@diwan/contract/wire/languages';
import {
  call,
  newToken,
  sendReadableRequest,
  sendRequest,
  storeSession,
  waitUntilInEffect,
} from '../api.ts';
import { expect, test } from '../journey.ts';
import { makePdf } from '../make-pdf.ts';
import { expectAccessible, openAction, openBrowser, textsOf, waitUntilIdle } from '../steps.ts';

const details = (number: string) => `/requests/request-details?request-number=${number}`;
const freeService = 'register-labour-complaints-private-sector-employees';

// One after the other: a clerk sees in each window what they did last in any.
test.describe.configure({ mode: 'default' });

/** A window of 1440 px, in which a clerk has the list, the request and its document. */
async function openDesk(browser: Browser, language: Language) {
  const desk = await openBrowser(browser, { language, width: 1440, height: 900 });
  await storeSession(desk.page, 'employee');
  return desk;
}

/** Sends requests of one applicant, which `employee` holds; the first one is sent last. */
async function sendHeld(applicantName: string, count: number): Promise<string[]> {
  const token = await newToken('employee');
  const numbers: string[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const { requestId, requestNumber } = await sendReadableRequest('individual', { applicantName });
    await call(receiveRequest, { token, params: { requestId }, query: {} });
    numbers.push(requestNumber);
  }
  return numbers;
}

async function readRequest(username: string, RequestNumber: string) {
  const token = await newToken(username);
  const { body } = await call(getRequestIdByRequestNumber, { token, query: { RequestNumber } });
  return (await call(getRequestById, { token, query: { RequestId: body.requestId } })).body;
}

const numberOf = (page: Page) => new URL(page.url()).searchParams.get('request-number') ?? '';

for (const language of languages) {
  const t = textsOf(language);

  test(`a clerk undoes, and goes on to the next request (${language})`, async ({ browser }) => {
    const name = `Moments ${language} ${Date.now()}`;
    const numbers = await sendHeld(name, 3);
    const { page, context, problems } = await openDesk(browser, language);
    await page.goto(`/requests/processing?mine=1&q=${encodeURIComponent(name)}`);
    await expect(page.locator('tbody tr')).toHaveCount(3);
    await page.locator('tbody .row-link').first().click();
    await expect(page.locator('[data-document]')).toBeVisible();
    // Three panes.
    await expect(page.getByRole('complementary').first()).toBeVisible();
    const first = numberOf(page);
    const undo = page.getByRole('button', { name: new RegExp(`^${t('staff:undo.undo')}`) });
    const line = page.locator('[data-bar-line=done]');

    await test.step('an approval opens the next one, and nobody hears of it', async () => {
      await openAction(page, language, 'approve');
      await expect.poll(() => numberOf(page)).not.toBe(first);
      await expect(line.first()).toContainText(first);
      await expect(page.locator('[data-toasts]')).toHaveText('');
      const { heldAction, requestId } = await readRequest('employee2', first);
      expect(heldAction).toMatchObject({ action: 'approve', isYou: false });
      // A second clerk reads who acted.
      const { refused } = await call(releaseRequest, {
        token: await newToken('employee2'),
        body: { requestId },
        language,
      });
      expect(refused).toMatchObject({ error: 'ActionHeld' });
    });

    await test.step('undo, pressed twice, brings it back as it was', async () => {
      await undo.first().dblclick();
      await expect.poll(() => numberOf(page)).toBe(first);
      await expect(page.getByText(t('staff:undo.undone')).first()).toBeVisible();
      await expect(page.locator('[data-focus-id~=approve]')).toBeVisible();
      await expect(line.getByText(first)).toHaveCount(0);
    });

    await test.step('a lost connection takes nothing back and sends nothing twice', async () => {
      await openAction(page, language, 'approve');
      await expect.poll(() => numberOf(page)).not.toBe(first);
      await context.setOffline(true);
      await waitUntilInEffect('employee', first);
      await undo.first().click();
      await context.setOffline(false);
      await page.reload();
      const { history } = await readRequest('individual', first);
      expect(history.filter(({ action }) => action === 'approve')).toHaveLength(1);
    });

    await test.step('the next one by key, and the end of the list', async () => {
      const second = numberOf(page);
      expect(numbers).toContain(second);
      await waitUntilIdle(page);
      await expect(page.locator('[aria-keyshortcuts=n]').last()).toBeVisible();
      await page.keyboard.press('n');
      await expect.poll(() => numberOf(page)).not.toBe(second);
      // The clerk sees the request before the next press.
      await waitUntilIdle(page);
      await page.keyboard.press('n');
      await expect(page.getByText(t('staff:next.end')).first()).toBeVisible();
      await expectAccessible(page);
    });
    expect(problems).toEqual([]);
  });

  test(`home begins with what needs the person (${language})`, async ({ browser }) => {
    const returned = await sendRequest('individual2', freeService);
    const token = await newToken('employee');
    const { requestId } = returned;
    await call(receiveRequest, { token, params: { requestId }, query: {} });
    const words = { messageAr: 'الصورة غير واضحة', messageEn: 'Unclear', messageUr: 'غیر واضح' };
    expect((await call(returnRequest, { token, body: { requestId, ...words } })).status).toBe(200);
    await sendRequest('individual2', 'renew-vehicle-ownership');

    for (const width of [390, 1440]) {
      const { page, problems } = await openBrowser(browser, { language, width, height: 844 });
      await storeSession(page, 'individual2');
      await page.goto('/home/services/individuals');
      const needed = page.locator('main section').first();
      await expect(needed.getByRole('heading', { level: 2 })).toContainText(
        t('requests:own.needs', { number: '' }).replace(/[()\s]+$/, ''),
      );
      await expect(needed.getByRole('link').first()).toBeVisible();
      // It comes before the services.
      const [own = 0, services = 0] = await Promise.all(
        [needed, page.getByRole('tablist')].map(async (part) => (await part.boundingBox())?.y ?? 0),
      );
      expect(own).toBeLessThan(services);
      const toCorrect = needed.locator('li', { hasText: returned.requestNumber });
      if ((await toCorrect.count()) > 0) {
        await toCorrect.getByRole('link').click();
        await expect.poll(() => numberOf(page)).toBe(returned.requestNumber);
        await expect(
          page.getByRole('button', { name: t('requests:record.correct') }).first(),
        ).toBeVisible();
      }
      await expectAccessible(page);
      expect(problems).toEqual([]);
    }
  });

  test(`a completed request opens with its result (${language})`, async ({ browser }) => {
    const [number = ''] = await sendHeld(`Result ${Date.now()}`, 1);
    const result = makePdf(1);
    const { page, problems } = await openDesk(browser, language);
    await page.goto(details(number));
    await openAction(page, language, 'submitted');
    const dialog = page.getByRole('dialog');
    const choosing = page.waitForEvent('filechooser');
    await dialog.locator('[data-focus-id~="attachments.result"]').click();
    await (
      await choosing
    ).setFiles({ name: 'decision.pdf', mimeType: 'application/pdf', buffer: result });
    await expect(dialog.locator('bdi', { hasText: 'decision.pdf' })).toBeVisible();
    await expect(dialog.getByRole('progressbar')).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await expect(dialog).toHaveCount(0);
    await waitUntilInEffect('employee', number);
    expect(problems).toEqual([]);

    const person = await openBrowser(browser, { language, width: 390, height: 844 });
    await storeSession(person.page, 'individual');
    await person.page.goto(details(number));
    const ready = person.page.getByRole('region', { name: t('requests:record.readyOne') });
    await expect(ready).toBeVisible();
    // The result is on the first screen.
    await expect(ready.getByRole('button').first()).toBeInViewport();
    const download = ready.getByRole('button', { name: t('requests:record.downloadFile') });
    const downloading = person.page.waitForEvent('download');
    await download.click();
    expect((await downloading).suggestedFilename()).toBe('decision.pdf');
    await expectAccessible(person.page);
    expect(person.problems).toEqual([]);
  });
}
