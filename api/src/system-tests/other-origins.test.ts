import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../testing/test-app.ts';

const site = mkdtempSync(join(tmpdir(), 'diwan-site-'));
const portal = 'https://portal.example';
let app: TestApp;
beforeAll(async () => {
  writeFileSync(
    join(site, 'index.html'),
    '<!doctype html><html lang="ar"><head><title>x</title></head><body></body></html>',
  );
  writeFileSync(
    join(site, 'configuration.json'),
    JSON.stringify({
      environments: { testing: { hosts: ['testing.example'], apiBaseUrl: 'https://api.example' } },
    }),
  );
  app = await openTestApp({
    PORTAL_ORIGINS: `${portal}, http://localhost:4000`,
    PORTAL_DIR: site,
  });
});
afterAll(async () => {
  await app.close();
  rmSync(site, { recursive: true });
});

const ask = (method: 'GET' | 'OPTIONS' | 'POST', url: string, headers: Record<string, string>) =>
  app.server.inject({ method, url, headers, ...(method === 'POST' ? { payload: {} } : {}) });
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers':
    'accept-language,authorization,content-type,x-content-type-options',
};

it('a portal on a configured origin may call and read, refusals too', async () => {
  const asked = await ask('OPTIONS', '/api/User/Login', { origin: portal, ...preflight });
  expect(asked.statusCode).toBe(204);
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': portal,
    'access-control-allow-credentials': 'true',
    'access-control-max-age': '7200',
  });
  for (const name of preflight['access-control-request-headers'].split(','))
    expect(String(asked.headers['access-control-allow-headers']).toLowerCase()).toContain(name);
  for (const [method, url] of [
    ['GET', '/api/Service/GetServices'],
    ['GET', '/api/Request/GetRequestsByStatusId'],
    ['GET', '/api/No/Such'],
    ['POST', '/api/User/Login'],
  ] as const) {
    const { headers } = await ask(method, url, { origin: portal });
    expect(headers['access-control-allow-origin'], url).toBe(portal);
    expect(String(headers['access-control-expose-headers']), url).toContain('Retry-After');
    expect(String(headers.vary), url).toContain('Origin');
  }
});

it('a shared reply is cached by origin and by language', async () => {
  const { headers } = await ask(
    'GET',
    '/api/ServiceCategory/GetAllServicesCategoriesWithServices',
    { origin: portal },
  );
  expect(String(headers.vary).split(', ')).toEqual(
    expect.arrayContaining(['Origin', 'accept-language']),
  );
});

it.each([
  'https://evil.example',
  'https://portal.example.evil.example',
  'http://portal.example',
  'null',
  'https://portal.example:8443',
])('%s may read nothing', async (origin) => {
  const answers = [
    await ask('OPTIONS', '/api/User/Login', { origin, ...preflight }),
    await ask('GET', '/api/Service/GetServices', { origin }),
  ];
  expect(answers[0]?.statusCode).toBe(404);
  for (const { headers } of answers)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

it('the page may reach the API of its configuration for this host, and nothing else', async () => {
  const policy = async (host: string) =>
    String(
      (await ask('GET', '/services', { host, accept: 'text/html' })).headers[
        'content-security-policy'
      ],
    );
  const directive = (text: string, name: string) =>
    text
      .split(';')
      .find((one) => one.startsWith(name))
      ?.trim();
  const testing = await policy('testing.example');
  expect(directive(testing, 'connect-src')).toBe(
    "connect-src 'self' ws://testing.example wss://testing.example https://api.example wss://api.example",
  );
  expect(directive(testing, 'img-src')).toBe("img-src 'self' data: blob: https://api.example");
  expect(directive(testing, 'media-src')).toBe("media-src 'self' https://api.example");
  expect(directive(testing, 'script-src')).toBe("script-src 'self'");
  expect(await policy('other.example')).not.toContain('api.example');
  // A host that nobody configured is not written.
  expect(directive(await policy('other.example'), 'connect-src')).toBe("connect-src 'self'");
  expect(directive(await policy('localhost:3000'), 'connect-src')).toContain('ws://localhost:3000');
  expect(directive(testing, 'require-trusted-types-for')).toContain("'script'");
  expect(directive(testing, 'trusted-types')).toBe('trusted-types default bot-check');
  // A host that would end the directive and begin another one.
  const hostile = await policy('x;script-src *');
  expect(hostile).not.toContain('script-src *');
});

it('the policy of a host follows the configuration', async () => {
  const policy = async () =>
    String(
      (await ask('GET', '/health/live', { host: 'testing.example' })).headers[
        'content-security-policy'
      ],
    );
  expect(await policy()).toContain('https://api.example');
  writeFileSync(
    join(site, 'configuration.json'),
    JSON.stringify({
      environments: { testing: { hosts: ['testing.example'], apiBaseUrl: 'https://new.example' } },
    }),
  );
  await expect.poll(policy).toContain('https://new.example');
  expect(await policy()).not.toContain('https://api.example');
});
