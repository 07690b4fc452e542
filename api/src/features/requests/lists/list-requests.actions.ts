import { isPortalStaff, limitedAgencies, type Caller } from '#platform/auth/caller.ts';
import { readUtcText } from '#platform/database/utc-text.ts';
import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import type { SortColumn } from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { Language } from '@diwan/contract/wire/languages';
import { isSenderOrOwner, limitToOwnerActions } from '../model/four-eyes.ts';
import { totalInStatuses } from '../model/request-counts.store.ts';
import { readMobileNumber, readRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import type { ServiceNames } from '../model/requests.store.ts';
import { countedFor, visibilityConditions } from '../model/visibility.actions.ts';
import { describeDueDay, describeSummary, type Viewing } from '../record/request-summary.ts';
import { searchList, walkList, type KeywordSearch } from './keyword-search.store.ts';
import { type ListFilter } from './list-filter.store.ts';
import {
  findsNothing,
  isFilteredByStatusOnly,
  readFilter,
  statusesOfList,
  type ListQuery,
} from './list-filter.ts';
import { longReads } from './long-reads.ts';
import {
  countUpTo,
  noTotal,
  selectPage,
  selectTotal,
  skipOf,
  type FoundPage,
  type ListedRow,
  type Page,
  type Total,
} from './request-lists.store.ts';
import { orderByName, readServiceNames } from './service-names.ts';
import { packPlaces, selectSortedPage, type ListOrder } from './sorted-lists.store.ts';

export interface Paged<T> {
  items: T[];
  pageNumber: number;
  totalCount: number;
  /** There are more than `totalCount`. */
  isTotalAtLeast?: true;
}

// Counting all requests would read the whole table, so that larger totals are not counted exactly.
// Keywords are searched in the rows themselves, which is slower.
const maximumCounted = 10_000;
const maximumFound = 200;
const mostOfShortRead = 2000;
const mostSortedBeside = 10_000;
const mostDaysRead = 31;

/** A total, and up to which number it is exact. */
interface TotalToRead {
  total: Total;
  maximum: number;
}

// The total is never less than the number of requests up to the end of the page.
const mostCounted = (maximum: number, { pageNumber, take }: Page) =>
  Math.max(maximum, pageNumber * take);

function countedTotal(filter: ListFilter, page: Page): TotalToRead {
  const maximum = mostCounted(maximumCounted, page);
  return { total: countUpTo(filter, maximum + 1), maximum };
}

// The counts of the portal's staff by status are maintained, but not by team. Other totals are counted up
// to a limit.
const totalOf = (caller: Caller, query: ListQuery, filter: ListFilter): TotalToRead =>
  isPortalStaff(caller) && limitedAgencies(caller).length === 0 && isFilteredByStatusOnly(query)
    ? { total: totalInStatuses(query.statusIds, countedFor(caller)), maximum: Infinity }
    : countedTotal(filter, query.page);

const describeTotal = (
  count: number,
  maximum: number,
): Pick<Paged<never>, 'totalCount' | 'isTotalAtLeast'> =>
  count > maximum ? { totalCount: maximum, isTotalAtLeast: true } : { totalCount: count };

// Whose work at a counter matters: the four-eyes rule is for the portal's staff.
const readerOf = ({ fourEyes }: RequestsContext, caller: Caller): string | null =>
  fourEyes && isPortalStaff(caller) ? caller.userId : null;

interface DescribedWith {
  service: ServiceNames;
  workflow: Workflow;
  time: WorkingTime;
}

function describeRow(
  { fourEyes }: RequestsContext,
  row: ListedRow,
  { service, workflow, time }: DescribedWith,
  viewing: Viewing,
): RequestSummary {
  const { caller } = viewing;
  const times = { createdAt: readUtcText(row.created_at), updatedAt: readUtcText(row.updated_at) };
  const described = { service, paid: row.paid, times };
  const item: RequestSummary = describeSummary(row, described, workflow, viewing);
  const isRefused =
    isPortalStaff(caller) && fourEyes && (row.acted_at_counter || isSenderOrOwner(caller, row));
  if (item.statusTone === 'progress') Object.assign(item, describeDueDay(row, time, caller));
  return isRefused ? { ...item, ...limitToOwnerActions(item.allowedActions) } : item;
}

async function describePage(
  context: RequestsContext,
  { rows, count }: FoundPage,
  maximum: number,
  { pageNumber, ...viewing }: Viewing & Pick<Page, 'pageNumber'>,
): Promise<Paged<RequestSummary>> {
  const workflows = new Map<number, Workflow>();
  for (const { workflow_id: id } of rows)
    if (!workflows.has(id)) workflows.set(id, await context.workflow.get(id));
  const times = new Map<number, WorkingTime>();
  for (const { calendar_id: id } of rows)
    if (!times.has(id)) times.set(id, await context.calendars.get(id));
  const findNames = await readServiceNames(context, rows);
  const items = rows.map((row) =>
    describeRow(
      context,
      row,
      {
        service: findNames(row) as ServiceNames,
        workflow: workflows.get(row.workflow_id) as Workflow,
        time: times.get(row.calendar_id) as WorkingTime,
      },
      viewing,
    ),
  );
  return { items, pageNumber, ...describeTotal(count, maximum) };
}

/**
 * A page of the requests that the caller may see, with their total. Throws a ValidationRefusal, and
 * ServerBusy for one of many long searches.
 */
export async function listRequests(
  context: RequestsContext,
  caller: Caller,
  asked: ListQuery,
  language: Language,
): Promise<Paged<RequestSummary>> {
  const { figure } = asked.figure ?? {};
  const statusIds = statusesOfList(context, caller, { ...asked, figure });
  const query = { ...asked, statusIds };
  const { filter, keywords } = await readFilter(context, caller, query);
  // Keywords are found in the order of sending.
  const page =
    keywords.length > 0 && (query.page.by === 'due' || query.sortBy !== undefined)
      ? { ...query.page, by: 'sent' as const, order: 'desc' as const }
      : query.page;
  const { pageNumber } = page;
  if (findsNothing(context, caller, query)) return { items: [], pageNumber, totalCount: 0 };
  const viewing = { caller, language, pageNumber };
  if (keywords.length > 0) {
    const maximum = mostCounted(maximumFound, page);
    const found = await search(context, caller, { filter, keywords, page, maximum: maximum + 1 });
    return describePage(context, found, maximum, viewing);
  }
  const counted = totalOf(caller, query, filter);
  const order = await orderOfColumn(context, caller, asked.sortBy, language);
  if (order) {
    const found = await readSorted(context, caller, { filter, page, order, ...counted });
    return describePage(context, found, counted.maximum, viewing);
  }
  const read = () => readPage(context, caller, { filter, page, ...counted });
  const found = await (isLong(page) ? longReads(caller.userId, read) : read());
  return describePage(context, found, counted.maximum, viewing);
}

// A list of more days that is too long to be sorted beside other calls is counted first.
async function readSorted(
  context: RequestsContext,
  caller: Caller,
  asked: TotalToRead & { filter: ListFilter; page: Page; order: ListOrder },
): Promise<FoundPage> {
  const { database } = context;
  const { filter, page, order, total } = asked;
  const of = { order, readerId: readerOf(context, caller) };
  if (isOfFewDays(filter)) return selectSortedPage(database, filter, page, { ...of, total });
  const found = await selectSortedPage(database, filter, page, {
    ...of,
    total,
    upTo: mostSortedBeside,
  });
  if (found.count <= mostSortedBeside || skipOf(page) >= found.count) return found;
  const { rows } = await longReads(caller.userId, () =>
    selectSortedPage(database, filter, page, { ...of, total: noTotal }),
  );
  return { rows, count: found.count };
}

// Undefined for the orders that have an index, and for a holder whom the caller does not see.
async function orderOfColumn(
  context: RequestsContext,
  caller: Caller,
  column: SortColumn | undefined,
  language: Language,
): Promise<ListOrder | undefined> {
  if (column === undefined || (column === 'holder' && !isPortalStaff(caller))) return undefined;
  if (column === 'service' || column === 'agency')
    return { column, language, places: await orderByName(context, column, language) };
  if (column !== 'status') return { column, language };
  const statuses = context.workflow.known().flatMap((workflow) => workflow.statuses);
  return {
    column,
    language,
    places: packPlaces(new Map(statuses.map(({ statusId }, place) => [statusId, place]))),
  };
}

type Search = Omit<KeywordSearch, 'readerId' | 'isShort'>;
const millisecondsOfDay = 86_400_000;

async function search(context: RequestsContext, caller: Caller, asked: Search): Promise<FoundPage> {
  const { database } = context;
  const whole = {
    ...asked,
    readerId: readerOf(context, caller),
    isShort: isOfFewDays(asked.filter),
  };
  if (whole.isShort && !isLong(asked.page)) return searchList(database, whole);
  const walk = () => walkList(database, whole);
  const found = await (isLong(asked.page) ? longReads(caller.userId, walk) : walk());
  return found ?? longReads(caller.userId, () => searchList(database, whole));
}

// The entries of a month are sorted beside other calls, and read sooner than the index of words is asked.
const isOfFewDays = ({ from, before }: ListFilter) =>
  from !== undefined &&
  before !== undefined &&
  before.getTime() - from.getTime() <= mostDaysRead * millisecondsOfDay;

// A page that is read by reading thousands of entries before it.
const isLong = ({ pageNumber, take }: Page) => pageNumber * take > mostOfShortRead;

// A page in the second half of a long list is read from the end when the total is known. A page
// past the end is not read at all.
async function readPage(
  context: RequestsContext,
  caller: Caller,
  { filter, page, total, maximum }: TotalToRead & { filter: ListFilter; page: Page },
): Promise<FoundPage> {
  const { database } = context;
  const readerId = readerOf(context, caller);
  const skip = (page.pageNumber - 1) * page.take;
  if (skip < maximumCounted * 10 || page.by === 'due')
    return selectPage(database, filter, page, { total, readerId });
  const count = await selectTotal(database, total);
  const after = count - skip - page.take;
  if (after <= -page.take) return { rows: [], count };
  if (count > maximum || skip <= count / 2)
    return { ...(await selectPage(database, filter, page, { total: noTotal, readerId })), count };
  const { rows } = await selectPage(
    database,
    filter,
    {
      ...page,
      order: page.order === 'asc' ? 'desc' : 'asc',
      skip: Math.max(0, after),
      take: page.take + Math.min(0, after),
    },
    { total: noTotal, readerId },
  );
  return { rows: rows.toReversed(), count };
}

/**
 * The requests that the caller may see with this number, or of the applicant with this mobile
 * number; none for any other keyword.
 */
export async function findByNumberOrMobile(
  context: RequestsContext,
  caller: Caller,
  { keyword, page }: { keyword: string; page: Page },
  language: Language,
): Promise<Paged<RequestSummary>> {
  const { pageNumber } = page;
  const number = readRequestNumber(keyword);
  const phoneNumber = number === undefined ? readMobileNumber(keyword) : undefined;
  if (number === undefined && phoneNumber === undefined)
    return { items: [], pageNumber, totalCount: 0 };
  const filter: ListFilter = {
    visibility: visibilityConditions(caller),
    ...(number === undefined ? { phoneNumber } : { number }),
  };
  const { total, maximum } = countedTotal(filter, page);
  const readerId = readerOf(context, caller);
  const found = await selectPage(context.database, filter, page, { total, readerId });
  return describePage(context, found, maximum, { caller, language, pageNumber });
}
