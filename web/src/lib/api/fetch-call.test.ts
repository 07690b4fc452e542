import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser, type Asked } from '#testing/fake-browser.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { getServices } from '@diwan/contract/catalogue/services';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';

let answer: (asked: Asked) => Response | Promise<Response>;
const browser = openFakeBrowser((asked) => answer(asked));
const { asked } = browser;
const { download } = await import('./download.ts');
const { send, urlExists } = await import('./send.ts');
const { endAfter, fetchCall } = await import('./fetch-call.ts');
const { callHeaders } = await import('./call-headers.ts');
const { unexpiredToken } = await import('./session.ts');
const { loadTexts, setHeadersOfTexts } = await import('../i18n/load-texts.ts');
const { storedLanguage } = await import('../i18n/stored-language.ts');
const { putBytes } = await import('../uploads/upload-document.ts');
const { loadConfiguration } = await import('../browser/configuration.ts');

async function configure(apiBaseUrl: string): Promise<void> {
  answer = () =>
    jsonReply({ environments: { testing: { hosts: ['portal.example'], apiBaseUrl } } });
  await loadConfiguration();
  asked.length = 0;
}

beforeEach(async () => {
  await configure('');
  window.sessionStorage.clear();
  window.localStorage.clear();
  answer = () => jsonReply({});
});

const signIn = (seconds = 600) => {
  const token = fakeToken(seconds);
  window.sessionStorage.setItem('token', token);
  return token;
};
const last = () => asked.at(-1) as Asked;
const nothing = new AbortController().signal;
const file = () => new File(['x'], 'x.pdf');
const errorOf = async (sent: Promise<unknown>) =>
  sent.then(
    () => 'none',
    (error: { name: string; status: number }) => ({ name: error.name, status: error.status }),
  );

describe('a call that nothing answers', () => {
  const hang = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it('ends after the given time, and not as an abort', async () => {
    vi.useFakeTimers();
    const ended = endAfter(10_000, nothing, hang).catch(({ name }: Error) => name);
    let isOver = false;
    void ended.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe('TimeoutError');
    vi.useRealTimers();
  });

  it('is aborted immediately by its caller, and an answer leaves no timer', async () => {
    vi.useFakeTimers();
    const caller = new AbortController();
    const ended = endAfter(10_000, caller.signal, hang).catch(({ name }: Error) => name);
    caller.abort();
    expect(await ended).toBe('AbortError');
    expect(await endAfter(10_000, nothing, async () => 'answer')).toBe('answer');
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe('every call', () => {
  const languages = [
    [null, 'ar-EG', 'ar-EG'],
    ['en-US', 'en-US', 'en-US'],
    ['Urdu', 'ur-PK', 'Urdu'],
    ['tlh-KX', 'ar-EG', 'ar-EG'],
  ] as const;

  it.each(languages)(
    'sends with the stored language %s the header %s and ln=%s',
    async (stored, tag, ln) => {
      if (stored) window.localStorage.setItem('language', stored);
      const token = signIn();
      for (const call of allCalls.filter((each) => each.consumes === undefined)) {
        await fetchCall(
          call,
          { params: { requestId: 1, serviceId: 1, attachmentId: 'a' }, body: {} },
          {},
          token,
        );
        expect(Object.fromEntries(last().headers), call.name).toEqual({
          'accept-language': tag,
          'x-content-type-options': 'nosniff',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        });
        expect(last().url.searchParams.get('ln'), call.name).toBe(ln);
        expect(last().url.origin).toBe('https://portal.example');
      }
    },
  );

  it('is in Arabic when the browser has no storage', async () => {
    const { localStorage } = window;
    Object.defineProperty(window, 'localStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    await send(getServices, { query: {} });
    Object.defineProperty(window, 'localStorage', { configurable: true, value: localStorage });
    expect(last().headers.get('accept-language')).toBe('ar-EG');
  });

  it('goes to the configured origin, with its cookies', async () => {
    await configure('https://api.example');
    answer = () => jsonReply({});
    await send(receiveRequest, { params: { requestId: 7 }, query: {} });
    expect(last().url.href).toBe('https://api.example/api/Request/ReceiveRequest7?ln=ar-EG');
    expect(last().init.credentials).toBe('include');
  });

  it('omits empty parameters and encodes the others', async () => {
    await send(getServices, { query: { SearchKeyword: '&ln=x#/../%00 +', PageNumber: 2 } });
    expect(last().url.pathname).toBe('/api/Service/GetServices');
    expect(Object.fromEntries(last().url.searchParams)).toEqual({
      SearchKeyword: '&ln=x#/../%00 +',
      PageNumber: '2',
      ln: 'ar-EG',
    });
  });
});

describe('the token', () => {
  it.each(['', 'not a token', 'x.e30.x', '{}'])(
    'is not sent when it is malformed: %j',
    async (junk) => {
      window.sessionStorage.setItem('token', junk);
      await send(getServices, { query: {} });
      expect(last().headers.has('authorization')).toBe(false);
    },
  );

  it('is refreshed once for all waiting calls, by a call without a token', async () => {
    const old = signIn(-10);
    const fresh = fakeToken(900);
    answer = ({ url }) => jsonReply(url.pathname.endsWith('refreshToken') ? fresh : {});
    await Promise.all(Array.from({ length: 10 }, () => send(getServices, { query: {} })));
    const exchanges = asked.filter(({ url }) => url.pathname === '/api/User/refreshToken');
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.headers.has('authorization')).toBe(false);
    expect(JSON.parse(String(exchanges[0]?.init.body))).toEqual({ token: old });
    expect(
      asked.filter(({ headers }) => headers.get('authorization') === `Bearer ${fresh}`),
    ).toHaveLength(10);
    expect(window.sessionStorage.getItem('token')).toBe(fresh);
  });

  it('is refreshed once where the clock of the browser is three hours ahead', async () => {
    const server = Math.floor(Date.now() / 1000) - 3 * 3600;
    const tokens = [1, 2, 3].map((turn) => fakeToken(0, { iat: server, exp: server + 600, turn }));
    window.sessionStorage.setItem('token', tokens[0] as string);
    answer = ({ url }) =>
      jsonReply(url.pathname.endsWith('refreshToken') ? tokens[exchanges().length] : {});
    const exchanges = () => asked.filter(({ url }) => url.pathname === '/api/User/refreshToken');
    for (let call = 0; call < 5; call += 1) await send(getServices, { query: {} });
    expect(exchanges()).toHaveLength(1);
    expect(last().headers.get('authorization')).toContain(tokens[1]);
  });

  it('is removed when the server refuses a refresh, not when there is no connection', async () => {
    signIn(-10);
    answer = () => Promise.reject(new TypeError('offline'));
    expect(await errorOf(send(getServices, { query: {} }))).toEqual({
      name: 'ServerNotConnected',
      status: 0,
    });
    expect(window.sessionStorage.getItem('token')).not.toBeNull();
    answer = ({ url }) =>
      url.pathname.endsWith('refreshToken')
        ? jsonReply({ error: 'SessionEnded', message: 'x' }, 401)
        : jsonReply({});
    await send(getServices, { query: {} });
    expect(last().headers.has('authorization')).toBe(false);
    expect(window.sessionStorage.getItem('token')).toBeNull();
  });

  it.each([{}, '', 'not a token', 'x.e30.x'])('is not replaced by %j', async (junk) => {
    const old = signIn(-10);
    answer = () => jsonReply(junk);
    expect(await errorOf(send(getServices, { query: {} }))).toEqual({
      name: 'InternalServerError',
      status: 500,
    });
    expect(window.sessionStorage.getItem('token')).toBe(old);
  });

  it('is refreshed when the server refuses it, because the clock of the browser may be behind', async () => {
    signIn();
    const fresh = fakeToken(900);
    answer = ({ url, headers }) =>
      url.pathname.endsWith('refreshToken')
        ? jsonReply(fresh)
        : headers.get('authorization') === `Bearer ${fresh}`
          ? jsonReply({ items: [] })
          : jsonReply({ error: 'YouHaveToLoginFirst', message: 'x' }, 401);
    expect(await send(getRequestsByStatusId, { query: {} })).toEqual({ items: [] });
  });
});

describe('other requests', () => {
  // Specification §7.
  it('for texts have the headers of every call, with an unexpired token, and no ln', async () => {
    setHeadersOfTexts(() => callHeaders(storedLanguage(), unexpiredToken()));
    window.localStorage.setItem('language', 'Urdu');
    const token = signIn();
    await loadTexts('ur-PK', 'shell');
    expect(last().url.pathname).toBe('/locales/ur-PK/shell.json');
    expect(last().url.searchParams.has('ln')).toBe(false);
    const always = {
      'accept-language': 'ur-PK',
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
    };
    expect(Object.fromEntries(last().headers)).toEqual({
      ...always,
      authorization: `Bearer ${token}`,
    });
    signIn(-10);
    await loadTexts('ur-PK', 'errors');
    expect(Object.fromEntries(last().headers)).toEqual(always);
  });

  it.each([
    'https://store.blob.core.windows.net/box/a%20b?sv=1&sig=x%2By%3D',
    'https://portal.example/api-not/x',
    'http://portal.example/api/x',
  ])('to %s have no token and no headers', async (address) => {
    signIn();
    answer = () => new Response('');
    await putBytes(file(), address, () => undefined, nothing);
    await download(address);
    await urlExists(address);
    expect(asked.map(({ method }) => method)).toEqual(['PUT', 'GET', 'HEAD']);
    for (const { url, headers } of asked) {
      expect(url.href).toBe(address);
      expect([...headers]).toEqual([]);
    }
    expect(asked[1]?.init).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
  });

  it('to an address that resembles a path of the API have no token', async () => {
    signIn();
    answer = () => new Response('');
    for (const address of ['//evil.example/api/x', '/\\evil.example/api/x', '/api/../../x'])
      await putBytes(file(), address, () => undefined, nothing);
    for (const { url, headers } of asked) expect([...headers], url.href).toEqual([]);
  });
});

describe('an upload to our server', () => {
  it('has the headers of every call with the content type of bytes', async () => {
    const token = signIn();
    await putBytes(file(), '/api/Attachment/UploadAttachment1', () => undefined, nothing);
    expect(Object.fromEntries(last().headers)).toEqual({
      'accept-language': 'ar-EG',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/octet-stream',
      authorization: `Bearer ${token}`,
    });
    expect(last().url.href).toBe(
      'https://portal.example/api/Attachment/UploadAttachment1?ln=ar-EG',
    );
  });

  it('fails when a device in between answers with a page', async () => {
    answer = () => new Response('<html>Sign in to this network</html>');
    expect(
      await errorOf(
        putBytes(file(), '/api/Attachment/UploadAttachment1', () => undefined, nothing),
      ),
    ).toEqual({ name: 'ServerNotConnected', status: 0 });
    answer = () => jsonReply({ error: 'AttachmentTooLarge', message: 'x' }, 400);
    expect(
      await errorOf(
        putBytes(file(), '/api/Attachment/UploadAttachment1', () => undefined, nothing),
      ),
    ).toEqual({ name: 'AttachmentTooLarge', status: 400 });
  });
});

describe('urlExists', () => {
  it('returns true or false and never throws', async () => {
    for (const [response, there] of [
      [new Response(null), true],
      [new Response(null, { status: 404 }), false],
      [new Response(null, { status: 500 }), false],
    ] as const) {
      answer = () => response;
      expect(await urlExists('/videos/intro.webm')).toBe(there);
    }
    expect([last().method, last().url.href]).toEqual([
      'HEAD',
      'https://portal.example/videos/intro.webm',
    ]);
    answer = () => Promise.reject(new TypeError('offline'));
    expect(await urlExists('/videos/intro.webm')).toBe(false);
    expect(await urlExists('http://[')).toBe(false);
  });

  it('sends the headers of every call to the API, without a content type', async () => {
    const token = signIn();
    expect(await urlExists('/api/Service/GetServices')).toBe(true);
    expect(Object.fromEntries(last().headers)).toEqual({
      'accept-language': 'ar-EG',
      'x-content-type-options': 'nosniff',
      authorization: `Bearer ${token}`,
    });
  });
});

describe('the error of an answer', () => {
  const page = '<!doctype html><title>Bad gateway</title>';
  it.each<[string, () => Response | Promise<Response>, { name: string; status: number }]>([
    [
      'no network',
      () => Promise.reject(new TypeError('Failed to fetch')),
      { name: 'ServerNotConnected', status: 0 },
    ],
    ['a page with 200', () => new Response(page), { name: 'ServerNotConnected', status: 0 }],
    ['nothing with 200', () => new Response(''), { name: 'InternalServerError', status: 500 }],
    [
      'half of a reply',
      () => new Response('{"items":['),
      { name: 'InternalServerError', status: 500 },
    ],
    [
      'a page with 502',
      () => new Response(page, { status: 502 }),
      { name: 'ServerNotConnected', status: 0 },
    ],
    [
      'a page with 503',
      () => new Response(page, { status: 503 }),
      { name: 'ServerNotConnected', status: 0 },
    ],
    [
      'a page with 504',
      () => new Response(page, { status: 504 }),
      { name: 'ServerNotConnected', status: 0 },
    ],
    [
      'JSON of a proxy with 502',
      () => jsonReply({ message: 'bad gateway' }, 502),
      { name: 'ServerNotConnected', status: 0 },
    ],
    [
      'a page with 500',
      () => new Response(page, { status: 500 }),
      { name: 'InternalServerError', status: 500 },
    ],
    [
      'a page with 404',
      () => new Response(page, { status: 404 }),
      { name: 'NotFound', status: 404 },
    ],
    [
      'a page with 401',
      () => new Response(page, { status: 401 }),
      { name: 'YouHaveToLoginFirst', status: 401 },
    ],
    [
      'an unknown name',
      () => jsonReply({ error: 'constructor', message: 'x' }, 400),
      { name: 'ValidationFailed', status: 400 },
    ],
    [
      'errors of another form',
      () => jsonReply({ errors: { a: 'text' } }, 400),
      { name: 'ValidationFailed', status: 400 },
    ],
    [
      'our own 503',
      () => jsonReply({ error: 'PaymentProviderUnreachable', message: 'x' }, 503),
      { name: 'PaymentProviderUnreachable', status: 503 },
    ],
  ])('%s', async (_, given, error) => {
    answer = given;
    expect(await errorOf(send(getServices, { query: {} }))).toEqual(error);
  });

  it('has the seconds until the next attempt', async () => {
    const at = (text: string) => {
      answer = () =>
        jsonReply({ error: 'TooManyRequests', message: 'x' }, 429, { 'retry-after': text });
      return send(getServices, { query: {} }).then(
        () => undefined,
        (error: { retryAfter?: number }) => error.retryAfter,
      );
    };
    expect(await at('45')).toBe(45);
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 8, 0, 0), toFake: ['Date'] });
    expect(await at('Sat, 21 Nov 2026 08:02:00 GMT')).toBe(120);
    vi.useRealTimers();
    for (const text of ['', '0', '-5', 'soon', '999999999', '1e9'])
      expect(await at(text), text).toBeUndefined();
  });

  it('of an aborted call is an AbortError', async () => {
    answer = () => Promise.reject(new DOMException('Aborted', 'AbortError'));
    expect(((await errorOf(send(getServices, { query: {} }))) as { name: string }).name).toBe(
      'AbortError',
    );
  });
});
