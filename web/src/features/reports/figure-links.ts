import { useMayCall } from '#lib/api/session.ts';
import { pages } from '@diwan/contract/portal/pages';
import type { FigureDimension, FigureGroup } from '@diwan/contract/requests/reports';
import type { ReportDays } from './report-days.ts';

/** The figures that a list of requests is behind. */
export type LinkedFigure = Exclude<keyof FigureGroup, 'id' | 'name' | 'agencyName'>;

/** The list of all requests of staff and service providers, and that of an applicant. */
export type RequestListPath = '/requests/all' | '/companies/my-requests/new';

/** The list behind figures of staff; undefined for an administrator of agencies, who sees no requests. */
export const useStaffList = (): RequestListPath | undefined =>
  useMayCall(pages.allRequests) ? '/requests/all' : undefined;

const groupParameter: Record<FigureDimension, string> = {
  agency: 'agency',
  service: 'service',
  partner: 'partner',
  employee: 'holder',
};

const endedFigures: readonly LinkedFigure[] = [
  'completed',
  'completedLate',
  'medianSeconds',
  'refused',
];

function figureParameters(figure: LinkedFigure, { from, to }: ReportDays): Record<string, string> {
  const inPeriod = { figureFrom: from, figureTo: to };
  switch (figure) {
    case 'open':
    case 'waiting':
      return { figure };
    case 'oldestAt':
      return { figure: 'waiting', sort: 'asc' };
    case 'dueToday':
      return { due: 'today' };
    case 'late':
      return { due: 'late' };
    case 'created':
      return { from, to, sort: 'desc' };
    case 'completed':
    case 'medianSeconds':
      return { figure: 'done', ...inPeriod };
    case 'completedLate':
      return { figure: 'doneLate', ...inPeriod };
    case 'refused':
      return { figure: 'refused', ...inPeriod };
    case 'feesCollected':
      return { figure: 'paid', ...inPeriod };
  }
}

/**
 * The address of the requests that a figure counts, of all or of one group. The server counts both
 * by the same rule. Undefined without a list.
 */
export function figureLink(
  list: RequestListPath | undefined,
  figure: LinkedFigure,
  days: ReportDays,
  group?: { by: FigureDimension; id: string },
): string | undefined {
  if (list === undefined) return undefined;
  const isByActor = group?.by === 'employee' && endedFigures.includes(figure);
  const search = new URLSearchParams({
    ...figureParameters(figure, days),
    ...(group ? { [isByActor ? 'figureBy' : groupParameter[group.by]]: group.id } : {}),
  });
  return `${list}?${search}`;
}
