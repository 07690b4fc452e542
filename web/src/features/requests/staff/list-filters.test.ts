import { describe, expect, it } from 'vitest';
import {
  choiceOf,
  filtersOf,
  isSameChoice,
  noFilters,
  readFilters,
  wantedOf,
  writeFilters,
} from './list-filters.ts';
import { daysOfPeriod } from './filter-periods.ts';

const nothing = {
  keyword: '',
  group: undefined,
  statusId: undefined,
  from: '',
  to: '',
  period: undefined,
  sort: 'desc',
  isMine: false,
  refund: undefined,
  page: 1,
};

describe('readFilters', () => {
  it('reads what the lists write', () => {
    const filters = {
      ...nothing,
      keyword: 'DW26',
      statusId: 4,
      from: '2026-01-01',
      to: '2026-02-01',
      sort: 'asc',
      isMine: true,
      refund: 'due',
      page: 3,
    } as const;
    expect(
      readFilters(
        new URLSearchParams(
          'q=DW26&status=4&from=2026-01-01&to=2026-02-01&sort=asc&mine=1&refund=due&page=3',
        ),
      ),
    ).toEqual(filters);
    expect(readFilters(writeFilters(new URLSearchParams(), filters))).toEqual(filters);
  });
  it('takes what makes no sense as not given', () => {
    expect(
      readFilters(
        new URLSearchParams(
          'q=%20&status=x&from=yesterday&to=2026-1-1&sort=up&page=-1&group=mine&mine=yes&refund=1',
        ),
      ),
    ).toEqual(nothing);
  });
});

describe('writeFilters', () => {
  it('writes nothing that would be so anyway, and begins at the first page', () => {
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

describe('a filter that is kept', () => {
  const asked = { ...noFilters, keyword: 'x', period: 'week', isMine: true, page: 4 } as const;
  it('is everything but the page, and leaves nothing of another in force', () => {
    expect(choiceOf(asked)).toEqual({
      keyword: 'x',
      from: '',
      to: '',
      period: 'week',
      sort: 'desc',
      isMine: true,
    });
    expect(filtersOf(choiceOf(asked))).toEqual({ ...asked, page: 1 });
    expect(
      String(
        writeFilters(
          new URLSearchParams('status=4&refund=due&from=2026-01-01'),
          filtersOf(choiceOf(asked)),
        ),
      ),
    ).toBe('q=x&period=week&mine=1');
    expect([
      isSameChoice(choiceOf(asked), choiceOf({ ...asked, page: 1 })),
      isSameChoice(choiceOf(asked), choiceOf({ ...asked, period: undefined })),
    ]).toEqual([true, false]);
  });
  it('goes on with the days', () => {
    expect([
      daysOfPeriod('today', '2026-03-01'),
      daysOfPeriod('week', '2026-03-01'),
      daysOfPeriod('month', '2026-03-31'),
    ]).toEqual([
      { from: '2026-03-01', to: '' },
      { from: '2026-02-23', to: '' },
      { from: '2026-03-01', to: '' },
    ]);
    expect(wantedOf({ ...noFilters, from: '2026-01-01', to: '2026-01-31' })).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
    });
    expect(wantedOf({ ...noFilters, period: 'week', from: '2020-01-01' }).from).not.toBe(
      '2020-01-01',
    );
  });
});
