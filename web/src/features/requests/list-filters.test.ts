import { describe, expect, it } from 'vitest';
import { readFilters } from './list-filters.ts';

describe('readFilters', () => {
  it('reads what the lists write', () => {
    expect(readFilters(new URLSearchParams('q=DW26&status=4&from=2026-01-01&to=2026-02-01&sort=asc&page=3'))).toEqual({ keyword: 'DW26', group: undefined, statusId: 4, from: '2026-01-01', to: '2026-02-01', sort: 'asc', page: 3 });
  });
  it('takes what makes no sense as not given', () => {
    expect(readFilters(new URLSearchParams('q=%20&status=x&from=yesterday&to=2026-1-1&sort=up&page=-1&group=mine'))).toEqual({ keyword: '', group: undefined, statusId: undefined, from: '', to: '', sort: 'desc', page: 1 });
  });
});
