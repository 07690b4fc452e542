import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { JsonBytes, joinPage, openReplyCache } from './response-cache.ts';

const app = useTestApp();

const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url, headers });
const large = '/api/Service/GetServiceIdByServiceName?serviceName=renew-trade-licence';

test('a large reply of the catalogue is compressed as its caller accepts, and has the same content', async () => {
  const plain = await get(large);
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const [accepted, encoding, decompress] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const compressed = await get(large, { 'accept-encoding': accepted });
    expect(compressed.headers['content-encoding']).toBe(encoding);
    expect(compressed.headers.vary).toContain('accept-encoding');
    expect(Number(compressed.headers['content-length'])).toBe(compressed.rawPayload.length);
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(decompress(compressed.rawPayload).toString()).toBe(plain.body);
  }
});

const countReplies = async () => {
  const { body } = await get('/metrics');
  return ['hit', 'miss'].map((result) =>
    Number(new RegExp(`diwan_reply_cache_total{result="${result}"} (\\d+)`).exec(body)?.[1]),
  );
};

test('a repeated address is answered from memory from the third call on, in each language, until the catalogue changes', async () => {
  const url = '/api/Service/GetService?serviceId=2';
  const arabic = { 'accept-language': 'ar-EG' };
  const [hit = 0, miss = 0] = await countReplies();
  const first = await get(url, arabic);
  await get(url, arabic);
  expect(await countReplies()).toEqual([hit, miss + 2]);
  const again = await get(url, arabic);
  expect(await countReplies()).toEqual([hit + 1, miss + 2]);
  expect([again.body, again.headers.etag]).toEqual([first.body, first.headers.etag]);
  expect(again.headers.vary).toMatch(/accept-language.*accept-encoding/);
  const urdu = await get(url, { 'accept-language': 'ur-PK' });
  expect(urdu.json<{ name: string }>().name).not.toBe(first.json<{ name: string }>().name);
  expect((await get(`${url}&ln=ur-PK`, arabic)).body).toBe(urdu.body);

  await app.database
    .updateTable('services')
    .set({ working_days: 77 })
    .where('id', '=', 2)
    .execute();
  await expect
    .poll(async () => (await get(url, arabic)).json<{ workingDays: number }>().workingDays)
    .toBe(77);
});

test('a page is joined from its items, and its hash changes with the items and the other fields', () => {
  const [one, two] = ['خدمة', 'سروس'].map(
    (name) => new JsonBytes(Buffer.from(`{"name":"${name}"}`)),
  ) as [JsonBytes, JsonBytes];
  const pages = [
    [[], 0],
    [[one], 1],
    [[one, two], 2],
    [[two, one], 2],
    [[one, two], 3],
  ] as const;
  const joined = pages.map(([items, totalCount]) =>
    joinPage(items, { totalCount, didYouMean: undefined }),
  );
  expect(joined.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)).toEqual(
    pages.map(([items, totalCount]) => ({
      items: items.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown),
      totalCount,
    })),
  );
  expect(new Set(joined.map(({ hash }) => hash)).size).toBe(pages.length);
  expect(joinPage([one, two], { totalCount: 2 }).hash).toBe(joined[2]?.hash);
});

test('a change of a service is seen in lists too', async () => {
  const url = '/api/Service/GetServices?PageSize=100';
  const daysOf = async () => {
    const { items } = (await get(url)).json<{ items: { id: number; workingDays: number }[] }>();
    return items.find(({ id }) => id === 3)?.workingDays;
  };
  expect(await daysOf()).not.toBe(78);
  await app.database
    .updateTable('services')
    .set({ working_days: 78 })
    .where('id', '=', 3)
    .execute();
  await expect.poll(daysOf).toBe(78);
});

test('refusals are not cached', async () => {
  const [, miss] = await countReplies();
  for (let time = 0; time < 2; time += 1)
    expect((await get('/api/Service/GetService?serviceId=999999')).statusCode).toBe(404);
  expect((await countReplies())[1]).toBe(miss);
});

test('the cache drops the least recently used replies, and has no long addresses', () => {
  const cache = openReplyCache();
  const text = 'x'.repeat(400_000);
  const ask = (key: number) => cache.find(`${key}`) ?? (cache.store(`${key}`, text) && undefined);
  for (let key = 0; key < 19; key += 1) for (let time = 0; time < 2; time += 1) ask(key);
  // The same address again does not count twice.
  for (let time = 0; time < 20; time += 1) cache.store('18', text);
  expect(cache.find('0')?.length).toBe(400_000);
  // What is made once is not cached, and drops nothing.
  for (let key = 19; key < 100; key += 1) ask(key);
  expect(cache.find('99')).toBeUndefined();
  expect(ask(1)).toBeDefined();
  // What is made a second time takes the place of what was not asked for longest.
  expect(ask(50)).toBeUndefined();
  expect(ask(50)).toBeDefined();
  expect(cache.find('2')).toBeUndefined();
  expect(cache.find('0')).toBeDefined();
  cache.store('long'.repeat(101), 'short');
  expect(cache.find('long'.repeat(101))).toBeUndefined();
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
