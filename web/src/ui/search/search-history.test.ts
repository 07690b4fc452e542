import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addToSearchHistory, clearSearchHistory, readSearchHistory } from './search-history.ts';

const stored = new Map<string, string>();
beforeEach(() =>
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  }),
);
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

it('stores the last fifteen searches, newest first, each once', () => {
  for (let index = 1; index <= 20; index += 1) addToSearchHistory(`search ${index}`);
  addToSearchHistory('search 10');
  expect(readSearchHistory()).toEqual([
    'search 10',
    ...[20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 9, 8, 7, 6].map((index) => `search ${index}`),
  ]);
});

it('ignores blank and overlong texts, and can be cleared', () => {
  for (const text of ['  ', 'x'.repeat(201), ' visa ']) addToSearchHistory(text);
  expect(readSearchHistory()).toEqual(['visa']);
  clearSearchHistory();
  expect(readSearchHistory()).toEqual([]);
});

it.each(['not json', '{}', '[1,{"a":2},null]', '"x"'])(
  'reads an empty history from the invalid value %s',
  (value) => {
    stored.set('searchHistory', value);
    expect(readSearchHistory()).toEqual([]);
  },
);

it('does not throw in a browser without storage', () => {
  vi.stubGlobal('window', {
    get localStorage(): never {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  expect(() => addToSearchHistory('visa')).not.toThrow();
  expect(() => readSearchHistory()).not.toThrow();
});
