import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPresses, whenStill } from './when-still.ts';

const listeners = new Map<string, () => void>();
const focus = { expanded: null as string | null };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {
    setTimeout,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  });
  vi.stubGlobal('document', { activeElement: { getAttribute: () => focus.expanded } });
  watchPresses();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('what moves the page waits for the end of the event, of a press, and of a list that is open', () => {
  const work = vi.fn();
  whenStill(work);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(1);

  listeners.get('pointerdown')?.();
  whenStill(work);
  vi.advanceTimersByTime(5000);
  expect(work).toHaveBeenCalledTimes(1);
  focus.expanded = 'true';
  listeners.get('pointerup')?.();
  vi.advanceTimersByTime(5000);
  expect(work).toHaveBeenCalledTimes(1);
  focus.expanded = 'false';
  vi.advanceTimersByTime(150);
  expect(work).toHaveBeenCalledTimes(2);

  listeners.get('pointerdown')?.();
  listeners.get('pointercancel')?.();
  whenStill(work);
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(3);
});
