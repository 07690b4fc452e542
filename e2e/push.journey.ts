import type { Page, Worker } from '@playwright/test';
import { getPushState } from '@diwan/contract/people/communication-types';
import { openPushBrowser, openPushService } from '../api/src/testing/push-browser.ts';
import { freeService } from '../api/src/testing/requests/request-stage.ts';
import { call, newToken, sendRequest, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { journeysPushPort, portalUrl } from './server.ts';
import { expectAccessible, openBrowser, screens, textsOf } from './steps.ts';

const screen = screens[0];
const t = textsOf(screen.language);

/**
 * Headless Chromium has no notifications and no push service. The permission and the subscription are
 * planted; the service worker and its event are real.
 */
async function plantSubscription(page: Page, browser: ReturnType<typeof openPushBrowser>) {
  await page.addInitScript(({ endpoint, publicKey, secret }) => {
    const bytesOf = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
        each.charCodeAt(0),
      ).buffer;
    // The browser keeps both when a page loads.
    const isGranted = () => localStorage.getItem('planted-permission') !== null;
    const isOn = () => localStorage.getItem('planted-subscription');
    Object.defineProperty(Notification, 'permission', {
      get: () => (isGranted() ? 'granted' : 'default'),
    });
    Notification.requestPermission = async () => {
      localStorage.setItem('planted-permission', 'yes');
      return 'granted';
    };
    const subscriptionOf = (key: string) =>
      ({
        endpoint,
        options: { applicationServerKey: bytesOf(key) },
        getKey: (name: string) => bytesOf(name === 'auth' ? secret : publicKey),
        unsubscribe: async () => {
          localStorage.removeItem('planted-subscription');
          return true;
        },
      }) as unknown as PushSubscription;
    PushManager.prototype.getSubscription = async () => {
      const key = isOn();
      return key === null ? null : subscriptionOf(key);
    };
    PushManager.prototype.subscribe = async (options) => {
      const key = String(options?.applicationServerKey);
      localStorage.setItem('planted-subscription', key);
      return subscriptionOf(key);
    };
  }, browser.body);
}

interface RecordingScope {
  shown: { title: string; options: { body: string; lang: string; dir: string } & object }[];
  opened: string[];
}

/** Records what the service worker shows and opens. */
const record = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as RecordingScope & {
      registration: { showNotification: unknown };
      clients: { openWindow: unknown };
    };
    Object.assign(scope, { shown: [], opened: [] });
    scope.registration.showNotification = async (title: string, options: never) =>
      void scope.shown.push({ title, options });
    scope.clients.openWindow = async (url: string) => void scope.opened.push(url);
  });

test('a browser shows a message of the server, opens its page, and stops at the sign-out', async ({
  browser,
}) => {
  const service = await openPushService(journeysPushPort);
  try {
    const endpoint = `http://127.0.0.1:${journeysPushPort}/journey`;
    const own = openPushBrowser(endpoint);
    const { context, page, problems } = await openBrowser(browser, screen);
    await plantSubscription(page, own);
    await storeSession(page, 'individual2');
    await page.goto('/account/profile');
    const [worker] = await Promise.all([
      context.waitForEvent('serviceworker'),
      page.getByRole('button', { name: t('messages:push.turnOn') }).click(),
    ]);
    await expect(page.getByText(t('messages:push.states.on'))).toBeVisible();
    await expectAccessible(page);
    await record(worker);

    const { requestNumber } = await sendRequest('individual2', freeService);
    const find = () =>
      service
        .received('/journey')
        .map((message) => own.read(message))
        .find(({ title }) => title?.includes(requestNumber));
    await expect.poll(find, { timeout: 15_000 }).toBeDefined();
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId);
      }),
    );
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: portalUrl,
      registrationId: await registered,
      data: JSON.stringify(find()),
    });
    const shown = () => worker.evaluate(() => (self as unknown as RecordingScope).shown);
    const { title, body, lang, dir } = find() ?? {};
    await expect.poll(shown).toMatchObject([{ title, options: { body, lang, dir } }]);

    // A click opens the page of the request, and never another origin.
    const click = (url: string) =>
      worker.evaluate(async (given) => {
        const event = Object.assign(new Event('notificationclick'), {
          notification: { close: () => undefined, data: { url: given } },
          waitUntil: (work: Promise<unknown>) => work,
        });
        self.dispatchEvent(event);
      }, url);
    await click(find()?.url ?? '');
    await click('https://attacker.example/');
    const opened = () => worker.evaluate(() => (self as unknown as RecordingScope).opened);
    await expect.poll(opened).toEqual([`${portalUrl}${find()?.url}`, `${portalUrl}/`]);
    await page.goto(find()?.url ?? '');
    await expect(page.getByText(requestNumber).first()).toBeVisible();

    const isOn = async () =>
      (await call(getPushState, { token: await newToken('individual2'), body: { endpoint } })).body
        .isOn;
    expect(await isOn()).toBe(true);
    await page.getByRole('button', { name: t('shell:userMenu') }).click();
    await page.getByRole('menuitem', { name: t('shell:logout') }).click();
    await expect.poll(isOn).toBe(false);
    expect(problems).toEqual([]);
  } finally {
    service.close();
  }
});
