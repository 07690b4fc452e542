import { expect, it, vi } from 'vitest';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { requestEvents, type HubEvent } from '@diwan/contract/wire/hubs';

type Handlers = Record<string, (event: HubEvent) => void>;
const hubs = new Map<string, { handlers: Handlers; close: () => void; end: () => void }>();
let connects = 0;
/** When each hub was tried, while the server is away. */
let attempts: Record<string, number[]> | undefined;
vi.mock('#lib/live/connect-hub.ts', () => ({
  connectHub: (path: string, handlers: Handlers, close: () => void) => {
    const end = vi.fn<() => void>();
    const call = vi.fn<(method: string, ids: number[]) => Promise<void>>();
    connects += 1;
    if (attempts) {
      (attempts[path] ??= []).push(Date.now());
      return Promise.reject(new Error('away'));
    }
    hubs.set(path, { handlers, close, end });
    return Promise.resolve({ end, call });
  },
}));
vi.stubGlobal(
  'window',
  Object.assign(new EventTarget(), { location: { origin: 'https://portal.example' } }),
);
vi.useFakeTimers();

const { queryClient } = await import('#lib/api/query-client.ts');
const { applyEvents, countsNow, retryLiveConnection, startLiveCounts } =
  await import('./live-counts.ts');

const countsOf = (newRequestsCount: number, processingRequestsCount: number, sequence: number) => ({
  newRequestsCount,
  processingRequestsCount,
  sequence,
});

it('asks again immediately after a missing event, and not otherwise', async () => {
  const key = [getRequestsCount.name, 'en-US', null, null];
  queryClient.setQueryData(key, countsOf(5, 1, 9));
  const asked = vi.spyOn(queryClient, 'invalidateQueries');
  const askedForCounts = () =>
    asked.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === getRequestsCount.name).length;
  const stop = startLiveCounts({ userId: '1', listener: 'staff' });
  await vi.advanceTimersByTimeAsync(0);
  expect([...hubs.keys()]).toEqual(['/hubs/request']);
  expect(askedForCounts()).toBe(1);

  const { handlers, close, end } = hubs.get('/hubs/request')!;
  requestEvents.forEach((event, index) => handlers[event]!({ sequence: index + 10 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedForCounts()).toBe(1);

  handlers.requestCreated!({ sequence: 20 });
  await vi.advanceTimersByTimeAsync(500);
  expect(askedForCounts()).toBe(2);
  // The reply includes the missing events.
  queryClient.setQueryData(key, countsOf(9, 1, 20));
  handlers.requestCreated!({ sequence: 21 });
  await vi.advanceTimersByTimeAsync(500);
  expect(askedForCounts()).toBe(2);
  handlers.eventsMissed!({ sequence: 0 });
  await vi.advanceTimersByTimeAsync(500);
  expect(askedForCounts()).toBe(3);

  close();
  await vi.advanceTimersByTimeAsync(0);
  expect(connects).toBe(2);
  expect(askedForCounts()).toBe(4);
  window.dispatchEvent(new Event('focus'));
  expect(askedForCounts()).toBe(5);
  stop();
  expect(end).not.toHaveBeenCalled();
  expect(hubs.get('/hubs/request')!.end).toHaveBeenCalledOnce();
  window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedForCounts()).toBe(5);
});

it('reads lists again, and no counts, when a row has changed', async () => {
  const asked = vi.spyOn(queryClient, 'invalidateQueries');
  const stop = startLiveCounts({ userId: '1', listener: 'staff' });
  await vi.advanceTimersByTimeAsync(1000);
  asked.mockClear();
  hubs.get('/hubs/request')!.handlers.listsChanged!({ sequence: 30 });
  await vi.advanceTimersByTimeAsync(1000);
  const names = asked.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
  expect(names).toContain(getRequestsByStatusId.name);
  expect(names).not.toContain(getRequestsCount.name);
  stop();
});

it("connects a supervisor to the events of the partner's group", async () => {
  hubs.clear();
  const stop = startLiveCounts({ userId: '1', listener: 'supervisor' });
  await vi.advanceTimersByTimeAsync(0);
  expect([...hubs.keys()].sort()).toEqual(['/hubs/presence', '/hubs/request']);
  stop();
  for (const { end } of hubs.values()) expect(end).toHaveBeenCalledOnce();
});

it('tries both hubs again as specified, by the clock, and then immediately when the user asks (§9)', async () => {
  attempts = {};
  const stop = startLiveCounts({ userId: '1', listener: 'supervisor' });
  const began = Date.now();
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  const tried = (path: string) => attempts![path]!.map((at) => (at - began) / 1000);
  // The first attempt, and then 0, 2, 10 and 30 s after the one before.
  expect(tried('/hubs/request')).toEqual([0, 0, 2, 12, 42]);
  expect(tried('/hubs/presence')).toEqual([
    0,
    0,
    2,
    12,
    42,
    ...Array.from({ length: 12 }, (_, index) => 42 + 300 * (index + 1)),
  ]);
  retryLiveConnection();
  await vi.advanceTimersByTimeAsync(0);
  expect(tried('/hubs/request').slice(5)).toEqual([7200, 7200]);
  stop();
  attempts = undefined;
});

it('never shows a number below zero', () => {
  const events = [{ event: 'requestDetails', sequence: 1 }] as const;
  expect(countsNow(countsOf(0, 0, 0), events)).toEqual(countsOf(0, 0, 1));
  expect(applyEvents(countsOf(0, 0, 0), events)).toEqual(countsOf(-1, 0, 1));
});

it('applies each event once, in order, however replies and events overtake each other', () => {
  const events = [
    { event: 'requestCreated', sequence: 10 },
    { event: 'requestDetails', sequence: 11 },
    { event: 'requestProcessing', sequence: 12 },
    { event: 'requestSubmitted', sequence: 14 },
  ] as const;
  expect(applyEvents(countsOf(5, 1, 9), events)).toEqual(countsOf(5, 2, 12));
  expect(applyEvents(countsOf(6, 1, 10), events)).toEqual(countsOf(5, 2, 12));
  expect(applyEvents(countsOf(5, 2, 13), events)).toEqual(countsOf(5, 1, 14));
  expect(applyEvents(countsOf(5, 1, 14), events)).toEqual(countsOf(5, 1, 14));
});
