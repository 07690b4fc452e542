import { describe, expect, it } from 'vitest';
import { runEach, toBulkState, type BulkResult } from './bulk-run.ts';

describe('toBulkState', () => {
  it('separates errors that a retry may solve from other errors', () => {
    expect(toBulkState({ name: 'VersionHasChanged', status: 400 })).toBe('late');
    expect(toBulkState({ name: 'ActionNotAllowed', status: 400 })).toBe('late');
    expect(toBulkState({ name: 'RequestNotFound', status: 404 })).toBe('refused');
    expect(toBulkState({ name: 'TooManyRequests', status: 429 })).toBe('failed');
    expect(toBulkState({ name: 'ServerNotConnected', status: 0 })).toBe('failed');
    expect(toBulkState({ name: 'InternalServerError', status: 500 })).toBe('failed');
    expect(toBulkState({ name: 'OutcomeUnknown', status: 0 })).toBe('unclear');
  });
});

describe('runEach', () => {
  it('runs every item once, at most four at a time, with a result for each', async () => {
    const items = Array.from({ length: 25 }, (_, index) => index);
    const results = new Map<number, BulkResult>();
    let running = 0;
    let most = 0;
    const tried: number[] = [];
    await runEach(
      items,
      async (item) => {
        most = Math.max(most, (running += 1));
        tried.push(item);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return { state: item % 5 === 0 ? 'failed' : 'done', text: String(item) };
      },
      (item, result) => results.set(item, result),
    );
    expect(tried).toEqual(items);
    expect(most).toBe(4);
    expect([...results.values()].filter(({ state }) => state === 'failed')).toHaveLength(5);
    expect(items.every((item) => results.get(item)?.text === String(item))).toBe(true);
  });
  it('does nothing without items', async () => {
    await runEach(
      [],
      () => Promise.reject(new Error('run was called')),
      () => {
        throw new Error('onResult was called');
      },
    );
  });
});
