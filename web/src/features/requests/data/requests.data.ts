import { useQueryClient } from '@tanstack/react-query';
import {
  getAllStatuses,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import {
  getRequestById,
  getRequestIdByRequestNumber,
  type RequestRecord,
} from '@diwan/contract/requests/requests';
import { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useCall } from '../../../lib/api/use-call.ts';

export type Status = ReplyOf<typeof getAllStatuses>[number];

/** The refresh interval of an open list. TanStack Query pauses it while the page is hidden. */
export const listRefreshMs = 20_000;
const hourMs = 3_600_000;

export function useStatuses() {
  return useCall(getAllStatuses, { staleTime: hourMs });
}

export function useReasons(isNeeded: boolean) {
  return useCall(rejectionReasonCollection, { staleTime: hourMs, enabled: isNeeded });
}

export function useRequestsCount() {
  return useCall(getRequestsCount, { refetchInterval: listRefreshMs });
}

/**
 * A record by its request number; without a number nothing is loaded. The record is refreshed every
 * `refetchInterval` milliseconds and after each hub event.
 */
export function useRequestRecord(requestNumber: string | undefined, refetchInterval?: number) {
  const identity = useCall(getRequestIdByRequestNumber, {
    query: { RequestNumber: requestNumber ?? '' },
    enabled: Boolean(requestNumber),
    staleTime: hourMs,
  });
  const requestId = identity.data?.requestId;
  const record = useCall(getRequestById, {
    query: { RequestId: requestId ?? 0 },
    enabled: requestId !== undefined,
    refetchInterval,
  });
  return {
    record: record.data,
    error: identity.error ?? record.error,
    isRetrying: identity.isRefetching || record.isRefetching,
    reload: async (): Promise<RequestRecord | undefined> =>
      requestId === undefined ? void (await identity.refetch()) : (await record.refetch()).data,
  };
}

/**
 * Stores the record of an action's reply in the cache. Lists, counts and the record in other
 * languages are loaded again.
 */
export function useStoreRecord() {
  const client = useQueryClient();
  const { language } = useLanguage();
  return (record: RequestRecord): void => {
    client.setQueriesData<RequestRecord>({ queryKey: [getRequestById.name, language] }, (old) =>
      old?.requestId === record.requestId ? record : old,
    );
    void client.invalidateQueries({
      queryKey: [getRequestById.name],
      predicate: (query) => query.queryKey[1] !== language,
    });
    void client.invalidateQueries({ queryKey: [getRequestsByStatusId.name] });
    void client.invalidateQueries({ queryKey: [getRequestsCount.name] });
  };
}
