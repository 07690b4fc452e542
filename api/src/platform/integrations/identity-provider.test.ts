import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { openIdentityProvider, createUAEPassProvider } from './identity-provider.ts';

let server: Server | undefined;
afterEach(() => server?.close());

type Answer = [status: number, body: unknown, type?: string];
const good: Answer = [200, { access_token: 'a-token', token_type: 'Bearer', expires_in: 60 }];
const person: Answer = [200, { sub: 'UAEPASS/1', userType: 'SOP2', fullnameEN: 'Ram,,,,Sharma,,' }];

/** A provider with fixed answers that records the requests. */
async function openFakeProvider(token: Answer, userinfo: Answer = person, hasPkce = false) {
  const requests: { path: string; headers: IncomingMessage['headers']; body: URLSearchParams }[] =
    [];
  server = createServer(
    (request, response) =>
      void text(request).then((body) => {
        requests.push({
          path: request.url ?? '',
          headers: request.headers,
          body: new URLSearchParams(body),
        });
        const [status, answer, type = 'application/json'] =
          request.url === '/idshub/token' ? token : userinfo;
        response
          .writeHead(status, { 'content-type': type })
          .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      }),
  );
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    provider: createUAEPassProvider({
      browserUrl: url,
      serverUrl: url,
      clientId: 'an id',
      clientSecret: 'a secret:',
      redirectUri: 'https://diwan.example',
      scope: 's',
      acr: 'a',
      hasPkce,
    }),
  };
}

test('requests a token with the code, the redirect uri and Basic authentication, then the person', async () => {
  const { requests, provider } = await openFakeProvider(good, person, true);
  expect(await provider.identify('the-code', 'v'.repeat(43))).toMatchObject({
    subject: 'UAEPASS/1',
    nameEn: 'Ram Sharma',
  });
  const [token, userinfo] = requests;
  expect(Object.fromEntries(token?.body ?? [])).toEqual({
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: 'https://diwan.example',
    code_verifier: 'v'.repeat(43),
  });
  expect(Buffer.from(String(token?.headers.authorization).slice(6), 'base64').toString()).toBe(
    'an+id:a+secret%3A',
  );
  expect([userinfo?.path, userinfo?.headers.authorization]).toEqual([
    '/idshub/userinfo',
    'Bearer a-token',
  ]);
});

test('sends no PKCE parameters when PKCE is off', async () => {
  const { requests, provider } = await openFakeProvider(good);
  const address = new URL(
    await provider.authorizationUrl({ state: 's', verifier: 'v'.repeat(43), uiLocales: 'ar' }),
  );
  expect([...address.searchParams.keys()].sort()).toEqual([
    'acr_values',
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'ui_locales',
  ]);
  await provider.identify('c', 'v'.repeat(43));
  expect(requests[0]?.body.has('code_verifier')).toBe(false);
});

test('returns undefined for a code that the provider refuses', async () => {
  expect(
    await (await openFakeProvider([400, { error: 'invalid_grant' }])).provider.identify('c', 'v'),
  ).toBeUndefined();
});

test.each<[string, Answer, Answer?]>([
  ['does not know our client', [401, { error: 'invalid_client' }]],
  ['fails', [500, 'oops', 'text/html']],
  ['sends a web page', [200, '<html>', 'text/html']],
  ['sends no token', [200, { token_type: 'Bearer' }]],
  ['redirects', [302, '']],
  ['refuses the token', good, [401, { error: 'invalid_token' }]],
  ['sends no subject', good, [200, { userType: 'SOP2' }]],
  ['sends no level', good, [200, { sub: 'x' }]],
  ['sends an incomplete reply', good, [200, '{"sub":']],
])('throws when the provider %s', async (_, token, userinfo) => {
  await expect(
    (await openFakeProvider(token, userinfo)).provider.identify('c', 'v'),
  ).rejects.toThrow();
});

test('the settings select the real hosts, require a client, and refuse plain http', async () => {
  const client = { UAE_PASS_CLIENT_ID: 'id', UAE_PASS_CLIENT_SECRET: 'secret' };
  const hostFor = async (settings: Record<string, string>) =>
    new URL(
      (await openIdentityProvider(
        readConfig(settings),
        'https://diwan.example',
        undefined,
      )?.authorizationUrl({ state: 's', verifier: 'v', uiLocales: 'en' })) ?? 'about:blank',
    ).host;
  expect(await hostFor({ UAE_PASS: 'staging', ...client })).toBe('stg-id.uaepass.ae');
  expect(await hostFor({ UAE_PASS: 'production', ...client })).toBe('id.uaepass.ae');
  expect(
    await hostFor({ UAE_PASS: 'production', UAE_PASS_URL: 'https://gateway.example/', ...client }),
  ).toBe('gateway.example');
  expect(
    openIdentityProvider(readConfig({ UAE_PASS: 'off' }), 'https://diwan.example', undefined),
  ).toBeUndefined();
  expect(readConfig({}).UAE_PASS).toBe('sandbox');
  expect(readConfig({ DATABASE_URL: 'postgres://a:b@127.0.0.1/c' }).UAE_PASS).toBe('off');
  for (const [settings, name] of [
    [{ UAE_PASS: 'staging' }, 'UAE_PASS_CLIENT_ID'],
    [{ UAE_PASS: 'production', UAE_PASS_CLIENT_ID: 'id' }, 'UAE_PASS_CLIENT_SECRET'],
    [{ UAE_PASS: 'sandbox', SANDBOX: 'off', SEED: 'none' }, 'UAE_PASS'],
    [{ UAE_PASS_URL: 'http://plain.example' }, 'UAE_PASS_URL'],
  ] as const)
    expect(() => readConfig(settings)).toThrow(name);
});
