import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

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

// `npm test` names what passed at the second try.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, retry: 1 };
const onServer = {
  ...timeouts,
  globalSetup: ['api/src/testing/test-server.ts'],
  // The files of a worker share its modules: importing them again for each file costs a quarter of
  // the time. These tests replace no module and no global function.
  isolate: false,
  // The default of one second is too short for a busy machine.
  expect: { poll: { timeout: 20_000 } },
};
const isBuilt = ['**/node_modules/**', '**/dist/**'];
const everyCall = 'api/src/system-tests/every-call/*.test.ts';

// The end of a file's name says which project it belongs to.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...onServer,
          name: 'api',
          include: ['{contract,api,bench,tools}/**/*.test.ts'],
          exclude: [...isBuilt, '**/*.{crash,azure,s3}.test.ts', everyCall],
        },
      },
      // Every call of the contract for every role, with wrong numbers, texts, ids and lost answers. A third of
      // all tests, so .ci/run runs them after npm test: npx vitest run --project every-call.
      { test: { ...onServer, name: 'every-call', include: [everyCall], exclude: isBuilt } },
      // Each starts, kills and starts the product several times: npx vitest run --project crashes, and .ci/run.
      // Their short form in npm test is main.test.ts, which kills it while people act.
      {
        test: {
          ...onServer,
          name: 'crashes',
          include: ['api/src/**/*.crash.test.ts'],
          exclude: isBuilt,
        },
      },
      // They need Azure's emulator: npx vitest run --project azure.
      {
        test: {
          ...onServer,
          name: 'azure',
          include: ['api/src/**/*.azure.test.ts'],
          exclude: isBuilt,
          globalSetup: [...onServer.globalSetup, 'api/src/testing/storage/azurite.ts'],
        },
      },
      // They need a server of the S3 protocol: npx vitest run --project s3.
      {
        test: {
          ...onServer,
          name: 's3',
          include: ['api/src/**/*.s3.test.ts'],
          exclude: isBuilt,
          globalSetup: [...onServer.globalSetup, 'api/src/testing/storage/s3-server.ts'],
        },
      },
      // Modules of the browser in Node, with parts of a browser that the tests replace.
      { test: { ...timeouts, name: 'web', include: ['web/{src,build}/**/*.test.ts'] } },
      // Components and pages in Chromium.
      'web/vitest.config.ts',
    ],
    // Many tests wait for other processes, and `npm test` runs those in a browser beside them: three
    // workers of each use two cores.
    maxWorkers: Math.max(3, availableParallelism()),
  },
});
