import { useSearchParams } from 'react-router';
import { refundFilters, type RefundFilter } from '@diwan/contract/saved-filters';

export const statusGroups = ['waiting', 'progress', 'finished'] as const;
export type StatusGroup = (typeof statusGroups)[number];

export interface ListFilters {
  keyword: string;
  group: StatusGroup | undefined;
  statusId: number | undefined;
  from: string;
  to: string;
  sort: 'asc' | 'desc';
  /** Only what the person holds. */
  isMine: boolean;
  /** What is to be given back, or has been. */
  refund: RefundFilter | undefined;
  page: number;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const nameOf: Record<keyof ListFilters, string> = { keyword: 'q', group: 'group', statusId: 'status', from: 'from', to: 'to', sort: 'sort', isMine: 'mine', refund: 'refund', page: 'page' };

function wholeNumber(text: string | null): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function dayOf(text: string | null): string {
  return text !== null && day.test(text) ? text : '';
}

/** Anybody can type into an address: what makes no sense counts as not given. */
export function readFilters(search: URLSearchParams): ListFilters {
  return {
    keyword: (search.get('q') ?? '').trim().slice(0, 200),
    group: statusGroups.find((group) => group === search.get('group')),
    statusId: wholeNumber(search.get('status')),
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    sort: search.get('sort') === 'asc' ? 'asc' : 'desc',
    isMine: search.get('mine') === '1',
    refund: refundFilters.find((refund) => refund === search.get('refund')),
    page: wholeNumber(search.get('page')) ?? 1,
  };
}

/** Says that nothing is filtered, where a list would otherwise open with the person's default. */
export const openWithout = 'unfiltered';

const noFilters = { keyword: '', group: undefined, statusId: undefined, from: '', to: '', isMine: false, refund: undefined } satisfies Partial<ListFilters>;

/** An address with other filters. A changed filter begins at the first page; what is as it would be anyway is not written. */
export function writeFilters(search: URLSearchParams, changed: Partial<ListFilters>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(openWithout);
  for (const [name, value] of Object.entries({ page: undefined, ...changed }) as [keyof ListFilters, string | number | boolean | undefined][]) {
    const isDefault = value === undefined || value === '' || value === false || (name === 'page' && value === 1) || (name === 'sort' && value === 'desc');
    if (isDefault) next.delete(nameOf[name]);
    else next.set(nameOf[name], value === true ? '1' : String(value));
  }
  return next;
}

/** Filters live in the address, so that reload, back and a shared link keep them. */
export function useListFilters() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const change = (changed: Partial<ListFilters>) => setSearch(writeFilters(search, changed));
  const isFiltered = filters.keyword !== '' || filters.group !== undefined || filters.statusId !== undefined || filters.from !== '' || filters.to !== '' || filters.isMine || filters.refund !== undefined;
  const clear = () => change(noFilters);
  return { filters, change, clear, isFiltered };
}
