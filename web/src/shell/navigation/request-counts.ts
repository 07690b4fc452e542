import { getRequestsCount } from '@diwan/contract/requests/requests';
import { useLive } from '../../lib/live/live-counts.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { isStaff } from './navigation-items.ts';

const mostShown = 99;

/**
 * How many requests are new and in progress: by the hubs while they are connected, else asked for
 * every minute.
 */
export function useRequestCounts(): { new: number; processing: number } | undefined {
  const { state } = useLive();
  // While somebody leaves, this outlives the session by a moment and must not ask.
  const { data } = useCall(getRequestsCount, {
    enabled: isStaff(useSession()),
    refetchInterval: state === 'connected' ? false : 60_000,
    skipErrorHandling: true,
  });
  return data && { new: data.newRequestsCount, processing: data.processingRequestsCount };
}

/** Badges end at +99. Source: specification §3, §9. */
export function badgeText(value: number, count: (value: number) => string): string {
  return value >= mostShown ? '+99' : count(value);
}
