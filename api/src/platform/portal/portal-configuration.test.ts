import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openPortalConfiguration } from './portal-configuration.ts';

const site = mkdtempSync(join(tmpdir(), 'diwan-portal-'));
afterAll(() => rmSync(site, { recursive: true }));

let seconds = 1000;
function write(content: string): void {
  writeFileSync(join(site, 'configuration.json'), content);
  seconds += 10;
  utimesSync(join(site, 'configuration.json'), seconds, seconds);
}

function open() {
  const faults: string[] = [];
  const clock = { now: 0 };
  const configuration = openPortalConfiguration(
    site,
    (fault) => faults.push(fault),
    () => (clock.now += 2000),
  );
  return { configuration, faults };
}

it('names the origins of the environment that a host is in, and follows the file when it changes', () => {
  write(
    JSON.stringify({
      environments: {
        testing: {
          hosts: ['testing.example', 'localhost:4000'],
          apiBaseUrl: 'https://api.testing.example',
          fileOrigins: ['https://files.example', 'nonsense', 7],
        },
        live: { hosts: ['localhost', 'portal.example'], apiBaseUrl: '' },
      },
    }),
  );
  const { configuration, faults } = open();
  expect(configuration.originsFor('testing.example:443')).toEqual([
    'https://api.testing.example',
    'https://files.example',
  ]);
  expect(configuration.originsFor('localhost:4000')).toEqual([
    'https://api.testing.example',
    'https://files.example',
  ]);
  expect(configuration.originsFor('localhost:3000')).toEqual([]);
  expect(configuration.originsFor('elsewhere.example')).toEqual([]);
  write(
    JSON.stringify({
      environments: { live: { hosts: ['testing.example'], apiBaseUrl: 'https://api.example' } },
    }),
  );
  expect(configuration.originsFor('testing.example')).toEqual(['https://api.example']);
  rmSync(join(site, 'configuration.json'));
  expect(configuration.originsFor('testing.example')).toEqual([]);
  expect(faults).toEqual([]);
});

it.each([
  ['{', /it is no JSON/],
  [
    JSON.stringify({
      environments: {
        live: { hosts: ['a.example'], apiBaseUrl: 'https://x.example; script-src *' },
      },
    }),
    /apiBaseUrl of live/,
  ],
  [
    JSON.stringify({
      environments: { live: { hosts: ['a.example'], apiBaseUrl: 'https://x.example/api' } },
    }),
    /apiBaseUrl of live/,
  ],
  [
    JSON.stringify({ environments: { live: { hosts: ['a.example'], apiBaseUrl: 5 } } }),
    /apiBaseUrl of live/,
  ],
  [
    JSON.stringify({
      environments: {
        one: { hosts: ['a.example'] },
        two: { hosts: ['a.example'], apiBaseUrl: 'https://x.example' },
      },
    }),
    /a\.example is in more than one/,
  ],
])('says what is wrong in %s, and opens nothing', (content, fault) => {
  write(content);
  const { configuration, faults } = open();
  expect(configuration.originsFor('a.example')).toEqual([]);
  expect(faults).toEqual([expect.stringMatching(fault)]);
});
