import { expect, it } from 'vitest';
import { countPassedMoments } from './passed-moments.ts';

it('counts each moment when it has come, in any order, and ignores those that never come', () => {
  let now = 10;
  const count = countPassedMoments([new Date(30), null, new Date(10), new Date(20)], () => now);
  expect(count()).toBe(1);
  now = 19;
  expect(count()).toBe(1);
  now = 30;
  expect(count()).toBe(3);
  expect(countPassedMoments([])()).toBe(0);
});
