import { expect, it } from 'vitest';
import webPush from 'web-push';
import { readConfig } from '#config.ts';
import { openPushBrowser } from '#testing/push-browser.ts';
import { isKnownPushService, isPublicAddress, lookUpPublic } from './push-services.ts';
import { maximumPushBytes } from './push.ts';

const { WEB_PUSH_SERVICES: services } = readConfig({});

it('fills one record of 4096 bytes with the longest message', () => {
  const { body } = openPushBrowser('https://push.example/abc');
  const { body: record } = webPush.generateRequestDetails(
    { endpoint: body.endpoint, keys: { p256dh: body.publicKey, auth: body.secret } },
    Buffer.alloc(maximumPushBytes),
    { vapidDetails: { subject: 'mailto:a@b.example', ...webPush.generateVAPIDKeys() } },
  );
  expect(record).toHaveLength(4096);
});

it.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('sends to %s', (endpoint) => {
  expect(isKnownPushService(endpoint, services)).toBe(true);
});

it.each([
  'http://fcm.googleapis.com/abc',
  'https://fcm.googleapis.com:8443/abc',
  'https://user:word@fcm.googleapis.com/abc',
  'https://fcm.googleapis.com.attacker.example/abc',
  'https://attacker.example/fcm.googleapis.com',
  'https://attackerpush.apple.com/abc',
  'https://127.0.0.1/abc',
  'https://[::1]/abc',
  'https://localhost/abc',
  'file:///etc/passwd',
  'no address',
])('refuses %s', (endpoint) => {
  expect(isKnownPushService(endpoint, services)).toBe(false);
});

it('sends to an origin that the setting names, and to no other port of it', () => {
  const own = ['https://push.example:8443'];
  expect(isKnownPushService('https://push.example:8443/abc', own)).toBe(true);
  expect(isKnownPushService('https://push.example/abc', own)).toBe(false);
  expect(() => readConfig({ WEB_PUSH_SERVICES: '*' })).toThrow('WEB_PUSH_SERVICES');
});

it('knows addresses of private networks in every form', () => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    'fd00::1',
    'fe80::1',
    'no address',
    '2002:a00:1::',
    '2001:0:a00::1',
    '64:ff9b:1::a00:1',
    'fec0::1',
    '::a00:1',
    '192.88.99.1',
    '3fff::1',
    '5f00::1',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ['142.250.1.188', '2a00:1450:4001:80b::200a'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

it('refuses a host whose name leads into the own network', async () => {
  const found = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    lookUpPublic('localhost', {}, (error) => resolve(error));
  });
  expect(found?.code).toBe('EPRIVATE');
});
