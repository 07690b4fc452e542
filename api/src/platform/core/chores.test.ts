import { expect, it, vi } from 'vitest';
import { openChores } from './chores.ts';

function openStage() {
  const warned: string[] = [];
  let close = async (): Promise<void> => undefined;
  const chores = openChores({
    addHook: (_name: string, hook: () => Promise<void>) => {
      close = hook;
    },
    log: { warn: (message: string) => warned.push(message) },
  } as never);
  return { chores, warned, close: () => close() };
}

it('does a piece of work again and again, never twice at once, and tells of what fails', async () => {
  vi.useFakeTimers();
  try {
    const { chores, warned, close } = openStage();
    const ends: (() => void)[] = [];
    let begun = 0;
    chores(
      5,
      () =>
        new Promise<void>((resolve) => {
          begun += 1;
          ends.push(resolve);
        }),
    );
    chores(10, () => {
      throw new Error('no database');
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([begun, warned]).toEqual([1, ['no database', 'no database']]);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(5000);
    expect(begun).toBe(2);

    const closed = vi.fn();
    const closing = close().then(closed);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([begun, closed.mock.calls.length]).toEqual([2, 0]);
    ends[1]?.();
    await closing;
    expect(begun).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
