import { useSearchParams } from 'react-router';

export const statusGroups = ['waiting', 'progress', 'finished'] as const;
export type StatusGroup = (typeof statusGroups)[number];

export interface ListFilters {
  keyword: string;
  group: StatusGroup | undefined;
  statusId: number | undefined;
  from: string;
  to: string;
  sort: 'asc' | 'desc';
  page: number;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const nameOf: Record<keyof ListFilters, string> = { keyword: 'q', group: 'group', statusId: 'status', from: 'from', to: 'to', sort: 'sort', page: 'page' };

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
    page: wholeNumber(search.get('page')) ?? 1,
  };
}

/** Filters live in the address, so that reload, back and a shared link keep them. A changed filter begins at the first page. */
export function useListFilters() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const change = (changed: Partial<ListFilters>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries({ page: undefined, ...changed }) as [keyof ListFilters, string | number | undefined][]) {
      const isDefault = value === undefined || value === '' || (name === 'page' && value === 1) || (name === 'sort' && value === 'desc');
      if (isDefault) next.delete(nameOf[name]);
      else next.set(nameOf[name], String(value));
    }
    setSearch(next);
  };
  const isFiltered = filters.keyword !== '' || filters.group !== undefined || filters.statusId !== undefined || filters.from !== '' || filters.to !== '';
  const clear = () => change({ keyword: '', group: undefined, statusId: undefined, from: '', to: '' });
  return { filters, change, clear, isFiltered };
}
