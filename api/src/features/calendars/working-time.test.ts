import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { countDayByDay, dueDayByDay, isWorked } from '#testing/requests/day-by-day.ts';
import {
  dayWorks,
  specialDayKinds,
  type Calendar,
  type SpecialDay,
} from '@diwan/contract/calendars/calendars';
import { openWorkingTime } from '@diwan/contract/calendars/working-time';
import { dayAfter, startOfDay } from '@diwan/contract/wire/days';

const name = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };
const hours = {
  full: { from: '07:30', until: '15:30' },
  half: { from: '07:30', until: '12:00' },
};
const federal: Calendar = {
  week: ['off', 'full', 'full', 'full', 'full', 'half', 'off'],
  hours,
  days: [
    { from: '2026-12-02', until: '2026-12-03', kind: 'holiday', name, isExpected: false },
    { from: '2027-01-01', until: '2027-01-01', kind: 'holiday', name, isExpected: false },
  ],
  periods: [
    {
      from: '2027-02-08',
      until: '2027-03-08',
      name,
      isExpected: true,
      hours: {
        full: { from: '09:00', until: '14:30' },
        half: { from: '09:00', until: '12:00' },
      },
    },
  ],
};
const at = (time: string) => new Date(`${time}+04:00`);

const firstDay = '2026-01-01';
const days = fc.integer({ min: 0, max: 1600 }).map((after) => dayAfter(firstDay, after));
const specialDay: fc.Arbitrary<SpecialDay> = fc
  .tuple(days, fc.integer({ min: 0, max: 20 }), fc.constantFrom(...specialDayKinds))
  .map(([from, length, kind]) => ({
    from,
    until: dayAfter(from, length),
    kind,
    name,
    isExpected: false,
  }));
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'));
const anyHours = fc.tuple(time, time).map((times) => {
  const [from, until] = times.toSorted() as [string, string];
  return { from, until };
});
const anyWorkHours = fc.record({ full: anyHours, half: anyHours });
const calendars: fc.Arbitrary<Calendar> = fc.record({
  // Every calendar has a working day, as the product demands.
  week: fc
    .array(fc.constantFrom(...dayWorks), { minLength: 7, maxLength: 7 })
    .filter((week) => week.some((work) => work !== 'off')),
  hours: anyWorkHours,
  days: fc.array(specialDay, { maxLength: 30 }),
  periods: fc.array(
    fc.tuple(days, fc.integer({ min: 0, max: 40 }), anyWorkHours).map(([from, length, other]) => ({
      from,
      until: dayAfter(from, length),
      name,
      isExpected: false,
      hours: other,
    })),
    { maxLength: 3 },
  ),
});
const moments = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2029-12-31T23:59:59Z'),
  noInvalidDate: true,
});

test('the due day is the one that counting day by day reaches, in every calendar', () => {
  fc.assert(
    fc.property(
      calendars,
      moments,
      fc.integer({ min: 0, max: 600 }),
      (calendar, begunAt, workingDays) => {
        const due = openWorkingTime(calendar).dueDay(begunAt, workingDays);
        expect(due).toBe(dueDayByDay(calendar, begunAt, workingDays));
      },
    ),
  );
});

test('counts the days that counting day by day counts, in both directions', () => {
  fc.assert(
    fc.property(calendars, moments, moments, (calendar, one, other) => {
      const [from, until] = one < other ? [one, other] : [other, one];
      const counting = openWorkingTime(calendar);
      const count = countDayByDay(calendar, from, until);
      expect(counting.countDays(from, until)).toBe(count);
      expect(counting.countDays(until, from)).toBe(count === 0 ? 0 : -count);
    }),
  );
});

/** The working seconds between two moments, minute by minute; both are whole minutes. */
function secondsByMinute(calendar: Calendar, from: Date, until: Date): number {
  let seconds = 0;
  for (let moment = from.getTime(); moment < until.getTime(); moment += 60_000) {
    const local = new Date(moment + 4 * 3_600_000).toISOString();
    const [day, clock] = [local.slice(0, 10), local.slice(11, 16)];
    if (!isWorked(calendar, day)) continue;
    const usual = calendar.week[new Date(day).getUTCDay()];
    const period = calendar.periods.find((each) => each.from <= day && day <= each.until);
    const open = (period?.hours ?? calendar.hours)[usual === 'half' ? 'half' : 'full'];
    if (open.from <= clock && clock < open.until) seconds += 60;
  }
  return seconds;
}

test('counts the working hours that counting minute by minute counts', () => {
  const minutes = fc.integer({ min: 0, max: 20 * 1440 });
  fc.assert(
    fc.property(calendars, moments, minutes, (calendar, begun, length) => {
      const from = new Date(Math.floor(begun.getTime() / 60_000) * 60_000);
      const until = new Date(from.getTime() + length * 60_000);
      expect(openWorkingTime(calendar).secondsBetween(from, until)).toBe(
        secondsByMinute(calendar, from, until),
      );
    }),
    { numRuns: 60 },
  );
});

it('promises three working days over National Day 2026', () => {
  const { dueDay } = openWorkingTime(federal);
  // Friday, Monday 30 November and Tuesday; Wednesday and Thursday are holidays; Friday is a half day.
  expect(dueDay(at('2026-11-27T11:00'), 3)).toBe('2026-12-04');
  const sharjah = { ...federal, week: federal.week.with(5, 'off') };
  // Where Friday is off, the third day is Monday 7 December.
  expect(openWorkingTime(sharjah).dueDay(at('2026-11-27T11:00'), 3)).toBe('2026-12-07');
});

it('begins days at midnight in Dubai', () => {
  const { dueDay, countDays } = openWorkingTime(federal);
  // 2026-11-22 is a Sunday; at 20:30 UTC it is Monday in Dubai.
  expect(dueDay(new Date('2026-11-22T19:59:59Z'), 1)).toBe('2026-11-23');
  expect(dueDay(new Date('2026-11-22T20:00:00Z'), 1)).toBe('2026-11-24');
  expect(countDays(new Date('2026-11-22T19:59:59Z'), new Date('2026-11-22T20:00:00Z'))).toBe(1);
  expect(dueDay(at('2026-11-25T12:00'), 0)).toBe('2026-11-25');
});

it('works for shorter on Fridays and in Ramadan', () => {
  const { dayOn, secondsBetween } = openWorkingTime(federal);
  const hoursOn = (day: string) =>
    secondsBetween(startOfDay(day), startOfDay(dayAfter(day, 1))) / 3600;
  expect(dayOn('2026-11-27')).toMatchObject({ work: 'half', hours: hours.half });
  expect(dayOn('2026-12-02')).toMatchObject({ work: 'off', hours: undefined });
  expect(['2026-11-26', '2026-11-27', '2026-11-28', '2026-12-02'].map(hoursOn)).toEqual([
    8, 4.5, 0, 0,
  ]);
  // A Monday and a Friday of Ramadan.
  expect(['2027-02-08', '2027-02-12'].map(hoursOn)).toEqual([5.5, 3]);
  expect(secondsBetween(at('2026-11-27T11:00'), at('2026-11-30T08:30'))).toBe(2 * 3600);
});

it('counts holds, of which one may last, over more than two years', () => {
  const { countDaysOnHold, countDays } = openWorkingTime(federal);
  const [begun, ended, now] = [
    at('2026-11-26T09:00'),
    at('2026-12-07T09:00'),
    at('2029-01-02T09:00'),
  ] as const;
  // Friday, Monday, Tuesday, Friday, Monday.
  expect(countDaysOnHold([{ begunAt: begun, endedAt: ended }], now)).toBe(5);
  expect(countDaysOnHold([{ begunAt: begun, endedAt: null }], now)).toBe(
    countDayByDay(federal, begun, now),
  );
  // By the clocks of two processes, a hold may end before it begins.
  expect(countDaysOnHold([{ begunAt: ended, endedAt: begun }], now)).toBe(0);
  expect(countDays(begun, now)).toBe(countDayByDay(federal, begun, now));
});

test.for([
  ['in the morning', '2026-11-30T07:29:00', 'closed', '2026-11-30T07:30:00'],
  ['when it opens', '2026-11-30T07:30:00', 'open', '2026-11-30T15:30:00'],
  ['an hour before the end', '2026-11-30T14:30:00', 'closesSoon', '2026-11-30T15:30:00'],
  ['at the end', '2026-11-30T15:30:00', 'closed', '2026-12-01T07:30:00'],
  ['before a holiday', '2026-12-01T16:00:00', 'closed', '2026-12-04T07:30:00'],
  ['on a Friday', '2026-12-04T11:30:00', 'closesSoon', '2026-12-04T12:00:00'],
  ['on a weekend', '2026-12-05T10:00:00', 'closed', '2026-12-07T07:30:00'],
  ['in Ramadan', '2027-02-08T08:00:00', 'closed', '2027-02-08T09:00:00'],
] as const)('an office %s is open or not', ([, moment, state, changesAt]) => {
  expect(openWorkingTime(federal).officeAt(at(moment))).toEqual({
    state,
    changesAt: at(changesAt),
  });
});

it('an office that never opens says no day', () => {
  const closed = openWorkingTime({ ...federal, week: federal.week.map(() => 'off' as const) });
  expect(closed.officeAt(at('2026-11-30T10:00:00'))).toEqual({ state: 'closed' });
});
