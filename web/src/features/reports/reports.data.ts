import { getRequestFigures } from '@diwan/contract/requests/reports';
import { useCall } from '../../lib/api/use-call.ts';

const aMinute = 60_000;

/** Figures of some days, both included, or of the last thirty when no days are given. */
export function useFigures(days: { from?: string; to?: string } = {}, enabled = true) {
  return useCall(getRequestFigures, {
    query: { DateFrom: days.from || undefined, DateTo: days.to || undefined },
    enabled,
    refetchInterval: aMinute,
    keepPrevious: true,
  });
}
