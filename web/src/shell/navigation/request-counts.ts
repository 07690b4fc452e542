import { countsNow, useLiveCounts } from '#features/requests/live/live-counts.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';

const maximumShown = 99;

/**
 * The numbers of new requests and of requests in progress. The hubs update them while connected;
 * otherwise they are queried every minute.
 */
export function useRequestCounts(): { new: number; processing: number } | undefined {
  const { state, events } = useLiveCounts();
  // During a sign-out this component exists a moment longer than the session and must not query.
  const { data } = useCall(getRequestsCount, {
    enabled: useMayCall(getRequestsCount),
    refetchInterval: state === 'connected' ? false : 60_000,
    skipErrorHandling: true,
  });
  if (!data) return undefined;
  const counts = countsNow(data, events);
  return { new: counts.newRequestsCount, processing: counts.processingRequestsCount };
}

/** The text of a badge: at most +99. Source: specification §3, §9. */
export function badgeText(value: number, count: (value: number) => string): string {
  return value >= maximumShown ? '+99' : count(value);
}
