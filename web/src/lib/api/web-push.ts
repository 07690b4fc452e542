import {
  getPushState,
  removePushSubscription,
  savePushSubscription,
} from '@diwan/contract/people/communication-types';
import { loadItem, pushOwnerKey, removeItem, storeItem } from '../browser/storage.ts';
import { fetchCall } from './fetch-call.ts';
import { send } from './send.ts';
import { currentSession } from './session.ts';

/**
 * Whether this browser shows the messages of the user while the portal is closed. `homeScreen`: an
 * iPhone or iPad, which shows them only for a portal on its home screen.
 */
export type PushState = 'unsupported' | 'homeScreen' | 'blocked' | 'off' | 'on';

/** Served at the root, because a service worker is for the pages below its address. */
const workerAddress = '/push-worker.js';

const isSupported = (): boolean =>
  window.isSecureContext &&
  'serviceWorker' in navigator &&
  'PushManager' in window &&
  'Notification' in window;

/** An iPad calls itself a Mac, which has no touch screen. */
const isAppleMobile = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

const whyUnsupported = (): PushState =>
  isAppleMobile() && !window.matchMedia('(display-mode: standalone)').matches
    ? 'homeScreen'
    : 'unsupported';

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerAddress);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

const encode = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const saveBody = (subscription: PushSubscription) => ({
  endpoint: subscription.endpoint,
  publicKey: encode(subscription.getKey('p256dh')),
  secret: encode(subscription.getKey('auth')),
});

async function save(subscription: PushSubscription): Promise<void> {
  await send(savePushSubscription, { body: saveBody(subscription), skipErrorHandling: true });
  storeItem('local', pushOwnerKey, currentSession()?.ssid ?? '');
}

/** A subscription for this key; one for an earlier key of the portal is replaced. */
async function subscribe(key: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.register(workerAddress);
  await navigator.serviceWorker.ready;
  const { pushManager } = registration;
  const existing = await pushManager.getSubscription();
  if (existing && encode(existing.options.applicationServerKey) === key) return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * The state of this browser. Where the user has turned the messages on here, it also tells the server
 * that the browser is in use, with the address and the key of now. The subscription of another user
 * ends.
 */
export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return whyUnsupported();
  if (Notification.permission === 'denied') return 'blocked';
  const subscription = await findSubscription();
  if (!subscription) return 'off';
  const { key, isOn } = await send(getPushState, {
    body: { endpoint: subscription.endpoint },
    skipErrorHandling: true,
  });
  const isOwn = loadItem('local', pushOwnerKey) === currentSession()?.ssid;
  if (isOn && encode(subscription.options.applicationServerKey) === key) return 'on';
  if (isOwn && Notification.permission === 'granted') {
    await save(await subscribe(key));
    return 'on';
  }
  await subscription.unsubscribe();
  return 'off';
}

/**
 * Asks for the permission and subscribes. Is called when the user presses a button: browsers ignore
 * the question otherwise. Throws when the push service of the browser or the server cannot be
 * reached.
 */
export async function turnOnPush(): Promise<PushState> {
  if (!isSupported()) return whyUnsupported();
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  const { key } = await send(getPushState, { body: {}, skipErrorHandling: true });
  await save(await subscribe(key));
  return 'on';
}

export async function turnOffPush(): Promise<PushState> {
  const subscription = await findSubscription();
  removeItem('local', pushOwnerKey);
  if (subscription) {
    await subscription.unsubscribe();
    await send(removePushSubscription, {
      body: { endpoint: subscription.endpoint },
      skipErrorHandling: true,
    });
  }
  return 'off';
}

/**
 * Ends the messages in this browser because its user signs out. Without a connection the browser
 * refuses them, and the server learns that from its push service.
 */
export async function endPush(token: string): Promise<void> {
  const subscription = await findSubscription();
  if (!subscription) return;
  await Promise.all([
    subscription.unsubscribe(),
    fetchCall(
      removePushSubscription,
      { body: { endpoint: subscription.endpoint } },
      { skipErrorHandling: true },
      token,
    ),
  ]);
}
