import { beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '../../testing/fake-browser.ts';

let answer: () => Response | Promise<Response> = () => jsonReply({});
openFakeBrowser(() => answer());
const said: string[] = [];
vi.mock('../../lib/browser/toasts.ts', () => ({ showToast: (text: string) => said.push(text) }));
vi.mock('../../lib/api/handle-error.ts', () => ({
  messageOf: (error: { name: string }) => error.name,
  handleError: () => said.push('handled'),
}));
const { chooseService } = await import('./choose-service.ts');
const { setRouter } = await import('../../lib/browser/navigation.ts');
const { storeToken, takeReturnUrl } = await import('../../lib/api/session.ts');

const went: string[] = [];
setRouter({ navigate: (path) => went.push(path) });
const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
beforeEach(() => {
  said.length = 0;
  went.length = 0;
  logged.mockClear();
});

// Specification §8, the rows of services.
it('opens a service under its name in addresses', async () => {
  answer = () => jsonReply({ name: 'Visa', replacedName: 'visa' });
  await chooseService(7, 1);
  expect([went, said, logged.mock.calls.length]).toEqual([['/requests/Create/visa'], [], 0]);
});

it.each<[string, () => Response | Promise<Response>, string[]]>([
  ['an answer without a name is logged', () => jsonReply({ name: '', replacedName: '' }), []],
  [
    'a service that is gone is logged',
    () => jsonReply({ error: 'ServiceNotFound', message: 'x' }, 404),
    [],
  ],
  [
    'a failure of the server is logged',
    () => jsonReply({ error: 'InternalServerError', message: 'x' }, 500),
    [],
  ],
  [
    'no connection is logged and said',
    () => Promise.reject(new TypeError('offline')),
    ['ServerNotConnected'],
  ],
])('%s, and leads nowhere', async (_, given, words) => {
  answer = given;
  await chooseService(7, 1);
  expect([went, said, logged.mock.calls.length]).toEqual([[], words, 1]);
});

// Specification §4: 1 is individuals. Where no account type was chosen the first screen is shown,
// and its form asks who it is.
it.each([
  ['a visitor of account type 1', null, 1, '/requests/Create/visa', null],
  ['a visitor without one', null, undefined, '/requests/Create/visa', null],
  ['a visitor of account type 2', null, 2, '/account/login', '/requests/Create/visa'],
  ['a visitor of account type 3', null, 3, '/account/login', '/requests/Create/visa'],
  ['somebody of account type 2 who is signed in', fakeToken(600), 2, '/requests/Create/visa', null],
] as const)('%s', async (_, token, accountTypeId, to, remembered) => {
  storeToken(token);
  answer = () => jsonReply({ name: 'Visa', replacedName: 'visa' });
  await chooseService(7, accountTypeId);
  expect([went, takeReturnUrl()]).toEqual([[to], remembered]);
});
