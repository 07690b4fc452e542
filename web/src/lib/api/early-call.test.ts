import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askEarly, takeEarly } from './early-call.ts';

const stores = { session: new Map<string, string>(), local: new Map<string, string>() };
const storage = (map: Map<string, string>) => ({ getItem: (key: string) => map.get(key) ?? null });
const address = '/api/Service/GetServices?PageNumber=1&ln=Urdu';

beforeEach(() => {
  stores.local.set('language', 'Urdu');
  vi.stubGlobal('window', {
    sessionStorage: storage(stores.session),
    localStorage: storage(stores.local),
  });
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('[]')),
  );
});
afterEach(() => {
  stores.session.clear();
  vi.unstubAllGlobals();
});

it('asks once, with what every call carries, and hands the answer out once', async () => {
  askEarly('/api/Service/GetServices', { PageNumber: '1' });
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    address,
    expect.objectContaining({
      headers: {
        'Accept-Language': 'ur-PK',
        'X-Content-Type-Options': 'nosniff',
        'Content-Type': 'application/json',
      },
    }),
  );
  expect(await (await takeEarly('GET', address, null))?.text()).toBe('[]');
  expect(takeEarly('GET', address, null)).toBeUndefined();
});

it('serves no other address, no other method and nobody who is signed in', () => {
  askEarly('/api/Service/GetServices', { PageNumber: '1' });
  expect(takeEarly('GET', address.replace('1', '2'), null)).toBeUndefined();
  expect(takeEarly('GET', address, 'a token')).toBeUndefined();
  stores.session.set('token', 'x');
  askEarly('/api/Service/GetServices', { PageNumber: '1' });
  expect(takeEarly('GET', address, null)).toBeUndefined();
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('a failure is heard of by who asks for it', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Promise.reject(new TypeError('no connection'))),
  );
  askEarly('/api/Service/GetServices', { PageNumber: '1' });
  await expect(takeEarly('GET', address, null)).rejects.toThrow('no connection');
});
