import { expect, it } from 'vitest';
import { openWorkingTime } from '@diwan/contract/calendars/working-time';
import { factsOfRequest, type FiguredRequest } from './figure-facts.ts';

const time = openWorkingTime({
  week: ['off', 'full', 'full', 'full', 'full', 'half', 'off'],
  hours: { full: { from: '08:00', until: '15:00' }, half: { from: '08:00', until: '12:00' } },
  days: [
    {
      from: '2026-12-02',
      until: '2026-12-03',
      kind: 'holiday',
      name: { 'ar-EG': 'اليوم الوطني', 'en-US': 'National Day', 'ur-PK': 'قومی دن' },
      isExpected: false,
    },
  ],
  periods: [],
});

const at = (dubai: string) => new Date(`${dubai}:00+04:00`).getTime() / 1000;

const request: FiguredRequest = {
  id: 1,
  service_id: 1,
  agency_id: 1,
  partner_id: null,
  came_to_provider: false,
  company_id: null,
  working_days: 3,
  calendar_id: 1,
  created_at: at('2026-11-30T10:00'),
  ends: [{ id: 7, at: at('2026-12-04T09:30'), tone: 'done' }],
  paid_at: [at('2026-12-01T14:00')],
  holds: [],
  payments: [],
};
const secondsOf = (changes: Partial<FiguredRequest>) =>
  factsOfRequest({ ...request, ...changes }, time).find(({ kind }) => kind === 'done')?.seconds;

it('counts the working hours from the payment to the end, without holidays', () => {
  // Tuesday from 14:00 and Friday until 09:30; Wednesday and Thursday are holidays.
  expect(secondsOf({})).toBe(2.5 * 3600);
  expect(secondsOf({ paid_at: [] })).toBe((5 + 7 + 1.5) * 3600);
});

it('takes off the working hours of a hold, not its nights', () => {
  const hold = { begun_at: at('2026-11-30T14:00'), ended_at: at('2026-12-01T09:00') };
  expect(secondsOf({ paid_at: [], holds: [hold] })).toBe((5 + 7 + 1.5 - 2) * 3600);
});

it('counts nothing for a request that is decided at night', () => {
  const night = { id: 7, at: at('2026-12-01T23:00'), tone: 'done' as const };
  expect(secondsOf({ paid_at: [at('2026-12-01T20:00')], ends: [night] })).toBe(0);
});
