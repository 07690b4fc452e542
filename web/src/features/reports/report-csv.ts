import { saveTable } from '#lib/browser/save-file.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import {
  figureDimensions,
  type FigureDimension,
  type FigureGroup,
  type RequestFigures,
} from '@diwan/contract/requests/reports';
import type { CsvCell } from '@diwan/contract/wire/csv';
import type { GroupsByDimension } from './reports.data.ts';

/** The texts of the file, in the language of the reader. */
export interface CsvTexts {
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
  /** Undefined for who has one agency, which no table needs to name. */
  agency: string | undefined;
  status: string;
  count: string;
  /** The columns of the groups. */
  groups: Record<GroupColumn, string>;
  dimensions: Record<FigureDimension, string>;
}

const groupColumns = [
  'open',
  'waiting',
  'dueToday',
  'late',
  'created',
  'completed',
  'completedLate',
  'refused',
] as const;
type GroupColumn = (typeof groupColumns)[number];

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/**
 * The figures as consecutive tables. Money in dirhams, time in hours; empty where nothing was
 * completed.
 */
export function figuresRows(
  figures: RequestFigures,
  groups: GroupsByDimension,
  texts: CsvTexts,
): CsvCell[][] {
  const { current, previous } = figures;
  const hours = (seconds: number | null) => (seconds === null ? null : round(seconds / 3600, 1));
  const share = (value: number | null) => (value === null ? null : round(value, 3));
  const { agency } = texts;
  const dimensions = figureDimensions.filter((by) => agency !== undefined || by !== 'agency');
  return [
    [texts.measure, texts.value, texts.before],
    [texts.created, current.created, previous.created],
    [texts.completed, current.completed, previous.completed],
    [texts.refused, current.refused, previous.refused],
    [texts.medianHours, hours(current.medianSeconds), hours(previous.medianSeconds)],
    [texts.withinPromise, share(current.withinPromise), share(previous.withinPromise)],
    [texts.feesCollected, current.feesCollected / 100, previous.feesCollected / 100],
    [],
    [texts.day, texts.created, texts.completed],
    ...figures.days.map(({ day, created, completed }) => [day, created, completed]),
    [],
    [texts.service, ...(agency ? [agency] : []), texts.created, texts.completed],
    ...figures.services.map(({ name, governmentAgency, created, completed }) => [
      name,
      ...(agency ? [governmentAgency.name] : []),
      created,
      completed,
    ]),
    [],
    [texts.status, texts.count],
    ...figures.standing.map(({ statusName, count }) => [statusName, count]),
    ...dimensions.flatMap((by) => groupRows(by, groups[by], texts)),
  ];
}

/** The figures of each agency, service, service provider or employee. */
function groupRows(
  by: FigureDimension,
  groups: readonly FigureGroup[] | undefined,
  texts: CsvTexts,
): CsvCell[][] {
  if (!groups) return [];
  // Only a service belongs to one agency, and an agency is its own.
  const { agency } = texts;
  const namesAgency = agency !== undefined && by === 'service';
  return [
    [],
    [
      texts.dimensions[by],
      ...(namesAgency ? [agency] : []),
      ...groupColumns.map((column) => texts.groups[column]),
      texts.medianHours,
      texts.feesCollected,
    ],
    ...groups.map((group): CsvCell[] => [
      group.name,
      ...(namesAgency ? [group.agencyName] : []),
      ...groupColumns.map((column) => group[column]),
      group.medianSeconds === null ? null : round(group.medianSeconds / 3600, 1),
      group.feesCollected / 100,
    ]),
  ];
}

export function useCsvTexts(): CsvTexts {
  const { t } = useTranslation('reports');
  const isOfOneAgency = useIsOfOneAgency();
  return {
    measure: t('csv.measure'),
    value: t('csv.value'),
    before: t('csv.before'),
    day: t('chart.day'),
    created: t('figures.created'),
    completed: t('figures.completed'),
    refused: t('csv.refused'),
    medianHours: t('csv.medianHours'),
    withinPromise: t('figures.withinPromise'),
    feesCollected: t('csv.fees'),
    service: t('services.service'),
    agency: isOfOneAgency ? undefined : t('services.agency'),
    status: t('standing.status'),
    count: t('standing.count'),
    groups: {
      open: t('groups.open'),
      waiting: t('groups.waiting'),
      dueToday: t('groups.dueToday'),
      late: t('groups.late'),
      created: t('groups.created'),
      completed: t('groups.completed'),
      completedLate: t('groups.completedLate'),
      refused: t('groups.refused'),
    },
    dimensions: {
      agency: t('groups.names.agency'),
      service: t('groups.names.service'),
      partner: t('groups.names.partner'),
      employee: t('groups.names.employee'),
    },
  };
}

/** Downloads the figures as a file. */
export function saveCsv(figures: RequestFigures, groups: GroupsByDimension, texts: CsvTexts): void {
  saveTable(`diwan-${figures.fromDay}-${figures.toDay}.csv`, figuresRows(figures, groups, texts));
}
