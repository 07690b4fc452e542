import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { openIdentityProvider, uaePass } from './identity-provider.ts';

let server: Server | undefined;
afterEach(() => server?.close());

type Answer = [status: number, body: unknown, type?: string];
const good: Answer = [200, { access_token: 'a-token', token_type: 'Bearer', expires_in: 60 }];
const person: Answer = [200, { sub: 'UAEPASS/1', userType: 'SOP2', fullnameEN: 'Ram,,,,Sharma,,' }];

/** A provider that answers as it is told and remembers what it was asked. */
async function openFake(token: Answer, userinfo: Answer = person, hasPkce = false) {
  const asked: { path: string; headers: IncomingMessage['headers']; body: URLSearchParams }[] = [];
  server = createServer(
    (request, response) =>
      void text(request).then((body) => {
        asked.push({
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
    asked,
    provider: uaePass({
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

test('asks for a token with the code, the exact redirect uri and Basic, then for the person with the token', async () => {
  const { asked, provider } = await openFake(good, person, true);
  expect(await provider.identify('the-code', 'v'.repeat(43))).toMatchObject({
    subject: 'UAEPASS/1',
    nameEn: 'Ram Sharma',
  });
  const [token, userinfo] = asked;
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

test('leaves PKCE away where the provider does not take it', async () => {
  const { asked, provider } = await openFake(good);
  const address = new URL(
    await provider.addressFor({ state: 's', verifier: 'v'.repeat(43), uiLocales: 'ar' }),
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
  expect(asked[0]?.body.has('code_verifier')).toBe(false);
});

test('a code that is not taken is no error of the provider', async () => {
  expect(
    await (await openFake([400, { error: 'invalid_grant' }])).provider.identify('c', 'v'),
  ).toBeUndefined();
});

test.each<[string, Answer, Answer?]>([
  ['does not know us', [401, { error: 'invalid_client' }]],
  ['breaks', [500, 'oops', 'text/html']],
  ['sends a page', [200, '<html>', 'text/html']],
  ['sends no token', [200, { token_type: 'Bearer' }]],
  ['leads elsewhere', [302, '']],
  ['knows nobody', good, [401, { error: 'invalid_token' }]],
  ['sends no name for the person', good, [200, { userType: 'SOP2' }]],
  ['sends no level', good, [200, { sub: 'x' }]],
  ['sends half of it', good, [200, '{"sub":']],
])('throws when the provider %s', async (_, token, userinfo) => {
  await expect((await openFake(token, userinfo)).provider.identify('c', 'v')).rejects.toThrow();
});

test('the settings name the real hosts, ask for a client, and take no plain http', async () => {
  const client = { UAE_PASS_CLIENT_ID: 'id', UAE_PASS_CLIENT_SECRET: 'secret' };
  const outOf = async (settings: Record<string, string>) =>
    new URL(
      (await openIdentityProvider(
        readConfig(settings),
        'https://diwan.example',
        undefined,
      )?.addressFor({ state: 's', verifier: 'v', uiLocales: 'en' })) ?? 'about:blank',
    ).host;
  expect(await outOf({ UAE_PASS: 'staging', ...client })).toBe('stg-id.uaepass.ae');
  expect(await outOf({ UAE_PASS: 'production', ...client })).toBe('id.uaepass.ae');
  expect(
    await outOf({ UAE_PASS: 'production', UAE_PASS_URL: 'https://gateway.example/', ...client }),
  ).toBe('gateway.example');
  expect(
    openIdentityProvider(readConfig({ UAE_PASS: 'off' }), 'https://diwan.example', undefined),
  ).toBeUndefined();
  expect(readConfig({}).UAE_PASS).toBe('sandbox');
  expect(readConfig({ DATABASE_URL: 'postgres://a:b@127.0.0.1/c' }).UAE_PASS).toBe('off');
  for (const [settings, name] of [
    [{ UAE_PASS: 'staging' }, 'UAE_PASS_CLIENT_ID'],
    [{ UAE_PASS: 'production', UAE_PASS_CLIENT_ID: 'id' }, 'UAE_PASS_CLIENT_SECRET'],
    [{ UAE_PASS: 'sandbox', SANDBOX: 'off' }, 'UAE_PASS'],
    [{ UAE_PASS_URL: 'http://plain.example' }, 'UAE_PASS_URL'],
  ] as const)
    expect(() => readConfig(settings)).toThrow(name);
});
