import type { BrowserContextOptions, Page } from '@playwright/test';
import { directionOf, storedLanguages } from '@diwan/contract/wire/languages';
import { expect, test } from './journey.ts';
import {
  expectAccessible,
  introClose,
  openBrowser,
  screens,
  waitUntilIdle,
  textsOf,
} from './steps.ts';

const intro = (page: Page) => page.locator('dialog[open]');

const background = (page: Page) => page.locator('video[loop]');

/** The elements that were the largest of the page, one after the other. */
const recordLargestPaints = (page: Page) =>
  page.addInitScript(() => {
    const largest: (string | undefined)[] = [];
    Object.assign(window, { largest });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        largest.push((entry as PerformanceEntry & { element?: Element }).element?.tagName);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });

/** The videos that the page requested. */
function recordVideoRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/videos/') && request.method() === 'GET')
      asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

test('the introduction is shown once a session over the loaded page, and closes by button, by Escape and automatically', async ({
  browser,
}) => {
  const screen = screens[0];
  const t = textsOf(screen.language);
  for (const way of ['close', 'escape', 'end'] as const) {
    const { page, context, problems } = await openBrowser(browser, { ...screen, moves: true });
    await page.removeLocatorHandler(introClose(page));
    await recordLargestPaints(page);
    await page.goto('/');
    await expect(intro(page)).toBeVisible();
    await expect(background(page)).toHaveCount(0);
    // The page below it was complete before.
    expect(
      await page.evaluate(() => [
        document.readyState,
        document.querySelectorAll('main h1, main h3 a').length > 3,
      ]),
    ).toEqual(['complete', true]);
    await expect(
      page.getByRole('button', { name: t('home:intro.close'), exact: true }),
    ).toBeFocused();
    if (way === 'close') {
      await expectAccessible(page);
      await introClose(page).click();
    } else if (way === 'escape') await page.keyboard.press('Escape');
    await expect(intro(page)).toHaveCount(0);
    await expect(page.locator('video[data-shown]')).toBeAttached();
    await page.goto('/home');
    await expect(page.locator('video[data-shown]')).toBeAttached();
    // A decoration is not what the visitor waits for: decision 0011.
    const largest = await page.evaluate(() => (window as unknown as { largest: [] }).largest);
    expect(largest.length).toBeGreaterThan(0);
    expect(largest).not.toContain('VIDEO');
    await waitUntilIdle(page);
    await expect(page.locator('dialog')).toHaveCount(0);
    expect(problems).toEqual([]);
    await context.close();
  }
});

test('nothing interrupts the user, and users who prefer less motion or less data see a picture', async ({
  browser,
}) => {
  const visit = async (
    options: BrowserContextOptions,
    script: () => void,
    act?: (page: Page) => Promise<void>,
  ) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    await context.addInitScript(script);
    const page = await context.newPage();
    const videos = recordVideoRequests(page);
    await page.goto('/home', { waitUntil: 'commit' });
    await act?.(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('video[data-shown]')).toBeAttached();
    await page.waitForLoadState('networkidle');
    const button = (name: string) =>
      page.getByRole('button', { name: textsOf('ar-EG')(`home:video.${name}`), exact: true });
    const result = {
      videos: [...new Set(videos)].map((path) => path.slice('/videos/'.length)),
      dialogs: await page.locator('dialog').count(),
      plays: await background(page).evaluate((video) => !(video as HTMLVideoElement).paused),
      buttons: [await button('pause').count(), await button('play').count()],
    };
    await context.close();
    return result;
  };
  const still = { videos: ['background.webp'], dialogs: 0, plays: false, buttons: [0, 1] };
  const pretend = (connection: object) =>
    `Object.defineProperty(navigator, 'connection', { value: ${JSON.stringify(connection)} })`;
  expect(await visit({ reducedMotion: 'reduce' }, () => undefined)).toEqual(still);
  for (const connection of [
    { saveData: true, effectiveType: '4g' },
    { saveData: false, effectiveType: '2g' },
  ]) {
    expect(await visit({}, pretend(connection) as never), JSON.stringify(connection)).toEqual(
      still,
    );
  }
  // A user who focuses the search box immediately is not interrupted, however late the rest of the
  // page loads.
  const focusFirst = () => {
    new MutationObserver((_changes, observer) => {
      const box = document.querySelector<HTMLElement>('[role=combobox]');
      if (!box) return;
      box.focus();
      if (document.activeElement === box) observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  };
  const typing = await visit({}, focusFirst, async (page) => {
    await page.getByRole('combobox').first().pressSequentially('xq');
  });
  expect(typing).toEqual({
    videos: [expect.stringMatching(/^background\.(webm|mp4)$/)],
    dialogs: 0,
    plays: true,
    buttons: [1, 0],
  });
});

test('the background begins automatically, stops at a press, stays stopped, and then only its picture is fetched', async ({
  browser,
}) => {
  const screen = screens[1];
  const t = textsOf(screen.language);
  const { page, problems } = await openBrowser(browser, { ...screen, moves: true });
  const video = page.locator('video[data-shown]');
  const isMoving = () => video.evaluate((element) => !(element as HTMLVideoElement).paused);
  const play = page.getByRole('button', { name: t('home:video.play'), exact: true });
  const pause = page.getByRole('button', { name: t('home:video.pause'), exact: true });
  // The first press comes before the first frame.
  let deliver = () => {};
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route(/background\.(webm|mp4)$/, async (route) => {
    if (route.request().method() === 'GET') await delivered;
    await route.continue();
  });
  await page.goto('/home');
  await pause.click();
  await expect(play).toBeVisible();
  deliver();
  await page.unrouteAll({ behavior: 'wait' });
  expect(await isMoving()).toBe(false);
  const asked = recordVideoRequests(page);
  await page.reload();
  await expect(play).toBeVisible();
  await waitUntilIdle(page);
  expect(await isMoving()).toBe(false);
  expect(asked).toEqual(['/videos/background.webp']);
  await play.click();
  await expect.poll(isMoving).toBe(true);
  await pause.click();
  await expect(play).toBeVisible();
  expect(await isMoving()).toBe(false);
  // A part of a video can be requested, as Safari does.
  for (const kind of ['webm', 'mp4']) {
    const part = await page.request.get(`/videos/background.${kind}`, {
      headers: { range: 'bytes=0-99' },
    });
    expect([
      part.status(),
      part.headers()['content-type'],
      (await part.body()).length,
      part.headers()['cache-control'],
    ]).toEqual([206, `video/${kind}`, 100, 'public, max-age=86400']);
    expect(
      Number((await page.request.head(`/videos/background.${kind}`)).headers()['content-length']),
    ).toBeLessThan(500_000);
  }
  expect(problems).toEqual([]);
});

test('three slides by keyboard (ar-EG, 390 px)', async ({ browser }) => {
  const screen = screens[0];
  const { language } = screen;
  const t = textsOf(language);
  const { page, problems } = await openBrowser(browser, { ...screen, moves: true });
  await page.goto('/home');
  const footer = page.getByRole('contentinfo');
  await footer.scrollIntoViewIfNeeded();
  const carousel = page.getByRole('region', { name: t('home:banners.title'), exact: true });
  await expect(carousel).toHaveAttribute('aria-roledescription', t('home:banners.carousel'));
  const slides = carousel.getByRole('group').filter({ has: page.locator('h3') });
  await expect(slides).toHaveCount(3);
  const place = () =>
    carousel
      .locator('.snap-x')
      .evaluate((track) => Math.round((track.scrollLeft / track.clientWidth) * 100) / 100 + 0);
  const sign = directionOf(language) === 'rtl' ? -1 : 1;
  await page.getByRole('button', { name: t('home:banners.next'), exact: true }).press('Enter');
  await expect.poll(place).toBe(sign);
  await page.keyboard.press('Enter');
  await expect.poll(place).toBe(2 * sign);
  await page.keyboard.press('Enter');
  await expect.poll(place).toBe(0);
  await page.getByRole('button', { name: t('home:banners.previous'), exact: true }).press('Enter');
  await expect.poll(place).toBe(2 * sign);
  const dot = (name: string) =>
    carousel.getByRole('button', {
      name: t('home:banners.show', { title: t(`home:banners.${name}.title`) }),
      exact: true,
    });
  await expect(dot('help')).toHaveAttribute('aria-current', 'true');
  await dot('help').focus();
  await page.keyboard.press(sign === 1 ? 'ArrowLeft' : 'ArrowRight');
  await expect(dot('news')).toBeFocused();
  await expect.poll(place).toBe(sign);
  await expectAccessible(page);
  await slides.nth(2).getByRole('link').last().click();
  await expect(page).toHaveURL(/\/requests\/inquiry$/);
  expect(await page.evaluate(() => localStorage.getItem('language') ?? '')).toBe(
    storedLanguages[language],
  );
  expect(problems).toEqual([]);
});

test('the three slides are there without a script, and all of them on paper', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: screens[0] });
  const page = await context.newPage();
  await page.goto('/home');
  const titles = page.locator('main .snap-x h3');
  await expect(titles).toHaveCount(3);
  await expect(titles.first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const places = await titles.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => [left, right]),
  );
  for (const [left = -1, right = Infinity] of places) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(screens[0]?.width ?? 0);
  }
  await context.close();
});
