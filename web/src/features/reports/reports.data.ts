import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import {
  getFigureGroups,
  figureDimensions,
  getRequestFigures,
  type FigureDimension,
  type FigureGroup,
} from '@diwan/contract/requests/reports';

const minuteMs = 60_000;

/** The figures of a period, both days inclusive; of the last thirty days when none are given. */
export function useFigures(days: { from?: string; to?: string } = {}, enabled = true) {
  return useCall(getRequestFigures, {
    query: { DateFrom: days.from || undefined, DateTo: days.to || undefined },
    enabled,
    refetchInterval: minuteMs,
    keepPrevious: true,
  });
}

/** The figures of a period by a dimension, and what stands now. */
export function useFigureGroups(by: FigureDimension, days: { from?: string; to?: string } = {}) {
  return useCall(getFigureGroups, {
    query: { By: by, DateFrom: days.from || undefined, DateTo: days.to || undefined },
    refetchInterval: minuteMs,
    keepPrevious: true,
  });
}

/** The groups of every dimension that the user may see. */
export type GroupsByDimension = Partial<Record<FigureDimension, readonly FigureGroup[]>>;

export async function fetchGroups(
  { from, to }: { from: string; to: string },
  isAdmin: boolean,
): Promise<GroupsByDimension> {
  const dimensions = isAdmin ? figureDimensions : figureDimensions.slice(0, 2);
  const replies = await Promise.all(
    dimensions.map((By) =>
      send(getFigureGroups, { query: { By, DateFrom: from, DateTo: to }, skipErrorHandling: true }),
    ),
  );
  return Object.fromEntries(dimensions.map((by, index) => [by, replies[index]?.groups ?? []]));
}
