import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node 20 lacks Map.groupBy, which vitest uses when it prints failures.
const native = Map as unknown as { groupBy?: unknown };
native.groupBy ??= <Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};

// Each starts, kills and starts the product several times. `npm test` leaves them out; their short form
// there is main.test.ts, which kills it while people act.
const crashTests = [
  'api/src/backup/backup.test.ts',
  'api/src/features/drafts/killed-saves.test.ts',
  'api/src/platform/embedded-postgres/embedded-postgres.test.ts',
  'api/src/system-tests/database-outage.test.ts',
  'api/src/system-tests/held-actions-killed.test.ts',
  'api/src/system-tests/kill-uploads.test.ts',
  'api/src/system-tests/messages-killed.test.ts',
  'api/src/system-tests/refunds-killed.test.ts',
];

// The longest files. A clone knows no durations, so vitest would begin the largest files first, and
// would wait a minute for a small file that takes long.
const longestFiles = [
  'api/src/system-tests/role-matrix.test.ts',
  'api/src/main.test.ts',
  'api/src/features/services/transfer/transfer.test.ts',
  'api/src/system-tests/others-ids.test.ts',
  'api/src/system-tests/hostile-numbers.test.ts',
  'api/src/platform/identity-cards/read-card.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longestFiles.findIndex((file) => moduleId.endsWith(file));
      return rank === -1 ? longestFiles.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

// Tests of modules of the browser, in Node with parts of a browser that the tests replace. Those that
// replace nothing share the modules of a worker: half the processor time.
const replacing =
  /vi\.(mock|doMock|stubGlobal|useFakeTimers|resetModules)|defineProperty|globalThis\./;
const webTests = readdirSync(join(import.meta.dirname, 'web'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => /^(src|build)\/.*\.test\.ts$/.test(path))
  .map((path) => `web/${path}`);
const replacesParts = (path: string) =>
  replacing.test(readFileSync(join(import.meta.dirname, path), 'utf8'));

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'api',
          include: ['{contract,api,bench,tools}/**/*.test.ts'],
          // tools/azurite.mjs runs the tests that need Azure's emulator.
          exclude: [
            '**/node_modules/**',
            '**/dist/**',
            ...(process.env.SKIP_CRASH_TESTS === undefined ? [] : crashTests),
            ...(process.env.AZURITE_CONNECTION_STRING === undefined ? ['**/azure-*.test.ts'] : []),
          ],
          globalSetup: ['api/src/testing/test-server.ts'],
          // The files of a worker share its modules: importing them again for each file costs a
          // quarter of the time. These tests replace no module and no global function.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // The default of one second is too short for a busy machine.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'web',
          include: webTests.filter(replacesParts),
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'web-shared',
          include: webTests.filter((path) => !replacesParts(path)),
          testTimeout: 60_000,
          hookTimeout: 120_000,
          isolate: false,
        },
      },
      // Components and pages in Chromium.
      'web/vitest.config.ts',
    ],
    // Many tests wait for other processes: four workers use two cores better than two.
    maxWorkers: Math.max(4, availableParallelism()),
  },
});
