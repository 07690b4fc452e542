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
}

const dayMs = 86_400_000;
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

  function workedSeconds(day: number, from: number, until: number): number {
    const open = hoursOf(day);
    if (!open) return 0;
    const begin = startOfDay(dayOfNumber(day)).getTime() / 1000;
    const [opens, closes] = [begin + secondsOf(open.from), begin + secondsOf(open.until)];
    return Math.max(0, Math.min(until, closes) - Math.max(from, opens));
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
