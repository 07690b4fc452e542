// Counts keys, clicks, taps, rows and screens on a running product: npm run count-steps
//
// JOURNEYS_PORT is the port of the product, which has the demo data; CHROMIUM a browser of the
// machine. It prints one line for each goal and fails when a goal is missed.
import {
  chromium,
  expect as expectSoon,
  type Browser,
  type Locator,
  type Page,
} from '@playwright/test';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import {
  call,
  discardDrafts,
  findService,
  newToken,
  portalUrl,
  sendReadableRequest,
  sendRequest,
  storeSession,
} from './api.ts';
import { fillForm } from './fill-form.ts';
import { openBrowser, signIn, skipIdentity, textsOf, waitUntilIdle } from './steps.ts';

// The product counts, not the speed of the machine.
const expect = expectSoon.configure({ timeout: 20_000 });

const language = 'en-US';
const t = textsOf(language);
const freeService = 'register-labour-complaints-private-sector-employees';
const details = (number: string) => `/requests/request-details?request-number=${number}`;

let hasFailed = false;
function report(goal: string, figure: number, isReached: boolean, limit: string): void {
  hasFailed ||= !isReached;
  console.log(`${isReached ? 'ok    ' : 'MISSED'} ${goal}: ${figure} (${limit})`);
}
const atMost = (goal: string, figure: number, limit: number) =>
  report(goal, figure, figure <= limit, `at most ${limit}`);
const atLeast = (goal: string, figure: number, limit: number) =>
  report(goal, figure, figure >= limit, `at least ${limit}`);

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

/**
 * Counts what a finger does: each press, each text field that is filled without a press on it or a
 * focus that the product gave it before (a journey fills it, a person taps it first), each file, and
 * the Enter key.
 */
async function countTaps(page: Page): Promise<() => number> {
  let taps = 0;
  await page.context().exposeBinding('countTap', () => (taps += 1));
  // tsx names functions by a helper that the page does not have.
  await page.context().addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
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
  await page.goto(`${portalUrl}${details(requestNumber)}`);
  await page.locator('[data-focus-id~=approve]').waitFor();
  await waitUntilIdle(page);
  return page;
}

const isHeld = (page: Page) => expect(page.locator('[data-bar-line]').first()).toBeVisible();

async function countDesk(browser: Browser): Promise<void> {
  const approval = await openHeld(browser);
  const approving = countingKeys(approval);
  const unread = approval.locator('[data-viewed=false]');
  // The first document opens automatically.
  await expect.poll(() => unread.count()).toBe(1);
  while ((await unread.count()) > 0 && approving.count() < 9) {
    const before = await unread.count();
    await approving.press(']');
    await expect.poll(() => unread.count()).toBeLessThan(before);
  }
  await approving.press('a');
  await isHeld(approval);
  atMost('keys to read the documents and approve', approving.count(), 5);
  await approval.context().close();

  const returning = await openHeld(browser);
  const marks = countingKeys(returning);
  const menu = returning.getByRole('menu');
  const flag = async () => {
    await marks.press('f');
    await menu.getByRole('menuitem').first().waitFor();
    await marks.press('Enter');
    await expect(menu).toHaveCount(0);
  };
  await flag();
  await marks.press('k');
  await flag();
  await marks.press('r');
  await returning.getByRole('dialog').waitFor();
  await marks.press('Control+Enter');
  await isHeld(returning);
  atMost('keys to return with two marks', marks.count(), 8);
  await returning.context().close();

  const charging = await openHeld(browser);
  const fee = countingKeys(charging);
  await fee.press('o');
  const dialog = charging.getByRole('dialog');
  // Unread documents ask once more.
  if (
    !(await dialog.waitFor({ timeout: 1500 }).then(
      () => true,
      () => false,
    ))
  )
    await fee.press('o');
  await dialog.waitFor();
  const focused = () =>
    charging.evaluate(() => document.activeElement?.getAttribute('data-focus-id'));
  await expect.poll(focused).toContain('fines');
  await fee.type('50');
  await expect(
    dialog.getByRole('button', { name: t('requests:charges.finesReason') }),
  ).toBeVisible();
  while (
    !(await charging.evaluate(() => document.activeElement?.getAttribute('aria-haspopup'))) &&
    fee.count() < 9
  )
    await fee.press('Tab');
  await fee.press('ArrowRight');
  await fee.press('Control+Enter');
  await isHeld(charging);
  atMost('keys to approve with a fee and its reason', fee.count(), 7);
  await charging.context().close();
}

/** Counts the presses of a mouse; an amount that is typed counts once. */
async function countMouse(browser: Browser): Promise<void> {
  const button = (page: Page, action: string) => page.locator(`[data-focus-id~=${action}]`);
  const openHeldDesk = async () => {
    const page = await openHeld(browser);
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    return { page, click, count: () => clicks };
  };

  const approving = await openHeldDesk();
  const unread = approving.page.locator('[data-viewed=false]');
  await expect.poll(() => unread.count()).toBe(1);
  await approving.click(unread.first());
  await expect.poll(() => unread.count()).toBe(0);
  await approving.click(button(approving.page, 'approve'));
  await isHeld(approving.page);
  atMost('clicks to read the documents and approve', approving.count(), 5);
  await approving.page.context().close();

  const returning = await openHeldDesk();
  for (const place of [0, 1]) {
    await returning.click(returning.page.locator('[data-mark-flag]').nth(place));
    await returning.click(returning.page.getByRole('menuitem').first());
    await expect(returning.page.getByRole('menu')).toHaveCount(0);
  }
  await returning.click(button(returning.page, 'return'));
  const send = returning.page.getByRole('dialog').getByRole('button', {
    name: t('requests:dialogs.returnSend'),
  });
  await returning.click(send);
  await isHeld(returning.page);
  atMost('clicks to return with two marks', returning.count(), 8);
  await returning.page.context().close();

  const charging = await openHeldDesk();
  const dialog = charging.page.getByRole('dialog');
  await expect.poll(() => charging.page.locator('[data-viewed=false]').count()).toBe(1);
  await charging.click(charging.page.locator('[data-viewed=false]').first());
  await expect(charging.page.locator('[data-viewed=false]')).toHaveCount(0);
  await charging.click(button(charging.page, 'options'));
  // The first field has the focus.
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await charging.page.keyboard.type('50');
  await charging.click(dialog.getByRole('button', { name: t('requests:charges.finesReason') }));
  await charging.click(charging.page.getByRole('option').first());
  await charging.click(dialog.getByRole('button', { name: t('requests:charges.send') }));
  await isHeld(charging.page);
  atMost('clicks to approve with a fee, with the amount that is typed', charging.count() + 1, 7);
  await charging.page.context().close();
}

async function countRows(browser: Browser): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const)
    for (const each of ['ar-EG', 'en-US', 'ur-PK'] as const) {
      const { page } = await openBrowser(browser, { language: each, width, height });
      await storeSession(page, 'employee');
      await page.goto(`${portalUrl}/requests/all`);
      await page.locator('tbody tr').nth(11).waitFor({ state: 'attached' });
      await waitUntilIdle(page);
      const rows = await page.locator('tbody tr').evaluateAll((all, bottom) => {
        // A bar at the bottom covers rows.
        const bars = [...document.querySelectorAll('[data-no-print].sticky.bottom-0')];
        const end = Math.min(bottom, ...bars.map((bar) => bar.getBoundingClientRect().top));
        return all.filter((row) => row.getBoundingClientRect().bottom <= end).length;
      }, height);
      atLeast(`whole rows at ${width} x ${height} (${each})`, rows, 12);
      await page.context().close();
    }
}

async function countScreens(browser: Browser): Promise<void> {
  const { requestNumber } = await sendRequest('individual', freeService);
  for (const each of ['ar-EG', 'en-US', 'ur-PK'] as const) {
    const { page } = await openBrowser(browser, { language: each, width: 390, height: 844 });
    await storeSession(page, 'individual');
    await page.goto(`${portalUrl}${details(requestNumber)}`);
    await page.locator('#request-now').waitFor();
    await waitUntilIdle(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    atMost(`screens of a request on a phone (${each})`, Math.round((height / 844) * 10) / 10, 3);
    await page.context().close();
  }
}

/** `individual` has sent a request for this service before, `individual2` has not. */
async function countResident(browser: Browser): Promise<void> {
  for (const username of ['individual2', 'individual']) await countResidentAs(browser, username);
}

async function countResidentAs(browser: Browser, username: string): Promise<void> {
  await discardDrafts(username, 'renew-vehicle-ownership');
  const { page } = await openBrowser(browser, { language, width: 390, height: 844 });
  const taps = await countTaps(page);
  const service = await findService('renew-vehicle-ownership', language);
  await page.goto(`${portalUrl}/home`);
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
  atMost('taps of a resident from home to paid', taps(), 25);
  await page.context().close();
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const wanted = process.argv[2];
  for (const count of [countDesk, countMouse, countRows, countScreens, countResident])
    if (!wanted || count.name.toLowerCase().includes(wanted)) await count(browser);
} finally {
  await browser.close();
}
if (hasFailed) process.exitCode = 1;
