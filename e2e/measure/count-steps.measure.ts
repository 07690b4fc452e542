// Counts keys, clicks, taps, rows and screens. A goal that is missed fails.
import type { Browser, Locator, Page } from '@playwright/test';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { languages } from '@diwan/contract/wire/languages';
import {
  call,
  discardDrafts,
  findService,
  newToken,
  sendReadableRequest,
  sendRequest,
  storeSession,
} from '../api.ts';
import { fillForm } from '../fill-form.ts';
import { expect, test } from '../journey.ts';
import { openBrowser, signIn, skipIdentity, textsOf, waitUntilIdle } from '../steps.ts';
import { noteRow } from './reporter.ts';

const language = 'en-US';
const t = textsOf(language);
const freeService = 'register-labour-complaints-private-sector-employees';
const details = (number: string) => `/requests/request-details?request-number=${number}`;

const note = (counted: number, goal: string) =>
  noteRow({
    table: 'steps',
    about: 'Keys, clicks, taps, rows and screens.',
    cells: { what: test.info().title, counted, goal },
  });
function expectAtMost(counted: number, limit: number): void {
  note(counted, `at most ${limit}`);
  expect(counted).toBeLessThanOrEqual(limit);
}
function expectAtLeast(counted: number, limit: number): void {
  note(counted, `at least ${limit}`);
  expect(counted).toBeGreaterThanOrEqual(limit);
}

/** A keyboard that counts its keys; an amount or a word that is typed counts once. */
function countingKeys(page: Page) {
  let keys = 0;
  return {
    press: async (...each: string[]) => {
      for (const key of each) {
        keys += 1;
        await page.keyboard.press(key);
      }
    },
    type: async (text: string) => {
      keys += 1;
      await page.keyboard.type(text);
    },
    count: () => keys,
  };
}

/** A mouse that counts its presses. */
function countingClicks() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    count: () => clicks,
  };
}

/**
 * Counts what a finger does: each press, each text field that is filled without a press on it or a
 * focus that the product gave it before (a journey fills it, a person taps it first), each file, and
 * the Enter key.
 */
async function countTaps(page: Page): Promise<() => number> {
  let taps = 0;
  await page.context().exposeBinding('countTap', () => (taps += 1));
  await page.context().addInitScript(() => {
    const { countTap } = window as unknown as { countTap: () => void };
    // A journey focuses and fills a field in one step; what the product has focused was focused
    // before.
    let unpressed: { field: EventTarget; at: number } | undefined;
    let pressed: EventTarget | null = null;
    const isText = (target: EventTarget | null) =>
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement &&
        !['checkbox', 'radio', 'file', 'submit', 'button'].includes(target.type));
    document.addEventListener(
      'pointerdown',
      ({ isTrusted, target }) => {
        if (!isTrusted) return;
        pressed = target;
        countTap();
      },
      true,
    );
    document.addEventListener('focusin', ({ target }) => {
      unpressed =
        target && target !== pressed && isText(target)
          ? { field: target, at: performance.now() }
          : undefined;
      pressed = null;
    });
    document.addEventListener(
      'input',
      ({ target }) => {
        if (unpressed?.field === target && performance.now() - unpressed.at < 2000) countTap();
        unpressed = undefined;
      },
      true,
    );
    document.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === 'file') countTap();
    });
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') countTap();
    });
  });
  return () => taps;
}

/** A request with documents that `employee` holds, in a tab of theirs; no document is read yet. */
async function openHeld(browser: Browser): Promise<Page> {
  const { requestId, requestNumber } = await sendReadableRequest('individual');
  await call(receiveRequest, {
    token: await newToken('employee'),
    params: { requestId },
    query: {},
  });
  const { page } = await openBrowser(browser, { language, width: 1280, height: 800 });
  await storeSession(page, 'employee');
  await page.goto(details(requestNumber));
  await page.locator('[data-focus-id~=approve]').waitFor();
  await waitUntilIdle(page);
  return page;
}

const isHeld = (page: Page) => expect(page.locator('[data-bar-line]').first()).toBeVisible();

test('keys to read the documents and approve', async ({ browser }) => {
  const page = await openHeld(browser);
  const keys = countingKeys(page);
  const unread = page.locator('[data-viewed=false]');
  // The first document opens automatically.
  await expect.poll(() => unread.count()).toBe(1);
  while ((await unread.count()) > 0 && keys.count() < 9) {
    const before = await unread.count();
    await keys.press(']');
    await expect.poll(() => unread.count()).toBeLessThan(before);
  }
  await keys.press('a');
  await isHeld(page);
  expectAtMost(keys.count(), 5);
});

test('keys to return with two marks', async ({ browser }) => {
  const page = await openHeld(browser);
  const keys = countingKeys(page);
  const menu = page.getByRole('menu');
  const flag = async () => {
    await keys.press('f');
    await menu.getByRole('menuitem').first().waitFor();
    await keys.press('Enter');
    await expect(menu).toHaveCount(0);
  };
  await flag();
  await keys.press('k');
  await flag();
  await keys.press('r');
  await page.getByRole('dialog').waitFor();
  await keys.press('Control+Enter');
  await isHeld(page);
  expectAtMost(keys.count(), 8);
});

test('keys to approve with a fee and its reason', async ({ browser }) => {
  const page = await openHeld(browser);
  const keys = countingKeys(page);
  await keys.press('o');
  const dialog = page.getByRole('dialog');
  // Unread documents ask once more.
  const isOpen = await dialog.waitFor({ timeout: 1500 }).then(
    () => true,
    () => false,
  );
  if (!isOpen) await keys.press('o');
  await dialog.waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-focus-id'));
  await expect.poll(focused).toContain('fines');
  await keys.type('50');
  await expect(
    dialog.getByRole('button', { name: t('requests:charges.finesReason') }),
  ).toBeVisible();
  const opensMenu = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-haspopup'));
  while (!(await opensMenu()) && keys.count() < 9) await keys.press('Tab');
  await keys.press('ArrowRight');
  await keys.press('Control+Enter');
  await isHeld(page);
  expectAtMost(keys.count(), 7);
});

const actionButton = (page: Page, action: string) => page.locator(`[data-focus-id~=${action}]`);

test('clicks to read the documents and approve', async ({ browser }) => {
  const page = await openHeld(browser);
  const mouse = countingClicks();
  const unread = page.locator('[data-viewed=false]');
  await expect.poll(() => unread.count()).toBe(1);
  await mouse.click(unread.first());
  await expect.poll(() => unread.count()).toBe(0);
  await mouse.click(actionButton(page, 'approve'));
  await isHeld(page);
  expectAtMost(mouse.count(), 5);
});

test('clicks to return with two marks', async ({ browser }) => {
  const page = await openHeld(browser);
  const mouse = countingClicks();
  for (const place of [0, 1]) {
    await mouse.click(page.locator('[data-mark-flag]').nth(place));
    await mouse.click(page.getByRole('menuitem').first());
    await expect(page.getByRole('menu')).toHaveCount(0);
  }
  await mouse.click(actionButton(page, 'return'));
  await mouse.click(
    page.getByRole('dialog').getByRole('button', { name: t('requests:dialogs.returnSend') }),
  );
  await isHeld(page);
  expectAtMost(mouse.count(), 8);
});

test('clicks to approve with a fee, with the amount that is typed', async ({ browser }) => {
  const page = await openHeld(browser);
  const mouse = countingClicks();
  const dialog = page.getByRole('dialog');
  const unread = page.locator('[data-viewed=false]');
  await expect.poll(() => unread.count()).toBe(1);
  await mouse.click(unread.first());
  await expect(unread).toHaveCount(0);
  await mouse.click(actionButton(page, 'options'));
  // The first field has the focus.
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.type('50');
  await mouse.click(dialog.getByRole('button', { name: t('requests:charges.finesReason') }));
  await mouse.click(page.getByRole('option').first());
  await mouse.click(dialog.getByRole('button', { name: t('requests:charges.send') }));
  await isHeld(page);
  expectAtMost(mouse.count() + 1, 7);
});

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
] as const)
  for (const each of languages)
    test(`whole rows at ${width} x ${height} (${each})`, async ({ browser }) => {
      const { page } = await openBrowser(browser, { language: each, width, height });
      await storeSession(page, 'employee');
      await page.goto('/requests/all');
      await page.locator('tbody tr').nth(11).waitFor({ state: 'attached' });
      await waitUntilIdle(page);
      const rows = await page.locator('tbody tr').evaluateAll((all, bottom) => {
        // A bar at the bottom covers rows.
        const bars = [...document.querySelectorAll('[data-no-print].sticky.bottom-0')];
        const end = Math.min(bottom, ...bars.map((bar) => bar.getBoundingClientRect().top));
        return all.filter((row) => row.getBoundingClientRect().bottom <= end).length;
      }, height);
      expectAtLeast(rows, 12);
    });

for (const each of languages)
  test(`screens of a request on a phone (${each})`, async ({ browser }) => {
    const { requestNumber } = await sendRequest('individual', freeService);
    const { page } = await openBrowser(browser, { language: each, width: 390, height: 844 });
    await storeSession(page, 'individual');
    await page.goto(details(requestNumber));
    await page.locator('#request-now').waitFor();
    await waitUntilIdle(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expectAtMost(Math.round((height / 844) * 10) / 10, 3);
  });

for (const [username, past] of [
  ['individual2', 'with a first request for this service'],
  ['individual', 'who sent a request for this service before'],
] as const)
  test(`taps of a resident ${past}, from home to paid`, async ({ browser }) => {
    await discardDrafts(username, 'renew-vehicle-ownership');
    const { page } = await openBrowser(browser, { language, width: 390, height: 844 });
    const taps = await countTaps(page);
    const service = await findService('renew-vehicle-ownership', language);
    await page.goto('/home');
    const search = page.locator('input[type=search]').first();
    await search.click();
    await search.fill('renew vehicle');
    await page.getByRole('option', { name: service.name }).first().click();
    // Without an account type of individuals the portal asks for the sign-in first (specification §4).
    await page.waitForURL(/account\/login|home\/auth|requests\/Create/);
    const start = page
      .getByRole('button', { name: t('forms:intro.start') })
      .or(page.getByRole('link', { name: t('forms:intro.start') }))
      .first();
    if (page.url().includes('requests/Create')) await start.click();
    if (page.url().includes('home/auth')) await skipIdentity(page, language);
    await signIn(page, language, username);
    await page.waitForURL(/requests\/Create/);
    const first = page.getByRole('button', { name: t('forms:continue'), exact: true });
    await start.or(first).first().waitFor();
    if (await start.isVisible()) await start.click();
    const before = taps();
    // Nobody types again what the form already shows.
    let earlier = before;
    await fillForm(page, service, language, {
      keepsPrefilled: true,
      onStep: async () => {
        const title = await page.getByRole('heading', { level: 1 }).innerText();
        console.log(`       ${title}: ${taps() - earlier}`);
        earlier = taps();
      },
    });
    console.log(`       of these in the form: ${taps() - before}`);
    await page.getByText(t('forms:review.agree')).click();
    await page
      .getByRole('button', { name: new RegExp(t('forms:review.sendAndPay').split(' ')[0] ?? '') })
      .last()
      .click();
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/payment-status\?result=success/);
    // Fewer would mean that they were not counted.
    expect(taps()).toBeGreaterThan(10);
    expectAtMost(taps(), 25);
  });
