import { useSearchParams } from 'react-router';
import { todayInDubai } from '@diwan/contract/wire/days';
import {
  filterPeriods,
  refundFilters,
  type FilterChoice,
} from '@diwan/contract/requests/saved-filters';
import { daysOfPeriod } from './filter-periods.ts';

export const statusGroups = ['waiting', 'progress', 'finished'] as const;
export type StatusGroup = (typeof statusGroups)[number];

function wholeNumber(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

const dayOf = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : '');
const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text);

/**
 * Every filter of the lists: its name in the address, and how it is read from there. Anybody can
 * type into an address: what makes no sense counts as not given.
 */
const fields = {
  keyword: { at: 'q', read: (text: string) => text.trim().slice(0, 200) },
  group: { at: 'group', read: oneOf(statusGroups) },
  statusId: { at: 'status', read: wholeNumber },
  from: { at: 'from', read: dayOf },
  to: { at: 'to', read: dayOf },
  period: { at: 'period', read: oneOf(filterPeriods) },
  sort: { at: 'sort', read: (text: string): 'asc' | 'desc' => (text === 'asc' ? 'asc' : 'desc') },
  /** Only what the person holds. */
  isMine: { at: 'mine', read: (text: string) => text === '1' },
  /** What is to be given back, or has been. */
  refund: { at: 'refund', read: oneOf(refundFilters) },
  page: { at: 'page', read: (text: string) => wholeNumber(text) ?? 1 },
};

type FilterName = keyof typeof fields;
export type ListFilters = { [Name in FilterName]: ReturnType<(typeof fields)[Name]['read']> };

const names = Object.keys(fields) as FilterName[];

export function readFilters(search: URLSearchParams): ListFilters {
  return Object.fromEntries(
    names.map((name) => [name, fields[name].read(search.get(fields[name].at) ?? '')]),
  ) as ListFilters;
}

/** Nothing is asked for. */
export const noFilters: ListFilters = readFilters(new URLSearchParams());

/** Says that nothing is filtered, where a list would otherwise open with the person's default. */
export const openWithout = 'unfiltered';

/**
 * An address with other filters. A changed filter begins at the first page; what is as it would be
 * anyway is not written.
 */
export function writeFilters(
  search: URLSearchParams,
  changed: Partial<ListFilters>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(openWithout);
  const all: Partial<ListFilters> = { page: 1, ...changed };
  for (const name of names) {
    if (!(name in all)) continue;
    const value = all[name];
    if (value === undefined || value === noFilters[name]) next.delete(fields[name].at);
    else next.set(fields[name].at, value === true ? '1' : String(value));
  }
  return next;
}

const notKept: readonly FilterName[] = ['group', 'page'];
const kept = names.filter((name) => !notKept.includes(name));
const narrowing = names.filter((name) => name !== 'sort' && name !== 'page');

/** What of the filters can be kept under a name. */
export function choiceOf(filters: ListFilters): FilterChoice {
  return Object.fromEntries(
    kept.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  ) as unknown as FilterChoice;
}

/** All of the filters, so that a saved one leaves nothing of another in force. */
export function filtersOf(choice: FilterChoice): ListFilters {
  return { ...noFilters, ...choice };
}

export function isSameChoice(one: FilterChoice, other: FilterChoice): boolean {
  return kept.every((name) => filtersOf(one)[name] === filtersOf(other)[name]);
}

/** The filters as a list is asked by them: a period is the days that it stands for now. */
export function wantedOf({ keyword, from, to, period, sort, isMine, refund, page }: ListFilters) {
  return {
    keyword,
    sort,
    isMine,
    refund,
    page,
    ...(period === undefined ? { from, to } : daysOfPeriod(period, todayInDubai())),
  };
}

/** Filters live in the address, so that reload, back and a shared link keep them. */
export function useListFilters() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const change = (changed: Partial<ListFilters>) => setSearch(writeFilters(search, changed));
  const isFiltered = narrowing.some((name) => filters[name] !== noFilters[name]);
  const clear = () => change({ ...noFilters, sort: filters.sort });
  return { filters, change, clear, isFiltered };
}
