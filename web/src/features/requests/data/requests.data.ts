import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { queryKeyOf, useCall } from '#lib/api/use-call.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import {
  chargeReasonCollection,
  rejectionReasonCollection,
} from '@diwan/contract/requests/rejection-reasons';
import {
  getAllStatuses,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import {
  getRequestById,
  getRequestIdByRequestNumber,
  getRequestState,
  type RequestRecord,
  type RequestState,
} from '@diwan/contract/requests/requests';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { countsNow, useLiveCounts, type Counts } from '../live/live-counts.ts';

export type Status = ReplyOf<typeof getAllStatuses>[number];

/** The refresh interval of an open list. TanStack Query pauses it while the page is hidden. */
export const listRefreshMs = 20_000;
const hourMs = 3_600_000;

export function useStatuses(isNeeded = true) {
  return useCall(getAllStatuses, { staleTime: hourMs, enabled: isNeeded });
}

const requestsOf = (ids: readonly number[]) => ({ RequestIds: ids.join(',') });

/** The reasons to return or reject these requests. */
export function useReasons(requestIds: readonly number[], isNeeded = true) {
  return useCall(rejectionReasonCollection, {
    query: requestsOf(requestIds),
    staleTime: hourMs,
    enabled: isNeeded,
  });
}

/** Reasons as choices of a field. */
export function toReasonChoices(reasons: readonly { id: number; name: string }[] = []) {
  return reasons.map(({ id, name }) => ({ value: String(id), label: name }));
}

/** The reasons of fines and fees that an action adds to a request. */
export function useChargeReasons(requestId: number, isNeeded: boolean) {
  return useCall(chargeReasonCollection, {
    query: requestsOf([requestId]),
    staleTime: hourMs,
    enabled: isNeeded,
  });
}

/** The counts of the lists; the events of the hub keep them current. */
export function useRequestsCount(): Counts | undefined {
  const { events } = useLiveCounts();
  const { data } = useCall(getRequestsCount, { refetchInterval: listRefreshMs });
  return data && countsNow(data, events);
}

/** Whether the record shows an earlier state, or a document whose scan has not ended. */
function isOutdated(record: RequestRecord, state: RequestState): boolean {
  return (
    record.version !== state.version ||
    record.due !== state.due ||
    (record.refund?.refundable ?? 0) !== state.refundable ||
    (record.refund?.refunded ?? 0) !== state.refunded ||
    record.attachments.some(({ scanState }) => scanState === 'waiting')
  );
}

/** Queries the state of a shown record every `listRefreshMs`, and reloads an outdated record. */
function useStatePolling(record: RequestRecord | undefined, reload: () => unknown): void {
  const { language } = useLanguage();
  const query = { RequestId: record?.requestId ?? 0 };
  const { data: state, dataUpdatedAt } = useQuery<RequestState | null, ApiError>({
    queryKey: queryKeyOf(getRequestState, language, { query }),
    queryFn: ({ signal }) => send(getRequestState, { query, signal }),
    enabled: record !== undefined,
    // The record has just been loaded, so the first query waits for the interval.
    initialData: null,
    staleTime: listRefreshMs,
    refetchInterval: listRefreshMs,
  });
  const compare = useEffectEvent(() => {
    if (record && state && isOutdated(record, state)) reload();
  });
  useEffect(() => {
    // After each reply, also one that is equal to the last.
    if (dataUpdatedAt > 0) compare();
  }, [dataUpdatedAt]);
}

/**
 * A record by its request number; without a number nothing is loaded. It is loaded again after each
 * hub event, and when its polled state has changed.
 */
export function useRequestRecord(requestNumber: string | undefined) {
  const identity = useCall(getRequestIdByRequestNumber, {
    query: { RequestNumber: requestNumber ?? '' },
    enabled: Boolean(requestNumber),
    staleTime: hourMs,
  });
  const requestId = identity.data?.requestId;
  const record = useCall(getRequestById, {
    query: { RequestId: requestId ?? 0 },
    enabled: requestId !== undefined,
  });
  useStatePolling(record.data, record.refetch);
  return {
    requestId,
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
