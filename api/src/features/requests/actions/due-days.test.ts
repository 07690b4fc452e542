import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Calendar } from '@diwan/contract/calendars/calendars';
import { openWorkingTime } from '@diwan/contract/calendars/working-time';
import { dayAfter, dayInDubai } from '@diwan/contract/wire/days';
import { promisedDay } from './due-days.ts';

const weekend = [0, 6];
const calendar: Calendar = {
  week: ['off', 'full', 'full', 'full', 'full', 'half', 'off'],
  hours: {
    full: { from: '07:30', until: '15:30' },
    half: { from: '07:30', until: '12:00' },
  },
  days: [2026, 2027, 2028, 2029, 2030, 2031].map((year) => ({
    from: `${year}-12-02`,
    until: `${year}-12-03`,
    kind: 'holiday',
    name: { 'ar-EG': '', 'en-US': 'National Day', 'ur-PK': '' },
    isExpected: false,
  })),
  periods: [],
};
const time = openWorkingTime(calendar);
const isWorkingDay = (day: string) =>
  !weekend.includes(new Date(day).getUTCDay()) && !/-12-0[23]$/.test(day);

// Goes from day to day: a working day counts unless a hold that began before it lasts until it.
function countDayByDay(
  begunAt: Date,
  holds: readonly { begun: Date; ended: Date }[],
  workingDays: number,
): string {
  let day = dayInDubai(begunAt);
  for (let left = workingDays; left > 0;) {
    day = dayAfter(day, 1);
    const isOnHold = holds.some(
      ({ begun, ended }) => dayInDubai(begun) < day && day <= dayInDubai(ended),
    );
    if (isWorkingDay(day) && !isOnHold) left -= 1;
  }
  return day;
}

test('the promised day moves by the working days of the holds', () => {
  const begunTimes = fc.date({
    min: new Date('2026-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true,
  });
  const gaps = fc.array(
    fc.record({
      before: fc.integer({ min: 0, max: 40 * 3600 }),
      lasts: fc.integer({ min: 0, max: 20 * 86_400 }),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(begunTimes, gaps, fc.integer({ min: 100, max: 140 }), (begunAt, list, days) => {
      let moment = begunAt.getTime();
      const holds = list.map(({ before, lasts }) => {
        const begun = new Date(moment + before * 1000);
        moment = begun.getTime() + lasts * 1000;
        return { begun, ended: new Date(moment) };
      });
      const last = holds.at(-1);
      const clock = {
        begunAt: begunAt.toISOString(),
        holds: holds.map((hold) => ({
          begunAt: hold.begun.toISOString(),
          // The last one lasts until the step.
          endedAt: hold === last ? null : hold.ended.toISOString(),
        })),
      };
      const expected = countDayByDay(begunAt, holds, days);
      expect(promisedDay(time, clock, days, last?.ended ?? begunAt)).toBe(expected);
    }),
  );
});

test('a hold that ends before it began, by another clock, takes no day away', () => {
  const clock = {
    begunAt: '2026-11-23T08:00:00Z',
    holds: [{ begunAt: '2026-11-25T00:00:00+04:00', endedAt: null }],
  };
  expect(promisedDay(time, clock, 3, new Date('2026-11-24T19:59:59Z'))).toBe('2026-11-26');
});
