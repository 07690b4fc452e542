import { beforeAll, describe, expect, it } from 'vitest';
import { beginUAEPass } from '@diwan/contract/people/users';
import { getOrCreateSecret } from '../platform/auth/secrets.store.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = useTestApp();
let key: string;
beforeAll(async () => {
  key = await getOrCreateSecret(app.database, 'sandbox');
});

async function newQuery(change: Record<string, string> = {}): Promise<URLSearchParams> {
  const { headers } = await app.server.inject({
    method: 'GET',
    url: `${beginUAEPass.path}?ui_locales=en`,
  });
  const query = new URL(String(headers.location)).searchParams;
  query.delete('code_challenge');
  query.delete('code_challenge_method');
  for (const [name, value] of Object.entries(change)) query.set(name, value);
  return query;
}

const open = async (query: URLSearchParams) => {
  const response = await fetch(`${app.sandboxUrl}/idshub/authorize?${query}`, {
    redirect: 'manual',
  });
  return {
    status: response.status,
    location: response.headers.get('location'),
    page: await response.text(),
  };
};
const press = async (query: URLSearchParams, decision: string, persona = 'sara') => {
  const response = await fetch(`${app.sandboxUrl}/idshub/authorize?${query}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ decision, persona }),
  });
  return { status: response.status, back: URL.parse(response.headers.get('location') ?? '') };
};
const exchange = async (code: string, change: Record<string, string> = {}, secret = key) => {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://localhost:3000',
    ...change,
  });
  const response = await fetch(`${app.sandboxUrl}/idshub/token`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Basic ${Buffer.from(`diwan-sandbox:${secret}`).toString('base64')}`,
    },
  });
  return {
    status: response.status,
    ...((await response.json()) as { access_token?: string; error?: string }),
  };
};
const newCode = async () =>
  (await press(await newQuery(), 'approve')).back?.searchParams.get('code') ?? '';

describe('the page', () => {
  it('is in the requested language, Arabic by default, and shows personas of every level', async () => {
    const english = await open(await newQuery());
    expect(english.page).toMatch(/<html lang="en" dir="ltr">[\s\S]*Who do you want to be\?/);
    const arabic = await open(await newQuery({ ui_locales: 'ar' }));
    expect(arabic.page).toMatch(/<html lang="ar" dir="rtl">[\s\S]*من تريد أن تكون؟/);
    for (const level of ['SOP1', 'SOP2', 'SOP3']) expect(arabic.page).toContain(level);
  });

  it.each<Record<string, string>>([
    { client_id: 'another' },
    { redirect_uri: 'https://evil.example' },
    { redirect_uri: 'http://localhost:3000/' },
    { response_type: 'token' },
    { state: '' },
  ])('refuses %j on a page, without a redirect', async (change) => {
    const query = await newQuery(change);
    expect(await open(query)).toMatchObject({
      status: 400,
      location: null,
      page: expect.stringContaining('This sign-in request is not valid'),
    });
    expect(await press(query, 'approve')).toEqual({ status: 400, back: null });
  });

  it('escapes everything from the address', async () => {
    const { page } = await open(await newQuery({ state: '"><script>alert(1)</script>' }));
    expect(page).not.toContain('<script');
  });

  it('redirects with the result of each button', async () => {
    const query = await newQuery();
    const cancelled = (await press(query, 'cancel')).back;
    expect([
      cancelled?.origin,
      cancelled?.searchParams.get('error'),
      cancelled?.searchParams.get('error_description'),
      cancelled?.searchParams.get('state'),
    ]).toEqual(['http://localhost:3000', 'access_denied', 'cancelledOnApp', query.get('state')]);
    expect((await press(query, 'error')).back?.searchParams.get('error')).toBe('invalid_request');
    expect((await press(query, 'approve', 'nobody')).status).toBe(400);
  });
});

describe('a code', () => {
  it('is valid once, for its client and its redirect uri', async () => {
    expect((await exchange(await newCode(), {}, 'another secret')).error).toBe('invalid_client');
    expect((await exchange(await newCode(), { redirect_uri: 'https://evil.example' })).error).toBe(
      'invalid_grant',
    );
    expect((await exchange(await newCode(), { code_verifier: 'none was announced' })).error).toBe(
      'invalid_grant',
    );
    const code = await newCode();
    const first = await exchange(code);
    expect(first.status).toBe(200);
    expect((await exchange(code)).error).toBe('invalid_grant');
    const userinfo = (token = '') =>
      fetch(`${app.sandboxUrl}/idshub/userinfo`, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect(await (await userinfo(first.access_token)).json()).toMatchObject({
      sub: expect.stringMatching(/^UAEPASS\//),
      userType: 'SOP2',
      idn: '784190000000084',
    });
    expect((await userinfo('nonsense')).status).toBe(401);
  });
});

it('signing out redirects to the portal only', async () => {
  const leave = async (to: string) =>
    (
      await fetch(`${app.sandboxUrl}/idshub/logout?redirect_uri=${encodeURIComponent(to)}`, {
        redirect: 'manual',
      })
    ).headers.get('location');
  expect(await leave('http://localhost:3000/home')).toBe('http://localhost:3000/home');
  for (const to of [
    'https://evil.example',
    '//evil.example',
    'http://localhost:3000@evil.example',
    'javascript:alert(1)',
    '',
  ])
    expect(await leave(to), to).toBeNull();
});
