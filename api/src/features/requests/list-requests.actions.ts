import type { Language } from '@diwan/contract/languages';
import type { RequestSummary } from '@diwan/contract/requests';
import { normalizeText } from '../../platform/normalize-text.ts';
import { Refusal, ValidationRefusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { endOfDay, startOfDay } from './dubai-days.ts';
import { selectCounts } from './request-counts.store.ts';
import { countRequests, selectSummaries, type ListFilter, type Page } from './request-lists.store.ts';
import { readRequestNumber } from './request-number.ts';
import { describeSummary } from './request-record.actions.ts';
import { visibleToCaller, type RequestsHouse } from './requests.actions.ts';
import { findIdByNumber, selectPaid } from './requests.store.ts';
import { seesAll } from './visibility.store.ts';

export { dayInDubai, endOfDay, startOfDay } from './dubai-days.ts';

/** What a person asks a list for; days in Asia/Dubai, both included. */
export interface Wanted {
  /** All statuses when not given. */
  statusIds?: readonly number[] | undefined;
  /** Only what the caller holds. */
  isMine?: boolean | undefined;
  keyword?: string | undefined;
  fromDay?: string | undefined;
  toDay?: string | undefined;
}

export interface Paged<T> {
  items: T[];
  pageNumber: number;
  totalCount: number;
}

const mostWords = 8;

// A status that no map has, or a keyword of signs alone, finds nothing; asking the database would only cost.
function findsNothing(house: RequestsHouse, { statusIds, keyword = '' }: Wanted): boolean {
  const isStatus = statusIds === undefined || house.workflow.known().some(({ statuses }) => statuses.some((status) => statusIds.includes(status.statusId)));
  return !isStatus || (keyword.trim() !== '' && normalizeText(keyword) === '');
}

function readFilter(house: RequestsHouse, caller: Caller, wanted: Wanted): ListFilter {
  const { statusIds, isMine, keyword = '', fromDay, toDay } = wanted;
  if (fromDay && toDay && fromDay > toDay) throw new ValidationRefusal([{ field: 'DateTo', code: 'dateTooEarly', params: { minimum: fromDay } }]);
  return {
    visible: visibleToCaller(house, caller), statusIds, ...(isMine ? { holderId: caller.userId } : {}), words: normalizeText(keyword).split(' ').filter((word) => word !== '').slice(0, mostWords),
    ...(fromDay ? { from: startOfDay(fromDay) } : {}), ...(toDay ? { before: endOfDay(toDay) } : {}),
  };
}

// Counting all requests for every page of the clerks' lists would read the whole table; their counts are maintained.
async function totalOf(house: RequestsHouse, caller: Caller, { statusIds, isMine, keyword = '', fromDay, toDay }: Wanted, filter: ListFilter): Promise<number> {
  if (!seesAll(caller) || isMine || keyword.trim() !== '' || fromDay || toDay) return countRequests(house.database, filter);
  const counts = await selectCounts(house.database);
  return [...(statusIds ? new Set(statusIds) : counts.keys())].reduce((sum, statusId) => sum + (counts.get(statusId) ?? 0), 0);
}

/** Requests that the caller may see, a page of them, with how many there are in all. */
export async function listRequests(house: RequestsHouse, caller: Caller, wanted: Wanted, page: Page, language: Language): Promise<Paged<RequestSummary>> {
  const filter = readFilter(house, caller, wanted);
  if (findsNothing(house, wanted)) return { items: [], pageNumber: page.pageNumber, totalCount: 0 };
  const [rows, totalCount] = await Promise.all([selectSummaries(house.database, filter, page), totalOf(house, caller, wanted, filter)]);
  const paid = await selectPaid(house.database, rows.filter(({ total }) => total > 0).map(({ id }) => id));
  const items = await Promise.all(rows.map(async (row) => describeSummary(row, paid.get(row.id) ?? 0, await house.workflow.get(row.workflow_id), caller, language)));
  return { items, pageNumber: page.pageNumber, totalCount };
}

/** How many requests are new and how many are being processed; a service provider counts those of their partner. */
export async function countOpen(house: RequestsHouse, caller: Caller): Promise<{ new: number; processing: number }> {
  // Zero stands for the requests of no partner at all; a supervisor without one counts nothing.
  const counts = await selectCounts(house.database, seesAll(caller) ? undefined : (caller.partnerId ?? -1));
  const idsOf = (group: 'new' | 'processing') => new Set(house.workflow.known().flatMap(({ statuses }) => statuses.filter((status) => status.countsAs === group).map(({ statusId }) => statusId)));
  const sum = (group: 'new' | 'processing') => [...idsOf(group)].reduce((total, statusId) => total + (counts.get(statusId) ?? 0), 0);
  return { new: sum('new'), processing: sum('processing') };
}

/** The request of a number, if the caller may see it. Throws RequestNotFound. */
export async function getVisibleId(house: RequestsHouse, caller: Caller, text: string): Promise<number> {
  const number = readRequestNumber(text);
  const id = number === undefined ? undefined : await findIdByNumber(house.database, number, visibleToCaller(house, caller));
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}
