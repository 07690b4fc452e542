import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url, headers });
const large = '/api/Service/GetServiceByServiceName?serviceName=renew-trade-licence';

test('a large shared reply is packed for who can unpack it, and is the same', async () => {
  const plain = await get(large);
  const packed = await get(large, { 'accept-encoding': 'gzip, deflate, br' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.headers.vary).toContain('accept-encoding');
  expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length);
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
});

test('who has it hears that it holds, packed or not', async () => {
  for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
    const { etag } = (await get(large, headers)).headers;
    const again = await get(large, { ...headers, 'if-none-match': String(etag) });
    expect([again.statusCode, again.body, again.headers['content-encoding']]).toEqual([
      304,
      '',
      undefined,
    ]);
  }
  expect((await get(large, { 'if-none-match': '"other"' })).statusCode).toBe(200);
});

test('a small reply and a refusal are sent as they are', async () => {
  for (const url of [
    '/api/Service/ServiceSearch?Name=',
    '/api/Service/GetService?serviceId=999999',
  ])
    expect(
      (await get(url, { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined();
});

test('what is not shared is never packed', async () => {
  const { headers } = await get('/openapi.json', { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});
