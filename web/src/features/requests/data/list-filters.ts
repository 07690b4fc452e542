import { serverToday } from '#lib/browser/server-time.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { dueFilters, listFigures, statusGroups } from '@diwan/contract/requests/request-lists';
import {
  filterPeriods,
  listOrders,
  refundFilters,
  type FilterChoice,
  type FilterPeriod,
} from '@diwan/contract/requests/saved-filters';
import { keywordParameter } from './details-link.ts';

function parsePositiveInteger(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

const parseDay = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : '');
const parseUserId = (text: string) => (/^[0-9a-f-]{36}$/.test(text) ? text : undefined);
const parseOneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text);

/**
 * The filters of the lists: the name of the query parameter, and how its value is read. An invalid
 * value counts as missing.
 */
const fields = {
  keyword: { at: keywordParameter, read: (text: string) => text.trim().slice(0, 200) },
  group: { at: 'group', read: parseOneOf(statusGroups) },
  statusId: { at: 'status', read: parsePositiveInteger },
  from: { at: 'from', read: parseDay },
  to: { at: 'to', read: parseDay },
  period: { at: 'period', read: parseOneOf(filterPeriods) },
  sort: {
    at: 'sort',
    read: (text: string) => listOrders.find((order) => order === text) ?? 'desc',
  },
  serviceId: { at: 'service', read: parsePositiveInteger },
  agencyId: { at: 'agency', read: parsePositiveInteger },
  teamId: { at: 'team', read: parsePositiveInteger },
  due: { at: 'due', read: parseOneOf(dueFilters) },
  /** Only requests that nobody, or this user, has received. */
  holderId: {
    at: 'holder',
    read: (text: string) => (text === 'nobody' ? text : parseUserId(text)),
  },
  /** Only requests that the user has received. */
  isMine: { at: 'mine', read: (text: string) => text === '1' },
  /** Only requests with a refund that is due, or that was paid. */
  refund: { at: 'refund', read: parseOneOf(refundFilters) },
  /** The requests behind a figure of a dashboard, in the days of the figure. */
  figure: { at: 'figure', read: parseOneOf(listFigures) },
  figureFrom: { at: 'figureFrom', read: (text: string) => parseDay(text) || undefined },
  figureTo: { at: 'figureTo', read: (text: string) => parseDay(text) || undefined },
  figureBy: { at: 'figureBy', read: parseUserId },
  partnerId: { at: 'partner', read: parsePositiveInteger },
  companyId: { at: 'company', read: parsePositiveInteger },
  page: { at: 'page', read: (text: string) => parsePositiveInteger(text) ?? 1 },
};

type FilterName = keyof typeof fields;
export type ListFilters = { [Name in FilterName]: ReturnType<(typeof fields)[Name]['read']> };

const names = Object.keys(fields) as FilterName[];

/** `none`: the values without a parameter. */
export function readFilters(search: URLSearchParams, none?: ListFilters): ListFilters {
  return Object.fromEntries(
    names.map((name) => {
      const text = search.get(fields[name].at);
      return [name, text === null && none ? none[name] : fields[name].read(text ?? '')];
    }),
  ) as ListFilters;
}

/** No filter is set. */
export const noFilters: ListFilters = readFilters(new URLSearchParams());
/** No filter is set in a list of staff, which begins with what is due first. */
export const noStaffFilters: ListFilters = { ...noFilters, sort: 'due' };

/** The query parameter that opens a list without the user's default filter. */
export const unfilteredParameter = 'unfiltered';

/**
 * The query parameters with changed filters. A changed filter starts at the first page; a filter
 * with its default value is left out.
 */
export function writeFilters(
  search: URLSearchParams,
  changed: Partial<ListFilters>,
  none = noFilters,
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(unfilteredParameter);
  const all: Partial<ListFilters> = { page: 1, ...changed };
  for (const name of names) {
    if (!(name in all)) continue;
    const value = all[name];
    if (value === undefined || value === none[name]) next.delete(fields[name].at);
    else next.set(fields[name].at, value === true ? '1' : String(value));
  }
  return next;
}

const unsavedFields: readonly FilterName[] = ['group', 'page'];
const savedFields = names.filter((name) => !unsavedFields.includes(name));
const narrowing = names.filter((name) => name !== 'sort' && name !== 'page');

/** The part of the filters that can be saved under a name. */
export function toFilterChoice(filters: ListFilters): FilterChoice {
  return Object.fromEntries(
    savedFields.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  ) as unknown as FilterChoice;
}

/** All filters of a saved choice, so that no other filter remains active. */
export function toListFilters(choice: FilterChoice): ListFilters {
  return { ...noFilters, ...choice };
}

export function isSameChoice(one: FilterChoice, other: FilterChoice): boolean {
  return savedFields.every((name) => toListFilters(one)[name] === toListFilters(other)[name]);
}

/** The filters as the query of a list, with the current dates of a period; without `group`. */
export function toRequestListQuery({ group: _group, period, from, to, ...query }: ListFilters) {
  return {
    ...query,
    ...(period === undefined ? { from, to } : daysOfPeriod(period, serverToday())),
  };
}

/** The filters in the address, so that they survive a reload, the back button and a shared link. */
export function useListFilters(none = noFilters) {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search, none);
  const change = (changed: Partial<ListFilters>) => setSearch(writeFilters(search, changed, none));
  const isFiltered = narrowing.some((name) => filters[name] !== none[name]);
  const clear = () => change({ ...none, sort: filters.sort });
  return { filters, change, clear, isFiltered };
}

const dayMs = 86_400_000;

/** The first day of a period; it has no end. `today` is YYYY-MM-DD in Asia/Dubai. */
export function daysOfPeriod(period: FilterPeriod, today: string): { from: string; to: string } {
  const from = {
    today,
    week: new Date(Date.parse(today) - 6 * dayMs).toISOString().slice(0, 10),
    month: `${today.slice(0, 8)}01`,
  }[period];
  return { from, to: '' };
}
