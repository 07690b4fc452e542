import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { dayAfter } from '../wire/days.ts';
import type { SpecialDay } from './calendars.ts';
import { maximumFileLength, readICalendar, writeICalendar } from './i-calendar.ts';

const head = ['BEGIN:VCALENDAR', 'VERSION:2.0'];
const fileOf = (...events: string[][]) =>
  [...head, ...events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']), 'END:VCALENDAR']
    .map((line) => `${line}\r\n`)
    .join('');
const problemsOf = (text: string) =>
  readICalendar(text).problems.map(({ line, code }) => `${line} ${code}`);
const named = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
const begins = 'DTSTART;VALUE=DATE:20261202';

it('reads all-day events: the end is exclusive, lines are unfolded, escapes resolved', () => {
  const text = fileOf(
    [begins, 'DTEND;VALUE=DATE:20261204', 'SUMMARY:National Day\\, holi', ' day\\; all'],
    ['DTSTART:20270101', 'SUMMARY;LANGUAGE=en;X-A="b:c":New\\nYear', 'STATUS:TENTATIVE'],
    ['DTSTART:20270401', 'DTEND:20270401', 'SUMMARY:One day \\\\ its own end'],
    ['DTSTART:20270501', 'SUMMARY:Gone', 'STATUS:CANCELLED'],
    ['BEGIN:VALARM', 'TRIGGER:-PT1H', 'END:VALARM', 'DTSTART:20270601', 'SUMMARY:Alarmed'],
  );
  const day = { kind: 'holiday', isExpected: false };
  expect(readICalendar(text)).toEqual({
    problems: [],
    days: [
      {
        ...day,
        from: '2026-12-02',
        until: '2026-12-03',
        name: named('National Day, holiday; all'),
      },
      {
        ...day,
        from: '2027-01-01',
        until: '2027-01-01',
        name: named('New Year'),
        isExpected: true,
      },
      { ...day, from: '2027-04-01', until: '2027-04-01', name: named('One day \\ its own end') },
      { ...day, from: '2027-06-01', until: '2027-06-01', name: named('Alarmed') },
    ],
  });
});

test.for([
  ['a text', 'Dear all,\r\nwe are closed', ['1 notACalendar']],
  ['nothing', '', ['1 notACalendar']],
  ['no event', `${head.join('\n')}\nEND:VCALENDAR`, ['1 noEvents']],
  ['a repeated day', fileOf([begins, 'RRULE:FREQ=YEARLY', 'SUMMARY:A']), ['5 repeats']],
  ['an hour', fileOf(['DTSTART:20261202T090000Z', 'SUMMARY:A']), ['4 timed']],
  [
    'another time zone',
    fileOf(['DTSTART;TZID=Europe/Paris:20261202T090000', 'SUMMARY:A']),
    ['4 timed'],
  ],
  ['a wrong date', fileOf(['DTSTART:20260230', 'SUMMARY:A']), ['4 wrongDate']],
  ['no beginning', fileOf(['SUMMARY:A']), ['3 noBeginning']],
  ['a duration', fileOf([begins, 'DURATION:P2D', 'SUMMARY:A']), ['5 lasts']],
  ['an end before', fileOf([begins, 'DTEND:20261101', 'SUMMARY:A']), ['5 endsBeforeBeginning']],
  ['half a year', fileOf([begins, 'DTEND:20270601', 'SUMMARY:A']), ['5 tooManyDays']],
  ['no name', fileOf([begins]), ['3 noName']],
  ['a blank name', fileOf([begins, 'SUMMARY: ']), ['5 noName']],
  ['a long name', fileOf([begins, `SUMMARY:${'a'.repeat(101)}`]), ['5 nameTooLong']],
  ['a broken line', fileOf([begins, 'SUMMARY A', 'SUMMARY:A']), ['5 unreadableLine']],
  [
    'an open event',
    [...head, 'BEGIN:VEVENT', begins].join('\n'),
    ['1 notClosed', '3 notClosed', '3 noName'],
  ],
  [
    'overlaps',
    fileOf([begins, 'DTEND:20261205', 'SUMMARY:A'], ['DTSTART:20261203', 'SUMMARY:B']),
    ['8 overlaps'],
  ],
  ['a large file', `${head[0]}\n${'X-A:a\n'.repeat(maximumFileLength / 6)}`, ['1 tooLarge']],
  [
    'too many events',
    fileOf(
      ...Array.from({ length: 401 }, (_, index) => [
        `DTSTART:${dayAfter('2026-01-01', index).replaceAll('-', '')}`,
        'SUMMARY:A',
      ]),
    ),
    ['1603 tooManyEvents'],
  ],
] as const)('names the line of %s', ([, text, problems]) => {
  expect(problemsOf(text)).toEqual(problems);
  expect(readICalendar(text).days).toEqual([]);
});

test('what is written reads back, whatever the names are', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .filter((each) => each !== '' && each.length <= 100);
  const name = fc.record({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
  const days = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), name, fc.boolean()), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(days, (list) => {
      let from = '2026-01-01';
      const special = list.map(([length, each, isExpected]): SpecialDay => {
        const until = dayAfter(from, length);
        const day = { from, until, kind: 'holiday' as const, name: each, isExpected };
        from = dayAfter(until, 1);
        return day;
      });
      const written = writeICalendar(special, {
        name: 'A; B',
        owner: 'portal',
        language: 'ar-EG',
        changedAt: new Date('2026-11-28T10:00:00Z'),
      });
      expect(readICalendar(written)).toEqual({ problems: [], days: special });
      for (const line of written.split('\r\n'))
        expect(encodeURIComponent(line).replaceAll(/%../g, '.').length).toBeLessThanOrEqual(75);
    }),
  );
});
