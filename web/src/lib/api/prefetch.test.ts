import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prefetch, takePrefetched } from './prefetch.ts';

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

it('sends a call once with the headers of every call and returns its answer once', async () => {
  prefetch('/api/Service/GetServices', { PageNumber: '1' });
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
  expect(await (await takePrefetched('GET', address, null))?.text()).toBe('[]');
  expect(takePrefetched('GET', address, null)).toBeUndefined();
});

it('returns no answer for another address, another method or a token', () => {
  prefetch('/api/Service/GetServices', { PageNumber: '1' });
  expect(takePrefetched('GET', address.replace('1', '2'), null)).toBeUndefined();
  expect(takePrefetched('GET', address, 'a token')).toBeUndefined();
  expect(takePrefetched('POST', address, null)).toBeUndefined();
  stores.session.set('token', 'x');
  prefetch('/api/Service/GetServices', { PageNumber: '1' });
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('returns the failure of a call', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Promise.reject(new TypeError('no connection'))),
  );
  prefetch('/api/Service/GetServices', { PageNumber: '1' });
  await expect(takePrefetched('GET', address, null)).rejects.toThrow('no connection');
});
