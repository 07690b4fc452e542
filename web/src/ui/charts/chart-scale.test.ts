import { expect, it } from 'vitest';
import { labelInterval, scaleFor } from './chart-scale.ts';

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [17, [0, 5, 10, 15, 20]],
  [18, [0, 5, 10, 15, 20]],
  [43, [0, 20, 40, 60]],
  [1999, [0, 500, 1000, 1500, 2000]],
])('scales an axis for values up to %d', (highest, marks) => {
  const scale = scaleFor(highest);
  expect(scale.marks).toEqual(marks);
  expect(scale.top).toBeGreaterThanOrEqual(highest);
});

it('labels no more points than fit the width', () => {
  expect(labelInterval(30, 320, 64)).toBe(6);
  expect(labelInterval(7, 1100, 64)).toBe(1);
  expect(labelInterval(30, 10, 64)).toBe(30);
});
