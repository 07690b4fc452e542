import { describe, expect, it } from 'vitest';
import { runEach, stateOfError, type BulkResult } from './bulk-run.ts';

describe('stateOfError', () => {
  it('tells what is worth another try from what is not', () => {
    expect(stateOfError({ name: 'VersionHasChanged', status: 400 })).toBe('late');
    expect(stateOfError({ name: 'ActionNotAllowed', status: 400 })).toBe('late');
    expect(stateOfError({ name: 'RequestNotFound', status: 404 })).toBe('refused');
    expect(stateOfError({ name: 'TooManyRequests', status: 429 })).toBe('failed');
    expect(stateOfError({ name: 'ServerNotConnected', status: 0 })).toBe('failed');
    expect(stateOfError({ name: 'InternalServerError', status: 500 })).toBe('failed');
  });
});

describe('runEach', () => {
  it('gives every item its own result, some at once and none twice', async () => {
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
  it('has nothing to do with nothing', async () => {
    await runEach(
      [],
      () => Promise.reject(new Error('asked')),
      () => {
        throw new Error('told');
      },
    );
  });
});
