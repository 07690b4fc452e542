import {
  groupUpdated,
  eventsMissed,
  presenceHub,
  requestHub,
  type HubEvent,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';
import { getRequestById } from '@diwan/contract/requests/requests';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { connectHub } from './connect-hub.ts';
import {
  openHubConnection,
  presenceHubDelays,
  requestHubDelays,
  type HubState,
} from './hub-connection.ts';
import { queryClient } from '../api/query-client.ts';
import { createStore, useStore } from '../browser/create-store.ts';

type Counts = ReplyOf<typeof getRequestsCount>;
export type CountName = 'new' | 'processing';

/** `buzz`: whether a list has requests that the user has not seen. `arrivals`: their total number. */
export interface LiveCounts {
  state: HubState;
  buzz: Readonly<Record<CountName, boolean>>;
  arrivals: number;
}

const initial: LiveCounts = {
  state: 'disconnected',
  buzz: { new: false, processing: false },
  arrivals: 0,
};
const live = createStore(initial);

const change = (changed: Partial<LiveCounts>) => live.set({ ...live.get(), ...changed });

export const useLiveCounts = (): LiveCounts => useStore(live);

/** Marks the new requests of a list as seen. Source: specification §4. */
export function clearBuzz(name: CountName): void {
  const { buzz } = live.get();
  if (buzz[name]) change({ buzz: { ...buzz, [name]: false } });
}

const effects: Record<RequestEvent, { field: keyof Counts; by: number; buzzes?: CountName }> = {
  requestCreated: { field: 'newRequestsCount', by: 1, buzzes: 'new' },
  requestDetails: { field: 'newRequestsCount', by: -1 },
  requestProcessing: { field: 'processingRequestsCount', by: 1, buzzes: 'processing' },
  requestSubmitted: { field: 'processingRequestsCount', by: -1 },
};

/** Changes the cached counts by an event. */
function applyEvent(event: RequestEvent): void {
  const { field, by, buzzes } = effects[event];
  queryClient.setQueriesData<Counts>(
    { queryKey: [getRequestsCount.name] },
    (counts) => counts && { ...counts, [field]: Math.max(0, counts[field] + by) },
  );
  if (!buzzes) return;
  const { buzz, arrivals } = live.get();
  change({ buzz: { ...buzz, [buzzes]: true }, arrivals: arrivals + 1 });
}

/** Checks that no event is missing before this one; `forget` accepts any next number. */
export function watchSequence(): { follows: (news: HubEvent) => boolean; forget: () => void } {
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

const figureCalls = [getRequestFigures, getFigureGroups];

const fetchCounts = () => void queryClient.invalidateQueries({ queryKey: [getRequestsCount.name] });
const fetchLists = () => {
  // An open request is queried again as well: another employee may have received it.
  for (const { name } of [getRequestsByStatusId, getRequestById, ...figureCalls])
    void queryClient.invalidateQueries({ queryKey: [name] });
};

/**
 * Runs work once, after a random delay from the first `ask`. The random delay spreads the calls of
 * many browsers.
 */
function debounce(
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
 * Updates counts and lists by events of the server until the returned function is called. A
 * supervisor also gets the events of their partner's group. Source: specification §4, §6.
 */
export function startLiveCounts({ isSupervisor }: { isSupervisor: boolean }): () => void {
  const order = watchSequence();
  const lists = debounce(fetchLists, 200, 1500);
  // An event and a reply may overtake each other, and then a change is counted twice. A later query
  // corrects the counts.
  const counts = debounce(fetchCounts, 5000, 15_000);
  const missed = debounce(() => [fetchCounts(), fetchLists()], 0, 2000);
  const onEvent = (event: RequestEvent) => (news: HubEvent) => {
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
    requestCreated: onEvent('requestCreated'),
    requestDetails: onEvent('requestDetails'),
    requestProcessing: onEvent('requestProcessing'),
    requestSubmitted: onEvent('requestSubmitted'),
    [eventsMissed]: onMissed,
  };
  const onState = (state: HubState) => {
    change({ state });
    if (state !== 'connected') return;
    order.forget();
    fetchCounts();
    fetchLists();
  };
  const hubs = [
    openHubConnection({
      connect: (onClosed) => connectHub(requestHub, requestHandlers, onClosed),
      delays: requestHubDelays,
      onState,
    }),
    ...(isSupervisor
      ? [
          openHubConnection({
            connect: (onClosed) =>
              connectHub(
                presenceHub,
                { [groupUpdated]: lists.ask, [eventsMissed]: lists.ask },
                onClosed,
              ),
            delays: presenceHubDelays,
            onState: () => undefined,
          }),
        ]
      : []),
  ];
  const onReturn = () => {
    hubs.forEach((hub) => hub.retryNow());
    fetchCounts();
  };
  window.addEventListener('online', onReturn);
  window.addEventListener('focus', onReturn);
  return () => {
    window.removeEventListener('online', onReturn);
    window.removeEventListener('focus', onReturn);
    for (const { cancel } of [lists, counts, missed]) cancel();
    hubs.forEach((hub) => hub.stop());
    live.set(initial);
  };
}
