import { useEffect } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { createStore, useStore } from '#lib/browser/create-store.ts';
import { connectHub, type OpenHub } from '#lib/live/connect-hub.ts';
import {
  openHubConnection,
  presenceHubDelays,
  requestHubDelays,
  type HubState,
} from '#lib/live/hub-connection.ts';
import {
  openSharedConnection,
  type LiveConnection,
  type LiveMessage,
} from '#lib/live/shared-connection.ts';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getRequestById, getRequestViewers } from '@diwan/contract/requests/requests';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { applicants, grantedRoles, type ReplyOf } from '@diwan/contract/wire/call';
import {
  accountHub,
  countChanges,
  followMethod,
  groupUpdated,
  notificationsChanged,
  eventsMissed,
  listsChanged,
  presenceHub,
  requestEvents,
  requestChanged,
  requestHub,
  viewersChanged,
  type HubEvent,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';

export type Counts = ReplyOf<typeof getRequestsCount>;
export type CountName = 'new' | 'processing';

/** An event with its number. */
interface NumberedEvent extends HubEvent {
  event: RequestEvent;
}

/**
 * `buzz`: whether a list has requests that the user has not seen. `arrivals`: their total number.
 * `events`: the last events, in the order of their numbers.
 */
interface LiveCounts {
  state: HubState;
  buzz: Readonly<Record<CountName, boolean>>;
  arrivals: number;
  events: readonly NumberedEvent[];
}

const initial: LiveCounts = {
  state: 'disconnected',
  buzz: { new: false, processing: false },
  arrivals: 0,
  events: [],
};
const live = createStore(initial);

const change = (changed: Partial<LiveCounts>) => live.set({ ...live.get(), ...changed });

export const useLiveCounts = (): LiveCounts => useStore(live);

/** Marks the new requests of a list as seen. Source: specification §4. */
export function clearBuzz(name: CountName): void {
  const { buzz } = live.get();
  if (buzz[name]) change({ buzz: { ...buzz, [name]: false } });
}

/**
 * The counts of a reply with the events after it, each applied once, however replies and events
 * overtake each other. It stops before a missing event.
 */
export function applyEvents(counts: Counts, events: readonly NumberedEvent[]): Counts {
  const now = { new: counts.newRequestsCount, processing: counts.processingRequestsCount };
  let { sequence } = counts;
  for (const each of events) {
    if (each.sequence !== sequence + 1) continue;
    const { count, by } = countChanges[each.event];
    now[count] += by;
    ({ sequence } = each);
  }
  return { newRequestsCount: now.new, processingRequestsCount: now.processing, sequence };
}

/** The counts to show: those of a reply with the events after it, never below zero. */
export function countsNow(reply: Counts, events: readonly NumberedEvent[]): Counts {
  const { newRequestsCount, processingRequestsCount, sequence } = applyEvents(reply, events);
  return {
    newRequestsCount: Math.max(0, newRequestsCount),
    processingRequestsCount: Math.max(0, processingRequestsCount),
    sequence,
  };
}

// A reply is never this many events late.
const maximumEvents = 500;

function storeEvent(event: NumberedEvent): void {
  const { events, buzz, arrivals } = live.get();
  if (events.some(({ sequence }) => sequence === event.sequence)) return;
  const { count, by } = countChanges[event.event];
  change({
    events: [...events, event]
      .sort((one, other) => one.sequence - other.sequence)
      .slice(-maximumEvents),
    ...(by > 0 ? { buzz: { ...buzz, [count]: true }, arrivals: arrivals + 1 } : {}),
  });
}

/** Whether an event is missing between a cached reply and the last event. */
function isEventMissing(): boolean {
  const { events } = live.get();
  const last = events.at(-1)?.sequence ?? 0;
  return queryClient
    .getQueriesData<Counts>({ queryKey: [getRequestsCount.name] })
    .some(
      ([, counts]) =>
        counts && counts.sequence < last && applyEvents(counts, events).sequence < last,
    );
}

let current: { connection: LiveConnection; retry: () => void } | undefined;

/** Connects again immediately, also after the last attempt. */
export const retryLiveConnection = (): void => current?.retry();

/** The requests that this tab shows to staff, by how many components show them. */
const openRequests = new Map<number, number>();

function changeOpenRequest(requestId: number, by: 1 | -1): void {
  const count = (openRequests.get(requestId) ?? 0) + by;
  if (count > 0) openRequests.set(requestId, count);
  else openRequests.delete(requestId);
  current?.connection.follow([...openRequests.keys()]);
}

/** Tells the server that the user has a request open, and hears of its changes and its viewers. */
export function useOpenRequest(requestId: number): void {
  useEffect(() => {
    changeOpenRequest(requestId, 1);
    return () => changeOpenRequest(requestId, -1);
  }, [requestId]);
}

const figureCalls = [getRequestFigures, getFigureGroups];

const fetchCounts = () => void queryClient.invalidateQueries({ queryKey: [getRequestsCount.name] });
const recordCalls = [getRequestById, getRequestViewers, checkRequestIsPaid, getNotifications];

const fetchRecords = () => {
  for (const { name } of recordCalls) void queryClient.invalidateQueries({ queryKey: [name] });
};
const fetchLists = () => {
  // An open request is queried again as well: another employee may have received it.
  for (const { name } of [getRequestsByStatusId, getRequestById, ...figureCalls])
    void queryClient.invalidateQueries({ queryKey: [name] });
};

/**
 * Runs work once, after a random delay from the first `ask`, and not more often than each `pauseMs`.
 * The random delay spreads the calls of many browsers.
 */
function debounce(
  work: () => void,
  longestMs: number,
  pauseMs = 0,
): { ask: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ranAt = Number.NEGATIVE_INFINITY;
  const run = () => {
    timer = undefined;
    ranAt = Date.now();
    work();
  };
  return {
    ask() {
      const pause = Math.max(0, ranAt + pauseMs - Date.now());
      timer ??= setTimeout(run, pause + Math.random() * longestMs);
    },
    cancel: () => clearTimeout(timer),
  };
}

const isRequestEvent = (name: string): name is RequestEvent =>
  requestEvents.some((known) => known === name);

/** Who listens: staff, the supervisors of a partner, or a person or company with requests. */
type Listener = 'staff' | 'supervisor' | 'applicant';

/** Opens the connections to the hubs. A supervisor has one to the events of their partner's group. */
function openHubs(listener: Listener, emit: (message: LiveMessage) => void): LiveConnection {
  const handle = (...names: string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        ({ sequence }: HubEvent) => emit({ kind: 'event', name, sequence }),
      ]),
    );
  let followed: readonly number[] = [];
  let open: OpenHub | undefined;
  const [path, ...events] =
    listener === 'applicant'
      ? [accountHub, requestChanged, notificationsChanged, eventsMissed]
      : [
          requestHub,
          ...requestEvents,
          requestChanged,
          listsChanged,
          viewersChanged,
          notificationsChanged,
          eventsMissed,
        ];
  const hubs = [
    openHubConnection({
      async connect(onClosed, signal) {
        const hub = await connectHub(path ?? '', handle(...events), onClosed, signal);
        open = hub;
        if (followed.length > 0) void hub.call(followMethod, followed);
        return hub.end;
      },
      delays: requestHubDelays,
      onState(state) {
        if (state !== 'connected') open = undefined;
        emit({ kind: 'state', state });
      },
    }),
  ];
  const onGroupUpdated = () => emit({ kind: 'event', name: groupUpdated, sequence: 0 });
  if (listener === 'supervisor')
    hubs.push(
      openHubConnection({
        connect: async (onClosed, signal) =>
          (
            await connectHub(
              presenceHub,
              { [groupUpdated]: onGroupUpdated, [eventsMissed]: onGroupUpdated },
              onClosed,
              signal,
            )
          ).end,
        delays: presenceHubDelays,
        onState: (state) => state === 'connected' && onGroupUpdated(),
      }),
    );
  return {
    retryNow: () => hubs.forEach((hub) => hub.retryNow()),
    follow(ids) {
      followed = ids;
      void open?.call(followMethod, ids);
    },
    stop: () => hubs.forEach((hub) => hub.stop()),
  };
}

/**
 * Updates counts and lists by events of the server until the returned function is called. A
 * supervisor also gets the events of their partner's group. The tabs of a user share the
 * connections. Source: specification §4, §6.
 */
export function startLiveCounts({
  userId,
  listener,
}: {
  userId: string;
  listener: Listener;
}): () => void {
  // A single event is shown within a second; while many come, lists are queried every 0.7 s at most.
  const lists = debounce(fetchLists, 250, 700);
  const records = debounce(fetchRecords, 200);
  const missed = debounce(() => [fetchCounts(), fetchLists(), fetchRecords()], 300);

  function onEvent(name: string, sequence: number): void {
    if (name === eventsMissed) return missed.ask();
    if (name === notificationsChanged)
      return void queryClient.invalidateQueries({ queryKey: [getNotifications.name] });
    if (name === viewersChanged || name === requestChanged) {
      records.ask();
      if (listener !== 'applicant') return;
    }
    if (isRequestEvent(name)) storeEvent({ event: name, sequence });
    if (isEventMissing()) missed.ask();
    lists.ask();
  }

  function onState(state: HubState): void {
    change({ state });
    if (state !== 'connected') return;
    fetchCounts();
    fetchLists();
    fetchRecords();
  }

  const connection = openSharedConnection({
    name: `${listener} ${userId}`,
    open: (emit) => openHubs(listener, emit),
    onMessage: (message) =>
      message.kind === 'state' ? onState(message.state) : onEvent(message.name, message.sequence),
  });
  const onReturn = () => {
    connection.retryNow();
    fetchCounts();
  };
  current = { connection, retry: onReturn };
  connection.follow([...openRequests.keys()]);
  window.addEventListener('online', onReturn);
  window.addEventListener('focus', onReturn);
  return () => {
    current = undefined;
    window.removeEventListener('online', onReturn);
    window.removeEventListener('focus', onReturn);
    for (const { cancel } of [lists, records, missed]) cancel();
    connection.stop();
    live.set(initial);
  };
}

/** Keeps the requests of an applicant current while a page shows them. */
export function useLiveRequests(): void {
  const session = useSession();
  const isListening =
    session !== null &&
    !session.restriction &&
    hasRole(session, ...applicants) &&
    !hasRole(session, ...grantedRoles);
  const userId = isListening ? session.ssid : undefined;
  useEffect(
    () => (userId === undefined ? undefined : startLiveCounts({ userId, listener: 'applicant' })),
    [userId],
  );
}
