import { useTranslation } from 'react-i18next';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { saveTable } from '../../lib/browser/save-table.ts';
import { figuresRows, type CsvWords } from './report-csv.ts';

export function useCsvWords(): CsvWords {
  const { t } = useTranslation('reports');
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
    agency: t('services.agency'),
    status: t('standing.status'),
    count: t('standing.count'),
  };
}

/** Hands the figures to the browser's own download. */
export function saveCsv(figures: RequestFigures, words: CsvWords): void {
  saveTable(`diwan-${figures.fromDay}-${figures.toDay}.csv`, figuresRows(figures, words));
}
