import { getRequestFigures } from '@diwan/contract/requests/reports';
import { useCall } from '../../lib/api/use-call.ts';

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
