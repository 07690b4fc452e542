import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPointer, afterPointerUp } from './interaction.ts';

const listeners = new Map<string, () => void>();
const focus = { expanded: null as string | null };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {
    setTimeout,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  });
  vi.stubGlobal('document', { activeElement: { getAttribute: () => focus.expanded } });
  watchPointer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('afterPointerUp waits for the end of the event, of a press and of an open list', () => {
  const work = vi.fn();
  afterPointerUp(work);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(1);

  listeners.get('pointerdown')?.();
  afterPointerUp(work);
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
  afterPointerUp(work);
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(3);
});
