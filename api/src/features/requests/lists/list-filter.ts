import { isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import type { SortColumn, StatusGroup } from '@diwan/contract/requests/request-lists';
import { dayAfter, dayInDubai, endOfDay, startOfDay } from '@diwan/contract/wire/days';
import { readMobileNumber, readNumberYear, readRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { visibilityConditions } from '../model/visibility.actions.ts';
import { readFigure, type FigureQuery } from './figure-filter.ts';
import type { Keyword } from './keyword-search.store.ts';
import type { ListFilter, Page } from './request-lists.store.ts';
import { findKeywords, findServicesOfAgency } from './service-names.ts';

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

// An unknown status, a keyword of punctuation alone, or a holder asked for by somebody who does not
// see holders, finds nothing without asking the database.
export function findsNothing(
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

export async function readFilter(
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

export const isFilteredByStatusOnly = ({
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
