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

export default defineConfig({
  test: {
    include: ['{contract,api,web,scripts}/**/*.test.ts'],
    // What needs Azure's emulator is run by scripts/azurite.mjs.
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      ...(process.env.AZURITE_CONNECTION_STRING === undefined ? ['**/azure-*.test.ts'] : []),
    ],
    globalSetup: ['api/src/testing/test-server.ts'],
    // Much of the time is spent waiting for processes; vitest alone would leave one of two cores
    // idle.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes at once; vitest's own second is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
  },
});
