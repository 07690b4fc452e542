import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openFakeBrowser, jsonReply } from '#testing/fake-browser.ts';
import shipped from '../../../public/configuration.json' with { type: 'json' };

let reply = (): Response => jsonReply({});
const { location } = openFakeBrowser(() => reply());
const { configuration, loadConfiguration, readConfiguration } = await import('./configuration.ts');
const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);

function openAt(address: string): void {
  Object.assign(
    location,
    (({ protocol, origin, host, hostname }: URL) => ({ protocol, origin, host, hostname }))(
      new URL(address),
    ),
  );
}
const read = (environments: unknown, rest: object = {}) =>
  readConfiguration({ environments, ...rest } as never);

beforeEach(() => {
  logged.mockClear();
  openAt('https://portal.example');
});

describe('the file of the repository', () => {
  it.each([
    ['http://localhost:3000', 'local', ''],
    ['http://127.0.0.1:5173', 'local', ''],
    ['https://dev.diwan.example', 'dev', 'https://api.dev.diwan.example'],
    ['https://testing.diwan.example', 'testing', 'https://api.testing.diwan.example'],
    ['https://staging.diwan.example:8443', 'staging', 'https://api.staging.diwan.example'],
    ['https://poc.diwan.example', 'poc', 'https://api.poc.diwan.example'],
    ['https://diwan.example', 'live', 'https://api.diwan.example'],
    ['https://elsewhere.example', '', ''],
  ])('at %s is %j with the API at %j', (address, environment, apiBaseUrl) => {
    openAt(address);
    expect(readConfiguration(shipped as never)).toMatchObject({
      environment,
      apiBaseUrl,
      isUsable: true,
    });
    expect(logged).not.toHaveBeenCalled();
  });
});

it('prefers a host with its port to the host alone', () => {
  openAt('http://localhost:4000');
  expect(
    read({
      local: { hosts: ['localhost'], apiBaseUrl: '' },
      testing: { hosts: ['localhost:4000'], apiBaseUrl: 'http://localhost:3000' },
    }),
  ).toMatchObject({ environment: 'testing', apiBaseUrl: 'http://localhost:3000' });
});

it.each([
  'ftp://api.example',
  'https://api.example/v1',
  'https://api.example?x',
  'https://user:pw@api.example',
  'api.example',
  '//api.example',
  'javascript:alert(1)',
  'http://api.example',
  7,
  {},
])('rejects an API at %j and logs it', (apiBaseUrl) => {
  expect(read({ live: { hosts: ['portal.example'], apiBaseUrl } }).isUsable).toBe(false);
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('apiBaseUrl of live'));
});

it('removes a slash at the end and logs it', () => {
  expect(
    read({ live: { hosts: ['portal.example'], apiBaseUrl: 'https://api.example/' } }),
  ).toMatchObject({ apiBaseUrl: 'https://api.example', isUsable: true });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('must not end with a slash'));
});

it('uses the first of two environments with one host and logs it', () => {
  expect(
    read({
      testing: { hosts: ['portal.example'], apiBaseUrl: 'https://a.example' },
      live: { hosts: ['portal.example'], apiBaseUrl: 'https://b.example' },
    }),
  ).toMatchObject({ environment: 'testing', apiBaseUrl: 'https://a.example' });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('testing, live'));
});

it.each([
  undefined,
  [],
  'portal.example',
  { live: null },
  { live: { hosts: 'other' } },
  { live: { hosts: [null, {}] } },
])('uses this origin when %j names no environment', (environments) => {
  expect(read(environments)).toMatchObject({ environment: '', apiBaseUrl: '', isUsable: true });
});

it('ignores values that are not texts or links', () => {
  const social = [
    { name: 'X', url: 'https://x.example' },
    { name: 'bad', url: 'javascript:alert(1)' },
    { name: 5, url: 'https://y.example' },
    null,
    'text',
  ];
  expect(read({}, { support: { phone: 5, email: ['a'] }, social })).toMatchObject({
    supportPhone: '',
    supportEmail: '',
    social: [{ name: 'X', url: 'https://x.example' }],
  });
  expect(read({}, { social: 'https://x.example' }).social).toEqual([]);
  const visa = { name: 'Visa', logo: '/logos/cards/visa.svg' };
  const wrong = ['Visa', null, { name: 'A' }, { ...visa, name: '' }];
  const elsewhere = ['//x.example/a.svg', 'https://x.example/a.svg'].map((logo) => ({
    name: 'A',
    logo,
  }));
  expect(read({}, { cards: [...wrong, visa, ...elsewhere] }).cards).toEqual([visa]);
});

it.each<[string, () => Response]>([
  ['not JSON', () => new Response('<!doctype html>')],
  ['missing', () => jsonReply({ error: 'NotFound' }, 404)],
  ['null', () => jsonReply(null)],
])('starts with a file that is %s, and logs it', async (_, given) => {
  reply = given;
  await loadConfiguration();
  expect(configuration()).toMatchObject({ apiBaseUrl: '', isUsable: true });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('cannot be read'), expect.anything());
});
