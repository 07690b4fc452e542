import { expect, it, vi } from 'vitest';
import { openScheduler } from './scheduler.ts';

function openTestScheduler() {
  const warnings: string[] = [];
  let close = async (): Promise<void> => undefined;
  const schedule = openScheduler({
    addHook: (_name: string, hook: () => Promise<void>) => {
      close = hook;
    },
    log: { warn: (message: string) => warnings.push(message) },
  } as never);
  return { schedule, warnings, close: () => close() };
}

it('runs a job again and again, never twice at the same time, and logs failures', async () => {
  vi.useFakeTimers();
  try {
    const { schedule, warnings, close } = openTestScheduler();
    const finish: (() => void)[] = [];
    let started = 0;
    schedule(
      5,
      () =>
        new Promise<void>((resolve) => {
          started += 1;
          finish.push(resolve);
        }),
    );
    schedule(10, () => {
      throw new Error('no database');
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([started, warnings]).toEqual([1, ['no database', 'no database']]);
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(5000);
    expect(started).toBe(2);

    const closed = vi.fn();
    const closing = close().then(closed);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([started, closed.mock.calls.length]).toEqual([2, 0]);
    finish[1]?.();
    await closing;
    expect(started).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

it('runs a job soon: once for many calls, and again for a call during a run', async () => {
  vi.useFakeTimers();
  try {
    const { schedule, close } = openTestScheduler();
    const finish: (() => void)[] = [];
    const runSoon = schedule(3600, () => new Promise<void>((resolve) => void finish.push(resolve)));
    runSoon();
    runSoon();
    await vi.advanceTimersByTimeAsync(500);
    expect(finish).toHaveLength(1);
    runSoon();
    await vi.advanceTimersByTimeAsync(500);
    expect(finish).toHaveLength(1);
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(500);
    expect(finish).toHaveLength(2);

    finish[1]?.();
    runSoon();
    await close();
    runSoon();
    await vi.advanceTimersByTimeAsync(500);
    expect(finish).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
