import { z } from 'zod';
import { defineCall, requestReadersAndProviders } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';
import { dueFilters, listFigures, sortColumns, type SortColumn } from './request-lists.ts';

/** The lists of staff for which filters can be saved. Source: specification §2. */
export const filteredLists = ['new', 'processing', 'all'] as const;
export type FilteredList = (typeof filteredLists)[number];

/** `due`: a refund is still to be made; `done`: the refund was made in full. */
export const refundFilters = ['due', 'done'] as const;
export type RefundFilter = (typeof refundFilters)[number];

/**
 * Periods in days of Asia/Dubai: today, the last seven days, since the first of the month. A saved
 * filter moves with the days.
 */
export const filterPeriods = ['today', 'week', 'month'] as const;
export type FilterPeriod = (typeof filterPeriods)[number];

/**
 * The orders of a list: newest or oldest first; by due day or another column, the first or the last
 * one first.
 */
export type ListOrder = 'desc' | 'asc' | 'due' | 'dueLast' | SortColumn | `${SortColumn}Last`;
export const listOrders: readonly ListOrder[] = [
  'desc',
  'asc',
  'due',
  'dueLast',
  ...sortColumns.flatMap((column) => [column, `${column}Last`] as const),
];

/** The number of filters that one user may save. */
export const maximumSavedFilters = 30;
/** The longest name of a filter, in characters. */
export const maximumFilterNameLength = 60;

const name = z.string().trim().min(1).max(maximumFilterNameLength);
const list = z.enum(filteredLists);

/**
 * The filters of a list; days in Asia/Dubai, an empty text where a filter is not set. `isMine`:
 * only requests assigned to the caller; `refund`: the state of the refund; `period` replaces `from`
 * and `to`; `holderId`: a user's id or `nobody`; `figure…` as in the query of the lists.
 */
export const filterChoice = z.strictObject({
  keyword: z.string().trim().max(200),
  statusId: recordId.optional(),
  from: z.iso.date().or(z.literal('')),
  to: z.iso.date().or(z.literal('')),
  sort: z.enum(listOrders),
  isMine: z.boolean(),
  holderId: z.union([z.literal('nobody'), z.uuid()]).optional(),
  serviceId: recordId.optional(),
  agencyId: recordId.optional(),
  teamId: recordId.optional(),
  due: z.enum(dueFilters).optional(),
  refund: z.enum(refundFilters).optional(),
  period: z.enum(filterPeriods).optional(),
  partnerId: recordId.optional(),
  figure: z.enum(listFigures).optional(),
  figureFrom: z.iso.date().optional(),
  figureTo: z.iso.date().optional(),
  figureBy: z.uuid().optional(),
});
export type FilterChoice = z.infer<typeof filterChoice>;

/** A saved filter of a user. `isDefault`: its list opens with this filter; at most one a list. */
export const savedFilter = z.object({
  id: z.uuid(),
  list,
  name: z.string(),
  choice: filterChoice,
  isDefault: z.boolean(),
});
export type SavedFilter = z.infer<typeof savedFilter>;

/**
 * Every call that changes filters answers with all filters of the caller, by name. Our own calls:
 * docs/unknowns.md.
 */
const allFilters = z.array(savedFilter);

export const getSavedFilters = defineCall({
  name: 'getSavedFilters',
  method: 'GET',
  path: '/api/Request/GetSavedFilters',
  who: requestReadersAndProviders,
  summary: 'The saved filters of the caller for the lists of requests',
  reply: allFilters,
  refusals: [],
});
export const saveFilter = defineCall({
  name: 'saveFilter',
  method: 'POST',
  path: '/api/Request/SaveFilter',
  who: requestReadersAndProviders,
  summary: 'Save a filter of a list under a name',
  body: z.object({ list, name, choice: filterChoice, isDefault: z.boolean().default(false) }),
  reply: allFilters,
  refusals: ['ValidationFailed', 'FilterNameTaken', 'TooManySavedFilters'],
});
/** Parts that are not sent do not change. */
export const changeSavedFilter = defineCall({
  name: 'changeSavedFilter',
  method: 'POST',
  path: '/api/Request/ChangeSavedFilter',
  who: requestReadersAndProviders,
  summary: 'Rename a filter, change its values, or make it the default of its list',
  body: z.object({
    id: z.uuid(),
    name: name.optional(),
    choice: filterChoice.optional(),
    isDefault: z.boolean().optional(),
  }),
  reply: allFilters,
  refusals: ['ValidationFailed', 'NotFound', 'FilterNameTaken'],
});
export const deleteSavedFilter = defineCall({
  name: 'deleteSavedFilter',
  method: 'POST',
  path: '/api/Request/DeleteSavedFilter',
  who: requestReadersAndProviders,
  summary: 'Delete a filter',
  body: z.object({ id: z.uuid() }),
  reply: allFilters,
  refusals: ['NotFound'],
});
