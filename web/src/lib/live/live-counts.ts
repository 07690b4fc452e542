import { useSyncExternalStore } from 'react';
import {
  groupUpdated,
  newsMissed,
  presenceHub,
  requestHub,
  type HubNews,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';
import {
  getRequestById,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/requests';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { connectHub } from './connect-hub.ts';
import { openLiveHub, presenceHubDelays, requestHubDelays, type HubState } from './live-hub.ts';
import { queryClient } from '../api/query-client.ts';

type Counts = ReplyOf<typeof getRequestsCount>;
export type CountName = 'new' | 'processing';

/** `arrivals` counts what has buzzed since the start; `buzz` is what has not been looked at yet. */
export interface Live {
  state: HubState;
  buzz: Readonly<Record<CountName, boolean>>;
  arrivals: number;
}

const atRest: Live = {
  state: 'disconnected',
  buzz: { new: false, processing: false },
  arrivals: 0,
};
let live = atRest;
const listeners = new Set<() => void>();

function change(changed: Partial<Live>): void {
  live = { ...live, ...changed };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLive(): Live {
  return useSyncExternalStore(subscribe, () => live);
}

/** Source: specification §4. */
export function clearBuzz(name: CountName): void {
  if (live.buzz[name]) change({ buzz: { ...live.buzz, [name]: false } });
}

const effects: Record<RequestEvent, { field: keyof Counts; by: number; buzzes?: CountName }> = {
  requestCreated: { field: 'newRequestsCount', by: 1, buzzes: 'new' },
  requestDetails: { field: 'newRequestsCount', by: -1 },
  requestProcessing: { field: 'processingRequestsCount', by: 1, buzzes: 'processing' },
  requestSubmitted: { field: 'processingRequestsCount', by: -1 },
};

/** Does to the counts that are shown what an event says. */
function applyEvent(event: RequestEvent): void {
  const { field, by, buzzes } = effects[event];
  queryClient.setQueriesData<Counts>(
    { queryKey: [getRequestsCount.name] },
    (counts) => counts && { ...counts, [field]: Math.max(0, counts[field] + by) },
  );
  if (buzzes) change({ buzz: { ...live.buzz, [buzzes]: true }, arrivals: live.arrivals + 1 });
}

/** Answers whether news follow the ones before; the first after a connection always do. */
export function watchSequence(): { follows: (news: HubNews) => boolean; forget: () => void } {
  let last: number | undefined;
  return {
    follows({ sequence }) {
      const isNext = last === undefined || sequence === last + 1;
      last = sequence;
      return isNext;
    },
    forget() {
      last = undefined;
    },
  };
}

const fetchCounts = () => void queryClient.invalidateQueries({ queryKey: [getRequestsCount.name] });
const fetchLists = () => {
  // A request that is open is asked for again too: somebody else may have taken it.
  for (const { name } of [getRequestsByStatusId, getRequestById])
    void queryClient.invalidateQueries({ queryKey: [name] });
};

/**
 * Runs once some time after it was first asked to, however often it is asked meanwhile; not all
 * browsers at the same moment.
 */
function soon(
  work: () => void,
  fromMs: number,
  toMs: number,
): { ask: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    work();
  };
  return {
    ask: () => void (timer ??= setTimeout(run, fromMs + Math.random() * (toMs - fromMs))),
    cancel: () => clearTimeout(timer),
  };
}

/**
 * Keeps counts and lists as they are on the server until it is stopped. A supervisor also hears of
 * their partner's group. Source: specification §4, §6.
 */
export function startLive({ isSupervisor }: { isSupervisor: boolean }): () => void {
  const order = watchSequence();
  const lists = soon(fetchLists, 200, 1500);
  // An event and an answer may pass each other, and one of the two is then counted twice; what is
  // shown is made sure of.
  const counts = soon(fetchCounts, 5000, 15_000);
  const missed = soon(() => [fetchCounts(), fetchLists()], 0, 2000);
  const hear = (event: RequestEvent) => (news: HubNews) => {
    applyEvent(event);
    if (order.follows(news)) counts.ask();
    else missed.ask();
    lists.ask();
  };
  const onMissed = () => {
    order.forget();
    missed.ask();
  };
  const requestHandlers = {
    requestCreated: hear('requestCreated'),
    requestDetails: hear('requestDetails'),
    requestProcessing: hear('requestProcessing'),
    requestSubmitted: hear('requestSubmitted'),
    [newsMissed]: onMissed,
  };
  const onState = (state: HubState) => {
    change({ state });
    if (state !== 'connected') return;
    order.forget();
    fetchCounts();
    fetchLists();
  };
  const hubs = [
    openLiveHub({
      connect: (onClosed) => connectHub(requestHub, requestHandlers, onClosed),
      delays: requestHubDelays,
      onState,
    }),
    ...(isSupervisor
      ? [
          openLiveHub({
            connect: (onClosed) =>
              connectHub(
                presenceHub,
                { [groupUpdated]: lists.ask, [newsMissed]: lists.ask },
                onClosed,
              ),
            delays: presenceHubDelays,
            onState: () => undefined,
          }),
        ]
      : []),
  ];
  const onBack = () => {
    hubs.forEach((hub) => hub.retryNow());
    fetchCounts();
  };
  window.addEventListener('online', onBack);
  window.addEventListener('focus', onBack);
  return () => {
    window.removeEventListener('online', onBack);
    window.removeEventListener('focus', onBack);
    for (const { cancel } of [lists, counts, missed]) cancel();
    hubs.forEach((hub) => hub.stop());
    change(atRest);
  };
}
