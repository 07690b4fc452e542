import { beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser, type Asked } from '#testing/fake-browser.ts';

let answer: (asked: Asked) => Response | Promise<Response> = () => jsonReply({});
const { asked } = openFakeBrowser((one) => answer(one));
const said: string[] = [];
vi.mock('#lib/browser/toasts.ts', () => ({ showToast: (text: string) => said.push(text) }));
vi.mock('#lib/api/handle-error.ts', () => ({
  messageOf: (error: { name: string }) => error.name,
}));
const { followRequestLink } = await import('./request-link.ts');

const signedIn = vi.fn(async (): Promise<Response | null> => null);
const follow = async (address: string) => {
  const response = await followRequestLink(signedIn)({
    request: new Request(`https://portal.example${address}`),
  } as never);
  return response?.headers.get('location') ?? null;
};

beforeEach(() => {
  asked.length = 0;
  said.length = 0;
  signedIn.mockReset().mockResolvedValue(null);
  window.sessionStorage.clear();
  window.sessionStorage.setItem('token', fakeToken(600));
});

it('redirects `req` to the inquiry without signing in and without a call', async () => {
  expect(await follow('/requests?req=DW26-00000-00001')).toBe(
    '/requests/inquiry?request-number=DW26-00000-00001',
  );
  expect(await follow('/requests?req=%2F%2Fevil.example%26x%3D1%23%E2%80%AE')).toBe(
    '/requests/inquiry?request-number=%2F%2Fevil.example%26x%3D1%23%E2%80%AE',
  );
  expect([asked, signedIn.mock.calls]).toEqual([[], []]);
});

it('decrypts `request`, checks the permission and redirects to the details; a space counts as a plus', async () => {
  answer = ({ url }) =>
    jsonReply({
      requestId: 7,
      requestNumber: url.pathname.endsWith('CheckRequestToView') ? 'DW26-00000-00007' : 'wrong',
    });
  expect(await follow('/requests?request=ab+cd%20ef/g')).toBe(
    '/requests/request-details?request-number=DW26-00000-00007',
  );
  expect(asked.map(({ url }) => url.pathname)).toEqual([
    '/api/Request/ReadRequestLink',
    '/api/Request/CheckRequestToView',
  ]);
  expect(asked[0]?.url.searchParams.get('request')).toBe('ab+cd+ef/g');
  expect(asked[1]?.url.searchParams.get('RequestId')).toBe('7');
});

it.each<[string, Response | Error, string]>([
  ['is unknown', jsonReply({ error: 'RequestNotFound', message: 'x' }, 404), 'RequestNotFound'],
  ['is too long', jsonReply({ errors: { request: ['x'] } }, 400), 'RequestNotFound'],
  ['cannot be resolved without a connection', new TypeError('offline'), 'ServerNotConnected'],
  [
    'causes a server error',
    jsonReply({ error: 'InternalServerError', message: 'x' }, 500),
    'InternalServerError',
  ],
])('redirects to the list and shows the error when the link %s', async (_, given, name) => {
  answer = () => (given instanceof Error ? Promise.reject(given) : given.clone());
  expect(await follow('/requests?request=abc')).toBe('/requests');
  expect(said).toEqual([name]);
});

it('redirects to the list when the user must not view the request', async () => {
  answer = ({ url }) =>
    url.pathname.endsWith('ReadRequestLink')
      ? jsonReply({ requestId: 7, requestNumber: 'x' })
      : jsonReply({ error: 'RequestNotFound', message: 'x' }, 404);
  expect(await follow('/requests?request=abc')).toBe('/requests');
  expect(said).toEqual(['RequestNotFound']);
});

it('redirects to the login page without a session and returns to the link afterwards', async () => {
  signedIn.mockResolvedValue(Response.redirect('https://portal.example/account/login'));
  expect(await follow('/requests?request=abc')).toBe('https://portal.example/account/login');
  expect(asked).toEqual([]);
  signedIn.mockResolvedValue(null);
  answer = () => jsonReply({ error: 'SessionEnded', message: 'x' }, 401);
  expect(await follow('/requests?request=abc%2B')).toBe('/account/login');
  expect(window.sessionStorage.getItem('token')).toBeNull();
  expect(window.sessionStorage.getItem('returnUrl')).toBe('/requests?request=abc%2B');
});

it('leaves all other addresses to the guard', async () => {
  expect(await follow('/requests?search=visa')).toBeNull();
  expect(await follow('/requests?request=')).toBeNull();
  expect(signedIn).toHaveBeenCalledTimes(2);
  expect(asked).toEqual([]);
});
