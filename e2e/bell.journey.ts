import type { Page, WebSocketRoute } from '@playwright/test';
import { approveRequest, receiveRequest } from '@diwan/contract/requests/requests';
import { freeService } from '../api/src/testing/request-stage.ts';
import { call, newToken, plantSession, sendRequest } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, wordsOf } from './steps.ts';

// Journeys beside this one send requests too, so a number is compared with what the server says at
// that moment, and a dot may come back.

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

async function expectRightBadge(page: Page): Promise<void> {
  await expect(async () => {
    const counts = await readCounts(page);
    const total = counts.new + counts.processing;
    await expect(bellOf(page).locator('button [data-badge]')).toHaveText(
      total >= 99 ? '+99' : String(total),
      { timeout: 500 },
    );
  }).toPass({ timeout: 10_000 });
}

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);

  test(`the bell rings when a request comes and is quiet when it was looked at (${language})`, async ({
    browser,
  }) => {
    const { context, page, problems } = await openBrowser(browser, screen);
    const fetches: string[] = [];
    await plantSession(page, 'employee');
    await page.goto('/account/profile');
    const bell = bellOf(page);
    await expect(bell).toHaveAttribute('data-live', 'connected');
    // Nothing is asked of the server before the number goes up.
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
        name: new RegExp(`^${say(`shell:navigation.${name}Requests`)}`),
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

    // Somebody else receives it: that rings too, and the open list shows it without being asked to.
    await expect(page.getByText(requestNumber)).toHaveCount(0);
    await call(receiveRequest, { token: await newToken('employee'), params: { requestId } });
    await expect(page.getByText(requestNumber).first()).toBeVisible({ timeout: 5000 });
    await bell.getByRole('button').click();
    await expect(item('processing').locator('[data-buzz]')).toHaveCount(1);
    expect(problems).toEqual([]);
    await context.close();
  });
}

test('a supervisor hears of what their partner has to do and finds it in the list, an administrator and a client have no bell', async ({
  browser,
}) => {
  const people = await Promise.all(
    ['supervisor', 'supervisor2', 'admin', 'individual'].map(async (username) => {
      const opened = await openBrowser(browser, screens[1]);
      await plantSession(opened.page, username);
      await opened.page.goto('/services');
      return opened;
    }),
  );
  const [one, other, admin, client] = people.map(({ page }) => page) as [Page, Page, Page, Page];
  await Promise.all(
    [one, other].map((page) => expect(bellOf(page)).toHaveAttribute('data-live', 'connected')),
  );
  await Promise.all(
    [admin, client].map(async (page) => {
      await expect(
        page
          .getByRole('banner')
          .getByRole('button', { name: new RegExp(wordsOf('en-US')('shell:userMenu')) }),
      ).toBeVisible();
      await expect(bellOf(page)).toHaveCount(0);
    }),
  );
  const { requestId, requestNumber } = await sendRequest('individual2', freeService);
  const token = await newToken('employee');
  await call(receiveRequest, { token, params: { requestId } });
  await call(approveRequest, { token, body: { requestId } });
  await expect(bellOf(other).locator('[data-buzz]')).toHaveCount(1);
  // That nothing is told to the others is in hubs.test.ts: beside other journeys a supervisor may
  // hear of something at any moment.
  await Promise.all([one, other].map(expectRightBadge));
  await bellOf(other).getByRole('button').click();
  await other
    .getByRole('menuitem', {
      name: new RegExp(`^${wordsOf('en-US')('shell:navigation.newRequests')}`),
    })
    .click();
  await expect(other.getByText(requestNumber).first()).toBeVisible();
  await Promise.all(people.map(({ context }) => context.close()));
});

test('a lost connection comes back by itself and what came meanwhile is there; signing out ends it', async ({
  browser,
}) => {
  const { context, page } = await openBrowser(browser, screens[1]);
  const say = wordsOf('en-US');
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  let cut = (): void => undefined;
  await page.routeWebSocket(/\/hubs\//, (socket) => {
    if (isCut) return void socket.close({ code: 1013 });
    open.add(socket);
    const server = socket.connectToServer();
    const forget = () => void open.delete(socket);
    cut = () => (forget(), void socket.close({ code: 1013 }));
    socket.onClose(() => (forget(), void server.close()));
  });
  await plantSession(page, 'employee');
  await page.goto('/services');
  const bell = bellOf(page);
  await expect(bell).toHaveAttribute('data-live', 'connected');
  isCut = true;
  cut();
  await expect(bell).toHaveAttribute('data-live', 'reconnecting');
  await bell.getByRole('button').click();
  await expect(page.getByText(say('shell:bell.notLive'))).toBeVisible();
  await page.keyboard.press('Escape');
  await sendRequest('individual2', freeService);
  isCut = false;
  await expect(bell).toHaveAttribute('data-live', 'connected', { timeout: 20_000 });
  await expectRightBadge(page);
  expect(open.size).toBe(1);
  await page
    .getByRole('banner')
    .getByRole('button', { name: new RegExp(say('shell:userMenu')) })
    .click();
  await page.getByRole('menuitem', { name: say('shell:logout') }).click();
  await expect(bell).toHaveCount(0);
  await expect.poll(() => open.size).toBe(0);
  await context.close();
});
