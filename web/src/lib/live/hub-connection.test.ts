import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  openHubConnection,
  presenceHubDelays,
  requestHubDelays,
  type HubState,
} from './hub-connection.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

interface Attempt {
  at: number;
  succeed: () => Promise<void>;
  fail: () => Promise<void>;
  close: () => void;
  end: () => void;
}

/** A hub whose attempts the test completes. */
function open(delays: readonly number[]) {
  const attempts: Attempt[] = [];
  const states: HubState[] = [];
  const began = Date.now();
  const settle = async () => void (await vi.advanceTimersByTimeAsync(0));
  const hub = openHubConnection({
    delays,
    onState: (state) => states.push(state),
    connect: (onClosed) =>
      new Promise((resolve, reject) => {
        const end = vi.fn<() => void>();
        attempts.push({
          at: Date.now() - began,
          end,
          close: onClosed,
          succeed: async () => (resolve(end), settle()),
          fail: async () => (reject(new Error('refused')), settle()),
        });
      }),
  });
  const last = () => attempts.at(-1)!;
  /** Fails every attempt until there is no more; returns the delays between them. */
  async function failAll(): Promise<number[]> {
    for (let known = 0; attempts.length > known;) {
      known = attempts.length;
      await last().fail();
      if (attempts.length === known && vi.getTimerCount() > 0)
        await vi.advanceTimersToNextTimerAsync();
    }
    return attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
  }
  return { hub, attempts, states, last, failAll, settle };
}

it('waits before each attempt as specified, then stops (§9)', async () => {
  const request = open(requestHubDelays);
  expect(await request.failAll()).toEqual([0, 2000, 10_000, 30_000]);
  expect(request.states.at(-1)).toBe('disconnected');
  const presence = open(presenceHubDelays);
  expect(await presence.failAll()).toEqual([
    0,
    2000,
    10_000,
    30_000,
    ...Array.from({ length: 12 }, () => 300_000),
  ]);
  expect(presence.states.at(-1)).toBe('disconnected');
});

it('has the four states (§4)', async () => {
  const { hub, states, last, settle } = open(requestHubDelays);
  await last().succeed();
  await vi.advanceTimersByTimeAsync(60_000);
  last().close();
  await settle();
  await last().succeed();
  hub.stop();
  expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected', 'disconnected']);
});

it('resets the delays after a stable connection, not after a short one', async () => {
  const { attempts, last, settle } = open(requestHubDelays);
  for (const [held, expected] of [
    [60_000, 0],
    [100, 2000],
    [100, 10_000],
    [60_000, 0],
  ] as const) {
    await last().succeed();
    await vi.advanceTimersByTimeAsync(held);
    const count = attempts.length;
    last().close();
    await vi.advanceTimersByTimeAsync(Math.max(0, expected - 1));
    expect(attempts.length).toBe(expected === 0 ? count + 1 : count);
    await vi.advanceTimersByTimeAsync(1);
    await settle();
    expect(attempts.length).toBe(count + 1);
  }
});

it('retryNow starts one attempt, also after the last one', async () => {
  const { hub, attempts, failAll, last, states } = open(requestHubDelays);
  await failAll();
  const count = attempts.length;
  hub.retryNow();
  hub.retryNow();
  expect(attempts.length).toBe(count + 1);
  await last().succeed();
  hub.retryNow();
  expect(attempts.length).toBe(count + 1);
  expect(states.at(-1)).toBe('connected');
});

it('gives up an attempt that nothing answers, and ends it when it succeeds after all', async () => {
  const { hub, attempts, states, settle } = open(requestHubDelays);
  await vi.advanceTimersByTimeAsync(9999);
  expect(attempts).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(attempts).toHaveLength(2);
  // The user asks for another one, or the network is back.
  await vi.advanceTimersByTimeAsync(2000);
  hub.retryNow();
  hub.retryNow();
  expect(attempts).toHaveLength(3);
  const [first, second, third] = attempts as [Attempt, Attempt, Attempt];
  await third.succeed();
  await first.succeed();
  await second.fail();
  await vi.advanceTimersByTimeAsync(60_000);
  await settle();
  expect(attempts).toHaveLength(3);
  expect([first, third].map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 0]);
  expect(states.at(-1)).toBe('connected');
});

it('stop ends the connection and a running attempt', async () => {
  const connected = open(requestHubDelays);
  await connected.last().succeed();
  connected.hub.stop();
  expect(connected.last().end).toHaveBeenCalledOnce();
  const trying = open(requestHubDelays);
  trying.hub.stop();
  trying.hub.retryNow();
  await trying.last().succeed();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(trying.last().end).toHaveBeenCalledOnce();
  expect(trying.attempts).toHaveLength(1);
  expect(trying.states.at(-1)).toBe('disconnected');
});
