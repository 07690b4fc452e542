import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = useTestApp();

const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url, headers });
const large = '/api/Service/GetServiceByServiceName?serviceName=renew-trade-licence';

test('a large cacheable reply is compressed for a caller that accepts gzip, and has the same content', async () => {
  const plain = await get(large);
  const compressed = await get(large, { 'accept-encoding': 'gzip, deflate, br' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(compressed.headers['content-encoding']).toBe('gzip');
  expect(compressed.headers.vary).toContain('accept-encoding');
  expect(Number(compressed.headers['content-length'])).toBe(compressed.rawPayload.length);
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
});

test('a caller that has the reply gets 304, compressed or not', async () => {
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

test('a small reply and a refusal are not compressed', async () => {
  for (const url of [
    '/api/Service/ServiceSearch?Name=',
    '/api/Service/GetService?serviceId=999999',
  ])
    expect(
      (await get(url, { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined();
});

test('a reply that is not cacheable is never compressed', async () => {
  const { headers, rawPayload } = await get('/api/Request/GetRequestsByStatusId?pageSize=20', {
    authorization: `Bearer ${await app.signIn('employee')}`,
    'accept-encoding': 'gzip',
  });
  expect(rawPayload.length).toBeGreaterThan(1400);
  expect(headers['content-encoding']).toBeUndefined();
});
