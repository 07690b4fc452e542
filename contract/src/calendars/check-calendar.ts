import { dayAfter } from '../wire/days.ts';
import type { ValidationCode } from '../wire/errors.ts';
import {
  firstCalendarDay,
  lastCalendarDay,
  maximumDaysAtOnce,
  type AgencyCalendar,
  type WorkHours,
} from './calendars.ts';

/** What is wrong with a field of a calendar, such as `days.3.until`. */
export interface CalendarProblem {
  field: string;
  code: ValidationCode;
  params?: Record<string, string>;
}

interface Range {
  from: string;
  until: string;
}

const findHoursProblems = (field: string, hours: WorkHours): CalendarProblem[] =>
  (['full', 'half'] as const)
    .filter((work) => hours[work].until <= hours[work].from)
    .map((work) => ({ field: `${field}.${work}`, code: 'endsBeforeBeginning' }));

function findRangeProblems(field: string, { from, until }: Range, longest: number) {
  const limit = (name: string, code: 'dateTooEarly' | 'dateTooLate', day: string) => [
    {
      field: `${field}.${name}`,
      code,
      params: { [code === 'dateTooEarly' ? 'minimum' : 'maximum']: day },
    },
  ];
  if (from < firstCalendarDay) return limit('from', 'dateTooEarly', firstCalendarDay);
  if (from > lastCalendarDay) return limit('from', 'dateTooLate', lastCalendarDay);
  if (until < from) return limit('until', 'dateTooEarly', from);
  const latest = dayAfter(from, longest - 1);
  return until > latest ? limit('until', 'dateTooLate', latest) : [];
}

// Of two entries that share a day, the one that begins later has the problem.
function findOverlaps(field: string, entries: readonly Range[]): CalendarProblem[] {
  const byBeginning = entries
    .map((entry, index) => ({ ...entry, index }))
    .toSorted((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0));
  const problems: CalendarProblem[] = [];
  let longest: (typeof byBeginning)[number] | undefined;
  for (const entry of byBeginning) {
    if (longest && entry.from <= longest.until)
      problems.push({
        field: `${field}.${entry.index}.from`,
        code: 'daysOverlap',
        params: { from: longest.from, until: longest.until },
      });
    if (!longest || entry.until > longest.until) longest = entry;
  }
  return problems;
}

/** Why a calendar cannot be used; empty when it can. */
export function findCalendarProblems({
  week,
  hours,
  days,
  periods,
}: AgencyCalendar): CalendarProblem[] {
  return [
    ...(week && !week.some((work) => work !== 'off')
      ? [{ field: 'week', code: 'noWorkingDay' as const }]
      : []),
    ...(hours ? findHoursProblems('hours', hours) : []),
    ...days.flatMap((day, index) => findRangeProblems(`days.${index}`, day, maximumDaysAtOnce)),
    ...findOverlaps('days', days),
    ...periods.flatMap((period, index) => [
      ...findRangeProblems(`periods.${index}`, period, maximumDaysAtOnce),
      ...findHoursProblems(`periods.${index}.hours`, period.hours),
    ]),
    ...findOverlaps('periods', periods),
  ];
}
