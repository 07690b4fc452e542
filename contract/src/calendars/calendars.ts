import { z } from 'zod';
import { isRealDay } from '../wire/days.ts';

/** How a day is worked. A half day counts as a working day. */
export const dayWorks = ['full', 'half', 'off'] as const;
export type DayWork = (typeof dayWorks)[number];

/**
 * Why a day differs from its weekday: a public holiday, a day on which the agency is closed, or a day
 * on which it works although its week or the portal's calendar has a day off.
 */
export const specialDayKinds = ['holiday', 'closed', 'working'] as const;
export type SpecialDayKind = (typeof specialDayKinds)[number];

/** The longest name of a special day in one language, in characters. */
export const maximumDayName = 100;
/** The most special days of one calendar: about 20 years of public holidays. */
export const maximumSpecialDays = 400;
/** The longest special day, in days. */
export const maximumDaysAtOnce = 92;
/** The most periods with other hours of one calendar. */
export const maximumPeriods = 30;
/** Calendars know no days before and after these. */
export const [firstCalendarDay, lastCalendarDay] = ['2000-01-01', '2099-12-31'];

const day = z.string().max(10).refine(isRealDay);
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const nameText = z.string().trim().min(1).max(maximumDayName);
const name = z.strictObject({ 'ar-EG': nameText, 'en-US': nameText, 'ur-PK': nameText });

/** Working hours of a day in Asia/Dubai, such as 07:30 to 15:30. */
export const hours = z.strictObject({ from: time, until: time });
export type Hours = z.infer<typeof hours>;

/** The working hours of whole and of half days. */
export const workHours = z.strictObject({ full: hours, half: hours });
export type WorkHours = z.infer<typeof workHours>;

/** The seven days of a week, from Sunday. */
export const week = z.array(z.enum(dayWorks)).length(7);

/** Days from the first to the last one. `isExpected`: not announced yet, such as a feast by the moon. */
export const specialDay = z.strictObject({
  from: day,
  until: day,
  kind: z.enum(specialDayKinds),
  name,
  isExpected: z.boolean(),
});
export type SpecialDay = z.infer<typeof specialDay>;

/** Days with other hours, such as Ramadan. */
export const hoursPeriod = z.strictObject({
  from: day,
  until: day,
  name,
  isExpected: z.boolean(),
  hours: workHours,
});
export type HoursPeriod = z.infer<typeof hoursPeriod>;

const lists = {
  days: z.array(specialDay).max(maximumSpecialDays),
  periods: z.array(hoursPeriod).max(maximumPeriods),
};

/** A calendar by which days are counted. Of days that overlap, the first one counts. */
export const calendar = z.strictObject({ week, hours: workHours, ...lists });
export type Calendar = z.infer<typeof calendar>;

/**
 * What an agency declares itself; null where the portal's calendar holds. Its days come before those of
 * the portal.
 */
export const agencyCalendar = z.strictObject({
  week: week.nullable(),
  hours: workHours.nullable(),
  ...lists,
});
export type AgencyCalendar = z.infer<typeof agencyCalendar>;

/** The calendar of an agency: what it declares itself, and the portal's for the rest. */
export const resolveCalendar = (portal: Calendar, own: AgencyCalendar): Calendar => ({
  week: own.week ?? portal.week,
  hours: own.hours ?? portal.hours,
  days: [...own.days, ...portal.days],
  periods: [...own.periods, ...portal.periods],
});
