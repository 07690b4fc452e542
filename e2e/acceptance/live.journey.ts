import type { Locator, Page } from '@playwright/test';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { freeService, openRequestStage } from '../../api/src/testing/requests/request-stage.ts';
import type { TestApp } from '../../api/src/testing/test-app.ts';
import { expect, test } from '../journey.ts';
import { openBrowser, screens, textsOf } from '../steps.ts';
import { openLiveProduct, openPageAs, type Carrier, type LiveProduct } from './live-product.ts';

// The promises about live pages, on two processes that share a database: the clerk's browser is at
// one of them, everybody else acts through the other. Each carrier of events takes two minutes.

const screen = screens[1];
const t = textsOf(screen.language);
const rounds = 10;
const promiseMs = 1000;

const bellOf = (page: Page) => page.locator('header [data-live]');
const badgeOf = (page: Page) => bellOf(page).locator('button [data-badge]');

/** Waits in the page for the next change of a text; returns when that was, in milliseconds since 1970. */
async function watchChange(element: Locator): Promise<() => Promise<number>> {
  const handle = await element.elementHandle();
  const changed = await handle?.evaluateHandle((node) => ({
    at: new Promise<number>((resolve) => {
      const before = node.textContent;
      const observer = new MutationObserver(() => {
        if (node.textContent === before) return;
        observer.disconnect();
        resolve(Date.now());
      });
      observer.observe(node, { subtree: true, childList: true, characterData: true });
    }),
  }));
  if (!changed) throw new Error('there is no such element');
  return () => changed.evaluate(({ at }) => at);
}

async function countsOf(product: LiveProduct, token: string) {
  const { body } = await product.far.call(getRequestsCount, { token });
  return body;
}

const badgeText = (total: number) => (total >= 99 ? '+99' : String(total));

for (const carrier of ['PostgreSQL', 'Redis'] as const satisfies readonly Carrier[])
  test.describe(`events through ${carrier}`, () => {
    let product: LiveProduct;
    let stage: ReturnType<typeof openRequestStage>;
    test.describe.configure({ mode: 'default' });
    test.beforeAll(async () => {
      test.setTimeout(180_000);
      product = await openLiveProduct(carrier);
      stage = openRequestStage({
        call: product.far.call,
        signIn: product.signIn,
      } as unknown as TestApp);
    });
    test.afterAll(() => product?.close());

    test('a person sends: badge, list and dashboard change within a second', async ({
      browser,
    }) => {
      test.setTimeout(180_000);
      const clerk = await openBrowser(browser, screen);
      const admin = await openBrowser(browser, screen);
      await openPageAs(
        clerk.page,
        await product.signIn('employee'),
        `${product.address}/requests/new`,
      );
      await openPageAs(
        admin.page,
        await product.signIn('admin'),
        `${product.address}/dashboard-Admin`,
      );
      await expect(bellOf(clerk.page)).toHaveAttribute('data-live', 'connected');
      await expect(admin.page.getByText(t('shell:live.connected'))).toBeVisible();
      const figure = admin.page
        .getByRole('region', { name: t('reports:now.title') })
        .locator('dd')
        .first();
      await expect(figure).toBeVisible();
      await expect(clerk.page.getByRole('row').nth(1)).toBeVisible();
      const newRows = clerk.page.getByRole('main').getByRole('status').first();
      const delays: Record<string, number[]> = { badge: [], list: [], dashboard: [] };
      for (let round = 0; round < rounds; round += 1) {
        const changes = {
          badge: await watchChange(badgeOf(clerk.page)),
          list: await watchChange(newRows),
          dashboard: await watchChange(figure),
        };
        await stage.send('individual2', freeService);
        const sentAt = Date.now();
        for (const [name, change] of Object.entries(changes))
          delays[name]?.push(Math.max(0, (await change()) - sentAt));
      }
      for (const [name, values] of Object.entries(delays)) {
        const sorted = values.toSorted((one, other) => one - other);
        console.log(
          `${carrier}: ${name} after ${sorted[Math.floor(rounds / 2)]} ms (median), ${sorted.at(-1)} ms (longest of ${rounds})`,
        );
        expect(sorted.at(-1), name).toBeLessThan(promiseMs);
      }
      expect([...clerk.problems, ...admin.problems]).toEqual([]);
    });

    test('the network is silent for a minute, and everything is right afterwards', async ({
      browser,
    }) => {
      test.setTimeout(240_000);
      const { page } = await openBrowser(browser, screen);
      const token = await product.signIn('employee');
      await openPageAs(page, token, `${product.address}/requests/new`);
      await expect(bellOf(page)).toHaveAttribute('data-live', 'connected');
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await product.network.setMode('silence');
      const cutAt = Date.now();
      const sent = [];
      for (let count = 0; count < 3; count += 1)
        sent.push(await stage.send('individual', freeService));
      const received = sent[0];
      await product.far.call(receiveRequest, {
        token,
        params: { requestId: received?.requestId ?? 0 },
      });
      await expect(bellOf(page)).not.toHaveAttribute('data-live', 'connected', { timeout: 45_000 });
      await page.waitForTimeout(Math.max(0, cutAt + 60_000 - Date.now()));
      await product.network.setMode('pass');
      const backAt = Date.now();
      await expect(bellOf(page)).toHaveAttribute('data-live', 'connected', { timeout: 45_000 });
      const counts = await countsOf(product, token);
      const total = counts.newRequestsCount + counts.processingRequestsCount;
      // A call on a connection that is dead since the silence ends after ten seconds.
      await expect(badgeOf(page)).toHaveText(badgeText(total), { timeout: 30_000 });
      await page.getByRole('main').getByRole('status').getByRole('button').first().click();
      await expect(page.getByText(sent[2]?.requestNumber ?? '').first()).toBeVisible();
      await expect(page.getByText(received?.requestNumber ?? '')).toHaveCount(0);
      console.log(`${carrier}: right ${Date.now() - backAt} ms after the network was back`);
    });
  });
