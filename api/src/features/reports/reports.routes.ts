import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { readFigureGroups } from './figure-groups.actions.ts';
import { readFigures, type ReportsContext } from './reports.actions.ts';

/**
 * Figures for dashboards and reports. Source: specification §2, §6, which leave the contents open.
 */
export function serveReports(context: AppContext, reports: ReportsContext): void {
  serve(context, getRequestFigures, ({ caller, query, language }) =>
    readFigures(reports, caller, { fromDay: query.DateFrom, toDay: query.DateTo }, language),
  );
  serve(context, getFigureGroups, ({ caller, query, language }) =>
    readFigureGroups(
      reports,
      caller,
      { by: query.By, fromDay: query.DateFrom, toDay: query.DateTo },
      language,
    ),
  );
}
