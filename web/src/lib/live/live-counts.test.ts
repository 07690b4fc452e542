import { expect, it, vi } from 'vitest';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { requestEvents, type HubEvent } from '@diwan/contract/wire/hubs';

type Handlers = Record<string, (news: HubEvent) => void>;
const hubs = new Map<string, { handlers: Handlers; close: () => void; end: () => void }>();
let connects = 0;
vi.mock('./connect-hub.ts', () => ({
  connectHub: async (path: string, handlers: Handlers, close: () => void) => {
    const end = vi.fn<() => void>();
    connects += 1;
    hubs.set(path, { handlers, close, end });
    return end;
  },
}));
vi.stubGlobal(
  'window',
  Object.assign(new EventTarget(), { location: { origin: 'https://portal.example' } }),
);
vi.useFakeTimers();

const { queryClient } = await import('../api/query-client.ts');
const { startLiveCounts, watchSequence } = await import('./live-counts.ts');

it('applies events to the counts, queries later, and at once after a missing event', async () => {
  const key = [getRequestsCount.name, 'en-US', null, null];
  queryClient.setQueryData(key, { newRequestsCount: 5, processingRequestsCount: 1 });
  const asked = vi.spyOn(queryClient, 'invalidateQueries');
  const askedForCounts = () =>
    asked.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === getRequestsCount.name).length;
  const stop = startLiveCounts({ isSupervisor: false });
  await vi.advanceTimersByTimeAsync(0);
  expect([...hubs.keys()]).toEqual(['/hubs/request']);
  expect(askedForCounts()).toBe(1);

  const { handlers, close, end } = hubs.get('/hubs/request')!;
  const counts = () => Object.values(queryClient.getQueryData<Record<string, number>>(key) ?? {});
  const seen = requestEvents.map(
    (event, index) => (handlers[event]!({ sequence: index + 10 }), counts()),
  );
  expect(seen).toEqual([
    [6, 1],
    [5, 1],
    [5, 2],
    [5, 1],
  ]);
  for (let sequence = 14; sequence < 17; sequence += 1) handlers.requestSubmitted!({ sequence });
  expect(counts()).toEqual([5, 0]);
  expect(askedForCounts()).toBe(1);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(askedForCounts()).toBe(2);

  handlers.requestCreated!({ sequence: 20 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(askedForCounts()).toBe(3);
  handlers.newsMissed!({ sequence: 0 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(askedForCounts()).toBe(4);

  close();
  await vi.advanceTimersByTimeAsync(0);
  expect(connects).toBe(2);
  expect(askedForCounts()).toBe(5);
  window.dispatchEvent(new Event('focus'));
  expect(askedForCounts()).toBe(6);
  stop();
  expect(end).not.toHaveBeenCalled();
  expect(hubs.get('/hubs/request')!.end).toHaveBeenCalledOnce();
  window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedForCounts()).toBe(6);
});

it("connects a supervisor to the events of the partner's group", async () => {
  hubs.clear();
  const stop = startLiveCounts({ isSupervisor: true });
  await vi.advanceTimersByTimeAsync(0);
  expect([...hubs.keys()].sort()).toEqual(['/hubs/presence', '/hubs/request']);
  stop();
  for (const { end } of hubs.values()) expect(end).toHaveBeenCalledOnce();
});

it('detects a missing, repeated or unordered number', () => {
  const { follows, forget } = watchSequence();
  expect([7, 8, 10, 11, 11, 9].map((sequence) => follows({ sequence }))).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
  forget();
  expect(follows({ sequence: 3 })).toBe(true);
});
