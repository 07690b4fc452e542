import { dayInDubai, startOfDay } from '../wire/days.ts';
import type { Calendar, DayWork, Hours, HoursPeriod, SpecialDay } from './calendars.ts';

/** A day of a calendar: how it is worked and when, and what makes it special. */
export interface CalendarDay {
  work: DayWork;
  /** The working hours in Asia/Dubai; missing on a day off. */
  hours: Hours | undefined;
  special: SpecialDay | undefined;
  period: HoursPeriod | undefined;
}

/** How soon an office counts as closing soon, in minutes. */
const soonMinutes = 60;

/** Whether an office is open, and when that changes next; missing where no working day is near. */
export interface OfficeHours {
  state: 'open' | 'closesSoon' | 'closed';
  changesAt: Date | undefined;
}

/** A time during which the clock of a request stands still; `endedAt` is null while it lasts. */
interface Hold {
  begunAt: Date;
  endedAt: Date | null;
}

/**
 * Counts working time by a calendar. Days are those of Asia/Dubai, as `YYYY-MM-DD`. A half day is a
 * working day; only the working hours know that it is shorter.
 */
export interface WorkingTime {
  dayOn(day: string): CalendarDay;
  /** The last of `workingDays` working days; the day of `begunAt` does not count. */
  dueDay(begunAt: Date, workingDays: number): string;
  /** The working days after a moment up to another one; negative where that one is earlier. */
  countDays(begunAt: Date, endedAt: Date): number;
  /** The working days after a day up to another one; negative where that one is earlier. */
  daysUntil(today: string, day: string): number;
  /**
   * The working days of holds. `at` ends one that lasts; one that ends before it begins, by another
   * clock, has none.
   */
  countDaysOnHold(holds: readonly Hold[], at: Date): number;
  /** The working hours between two moments, in seconds; 0 where the second one is earlier. */
  secondsBetween(begunAt: Date, endedAt: Date): number;
  /** Whether the office is open at a moment, closes soon, or when it opens next. */
  officeAt(at: Date): OfficeHours;
}

const dayMs = 86_400_000;
// An office opens again after fewer days than two of the longest closures that follow each other.
const daysAhead = 200;
const daysOfWeek = 7;
// 1970-01-01 was a Thursday, the fifth day of a week that begins on Sunday.
const firstWeekday = 4;

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;
const dayOfNumber = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);

/** The weekday of a day: 0 is Sunday. */
export const weekdayOf = (day: string): number =>
  (((numberOf(day) + firstWeekday) % daysOfWeek) + daysOfWeek) % daysOfWeek;

const secondsOf = (time: string): number =>
  Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60;

/** The first entry of a list that has a day, by the number of the day. */
function byDay<Entry extends { from: string; until: string }>(
  entries: readonly Entry[],
): Map<number, Entry> {
  const found = new Map<number, Entry>();
  for (const entry of entries)
    for (let day = numberOf(entry.from); day <= numberOf(entry.until); day += 1)
      if (!found.has(day)) found.set(day, entry);
  return found;
}

// An agency that works on a day works as on that weekday; on one of its weekend, the whole day.
function workOn(usual: DayWork, special: SpecialDay | undefined): DayWork {
  if (!special) return usual;
  if (special.kind !== 'working') return 'off';
  return usual === 'off' ? 'full' : usual;
}

/** Opens the counting by a calendar. It is made once for each version of a calendar. */
export function openWorkingTime({ week, hours, days, periods }: Calendar): WorkingTime {
  const specialDays = byDay(days);
  const periodDays = byDay(periods);

  const workOf = (day: number): DayWork =>
    workOn(
      week[(((day + firstWeekday) % daysOfWeek) + daysOfWeek) % daysOfWeek] ?? 'full',
      specialDays.get(day),
    );
  const isWorked = (day: number) => workOf(day) !== 'off';

  function hoursOf(day: number): Hours | undefined {
    const work = workOf(day);
    return work === 'off' ? undefined : (periodDays.get(day)?.hours ?? hours)[work];
  }

  // Working days after one day up to a later one.
  function countBetween(after: number, until: number): number {
    let count = 0;
    for (let day = after + 1; day <= until; day += 1) if (isWorked(day)) count += 1;
    return count;
  }

  function daysUntil(today: string, day: string): number {
    const [from, until] = [numberOf(today), numberOf(day)];
    return from <= until ? countBetween(from, until) : 0 - countBetween(until, from);
  }

  const countDays = (begunAt: Date, endedAt: Date) =>
    daysUntil(dayInDubai(begunAt), dayInDubai(endedAt));

  // In seconds; undefined on a day off.
  function openingOf(day: number): { opens: number; closes: number } | undefined {
    const open = hoursOf(day);
    if (!open) return undefined;
    const begin = startOfDay(dayOfNumber(day)).getTime() / 1000;
    return { opens: begin + secondsOf(open.from), closes: begin + secondsOf(open.until) };
  }

  function workedSeconds(day: number, from: number, until: number): number {
    const open = openingOf(day);
    return open ? Math.max(0, Math.min(until, open.closes) - Math.max(from, open.opens)) : 0;
  }

  function officeAt(at: Date): OfficeHours {
    const now = at.getTime() / 1000;
    const today = numberOf(dayInDubai(at));
    for (let day = today; day <= today + daysAhead; day += 1) {
      const open = openingOf(day);
      if (!open || open.closes <= now) continue;
      if (now < open.opens) return { state: 'closed', changesAt: new Date(open.opens * 1000) };
      const isSoon = open.closes - now <= soonMinutes * 60;
      return { state: isSoon ? 'closesSoon' : 'open', changesAt: new Date(open.closes * 1000) };
    }
    return { state: 'closed', changesAt: undefined };
  }

  return {
    dayOn(day) {
      const number = numberOf(day);
      return {
        work: workOf(number),
        hours: hoursOf(number),
        special: specialDays.get(number),
        period: periodDays.get(number),
      };
    },
    dueDay(begunAt, workingDays) {
      let day = numberOf(dayInDubai(begunAt));
      for (let left = workingDays; left > 0;) {
        day += 1;
        if (isWorked(day)) left -= 1;
      }
      return dayOfNumber(day);
    },
    countDays,
    daysUntil,
    officeAt,
    countDaysOnHold: (holds, at) =>
      holds.reduce(
        (sum, { begunAt, endedAt }) => sum + Math.max(0, countDays(begunAt, endedAt ?? at)),
        0,
      ),
    secondsBetween(begunAt, endedAt) {
      const [from, until] = [begunAt.getTime() / 1000, endedAt.getTime() / 1000];
      let sum = 0;
      for (let day = numberOf(dayInDubai(begunAt)); day <= numberOf(dayInDubai(endedAt)); day += 1)
        sum += workedSeconds(day, from, until);
      return sum;
    },
  };
}
