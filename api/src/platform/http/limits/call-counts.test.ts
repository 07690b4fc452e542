import { expect, it, vi } from 'vitest';
import { CallCounts } from './call-counts.ts';

it('tells each of the calls that come together its own count', async () => {
  const counts = new CallCounts();
  const next = (key: string) =>
    new Promise<number>((resolve) =>
      counts.incr(key, (_, { current }) => resolve(current), 60_000),
    );
  expect(await Promise.all(['a', 'a', 'b', 'a'].map(next))).toEqual([1, 2, 1, 3]);
});

it('hands out results that later calls do not change, and begins again after the window', () => {
  vi.useFakeTimers({ now: 0 });
  const counts = new CallCounts();
  const results: { current: number; ttl: number }[] = [];
  const call = () => counts.incr('a', (_, result) => results.push(result), 60_000);
  call();
  vi.setSystemTime(59_999);
  call();
  vi.setSystemTime(60_000);
  call();
  expect(results).toEqual([
    { current: 1, ttl: 60_000 },
    { current: 2, ttl: 1 },
    { current: 1, ttl: 60_000 },
  ]);
  vi.useRealTimers();
});
