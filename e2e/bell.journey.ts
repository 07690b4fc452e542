import type { Page, WebSocket } from '@playwright/test';
import { approveRequest, receiveRequest } from '@diwan/contract/requests/request-actions';
import { openTcpProxy } from '../api/src/testing/programs/tcp-proxy.ts';
import { freeService } from '../api/src/testing/requests/request-stage.ts';
import { call, newToken, storeSession, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { portalUrl } from './server.ts';
import { expectAccessible, openBrowser, screens, textsOf } from './steps.ts';

// Parallel journeys send requests too, so a number is compared with the server's number at that
// moment, and a dot may come back.

async function readCounts(page: Page): Promise<{ new: number; processing: number }> {
  return page.evaluate(async () => {
    const response = await fetch('/api/Request/GetRequestsCount', {
      headers: { authorization: `Bearer ${sessionStorage.getItem('token') ?? ''}` },
    });
    const counts = (await response.json()) as {
      newRequestsCount: number;
      processingRequestsCount: number;
    };
    return { new: counts.newRequestsCount, processing: counts.processingRequestsCount };
  });
}

function bellOf(page: Page) {
  return page.locator('header [data-live]');
}

async function expectCorrectBadge(page: Page): Promise<void> {
  await expect(async () => {
    const counts = await readCounts(page);
    const total = counts.new + counts.processing;
    await expect(bellOf(page).locator('button [data-badge]')).toHaveText(
      total >= 99 ? '+99' : String(total),
      { timeout: 500 },
    );
  }).toPass({ timeout: 10_000 });
}

const screen = screens[1];
const { language } = screen;
const t = textsOf(language);

test(`the bell shows a new request until it was viewed (${language})`, async ({ browser }) => {
  const { context, page, problems } = await openBrowser(browser, screen);
  const fetches: string[] = [];
  await storeSession(page, 'employee');
  await page.goto('/account/profile');
  const bell = bellOf(page);
  await expect(bell).toHaveAttribute('data-live', 'connected');
  // The number rises without another call.
  page.on('request', (request) => fetches.push(new URL(request.url()).pathname));
  const before = await bell.getByRole('button').textContent();
  const { requestId, requestNumber } = await sendRequest('individual2', freeService);
  await expect(bell.locator('[data-buzz]')).toHaveCount(1);
  await expect(bell.getByRole('button')).not.toHaveText(before ?? '');
  expect(fetches).not.toContain('/api/Request/GetRequestsCount');
  await expect(bell.getByRole('status')).not.toBeEmpty();
  await expectAccessible(page);

  await bell.getByRole('button').click();
  const item = (name: string) =>
    page.getByRole('menuitem', {
      name: new RegExp(`^${t(`shell:navigation.${name}Requests`)}`),
    });
  await expect(item('new').locator('[data-buzz]')).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(async () => {
    for (const name of ['new', 'processing']) {
      await bell.getByRole('button').click();
      await item(name).click();
      await expect(page).toHaveURL(new RegExp(`/requests/${name}$`));
    }
    await expect(bell.locator('[data-buzz]')).toHaveCount(0, { timeout: 500 });
  }).toPass();

  // Another employee receives it: the bell shows that too, and the open list updates automatically.
  await expect(page.getByText(requestNumber)).toHaveCount(0);
  await call(receiveRequest, { token: await newToken('employee'), params: { requestId } });
  // The rows that the user reads stay where they are, so it waits until the user asks for it.
  const show = page.getByRole('status').getByRole('button');
  await expect(async () => {
    if (await show.isVisible()) await show.click();
    await expect(page.getByText(requestNumber).first()).toBeVisible({ timeout: 200 });
  }).toPass({ timeout: 5000 });
  await expect(async () => {
    // The menu closes when the list below it changes.
    if (!(await item('processing').isVisible())) await bell.getByRole('button').click();
    await expect(item('processing').locator('[data-buzz]')).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  expect(problems).toEqual([]);
  await context.close();
});

test('a supervisor is notified of requests of their partner and finds them in the list', async ({
  browser,
}) => {
  const { context, page } = await openBrowser(browser, screen);
  await storeSession(page, 'supervisor2');
  await page.goto('/services');
  await expect(bellOf(page)).toHaveAttribute('data-live', 'connected');
  const { requestId, requestNumber } = await sendRequest('individual2', freeService);
  const token = await newToken('employee');
  await call(receiveRequest, { token, params: { requestId } });
  await call(approveRequest, { token, body: { requestId } });
  await expect(bellOf(page).locator('[data-buzz]')).toHaveCount(1);
  // hubs.test.ts tests that other users receive nothing: parallel journeys may notify a supervisor
  // at any moment.
  await expectCorrectBadge(page);
  await bellOf(page).getByRole('button').click();
  await page
    .getByRole('menuitem', { name: new RegExp(`^${t('shell:navigation.newRequests')}`) })
    .click();
  await expect(page.getByText(requestNumber).first()).toBeVisible();
  await context.close();
});

test('ten tabs hold one connection, hand it over and end it with the session', async ({
  browser,
}) => {
  const { context, page, problems } = await openBrowser(browser, screens[1]);
  const sockets: { page: Page; socket: WebSocket }[] = [];
  const watch = (tab: Page) =>
    tab.on('websocket', (socket) => {
      if (new URL(socket.url()).pathname.startsWith('/hubs/')) sockets.push({ page: tab, socket });
    });
  context.on('page', watch);
  watch(page);
  const connected = () =>
    sockets.filter((each) => !each.page.isClosed() && !each.socket.isClosed());
  await storeSession(page, 'employee');
  await page.goto('/account/profile');
  await expect(bellOf(page)).toHaveAttribute('data-live', 'connected');
  // A new tab asks the others for the session.
  const others = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const tab = await context.newPage();
      await tab.goto('/account/profile');
      // Nine tabs load at the same time beside other journeys.
      await expect(bellOf(tab)).toHaveAttribute('data-live', 'connected', { timeout: 30_000 });
      return tab;
    }),
  );
  expect(connected().map(({ page: holder }) => holder)).toEqual([page]);

  await page.close();
  await expect.poll(() => connected().length).toBe(1);
  const [holder] = connected();
  const follower = others.find((tab) => tab !== holder?.page) as Page;
  await expect(bellOf(follower)).toHaveAttribute('data-live', 'connected');
  await sendRequest('individual2', freeService);
  await expect(bellOf(follower).locator('button [data-buzz]')).toHaveCount(1);
  await expectCorrectBadge(follower);

  await follower.getByRole('button', { name: t('shell:userMenu') }).click();
  await follower.getByRole('menuitem', { name: t('shell:logout') }).click();
  await expect.poll(() => connected().length).toBe(0);
  for (const tab of others) await expect(bellOf(tab)).toHaveCount(0);
  expect(problems).toEqual([]);
  await context.close();
});

// The project `acceptance` does the same with a silent network, for a minute, with PostgreSQL and Redis.
test('the network is cut while people act: badge, list and dashboard are right afterwards', async ({
  browser,
}) => {
  const network = await openTcpProxy(portalUrl);
  const address = `http://localhost:${network.port}`;
  const { context, page } = await openBrowser(browser, screen);
  const admin = await openBrowser(browser, screen);
  await storeSession(page, 'employee');
  await storeSession(admin.page, 'admin');
  await page.goto(`${address}/requests/new`);
  await admin.page.goto(`${address}/dashboard-Admin`);
  await expect(bellOf(page)).toHaveAttribute('data-live', 'connected');
  await expect(admin.page.getByText(t('shell:live.connected'))).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();

  await network.setMode('refuse');
  await expect(bellOf(page)).toHaveAttribute('data-live', 'reconnecting');
  await expect(admin.page.getByText(t('shell:live.reconnecting'))).toBeVisible();
  const { requestNumber } = await sendRequest('individual2', freeService);
  await network.setMode('pass');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(bellOf(page)).toHaveAttribute('data-live', 'connected');
  await expectCorrectBadge(page);
  const show = page.getByRole('status').getByRole('button');
  await expect(async () => {
    if (await show.isVisible()) await show.click();
    await expect(page.getByText(requestNumber).first()).toBeVisible({ timeout: 200 });
  }).toPass({ timeout: 5000 });
  await admin.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(admin.page.getByText(t('shell:live.connected'))).toBeVisible();
  await context.close();
  await admin.context.close();
  await network.close();
});
