import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sandboxSiteKey } from '#sandbox/sandbox-bot-check.ts';
import { demoPassword } from '#seed/seed.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { login } from '@diwan/contract/people/users';

const portal = 'http://localhost:3000';
const app = useTestApp({ BOT_CHECK: 'on', BOT_CHECK_ACTIONS: 'login, inquiry' });

async function newToken(action: string): Promise<string> {
  const response = await fetch(`${app.sandboxUrl}/bot-check/token`, {
    method: 'POST',
    headers: { origin: portal },
    body: new URLSearchParams({ siteKey: sandboxSiteKey, action }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function setScore(score: number): Promise<void> {
  await fetch(`${app.sandboxUrl}/bot-check`, {
    method: 'POST',
    body: new URLSearchParams({ score: String(score) }),
    redirect: 'manual',
  });
}

async function signIn(
  token?: string,
): Promise<{ status: number; error?: string; headers: Record<string, unknown> }> {
  const response = await app.server.inject({
    method: 'POST',
    url: login.path,
    payload: { username: 'individual', password: demoPassword },
    headers: token === undefined ? {} : { 'bot-check-token': token },
  });
  return {
    status: response.statusCode,
    error: (response.json() as { error?: string }).error ?? '',
    headers: response.headers,
  };
}

describe('a call with the check', () => {
  it('sends the browser what it needs to get a token', async () => {
    const answer = await signIn();
    expect(answer).toMatchObject({ status: 400, error: 'BotCheckRequired' });
    expect(answer.headers['bot-check-site-key']).toBe(sandboxSiteKey);
    expect(String(answer.headers['bot-check-script'])).toMatch(/\/bot-check\.js$/);
  });

  it('is accepted with a token, once', async () => {
    const token = await newToken('login');
    expect((await signIn(token)).status).toBe(200);
    expect(await signIn(token)).toMatchObject({ status: 400, error: 'BotCheckFailed' });
  });

  it('refuses a token of another action, an unknown token and a token that is too long', async () => {
    expect(await signIn(await newToken('inquiry'))).toMatchObject({
      status: 400,
      error: 'BotCheckFailed',
    });
    expect(await signIn('made up')).toMatchObject({ status: 400, error: 'BotCheckFailed' });
    expect(await signIn('a'.repeat(5000))).toMatchObject({
      status: 400,
      error: 'BotCheckRequired',
    });
  });

  it('refuses a visitor whose score is too low', async () => {
    await setScore(0.1);
    const token = await newToken('login');
    await setScore(0.9);
    expect(await signIn(token)).toMatchObject({ status: 400, error: 'BotCheckFailed' });
  });

  it('does not check other calls', async () => {
    expect((await app.server.inject('/api/AccountType/GetAllAccountTypes')).statusCode).toBe(200);
  });
});

it('does not call the provider more often than an address may call', async () => {
  let calls = 0;
  const provider = createServer((_request, response) => {
    calls += 1;
    response.setHeader('content-type', 'application/json').end('{"success":false}');
  });
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
  const other = await openTestApp({
    BOT_CHECK: 'on',
    LOGIN_ATTEMPTS_PER_MINUTE: '3',
    BOT_CHECK_URL: url,
    BOT_CHECK_SECRET: 'secret',
    BOT_CHECK_SITE_KEY: 'key',
    BOT_CHECK_SCRIPT: 'https://check.example/script.js',
  });
  try {
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1)
      statuses.push(
        (
          await other.server.inject({
            method: 'POST',
            url: login.path,
            payload: { username: 'individual', password: demoPassword },
            headers: { 'bot-check-token': 'any' },
          })
        ).statusCode,
      );
    expect([statuses, calls]).toEqual([[400, 400, 400, 429, 429, 429], 3]);
  } finally {
    await other.close();
    provider.close();
  }
});

it.each([
  ['pass', 200],
  ['refuse', 400],
] as const)(
  'with the setting %s replies %i while the provider does not answer',
  async (setting, status) => {
    const other = await openTestApp({
      BOT_CHECK: 'on',
      BOT_CHECK_WHEN_UNREACHABLE: setting,
      BOT_CHECK_URL: 'http://127.0.0.1:9/siteverify',
      BOT_CHECK_SECRET: 'secret',
      BOT_CHECK_SITE_KEY: 'key',
      BOT_CHECK_SCRIPT: 'https://check.example/script.js',
    });
    try {
      const response = await other.server.inject({
        method: 'POST',
        url: login.path,
        payload: { username: 'individual', password: demoPassword },
        headers: { 'bot-check-token': 'any' },
      });
      expect(response.statusCode).toBe(status);
    } finally {
      await other.close();
    }
  },
);
