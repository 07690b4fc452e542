import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { createStore, useStore } from './create-store.ts';

it('calls every listener after a change, and none that was removed', () => {
  const store = createStore(1);
  const first = vi.fn(() => store.get());
  const second = vi.fn<() => void>();
  store.subscribe(first);
  const unsubscribe = store.subscribe(second);
  store.set(2);
  unsubscribe();
  store.set(3);
  expect(first.mock.results.map(({ value }) => value as number)).toEqual([2, 3]);
  expect(second).toHaveBeenCalledTimes(1);
});

it('renders the current value', () => {
  const store = createStore('old');
  store.set('new');
  expect(renderToString(createElement(() => useStore(store)))).toBe('new');
});
