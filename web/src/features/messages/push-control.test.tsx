import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { removeItem, pushOwnerKey } from '#lib/browser/storage.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getPushState,
  removePushSubscription,
  savePushSubscription,
} from '@diwan/contract/people/communication-types';
import { PushControl, PushOffer } from './push-control.tsx';

const key =
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
    each.charCodeAt(0),
  ).buffer;

/** The push manager of this browser, which needs the internet, and its permission. */
function openPushManager(permission: NotificationPermission, answer = permission) {
  const state = { permission, asked: 0, subscription: null as PushSubscription | null };
  const subscription = {
    endpoint: 'https://push.example/one',
    options: { applicationServerKey: bytesOf(key) },
    getKey: () => new Uint8Array(16).buffer,
    unsubscribe: async () => {
      state.subscription = null;
      return true;
    },
  } as unknown as PushSubscription;
  const registration = {
    pushManager: {
      getSubscription: async () => state.subscription,
      subscribe: async () => (state.subscription = subscription),
    },
  } as unknown as ServiceWorkerRegistration;
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockImplementation(async () => registration);
  vi.spyOn(navigator.serviceWorker, 'register').mockImplementation(async () => registration);
  vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockReturnValue(Promise.resolve(registration));
  vi.spyOn(Notification, 'permission', 'get').mockImplementation(() => state.permission);
  vi.spyOn(Notification, 'requestPermission').mockImplementation(async () => {
    state.asked += 1;
    return (state.permission = answer);
  });
  return { state, registration };
}

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Client');
});
afterEach(() => {
  vi.restoreAllMocks();
  removeItem('local', pushOwnerKey);
  removeItem('local', 'push-offer-dismissed');
});

const turnOn = page.getByRole('button', { name: 'Turn on notifications' });
const status = page.getByRole('status').first();

it('asks for the permission when the button is pressed, and turns on and off', async () => {
  const { state } = openPushManager('default', 'granted');
  answerCall(getPushState, ({ body }) => ({
    key,
    isOn: (body as { endpoint?: string }).endpoint !== undefined,
  }));
  const saved = answerCall(savePushSubscription, { key, isOn: true });
  const removed = answerCall(removePushSubscription, { key, isOn: false });
  await renderComponent(<PushControl />);
  await expect.element(status).toMatchTextContent('Off in this browser');
  expect(state.asked).toBe(0);
  await turnOn.click();
  await expect.element(status).toMatchTextContent('On in this browser');
  await expect
    .poll(() => saved.map(({ body }) => (body as { endpoint: string }).endpoint))
    .toEqual(['https://push.example/one']);
  await page.getByRole('button', { name: 'Turn off notifications' }).click();
  await expect.element(status).toMatchTextContent('Off in this browser');
  await expect.poll(() => [removed.length, state.subscription]).toEqual([1, null]);
});

it('says when the browser blocks them, and offers no button', async () => {
  openPushManager('default', 'denied');
  answerCall(getPushState, { key, isOn: false });
  await renderComponent(<PushControl />);
  await turnOn.click();
  await expect.element(status).toMatchTextContent('Blocked in this browser');
  await expect.element(page.getByText(/Allow them in the browser’s settings/)).toBeVisible();
  await expect.element(turnOn).not.toBeInTheDocument();
});

it('says when the browser cannot show them', async () => {
  openPushManager('default');
  vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false);
  await renderComponent(<PushControl />);
  await expect.element(status).toMatchTextContent('Not supported by this browser');
});

it('says when the push service cannot be reached, and stays off', async () => {
  const { registration } = openPushManager('granted');
  registration.pushManager.subscribe = () => Promise.reject(new DOMException('', 'AbortError'));
  answerCall(getPushState, { key, isOn: false });
  await renderComponent(<PushControl />);
  await turnOn.click();
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Notifications could not be turned on');
  await expect.element(turnOn).toBeEnabled();
});

it('ends the messages of another user in this browser', async () => {
  const { state, registration } = openPushManager('granted');
  await registration.pushManager.subscribe();
  answerCall(getPushState, { key, isOn: false });
  answerCall(savePushSubscription, () => {
    throw refuse(400, 'PushServiceUnknown', 'not for this user');
  });
  await renderComponent(<PushControl />);
  await expect.element(status).toMatchTextContent('Off in this browser');
  expect(state.subscription).toBeNull();
});

it('offers them once after a request, and not again', async () => {
  openPushManager('default', 'granted');
  answerCall(getPushState, { key, isOn: false });
  await renderComponent(<PushOffer />);
  await expect.element(page.getByText('Get notified on this device')).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect.element(page.getByText('Get notified on this device')).not.toBeInTheDocument();
  await renderComponent(<PushOffer />);
  await expect.element(turnOn).not.toBeInTheDocument();
});

it('explains on an iPhone that the portal has to be on the home screen, until it is', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15',
  );
  const { PushManager } = window;
  Reflect.deleteProperty(window, 'PushManager');
  try {
    await renderComponent(
      <>
        <PushControl />
        <PushOffer />
      </>,
    );
    await expect.element(status).toMatchTextContent('Add the portal to your home screen first');
    const hints = page.getByText(/press Share, then Add to Home Screen/);
    await expect.poll(() => hints.elements().length).toBe(2);
    await expect.element(turnOn).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Not now' }).click();
    await expect.poll(() => hints.elements().length).toBe(1);
  } finally {
    window.PushManager = PushManager;
  }
});
