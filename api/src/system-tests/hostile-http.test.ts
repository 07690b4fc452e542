import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, useTestApp } from '../testing/test-app.ts';

const app = useTestApp();
let port: number;
let token: string;
beforeAll(async () => {
  port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  token = await app.signIn('individual');
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
const post = (path: string, body: string, type = 'application/json') =>
  ask(path, {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'accept-language': 'en-US' },
  });

/** Writes raw bytes to the port and returns the whole reply. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('error', () => undefined)
      .on('close', () => resolve(answer));
  });
}

describe('an unusual body', () => {
  it.each([
    ['arrays', 10_000, '[', ']'],
    ['objects', 100_000, '{"a":', '}'],
  ])('%s nested %i deep are refused without a crash', async (_, depth, open, close) => {
    const answer = await post(
      '/api/User/Login',
      `{"username":${open.repeat(depth)}1${close.repeat(depth)}}`,
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toHaveProperty('errors');
  });

  it('bytes instead of JSON are refused, and a stream is not parsed', async () => {
    const answer = await post('/api/User/Login', 'abc', 'application/octet-stream');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toHaveProperty('errors');
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'a field called %s is an ordinary field',
    async (name) => {
      const answers = [
        await ask(`/api/Service/GetServices?${name}=%00`),
        await post('/api/User/Login', `{"${name}":"\\u0000"}`),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect(await answer.json()).toHaveProperty('errors');
      }
    },
  );

  // Normalising such a text took minutes and blocked all other calls.
  it('a letter with too many combining marks is refused before any other work', async () => {
    const marks = `a${'\u0301'.repeat(120_000)}${'\u0334'.repeat(120_000)}`;
    const answer = await post(
      '/api/User/Login',
      JSON.stringify({ username: marks, password: 'x' }),
    );
    expect([
      answer.status,
      Object.keys(((await answer.json()) as { errors: object }).errors),
    ]).toEqual([400, ['username']]);
    const vocalised = await post(
      '/api/User/Login',
      JSON.stringify({ username: '\u0628\u0651\u064E'.repeat(60), password: 'x' }),
    );
    expect(await vocalised.json()).toMatchObject({ error: 'WrongUsernameOrPassword' });
  });

  it('the number of reported problems is limited', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`a${index}`, null]),
    );
    const answer = await ask('/api/Request/CreateRequest', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        serviceId: 1,
        answers: many,
        attachmentIds: [],
        agreeToTermsAndConditions: true,
      }),
    });
    expect(answer.status).toBe(400);
    expect((await answer.text()).length).toBeLessThan(20_000);
  });
});

describe('addresses', () => {
  it('accepts a search of ten thousand Arabic characters', async () => {
    for (const character of ['ش', '\uFDFA']) {
      const answer = await ask(
        `/api/Service/GetServices?SearchKeyword=${encodeURIComponent(character.repeat(10_000))}`,
      );
      expect(answer.status).toBe(200);
    }
    expect(
      (
        await ask(
          `/api/Service/GetServices?SearchKeyword=${encodeURIComponent('ش'.repeat(10_001))}`,
        )
      ).status,
    ).toBe(400);
  });

  // A pattern that ends in a repetition blocked the product for minutes on such an address.
  it.each([
    ['/home', 200],
    ['/a', 404],
    ['/requests/Create/', 404],
  ])('%s with a hundred thousand slashes is answered as usual', async (path, status) => {
    const slashes = '/'.repeat(100_000);
    for (const end of ['', 'x'])
      expect(
        await sendRaw(
          `GET ${path}${slashes}${end} HTTP/1.1\r\nhost: x\r\naccept: text/html\r\nconnection: close\r\n\r\n`,
        ),
      ).toMatch(end || status === 404 ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 /);
  });

  it('refuses an invalid encoding with the error format of the API', async () => {
    for (const path of ['/api/%zz', '/%c0%ae%c0%ae/x', '/api/Request/ReceiveRequest%ff']) {
      const answer = await ask(path, { headers: { 'accept-language': 'en-US' } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: 'NotFound' });
    }
  });

  it('shows the page for unknown addresses in a browser', async () => {
    const answer = await ask('/requests/Create/%E0%A4%A', {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/not-found']);
  });

  it('answers requests that node itself refuses with the error format of the API', async () => {
    const huge = await sendRaw(
      `GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(300_000)}\r\n\r\n`,
    );
    expect(huge).toMatch(/^HTTP\/1\.1 431 /);
    expect(huge).toContain('"errors"');
    const broken = await sendRaw('NONSENSE\r\n\r\n');
    expect(broken).toMatch(/^HTTP\/1\.1 400 /);
    expect(broken).toContain('"errors"');
    const doubled = await sendRaw(
      'POST /api/User/Login HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    );
    expect(doubled).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each([
    '/locales/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/locales/%00',
    '//etc/passwd',
    '/.git/config',
  ])('%s is not found', async (path) => {
    const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain('workspaces');
  });
});

describe('headers', () => {
  it('private replies are never cached', async () => {
    const authorization = `Bearer ${token}`;
    for (const path of [
      '/api/Request/GetRequestsByStatusId',
      '/api/Request/GetRequestById?RequestId=999999',
      '/api/Request/GetRequestByRequestNoOrMobileNo?SearchKeyword=DW26-00000-00000',
      '/api/Payment/CheckRequestIsPaid?RequestNumber=DW26-00000-00000',
    ]) {
      expect(
        (await ask(path, { headers: { authorization } })).headers.get('cache-control'),
        path,
      ).toBe('no-store');
    }
    expect((await ask('/api/Request/GetRequestsByStatusId')).headers.get('cache-control')).toBe(
      'no-store',
    );
    expect(
      (
        await post('/api/User/Login', '{"username":"individual","password":"DiwanDemo2026!"}')
      ).headers.get('cache-control'),
    ).toBe('no-store');
  });

  it('an unchanged reply of the catalogue is 304 without a body, for each language', async () => {
    const path = '/api/ServiceCategory/GetAllServicesCategoriesWithServices';
    const first = await ask(path, { headers: { 'accept-language': 'en-US' } });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('vary')?.toLowerCase()).toContain('accept-language');
    const again = await ask(path, {
      headers: { 'accept-language': 'en-US', 'if-none-match': etag },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(
      (await ask(path, { headers: { 'accept-language': 'ur-PK', 'if-none-match': etag } })).status,
    ).toBe(200);
  });

  it('no other site may read replies', async () => {
    const answer = await ask('/api/Service/GetServices', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(answer.status).toBe(404);
    const read = await ask('/api/Service/GetServices', {
      headers: { origin: 'https://evil.example' },
    });
    for (const { headers } of [answer, read])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('each failure has its own id', async () => {
    await app.database.schema.alterTable('rejection_reasons').renameTo('hidden').execute();
    try {
      const employee = await app.signIn('employee');
      const fail = async () =>
        (
          await app.server.inject({
            url: '/api/RejectionReason/RejectionReasonCollection',
            headers: { authorization: `Bearer ${employee}` },
          })
        ).json<Record<string, string>>();
      const failures = [await fail(), await fail()];
      for (const failure of failures)
        expect(Object.keys(failure).sort()).toEqual(['error', 'message', 'requestId']);
      expect(failures[0]?.requestId).toMatch(/^[\da-f-]{36}$/);
      expect(failures[0]?.requestId).not.toBe(failures[1]?.requestId);
    } finally {
      await app.database.schema.alterTable('hidden').renameTo('rejection_reasons').execute();
    }
  });
});

describe('limits by network address', () => {
  it('count an IPv6 network as one address, affect no other address, and include HEAD', async () => {
    const strict = await openTestApp({
      LOGIN_ATTEMPTS_PER_MINUTE: '3',
      INQUIRIES_PER_MINUTE: '3',
    });
    const login = async (password: string, remoteAddress: string) =>
      (
        await strict.server.inject({
          method: 'POST',
          url: '/api/User/Login',
          payload: { username: 'employee', password },
          remoteAddress,
        })
      ).statusCode;
    const guesses = [];
    for (let index = 1; index <= 5; index += 1)
      guesses.push(await login('wrong', `2001:db8::${index}`));
    expect(guesses).toEqual([400, 400, 400, 429, 429]);
    expect(await login('DiwanDemo2026!', '2001:db8:0:1::1')).toBe(200);
    expect(
      (
        await strict.server.inject({
          method: 'HEAD',
          url: '/api/Payment/CheckRequestIsPaid?RequestNumber=DW26-00000-00000',
        })
      ).statusCode,
    ).toBe(404);
    expect(
      (await strict.server.inject({ method: 'HEAD', url: '/api/Service/GetServices' })).statusCode,
    ).toBe(200);
    await strict.close();
  });
});

describe('the parameter with which the payment provider redirects the browser', () => {
  const summary = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each([
    '../..',
    '\0',
    '\ud800',
    'https://evil.example',
    'x\r\nset-cookie: a=b',
    'a'.repeat(2500),
    '',
  ])('%j leads to the page of a payment that failed', async (merchantReference) => {
    const answer = await ask(
      `/api/Payment/PostPayProPaymentResult?paymentSummary=${summary({ merchantReference })}`,
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/payment-status?']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});

it('no page and no reply can be framed, by any header that browsers read', async () => {
  for (const path of ['/services', '/api/Service/GetServices']) {
    const { headers } = await ask(path, { headers: { accept: 'text/html' } });
    expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
      'DENY',
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
});

it('replies of the API load nothing, whatever a browser takes them for', async () => {
  const { headers } = await ask('/api/Service/GetServices');
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
});

it('the return from the payment provider, which causes an outgoing call, is limited by network', async () => {
  expect(
    (await ask('/api/Payment/PostPayProPaymentResult?paymentSummary=none')).headers.get(
      'x-ratelimit-limit',
    ),
  ).toBe('600');
});
