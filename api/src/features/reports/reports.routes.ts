import { getRequestFigures } from '@diwan/contract/requests/reports';
import type { House } from '../../platform/http/house.ts';
import { serve } from '../../platform/http/serve.ts';
import { readFigures, type ReportsHouse } from './reports.actions.ts';

/** Figures for dashboards and reports. Source: specification §2, §6; their contents are our own. */
export function serveReports(house: House, reports: ReportsHouse): void {
  serve(house, getRequestFigures, ({ caller, query, language }) =>
    readFigures(reports, caller, { fromDay: query.DateFrom, toDay: query.DateTo }, language),
  );
}
