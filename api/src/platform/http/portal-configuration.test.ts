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
  const problems: string[] = [];
  const clock = { now: 0 };
  const configuration = openPortalConfiguration(
    site,
    (problem) => problems.push(problem),
    () => (clock.now += 2000),
  );
  return { configuration, problems };
}

it('returns the origins of a host’s environment, and reads the file again when it changes', () => {
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
  const { configuration, problems } = open();
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
  expect(problems).toEqual([]);
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
])('reports the problem of %s, and returns no origins', (content, problem) => {
  write(content);
  const { configuration, problems } = open();
  expect(configuration.originsFor('a.example')).toEqual([]);
  expect(problems).toEqual([expect.stringMatching(problem)]);
});
