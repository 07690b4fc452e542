import { describe, expect, it } from 'vitest';
import { readFilters, writeFilters } from './list-filters.ts';

const nothing = { keyword: '', group: undefined, statusId: undefined, from: '', to: '', sort: 'desc', isMine: false, refund: undefined, page: 1 };

describe('readFilters', () => {
  it('reads what the lists write', () => {
    const filters = { ...nothing, keyword: 'DW26', statusId: 4, from: '2026-01-01', to: '2026-02-01', sort: 'asc', isMine: true, refund: 'due', page: 3 } as const;
    expect(readFilters(new URLSearchParams('q=DW26&status=4&from=2026-01-01&to=2026-02-01&sort=asc&mine=1&refund=due&page=3'))).toEqual(filters);
    expect(readFilters(writeFilters(new URLSearchParams(), filters))).toEqual(filters);
  });
  it('takes what makes no sense as not given', () => {
    expect(readFilters(new URLSearchParams('q=%20&status=x&from=yesterday&to=2026-1-1&sort=up&page=-1&group=mine&mine=yes&refund=1'))).toEqual(nothing);
  });
});

describe('writeFilters', () => {
  it('writes nothing that would be so anyway, and begins at the first page', () => {
    expect(String(writeFilters(new URLSearchParams('q=x&page=4&mine=1&sort=asc'), { isMine: false, sort: 'desc' }))).toBe('q=x');
    expect(String(writeFilters(new URLSearchParams('q=x'), { page: 2 }))).toBe('q=x&page=2');
  });
});
