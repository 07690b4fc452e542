import { createLocation, resolveTo, type RouterHistory } from '../lib/router/location.ts';

/** A history that leaves the address of the browser as it is. */
export function createMemoryHistory(path: string, state?: unknown): RouterHistory {
  let entries = [createLocation(resolveTo(path, '/'), state)];
  let index = 0;
  let onMove = () => {};
  return {
    read: () => entries[index] ?? createLocation(resolveTo('/', '/')),
    push: (location) => {
      index += 1;
      entries = [...entries.slice(0, index), location];
    },
    replace: (location) => void (entries[index] = location),
    go: (steps) => {
      index = Math.max(0, Math.min(entries.length - 1, index + steps));
      onMove();
    },
    listen: (listener) => void (onMove = listener),
  };
}
