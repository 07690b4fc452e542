import { useQueryClient } from '@tanstack/react-query';
import {
  getAllStatuses,
  getRequestById,
  getRequestIdByRequestNumber,
  getRequestsByStatusId,
  getRequestsCount,
  rejectionReasonCollection,
  type RequestRecord,
} from '@diwan/contract/requests/requests';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useCall } from '../../../lib/api/use-call.ts';

export type Status = ReplyOf<typeof getAllStatuses>[number];

/** How often an open list asks again; TanStack Query pauses it while the page is not visible. */
export const listInterval = 20_000;
const anHour = 3_600_000;

export function useStatuses() {
  return useCall(getAllStatuses, { staleTime: anHour });
}

export function useReasons(isNeeded: boolean) {
  return useCall(rejectionReasonCollection, { staleTime: anHour, enabled: isNeeded });
}

export function useRequestsCount() {
  return useCall(getRequestsCount, { refetchInterval: listInterval });
}

/**
 * A record by the number that people know; nothing is asked while there is no number. What others
 * do with it is seen after `refetchInterval` milliseconds at the latest, and with the news of the
 * hubs.
 */
export function useRequestRecord(requestNumber: string | undefined, refetchInterval?: number) {
  const identity = useCall(getRequestIdByRequestNumber, {
    query: { RequestNumber: requestNumber ?? '' },
    enabled: Boolean(requestNumber),
    staleTime: anHour,
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
 * Puts the record that an action answered with where pages read it; lists and counts are asked
 * again.
 */
export function useKeepRecord() {
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
