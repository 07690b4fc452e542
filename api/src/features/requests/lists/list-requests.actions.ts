import { dayAfter, dayInDubai, endOfDay, startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { SortColumn, StatusGroup } from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { isPortalStaff, isStaff, type Caller } from '../../../platform/auth/caller.ts';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import { ValidationRefusal } from '../../../platform/core/refusals.ts';
import { isSenderOrOwner, limitToOwnerActions } from '../model/four-eyes.ts';
import { totalInStatuses } from '../model/request-counts.store.ts';
import { readMobileNumber, readNumberYear, readRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import type { ServiceNames } from '../model/requests.store.ts';
import { visibilityConditions } from '../model/visibility.actions.ts';
import { describeSummary, type Viewing } from '../record/request-summary.ts';
import { readFigure, statusesOfList, type FigureQuery } from './figure-filter.ts';
import { longReads } from './long-reads.ts';
import { searchList, walkList, type Keyword, type KeywordSearch } from './keyword-search.store.ts';
import {
  countUpTo,
  noTotal,
  selectPage,
  selectTotal,
  type FoundPage,
  type ListedRow,
  type ListFilter,
  type Page,
  type Total,
} from './request-lists.store.ts';
import {
  findKeywords,
  findServicesOfAgency,
  orderServices,
  readServiceNames,
} from './service-names.ts';
import { selectSortedPage, type ListOrder } from './sorted-lists.store.ts';

/** What a caller asks a list for. Days are in Asia/Dubai, both included. */
export interface ListQuery {
  page: Page;
  /** A column in place of the times of `page`. */
  sortBy?: SortColumn | undefined;
  /** All statuses when absent. */
  statusIds?: readonly number[] | undefined;
  /** Only those of the statuses that are in this group. */
  statusGroup?: StatusGroup | undefined;
  /** Only requests that the caller holds. */
  isMine?: boolean | undefined;
  /** Only requests that this user holds; `null`: that nobody holds. For the portal's staff. */
  holderId?: string | null | undefined;
  serviceId?: number | undefined;
  agencyId?: number | undefined;
  /** `week`: today and the six days after it. */
  due?: 'late' | 'today' | 'week' | undefined;
  /** Only requests that have reached this partner. For the portal's staff. */
  partnerId?: number | undefined;
  companyId?: number | undefined;
  figure?: FigureQuery | undefined;
  keyword?: string | undefined;
  hasRefundableFees?: boolean | undefined;
  isRefunded?: boolean | undefined;
  fromDay?: string | undefined;
  toDay?: string | undefined;
}

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

// An unknown status, a keyword of punctuation alone, or a holder asked for by somebody who does not
// see holders, finds nothing without asking the database.
function findsNothing(
  context: RequestsContext,
  caller: Caller,
  { statusIds, keyword = '', holderId, partnerId, companyId, figure }: ListQuery,
): boolean {
  const hasKnownStatus =
    statusIds === undefined ||
    context.workflow
      .known()
      .some(({ statuses }) => statuses.some((status) => statusIds.includes(status.statusId)));
  const isForStaff = [holderId, partnerId, companyId, figure?.by].some(
    (filter) => filter !== undefined,
  );
  if (isForStaff && !isPortalStaff(caller)) return true;
  return !hasKnownStatus || (keyword.trim() !== '' && normalizeText(keyword) === '');
}

// A complete number or phone is found by an index of its own, its parts like any keyword.
async function readKeyword(
  context: RequestsContext,
  keyword: string,
): Promise<Pick<ListFilter, 'number' | 'phoneNumber'> & { keywords: readonly Keyword[] }> {
  const number = readRequestNumber(keyword);
  if (number !== undefined) return { number, keywords: [] };
  const phoneNumber = readMobileNumber(keyword);
  return phoneNumber === undefined
    ? { keywords: await findKeywords(context, keyword) }
    : { phoneNumber, keywords: [] };
}

async function readFilter(
  context: RequestsContext,
  caller: Caller,
  query: ListQuery,
): Promise<{ filter: ListFilter; keywords: readonly Keyword[] }> {
  const { statusIds, isMine, holderId, due, keyword = '', fromDay, toDay } = query;
  const { hasRefundableFees, isRefunded } = query;
  if (fromDay && toDay && fromDay > toDay)
    throw new ValidationRefusal([
      { field: 'DateTo', code: 'dateTooEarly', params: { minimum: fromDay } },
    ]);
  const { keywords, ...search } = await readKeyword(context, keyword);
  const filter = {
    visibility: visibilityConditions(caller),
    statusIds,
    holderId: isMine ? caller.userId : holderId,
    serviceIds: await servicesOf(context, query),
    ...dueDaysOf(context, due),
    ...search,
    hasRefundableFees,
    isRefunded,
    partnerId: query.partnerId,
    companyId: query.companyId,
    figure: query.figure && readFigure(query.figure),
    ...timeRangeOf(fromDay, toDay, keywords),
  };
  return { filter, keywords };
}

// A service is also a service of its agency: both filters together keep what fits both.
async function servicesOf(
  context: RequestsContext,
  { serviceId, agencyId }: ListQuery,
): Promise<number[] | undefined> {
  if (agencyId === undefined) return serviceId === undefined ? undefined : [serviceId];
  const ids = await findServicesOfAgency(context, agencyId);
  return serviceId === undefined ? ids : ids.filter((id) => id === serviceId);
}

function dueDaysOf(
  { now }: Pick<RequestsContext, 'now'>,
  due: ListQuery['due'],
): Pick<ListFilter, 'dueFrom' | 'dueTo'> {
  if (due === undefined) return {};
  const today = dayInDubai(now());
  if (due === 'late') return { dueTo: dayAfter(today, -1) };
  return { dueFrom: today, dueTo: due === 'today' ? today : dayAfter(today, 6) };
}

// A request number begins with its year. PostgreSQL does not know this, and would read all newer
// requests before those of an earlier year.
function timeRangeOf(
  fromDay: string | undefined,
  toDay: string | undefined,
  keywords: readonly Keyword[],
): Pick<ListFilter, 'from' | 'before'> {
  const years = keywords.flatMap(({ text, services }) =>
    services ? [] : (readNumberYear(text) ?? []),
  );
  const from = [...(fromDay ? [fromDay] : []), ...years.map((year) => `${year}-01-01`)]
    .toSorted()
    .at(-1);
  const before = [...(toDay ? [toDay] : []), ...years.map((year) => `${year}-12-31`)].toSorted()[0];
  return {
    from: from === undefined ? undefined : startOfDay(from),
    before: before === undefined ? undefined : endOfDay(before),
  };
}

const isFilteredByStatusOnly = ({
  isMine,
  partnerId,
  companyId,
  figure,
  holderId,
  serviceId,
  agencyId,
  due,
  keyword = '',
  fromDay,
  toDay,
  hasRefundableFees,
  isRefunded,
}: ListQuery) =>
  !isMine &&
  (figure?.figure === undefined || figure.figure === 'open' || figure.figure === 'waiting') &&
  [holderId, serviceId, agencyId, due, partnerId, companyId].every(
    (filter) => filter === undefined,
  ) &&
  keyword.trim() === '' &&
  !fromDay &&
  !toDay &&
  hasRefundableFees === undefined &&
  isRefunded === undefined;

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

// The counts of the portal's staff by status are maintained. Other totals are counted up to a limit.
const totalOf = (caller: Caller, query: ListQuery, filter: ListFilter): TotalToRead =>
  isPortalStaff(caller) && isFilteredByStatusOnly(query)
    ? { total: totalInStatuses(query.statusIds), maximum: Infinity }
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
}

function describeRow(
  { fourEyes }: RequestsContext,
  row: ListedRow,
  { service, workflow }: DescribedWith,
  viewing: Viewing,
): RequestSummary {
  const { caller } = viewing;
  const item: RequestSummary = describeSummary(row, { service, paid: row.paid }, workflow, viewing);
  const due = isStaff(caller) ? row.due_on : row.promised_on;
  const isRefused =
    isPortalStaff(caller) && fourEyes && (row.acted_at_counter || isSenderOrOwner(caller, row));
  if (due !== null && item.statusTone === 'progress') item.promisedBy = due;
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
  const services = await readServiceNames(context, rows);
  const items = rows.map((row) =>
    describeRow(
      context,
      row,
      {
        service: services.get(row.service_id) as ServiceNames,
        workflow: workflows.get(row.workflow_id) as Workflow,
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
  const { total, maximum } = totalOf(caller, query, filter);
  const order = await orderOfColumn(context, caller, asked.sortBy, language);
  const read = () =>
    order
      ? selectSortedPage(context.database, filter, page, {
          order,
          total,
          readerId: readerOf(context, caller),
        })
      : readPage(context, caller, { filter, page, total, maximum });
  const found = await (order || isLong(page) ? longReads(caller.userId, read) : read());
  return describePage(context, found, maximum, viewing);
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
    return { column, language, places: await orderServices(context, column, language) };
  if (column !== 'status') return { column, language };
  const statuses = context.workflow.known().flatMap((workflow) => workflow.statuses);
  return {
    column,
    language,
    places: new Map(statuses.map(({ statusId }, place) => [statusId, place])),
  };
}

type Search = Omit<KeywordSearch, 'readerId'>;

async function search(context: RequestsContext, caller: Caller, asked: Search): Promise<FoundPage> {
  const { database } = context;
  const whole = { ...asked, readerId: readerOf(context, caller) };
  const walk = () => walkList(database, whole);
  const found = await (isLong(asked.page) ? longReads(caller.userId, walk) : walk());
  return found ?? longReads(caller.userId, () => searchList(database, whole));
}

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
