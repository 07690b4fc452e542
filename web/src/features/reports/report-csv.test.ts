import { expect, it } from 'vitest';
import { tableText } from '#lib/browser/save-file.ts';
import type { FigureGroup, RequestFigures } from '@diwan/contract/requests/reports';
import { workingTime } from './figure-texts.ts';
import { chartPoints, groupDays } from './figures-chart.tsx';
import { figuresRows, type CsvTexts } from './report-csv.ts';

const nothing = {
  created: 0,
  completed: 0,
  refused: 0,
  feesCollected: 0,
  medianSeconds: null,
  withinPromise: null,
};
const figures: RequestFigures = {
  fromDay: '2026-01-01',
  toDay: '2026-01-02',
  current: {
    ...nothing,
    created: 3,
    completed: 1,
    feesCollected: 12_345,
    medianSeconds: 5400,
    withinPromise: 2 / 3,
  },
  previous: nothing,
  days: [
    { day: '2026-01-01', created: 1, completed: 0 },
    { day: '2026-01-02', created: 2, completed: 1 },
  ],
  services: [
    {
      serviceId: 1,
      name: '=HYPERLINK("http://evil","x")',
      governmentAgency: { id: 1, name: 'Agency, of "all"', logo: '' },
      created: 2,
      completed: 1,
    },
  ],
  standing: [
    { statusId: 3, statusName: 'جديد', statusTone: 'progress', count: 4, waitsForMe: true },
  ],
};
const group: FigureGroup = {
  id: '1',
  name: '+Agency',
  open: 3,
  waiting: 2,
  oldestAt: null,
  dueToday: 1,
  late: 1,
  created: 4,
  completed: 5,
  completedLate: 2,
  refused: 1,
  feesCollected: 25_050,
  medianSeconds: 7200,
};
const names = (keys: readonly string[]) => Object.fromEntries(keys.map((name) => [name, name]));
const texts = Object.fromEntries<unknown>(
  [
    'measure',
    'value',
    'before',
    'day',
    'created',
    'completed',
    'refused',
    'medianHours',
    'withinPromise',
    'feesCollected',
    'service',
    'agency',
    'status',
    'count',
  ].map((name) => [name, name]),
) as unknown as CsvTexts;
Object.assign(texts, {
  dimensions: names(['agency', 'service', 'partner', 'employee']),
  groups: names([
    'open',
    'waiting',
    'dueToday',
    'late',
    'created',
    'completed',
    'completedLate',
    'refused',
  ]),
});

it('writes a CSV file with a byte order mark and without formulas', () => {
  const lines = tableText(
    figuresRows(figures, { agency: [group], service: [{ ...group, agencyName: 'A' }] }, texts),
  ).split('\r\n');
  expect(lines[0]).toBe('\uFEFF"measure","value","before"');
  expect(lines).toContain('"feesCollected",123.45,0');
  expect(lines).toContain('"medianHours",1.5,');
  expect(lines).toContain('"withinPromise",0.667,');
  expect(lines).toContain('"2026-01-02",2,1');
  expect(lines).toContain(`"'=HYPERLINK(""http://evil"",""x"")","Agency, of ""all""",2,1`);
  expect(lines).toContain('"جديد",4');
  expect(lines).toContain(`"'+Agency",3,2,1,1,4,5,2,1,2,250.5`);
  expect(lines).toContain(`"'+Agency","A",3,2,1,1,4,5,2,1,2,250.5`);
  expect(lines.join()).not.toContain('partner');
});

it('names no agency for who has one', () => {
  const groups = { agency: [group], service: [{ ...group, agencyName: 'A' }] };
  const lines = tableText(figuresRows(figures, groups, { ...texts, agency: undefined }));
  expect(lines).toContain(`"'=HYPERLINK(""http://evil"",""x"")",2,1`);
  expect(lines).not.toMatch(/agency|Agency, of|"A"/);
});

it('groups many or quiet days by seven without losing one', () => {
  const days = Array.from({ length: 100 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    created: 1,
    completed: index % 2,
  }));
  const groups = groupDays(days);
  expect([groups.length, groups.at(-1)]).toEqual([
    15,
    { from: '2026-04-09', to: '2026-04-10', created: 2, completed: 1 },
  ]);
  const busy = days.map((day) => ({ ...day, created: 3 }));
  expect(groupDays(busy.slice(0, 62))).toHaveLength(62);
  expect(groupDays(busy)).toHaveLength(15);
  // Few requests a day: weeks, but the days of a short period.
  expect(groupDays(days.slice(0, 62))).toHaveLength(9);
  expect(groupDays(days.slice(0, 20))).toHaveLength(20);
  const names = { short: (day: string) => day.slice(5), full: (day: string) => day };
  expect(chartPoints(days, names, '/requests/all')[0]).toEqual({
    name: '01-01',
    fullName: '2026-01-01 – 2026-01-07',
    bar: 7,
    line: 3,
    barLink: '/requests/all?from=2026-01-01&to=2026-01-07&sort=desc',
    lineLink: '/requests/all?figure=done&figureFrom=2026-01-01&figureTo=2026-01-07',
  });
});

it('formats working time in the appropriate unit', () => {
  expect(
    [90, 5400, 3 * 3600, 3.5 * 3600, 26.2 * 3600].map((seconds) => workingTime(seconds, 'en-US')),
  ).toEqual(['2 minutes', '90 minutes', '3 hours', '3.5 hours', '26 hours']);
  expect(workingTime(5 * 3600, 'ar-EG')).toContain('ساعات');
});
