import { describe, expect, it } from 'vitest';
import { idsInRange, selectRows } from './row-selection.ts';

describe('idsInRange', () => {
  it('works in both directions', () => {
    expect(idsInRange([1, 2, 3, 4], 2, 4)).toEqual([2, 3, 4]);
    expect(idsInRange([1, 2, 3, 4], 4, 2)).toEqual([2, 3, 4]);
    expect(idsInRange([1, 2, 3], 2, 2)).toEqual([2]);
  });
  it('is one row when the first one is not on this page', () => {
    expect(idsInRange([1, 2, 3], 9, 2)).toEqual([2]);
    expect(idsInRange([1, 2, 3], undefined, 3)).toEqual([3]);
  });
});

it('selectRows does not change the selection of other pages', () => {
  const rows = [{ id: 1 }, { id: 2 }];
  const first = selectRows(new Map([[7, { id: 7 }]]), rows, ({ id }) => id, true);
  expect([...first.keys()]).toEqual([7, 1, 2]);
  expect([...selectRows(first, rows.slice(0, 1), ({ id }) => id, false).keys()]).toEqual([7, 2]);
});
