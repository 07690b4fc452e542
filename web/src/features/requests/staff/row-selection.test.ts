import { describe, expect, it } from 'vitest';
import { rangeOf, withRows } from './row-selection.ts';

describe('rangeOf', () => {
  it('goes both ways', () => {
    expect(rangeOf([1, 2, 3, 4], 2, 4)).toEqual([2, 3, 4]);
    expect(rangeOf([1, 2, 3, 4], 4, 2)).toEqual([2, 3, 4]);
    expect(rangeOf([1, 2, 3], 2, 2)).toEqual([2]);
  });
  it('is one row where the other end is not on this page', () => {
    expect(rangeOf([1, 2, 3], 9, 2)).toEqual([2]);
    expect(rangeOf([1, 2, 3], undefined, 3)).toEqual([3]);
  });
});

it('keeps what was selected on another page', () => {
  const rows = [{ id: 1 }, { id: 2 }];
  const first = withRows(new Map([[7, { id: 7 }]]), rows, ({ id }) => id, true);
  expect([...first.keys()]).toEqual([7, 1, 2]);
  expect([...withRows(first, rows.slice(0, 1), ({ id }) => id, false).keys()]).toEqual([7, 2]);
});
