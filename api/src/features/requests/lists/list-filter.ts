import { isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import type { ListFigure, SortColumn, StatusGroup } from '@diwan/contract/requests/request-lists';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { dayAfter, dayInDubai, endOfDay, startOfDay } from '@diwan/contract/wire/days';
import { selectTeamWork } from '../model/colleagues.store.ts';
import { readMobileNumber, readNumberYear, readRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { isOfTeams, type VisibilityCondition } from '../model/requests.store.ts';
import { visibilityConditions } from '../model/visibility.actions.ts';
import type { Keyword } from './keyword-search.store.ts';
import type { FigureFilter, ListFilter } from './list-filter.store.ts';
import type { Page } from './request-lists.store.ts';
import { findKeywords } from './service-names.ts';
import { statusesWaitingFor } from './statuses.actions.ts';

/** Which requests a figure of dashboards counts; days in Asia/Dubai, both included. */
interface FigureQuery {
  figure?: ListFigure | undefined;
  fromDay?: string | undefined;
  toDay?: string | undefined;
  /** The user who completed or rejected the requests. */
  by?: string | undefined;
}

/** What a caller asks a list for. Days are in Asia/Dubai, both included. */
export interface ListQuery {
  page: Page;
  /** A column instead of the times of `page`. */
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
  /** Only the work of a team that the caller is in. */
  teamId?: number | undefined;
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

// A complete number or phone is found by its own index, its parts like any keyword.
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
    serviceId: query.serviceId,
    agencyId: query.agencyId,
    work: await workOf(context, caller, query),
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

async function workOf(
  { database }: Pick<RequestsContext, 'database'>,
  { userId }: Caller,
  { teamId }: ListQuery,
): Promise<VisibilityCondition | undefined> {
  if (teamId === undefined) return undefined;
  const { agencyId, serviceIds } = await selectTeamWork(database, userId, teamId);
  return isOfTeams(agencyId, serviceIds);
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
  const years = keywords.flatMap(({ text, services, agencies }) =>
    services || agencies ? [] : (readNumberYear(text) ?? []),
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
  teamId,
  due,
  keyword = '',
  fromDay,
  toDay,
  hasRefundableFees,
  isRefunded,
}: ListQuery) =>
  !isMine &&
  (figure?.figure === undefined || figure.figure === 'open' || figure.figure === 'waiting') &&
  [holderId, serviceId, agencyId, teamId, due, partnerId, companyId].every(
    (filter) => filter === undefined,
  ) &&
  keyword.trim() === '' &&
  !fromDay &&
  !toDay &&
  hasRefundableFees === undefined &&
  isRefunded === undefined;

/** The times of a figure. Throws a ValidationRefusal for days in the wrong order. */
function readFigure({ figure, fromDay, toDay, by }: FigureQuery): FigureFilter | undefined {
  if (fromDay && toDay && fromDay > toDay)
    throw new ValidationRefusal([
      { field: 'FigureTo', code: 'dateTooEarly', params: { minimum: fromDay } },
    ]);
  if (figure === undefined || figure === 'open' || figure === 'waiting') return undefined;
  return {
    kind: figure,
    from: fromDay === undefined ? undefined : startOfDay(fromDay),
    before: toDay === undefined ? undefined : endOfDay(toDay),
    by,
  };
}

const groupTones: Record<StatusGroup, readonly StatusTone[]> = {
  waiting: ['waiting'],
  progress: ['progress'],
  finished: ['done', 'refused', 'withdrawn'],
};

/**
 * The statuses that a list shows: those that are asked for, limited to those of the group and those
 * that the figure counts. With a partner, `waiting` are the statuses that wait for the partner.
 */
export function statusesOfList(
  { workflow }: Pick<RequestsContext, 'workflow'>,
  caller: Caller,
  query: {
    statusIds?: readonly number[] | undefined;
    statusGroup?: StatusGroup | undefined;
    figure?: ListFigure | undefined;
    partnerId?: number | undefined;
  },
): readonly number[] | undefined {
  const { statusIds, statusGroup, figure, partnerId } = query;
  const limits: (readonly number[])[] = statusIds ? [statusIds] : [];
  if (statusGroup) {
    const statuses = workflow.known().flatMap((document) => document.statuses);
    const ofGroup = statuses.filter(({ tone }) => groupTones[statusGroup].includes(tone));
    limits.push([...new Set(ofGroup.map(({ statusId }) => statusId))]);
  }
  if (figure === 'open') limits.push(workflow.openStatuses());
  if (figure === 'waiting') {
    const roles = partnerId === undefined ? caller.roles : (['ServiceProvider'] as const);
    limits.push([...statusesWaitingFor(workflow, roles)]);
  }
  const [first, ...others] = limits;
  return first?.filter((statusId) => others.every((limit) => limit.includes(statusId)));
}
