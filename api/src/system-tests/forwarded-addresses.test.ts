// Behind a proxy that writes `address:port` or nonsense into X-Forwarded-For, limits by address hold.
import { expect, it } from 'vitest';
import { login } from '@diwan/contract/people/users';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/request-lists';
import { useTestApp } from '../testing/test-app.ts';

const app = useTestApp({
  TRUST_PROXY: '127.0.0.1,10.0.0.1',
  LOGIN_ATTEMPTS_PER_MINUTE: '5',
  INQUIRIES_PER_MINUTE: '5',
});

/** The statuses of eight attempts to sign in, each by another port. */
async function signInsFrom(addressOf: (port: number) => string): Promise<number[]> {
  const statuses = [];
  for (let port = 50_000; port < 50_008; port += 1) {
    const { statusCode } = await app.server.inject({
      method: 'POST',
      url: login.path,
      payload: { username: 'nobody', password: 'Wrong&password2026' },
      headers: { 'x-forwarded-for': addressOf(port) },
    });
    statuses.push(statusCode);
  }
  return statuses;
}
const limited = [400, 400, 400, 400, 400, 429, 429, 429];

it.each([
  ['an IPv4 address', (port: number) => `198.51.100.8:${port}`],
  ['a bracketed IPv6 address', (port: number) => `[2001:db8::8]:${port}`],
  ['an address before a second proxy', (port: number) => `198.51.100.9:${port}, 10.0.0.1:${port}`],
  ['what is no address', (port: number) => `_hidden${port}`],
])('%s has one limit for all its ports', async (_, addressOf) =>
  expect(await signInsFrom(addressOf)).toEqual(limited),
);

it('other addresses behind the proxies have their own limits', async () =>
  expect(await signInsFrom((port) => `203.0.113.${port - 50_000}:443, 10.0.0.1:${port}`)).toEqual(
    Array(8).fill(400),
  ));

it('an inquiry is limited by address, not by port', async () => {
  const statuses = [];
  for (let port = 50_000; port < 50_008; port += 1)
    statuses.push(
      (
        await app.server.inject({
          url: getRequestByRequestNoOrMobileNo.path,
          query: { SearchKeyword: '2026-000001' },
          headers: { 'x-forwarded-for': `198.51.100.8:${port}` },
        })
      ).statusCode,
    );
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
});
