import { z } from 'zod';
import { defineCall, type Role } from '../wire/call.ts';

const staff: readonly Role[] = ['Admin', 'Employee', 'ServiceProvider'];

/** The lists of staff that filters are saved for. Source: specification §2. */
export const filteredLists = ['new', 'processing', 'all'] as const;
export type FilteredList = (typeof filteredLists)[number];

/** `due`: something is still to be given back; `done`: all of it was. */
export const refundFilters = ['due', 'done'] as const;
export type RefundFilter = (typeof refundFilters)[number];

/**
 * Days counted from today in Asia/Dubai: today, the last seven days, since the first of the month.
 * A filter that is kept goes on with the days.
 */
export const filterPeriods = ['today', 'week', 'month'] as const;
export type FilterPeriod = (typeof filterPeriods)[number];

/** How many filters one person may keep. */
export const mostSavedFilters = 30;
/** Letters of a filter's name. */
export const longestFilterName = 60;

const name = z.string().trim().min(1).max(longestFilterName);
const list = z.enum(filteredLists);

/**
 * What a list is asked for; days in Asia/Dubai, empty where nothing is asked. `isMine`: only what
 * the person holds; `refund`: what is to be given back, or has been; `period`: instead of days.
 */
export const filterChoice = z.strictObject({
  keyword: z.string().trim().max(200),
  statusId: z.int().min(1).optional(),
  from: z.iso.date().or(z.literal('')),
  to: z.iso.date().or(z.literal('')),
  sort: z.enum(['asc', 'desc']),
  isMine: z.boolean(),
  refund: z.enum(refundFilters).optional(),
  period: z.enum(filterPeriods).optional(),
});
export type FilterChoice = z.infer<typeof filterChoice>;

/** A person's own filter. `isDefault`: the one that its list opens with; one a list at most. */
export const savedFilter = z.object({
  id: z.uuid(),
  list,
  name: z.string(),
  choice: filterChoice,
  isDefault: z.boolean(),
});
export type SavedFilter = z.infer<typeof savedFilter>;

/**
 * Every call that changes them answers with all of the caller's filters, by name. Our own calls:
 * docs/unknowns.md.
 */
const all = z.array(savedFilter);

export const getSavedFilters = defineCall({
  name: 'getSavedFilters',
  method: 'GET',
  path: '/api/Request/GetSavedFilters',
  who: staff,
  summary: 'The filters that the caller keeps for the lists of requests',
  reply: all,
  refusals: [],
});
export const saveFilter = defineCall({
  name: 'saveFilter',
  method: 'POST',
  path: '/api/Request/SaveFilter',
  who: staff,
  summary: 'Keep a filter of a list under a name',
  body: z.object({ list, name, choice: filterChoice, isDefault: z.boolean().default(false) }),
  reply: all,
  refusals: ['ValidationFailed', 'FilterNameTaken', 'TooManySavedFilters'],
});
/** What is not given stays as it is. */
export const changeSavedFilter = defineCall({
  name: 'changeSavedFilter',
  method: 'POST',
  path: '/api/Request/ChangeSavedFilter',
  who: staff,
  summary: 'Rename a filter, change what it asks for, or open its list with it',
  body: z.object({
    id: z.uuid(),
    name: name.optional(),
    choice: filterChoice.optional(),
    isDefault: z.boolean().optional(),
  }),
  reply: all,
  refusals: ['ValidationFailed', 'NotFound', 'FilterNameTaken'],
});
export const deleteSavedFilter = defineCall({
  name: 'deleteSavedFilter',
  method: 'POST',
  path: '/api/Request/DeleteSavedFilter',
  who: staff,
  summary: 'Throw a filter away',
  body: z.object({ id: z.uuid() }),
  reply: all,
  refusals: ['NotFound'],
});
