import { beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';

let answer: () => Response | Promise<Response> = () => jsonReply({});
const { asked } = openFakeBrowser(() => answer());
const toasts: string[] = [];
vi.mock('#lib/browser/toasts.ts', () => ({ showToast: (text: string) => toasts.push(text) }));
vi.mock('#lib/api/handle-error.ts', () => ({
  messageOf: (error: { name: string }) => error.name,
  handleError: () => toasts.push('handled'),
}));
const { chooseService } = await import('./choose-service.ts');
const { setRouter } = await import('#lib/browser/navigation.ts');
const { queryClient } = await import('#lib/api/query-client.ts');
const { storeToken, takeSelectedService } = await import('#lib/api/session.ts');

const visited: string[] = [];
setRouter({ navigate: (path) => visited.push(path) });
const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
beforeEach(() => {
  toasts.length = 0;
  visited.length = 0;
  logged.mockClear();
});

// Specification §2: "after fetching the service and its replaced name"; §8, the rows about services.
it('fetches a service and its replaced name, and opens it with what was fetched', async () => {
  const service = { id: 7, name: 'Visa', replacedName: 'visa' };
  answer = () => jsonReply(service);
  await chooseService(7, 1);
  expect([visited, toasts, logged.mock.calls.length]).toEqual([['/requests/Create/visa'], [], 0]);
  expect(
    asked.slice(-2).map(({ url }) => [url.pathname, url.searchParams.get('serviceId')]),
  ).toEqual([
    ['/api/Service/GetService', '7'],
    ['/api/Service/GetServiceNameByServiceId', '7'],
  ]);
  // The key of the query of the service's page.
  expect(
    queryClient.getQueryData(['getServiceIdByServiceName', 'ar-EG', null, { serviceName: 'visa' }]),
  ).toEqual({ serviceId: 7, service });
});

it.each<[string, () => Response | Promise<Response>, string[]]>([
  ['a reply without a name is logged', () => jsonReply({ name: '', replacedName: '' }), []],
  [
    'a deleted service is logged',
    () => jsonReply({ error: 'ServiceNotFound', message: 'x' }, 404),
    [],
  ],
  [
    'a server error is logged',
    () => jsonReply({ error: 'InternalServerError', message: 'x' }, 500),
    [],
  ],
  [
    'a missing connection is logged and shown',
    () => Promise.reject(new TypeError('offline')),
    ['ServerNotConnected'],
  ],
])('%s and opens nothing', async (_, given, expectedToasts) => {
  answer = given;
  await chooseService(7, 1);
  expect([visited, toasts, logged.mock.calls.length]).toEqual([[], expectedToasts, 1]);
});

// Specification §4: account type 1 is individuals.
it.each([
  ['a visitor of account type 1', null, 1, '/requests/Create/visa', null],
  ['a visitor without one', null, undefined, '/account/login', 7],
  ['a visitor of account type 2', null, 2, '/account/login', 7],
  ['a visitor of account type 3', null, 3, '/account/login', 7],
  ['a signed-in user of account type 2', fakeToken(600), 2, '/requests/Create/visa', null],
] as const)('%s', async (_, token, accountTypeId, to, remembered) => {
  storeToken(token);
  answer = () => jsonReply({ name: 'Visa', replacedName: 'visa' });
  await chooseService(7, accountTypeId);
  expect([visited, takeSelectedService()]).toEqual([[to], remembered]);
});

it('the account type that the visitor chose in this session applies without a filter', async () => {
  storeToken(null);
  window.sessionStorage.setItem('accountType', '1');
  answer = () => jsonReply({ name: 'Visa', replacedName: 'visa' });
  await chooseService(7, undefined);
  await chooseService(7, 2);
  expect([visited, takeSelectedService()]).toEqual([
    ['/requests/Create/visa', '/account/login'],
    7,
  ]);
});
