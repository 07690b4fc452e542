import type { RequestFigures } from '@diwan/contract/requests/reports';
import type { Cell } from '../../lib/browser/save-table.ts';

/** The words of a file of figures, in the language of who reads it. */
export interface CsvWords {
  measure: string;
  value: string;
  before: string;
  day: string;
  created: string;
  completed: string;
  refused: string;
  medianHours: string;
  withinPromise: string;
  feesCollected: string;
  service: string;
  agency: string;
  status: string;
  count: string;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/**
 * The figures as tables, one below the other. Money in dirhams, time in hours; empty where nothing
 * was completed.
 */
export function figuresRows(figures: RequestFigures, words: CsvWords): Cell[][] {
  const { current, previous } = figures;
  const hours = (seconds: number | null) => (seconds === null ? null : round(seconds / 3600, 1));
  const share = (value: number | null) => (value === null ? null : round(value, 3));
  return [
    [words.measure, words.value, words.before],
    [words.created, current.created, previous.created],
    [words.completed, current.completed, previous.completed],
    [words.refused, current.refused, previous.refused],
    [words.medianHours, hours(current.medianSeconds), hours(previous.medianSeconds)],
    [words.withinPromise, share(current.withinPromise), share(previous.withinPromise)],
    [words.feesCollected, current.feesCollected / 100, previous.feesCollected / 100],
    [],
    [words.day, words.created, words.completed],
    ...figures.days.map(({ day, created, completed }) => [day, created, completed]),
    [],
    [words.service, words.agency, words.created, words.completed],
    ...figures.services.map(({ name, governmentAgency, created, completed }) => [
      name,
      governmentAgency.name,
      created,
      completed,
    ]),
    [],
    [words.status, words.count],
    ...figures.standing.map(({ statusName, count }) => [statusName, count]),
  ];
}
