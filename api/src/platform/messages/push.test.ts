import { createECDH } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { encryptPush, maximumPushBytes } from './push-encryption.ts';
import { isKnownPushService, isPublicAddress, lookUpPublic } from './push-services.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const { WEB_PUSH_SERVICES: services } = readConfig({});

// The example of RFC 8291, appendix A.
const browser = {
  publicKey: bytes(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  ),
  secret: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
};

it('encrypts the example of RFC 8291 to its bytes', () => {
  const sender = createECDH('prime256v1');
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const text = Buffer.from('When I grow up, I want to be a watermelon');
  expect(
    encryptPush(text, browser, sender, bytes('DGv6ra1nlYgDCS1FRnbzlw')).toString('base64url'),
  ).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS' +
      '6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('fills one record of 4096 bytes with the longest message', () => {
  expect(encryptPush(Buffer.alloc(maximumPushBytes), browser)).toHaveLength(4096);
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
