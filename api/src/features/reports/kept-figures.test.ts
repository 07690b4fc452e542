import { expect, test, vi } from 'vitest';
import { areWorthKeeping, keepFigures } from './kept-figures.ts';
import type { FiguresRow } from './reports.store.ts';

const period = (created: number) => ({ created, completed: 0, refused: 0, fees: 0, median_seconds: null, kept: 0 });
const figuresOf = (created: number): FiguresRow => ({ current: period(created), previous: period(0), days: [], services: [], standing: [] });

test('figures of few requests are counted for everybody who asks', async () => {
  const figures = keepFigures(() => 0);
  const count = vi.fn(async () => figuresOf(20_000));
  await figures('a', count);
  await figures('a', count);
  expect(count).toHaveBeenCalledTimes(2);
});

test('figures of many are kept for a minute, for those who may see the same', async () => {
  let now = 0;
  const figures = keepFigures(() => now);
  const count = vi.fn(async () => figuresOf(20_001));
  await figures('a', count);
  now = 59_999;
  expect((await figures('a', count)).current.created).toBe(20_001);
  expect(count).toHaveBeenCalledTimes(1);
  await figures('b', count);
  expect(count).toHaveBeenCalledTimes(2);
  now = 60_000;
  await figures('a', count);
  expect(count).toHaveBeenCalledTimes(3);
});

test('those who ask together when a minute is over wait for one count, and one that fails is not kept', async () => {
  let now = 0;
  const figures = keepFigures(() => now);
  await figures('a', async () => figuresOf(30_000));
  now = 70_000;
  const failing = vi.fn(async () => { throw new Error('gone'); });
  const answers = await Promise.allSettled([figures('a', failing), figures('a', failing)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(failing).toHaveBeenCalledTimes(1);
  expect((await figures('a', async () => figuresOf(1))).current.created).toBe(1);
});

test('both periods and both ends of a request count', () => {
  expect(areWorthKeeping({ current: { ...period(5000), completed: 5001 }, previous: { ...period(5000), completed: 5000 } })).toBe(true);
  expect(areWorthKeeping({ current: { ...period(5000), completed: 5000 }, previous: { ...period(5000), completed: 5000 } })).toBe(false);
});
