import { describe, expect, it } from 'vitest';
import {
  toFilterChoice,
  toListFilters,
  isSameChoice,
  noFilters,
  noStaffFilters,
  readFilters,
  toRequestListQuery,
  writeFilters,
  daysOfPeriod,
} from './list-filters.ts';

const nothing = {
  keyword: '',
  group: undefined,
  statusId: undefined,
  from: '',
  to: '',
  period: undefined,
  sort: 'desc',
  isMine: false,
  holderId: undefined,
  serviceId: undefined,
  agencyId: undefined,
  teamId: undefined,
  due: undefined,
  refund: undefined,
  page: 1,
};

describe('readFilters', () => {
  it('reads the parameters that writeFilters writes', () => {
    const filters = {
      ...nothing,
      keyword: 'DW26',
      statusId: 4,
      from: '2026-01-01',
      to: '2026-02-01',
      sort: 'asc',
      isMine: true,
      refund: 'due',
      holderId: 'nobody',
      serviceId: 12,
      agencyId: 3,
      teamId: 5,
      due: 'week',
      page: 3,
    } as const;
    expect(
      readFilters(
        new URLSearchParams(
          'q=DW26&status=4&from=2026-01-01&to=2026-02-01&sort=asc&mine=1&refund=due&page=3&holder=nobody&service=12&agency=3&team=5&due=week',
        ),
      ),
    ).toEqual(filters);
    expect(readFilters(writeFilters(new URLSearchParams(), filters))).toEqual(filters);
  });
  it('ignores invalid values', () => {
    expect(
      readFilters(
        new URLSearchParams(
          'q=%20&status=x&from=yesterday&to=2026-1-1&sort=up&page=-1&group=mine&mine=yes&refund=1&holder=me&service=-1&agency=x&due=soon',
        ),
      ),
    ).toEqual(nothing);
  });
});

describe('writeFilters', () => {
  it('leaves out default values and starts at the first page', () => {
    expect(
      String(
        writeFilters(new URLSearchParams('q=x&page=4&mine=1&sort=asc'), {
          isMine: false,
          sort: 'desc',
        }),
      ),
    ).toBe('q=x');
    expect(String(writeFilters(new URLSearchParams('q=x'), { page: 2 }))).toBe('q=x&page=2');
  });
});

describe('a list of staff', () => {
  it('is sorted by due day unless the address says otherwise', () => {
    expect(readFilters(new URLSearchParams(), noStaffFilters).sort).toBe('due');
    expect(readFilters(new URLSearchParams('sort=desc'), noStaffFilters).sort).toBe('desc');
    const write = (sort: 'due' | 'desc') =>
      String(writeFilters(new URLSearchParams('sort=asc'), { sort }, noStaffFilters));
    expect([write('due'), write('desc')]).toEqual(['', 'sort=desc']);
  });
});

describe('a saved filter', () => {
  const asked = { ...noFilters, keyword: 'x', period: 'week', isMine: true, page: 4 } as const;
  it('holds all filters except the page, and replaces all other filters', () => {
    expect(toFilterChoice(asked)).toEqual({
      keyword: 'x',
      from: '',
      to: '',
      period: 'week',
      sort: 'desc',
      isMine: true,
    });
    expect(toListFilters(toFilterChoice(asked))).toEqual({ ...asked, page: 1 });
    expect(
      String(
        writeFilters(
          new URLSearchParams('status=4&refund=due&from=2026-01-01'),
          toListFilters(toFilterChoice(asked)),
        ),
      ),
    ).toBe('q=x&period=week&mine=1');
    expect([
      isSameChoice(toFilterChoice(asked), toFilterChoice({ ...asked, page: 1 })),
      isSameChoice(toFilterChoice(asked), toFilterChoice({ ...asked, period: undefined })),
    ]).toEqual([true, false]);
  });
  it('moves a period with the current date', () => {
    expect([
      daysOfPeriod('today', '2026-03-01'),
      daysOfPeriod('week', '2026-03-01'),
      daysOfPeriod('month', '2026-03-31'),
    ]).toEqual([
      { from: '2026-03-01', to: '' },
      { from: '2026-02-23', to: '' },
      { from: '2026-03-01', to: '' },
    ]);
    expect(
      toRequestListQuery({ ...noFilters, from: '2026-01-01', to: '2026-01-31' }),
    ).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
    });
    expect(toRequestListQuery({ ...noFilters, period: 'week', from: '2020-01-01' }).from).not.toBe(
      '2020-01-01',
    );
  });
});
