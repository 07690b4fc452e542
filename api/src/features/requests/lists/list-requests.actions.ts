import { endOfDay, startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import { seesAll, type Caller } from '../../../platform/auth/session.ts';
import { asOwn, findOwnRequests } from '../model/four-eyes.ts';
import { selectCounts } from '../model/request-counts.store.ts';
import {
  countRequests,
  selectSummaries,
  type ListFilter,
  type Page,
  type SoughtWord,
  type SummaryRow,
} from './request-lists.store.ts';
import { readMobileNumber, readNumberYear, readRequestNumber } from '../model/request-number.ts';
import { withPromises } from '../model/promised-day.ts';
import { describeSummary } from '../record/request-record.actions.ts';
import type { RequestsContext } from '../requests.actions.ts';
import { findIdByNumber, findIdByReference, selectPaid } from '../model/requests.store.ts';
import { seekWords } from './service-words.ts';
import { visibleTo, waysToSee } from '../model/visibility.store.ts';
import { countGroup, type CountGroup } from '../workflow/workflow.ts';

/** What a person asks a list for; days in Asia/Dubai, both included. */
export interface Wanted {
  /** All statuses when not given. */
  statusIds?: readonly number[] | undefined;
  /** Only what the caller holds. */
  isMine?: boolean | undefined;
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

// Beyond this nobody wants to know how many there are; counting them would read the whole table.
// Words are looked for in the rows themselves.
const mostCounted = 10_000;
const mostFound = 200;

// A status that no map has, or a keyword of signs alone, finds nothing; asking the database would
// only cost.
function findsNothing(context: RequestsContext, { statusIds, keyword = '' }: Wanted): boolean {
  const isStatus =
    statusIds === undefined ||
    context.workflow
      .known()
      .some(({ statuses }) => statuses.some((status) => statusIds.includes(status.statusId)));
  return !isStatus || (keyword.trim() !== '' && normalizeText(keyword) === '');
}

async function readFilter(
  context: RequestsContext,
  caller: Caller,
  wanted: Wanted,
): Promise<ListFilter> {
  const { statusIds, isMine, keyword = '', fromDay, toDay, hasRefundableFees, isRefunded } = wanted;
  if (fromDay && toDay && fromDay > toDay)
    throw new ValidationRefusal([
      { field: 'DateTo', code: 'dateTooEarly', params: { minimum: fromDay } },
    ]);
  // A whole number or phone has an index of its own; its parts are looked for as any word.
  const number = readRequestNumber(keyword);
  const phoneNumber = readMobileNumber(keyword);
  const sought =
    number === undefined && phoneNumber === undefined
      ? { words: await seekWords(context, keyword) }
      : number === undefined
        ? { phoneNumber: phoneNumber ?? '' }
        : { number };
  return {
    ways: waysToSee(caller),
    statusIds,
    ...(isMine ? { holderId: caller.userId } : {}),
    ...sought,
    hasRefundableFees,
    isRefunded,
    ...rangeOf(fromDay, toDay, sought.words ?? []),
  };
}

// A number begins with its year, of which PostgreSQL knows nothing: it would walk the newest
// requests for those of years ago.
function rangeOf(
  fromDay: string | undefined,
  toDay: string | undefined,
  words: readonly SoughtWord[],
): Pick<ListFilter, 'from' | 'before'> {
  const years = words.flatMap(({ text, serviceIds }) =>
    serviceIds.length === 0 ? (readNumberYear(text) ?? []) : [],
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

const isNarrowed = ({
  isMine,
  keyword = '',
  fromDay,
  toDay,
  hasRefundableFees,
  isRefunded,
}: Wanted) =>
  isMine ||
  keyword.trim() !== '' ||
  fromDay ||
  toDay ||
  hasRefundableFees !== undefined ||
  isRefunded !== undefined;

// The clerks' counts are maintained; any other is exact up to a limit, and beyond it never less
// than what has been turned to.
async function totalOf(
  context: RequestsContext,
  caller: Caller,
  wanted: Wanted,
  filter: ListFilter,
  page: Page,
): Promise<Pick<Paged<never>, 'totalCount' | 'isTotalAtLeast'>> {
  if (seesAll(caller) && !isNarrowed(wanted)) {
    const counts = await selectCounts(context.database);
    return {
      totalCount: [...(wanted.statusIds ? new Set(wanted.statusIds) : counts.keys())].reduce(
        (sum, statusId) => sum + (counts.get(statusId) ?? 0),
        0,
      ),
    };
  }
  return boundedTotal(context, filter, page);
}

async function boundedTotal(
  context: RequestsContext,
  filter: ListFilter,
  { pageNumber, take }: Page,
): Promise<Pick<Paged<never>, 'totalCount' | 'isTotalAtLeast'>> {
  const most = Math.max(filter.words?.length ? mostFound : mostCounted, pageNumber * take);
  const counted = await countRequests(context.database, filter, most + 1);
  return counted > most ? { totalCount: most, isTotalAtLeast: true } : { totalCount: counted };
}

async function describeAll(
  context: RequestsContext,
  caller: Caller,
  rows: readonly SummaryRow[],
  language: Language,
): Promise<RequestSummary[]> {
  const paid = await selectPaid(
    context.database,
    rows.filter(({ total }) => total > 0).map(({ id }) => id),
  );
  const items = await Promise.all(
    rows.map(async (row) =>
      describeSummary(
        row,
        paid.get(row.id) ?? 0,
        await context.workflow.get(row.workflow_id),
        caller,
        language,
      ),
    ),
  );
  if (!seesAll(caller)) return withPromises(context.database, items);
  const [own, promised] = await Promise.all([
    findOwnRequests(context, context.database, caller, rows),
    withPromises(context.database, items),
  ]);
  return promised.map((item) =>
    own.has(item.requestId) ? { ...item, ...asOwn(item.allowedActions) } : item,
  );
}

/** Requests that the caller may see, a page of them, with how many there are in all. */
export async function listRequests(
  context: RequestsContext,
  caller: Caller,
  wanted: Wanted,
  page: Page,
  language: Language,
): Promise<Paged<RequestSummary>> {
  const filter = await readFilter(context, caller, wanted);
  if (findsNothing(context, wanted))
    return { items: [], pageNumber: page.pageNumber, totalCount: 0 };
  const [rows, total] = await readPage(context, caller, wanted, filter, page);
  return {
    items: await describeAll(context, caller, rows, language),
    pageNumber: page.pageNumber,
    ...total,
  };
}

// A page far behind is read from the end, where its number is known: half of the way at most, and
// none at all past the end.
async function readPage(
  context: RequestsContext,
  caller: Caller,
  wanted: Wanted,
  filter: ListFilter,
  page: Page,
): Promise<[SummaryRow[], Pick<Paged<never>, 'totalCount' | 'isTotalAtLeast'>]> {
  const skip = (page.pageNumber - 1) * page.take;
  if (skip < mostCounted * 10)
    return Promise.all([
      selectSummaries(context.database, filter, page),
      totalOf(context, caller, wanted, filter, page),
    ]);
  const total = await totalOf(context, caller, wanted, filter, page);
  const after = total.totalCount - skip - page.take;
  if (after <= -page.take) return [[], total];
  if (total.isTotalAtLeast || skip <= total.totalCount / 2)
    return [await selectSummaries(context.database, filter, page), total];
  const rows = await selectSummaries(context.database, filter, {
    ...page,
    order: page.order === 'asc' ? 'desc' : 'asc',
    skip: Math.max(0, after),
    take: page.take + Math.min(0, after),
  });
  return [rows.toReversed(), total];
}

/**
 * Requests by the number that they have, or by the mobile number of their person, as far as the
 * caller may see them; any other text finds none.
 */
export async function findByNumberOrMobile(
  context: RequestsContext,
  caller: Caller,
  text: string,
  page: Page,
  language: Language,
): Promise<Paged<RequestSummary>> {
  const number = readRequestNumber(text);
  const phoneNumber = number === undefined ? readMobileNumber(text) : undefined;
  if (number === undefined && phoneNumber === undefined)
    return { items: [], pageNumber: page.pageNumber, totalCount: 0 };
  const filter: ListFilter = {
    ways: waysToSee(caller),
    ...(number === undefined ? { phoneNumber } : { number }),
  };
  const [rows, total] = await Promise.all([
    selectSummaries(context.database, filter, page),
    boundedTotal(context, filter, page),
  ]);
  return {
    items: await describeAll(context, caller, rows, language),
    pageNumber: page.pageNumber,
    ...total,
  };
}

/**
 * How many requests are new and how many are being processed; a service provider counts what their
 * partner has to take on and to finish.
 */
export async function countOpen(
  context: RequestsContext,
  caller: Caller,
): Promise<{ new: number; processing: number }> {
  // Zero stands for the requests of no partner at all; a supervisor without one counts nothing.
  const counts = await selectCounts(
    context.database,
    seesAll(caller) ? undefined : (caller.partnerId ?? -1),
  );
  const whose = seesAll(caller) ? 'staff' : 'provider';
  const idsOf = (group: CountGroup) =>
    new Set(
      context.workflow
        .known()
        .flatMap((workflow) =>
          workflow.statuses
            .filter(({ statusId }) => countGroup(workflow, statusId, whose) === group)
            .map(({ statusId }) => statusId),
        ),
    );
  const sum = (group: CountGroup) =>
    [...idsOf(group)].reduce((total, statusId) => total + (counts.get(statusId) ?? 0), 0);
  return { new: sum('new'), processing: sum('processing') };
}

/** The request of a number, if the caller may see it. Throws RequestNotFound. */
export async function getVisibleId(
  context: RequestsContext,
  caller: Caller,
  text: string,
): Promise<number> {
  const number = readRequestNumber(text);
  const id =
    number === undefined
      ? undefined
      : await findIdByNumber(context.database, number, visibleTo(caller));
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}

/**
 * The request that a payment was for, by its merchant reference, if the caller may see it. Throws
 * RequestNotFound.
 */
export async function getIdByReference(
  context: RequestsContext,
  caller: Caller,
  merchantReference: string,
): Promise<number> {
  const id = await findIdByReference(context.database, merchantReference.trim(), visibleTo(caller));
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}
