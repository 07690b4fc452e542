import { z } from 'zod';
import { agencyContentReaders, agencyEditors, defineCall } from '../wire/call.ts';
import { agencyCalendar, calendar, specialDay } from './calendars.ts';

const agencyId = z.coerce.number().int().min(1).max(2_147_483_647);

/** Of the calendar as it was read; 0 of an agency that declares nothing yet. */
const version = z.int().min(0).max(2_147_483_647);

/**
 * What the portal (without an agency) or an agency declares, in three languages. An agency that
 * declares nothing has version 0.
 */
export const declaredCalendar = z.object({
  agencyId: z.int().optional(),
  agencyName: z.string().optional(),
  version,
  calendar: agencyCalendar,
});
export type DeclaredCalendar = z.infer<typeof declaredCalendar>;

/** Our own calls: the specification knows no calendars. See docs/unknowns.md. */
export const getCalendars = defineCall({
  name: 'getCalendars',
  method: 'GET',
  path: '/api/Calendar/GetCalendars',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The calendar of the portal, and what each agency declares itself',
  reply: z.object({ portal: calendar, calendars: z.array(declaredCalendar) }),
  refusals: [],
});

/** A calendar that is not stored yet; without an agency that of the portal. */
const changedCalendar = { agencyId: agencyId.optional(), version, calendar: agencyCalendar };

/** The most open requests that a preview looks at. */
export const maximumPreviewed = 20_000;

/**
 * What a change of a calendar moves: how many open requests of those that were looked at get a later
 * or an earlier day, with some examples.
 */
export const calendarPreview = z.object({
  later: z.int(),
  earlier: z.int(),
  examples: z.array(z.object({ requestNumber: z.string(), from: z.iso.date(), to: z.iso.date() })),
  /** There are more open requests than a preview looks at. */
  isAtLeast: z.boolean(),
});
export type CalendarPreview = z.infer<typeof calendarPreview>;

export const previewCalendar = defineCall({
  name: 'previewCalendar',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Calendar/PreviewCalendar',
  who: agencyEditors,
  byAgency: { agency: 'agencyId' },
  summary: 'How many due days of open requests a change of a calendar would move',
  body: z.strictObject(changedCalendar),
  reply: calendarPreview,
  refusals: ['NotFound', 'RecordHasChanged', 'YouAreUnauthorized', 'ValidationFailed'],
});

export const saveCalendar = defineCall({
  name: 'saveCalendar',
  method: 'POST',
  path: '/api/Calendar/SaveCalendar',
  who: agencyEditors,
  byAgency: { agency: 'agencyId' },
  summary: 'Change the calendar of the portal or of an agency; due days of open requests follow',
  body: z.strictObject(changedCalendar),
  reply: z.object({ version }),
  refusals: ['NotFound', 'RecordHasChanged', 'YouAreUnauthorized', 'ValidationFailed'],
});

export const getHolidayFile = defineCall({
  name: 'getHolidayFile',
  method: 'GET',
  path: '/api/Calendar/GetHolidayFile',
  who: 'anyone',
  summary: 'The days on which an agency, or without one the portal, is closed, as iCalendar',
  query: z.object({ AgencyId: agencyId.optional() }),
  reply: 'file',
  refusals: ['NotFound'],
});

/** Whether the office of an agency is open now, by its calendar; `changesAt` in ISO 8601, UTC. */
export const officeHours = z.object({
  state: z.enum(['open', 'closesSoon', 'closed']),
  changesAt: z.string().optional(),
});
export type OfficeHoursNow = z.infer<typeof officeHours>;

/** How far ahead a service says when its agency is closed, in days. */
export const closedDaysAhead = 14;

export const getServiceDays = defineCall({
  name: 'getServiceDays',
  method: 'GET',
  path: '/api/Calendar/GetServiceDays',
  who: 'anyone',
  summary:
    'The promised day of a request for a service that is sent now, and when its agency is closed soon',
  query: z.object({ serviceId: agencyId }),
  reply: z.object({
    /** A day in Asia/Dubai; missing where the service promises no time. */
    promisedBy: z.iso.date().optional(),
    office: officeHours,
    /** In the caller's language, of the next days. */
    closed: z.array(specialDay.omit({ name: true }).extend({ name: z.string() })),
  }),
  refusals: ['ServiceNotFound'],
});
