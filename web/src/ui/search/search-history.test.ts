import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addToSearchHistory, forgetSearchHistory, readSearchHistory } from './search-history.ts';

const kept = new Map<string, string>();
beforeEach(() =>
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
  }),
);
afterEach(() => {
  kept.clear();
  vi.unstubAllGlobals();
});

it('keeps the last fifteen, the newest first, each once', () => {
  for (let index = 1; index <= 20; index += 1) addToSearchHistory(`search ${index}`);
  addToSearchHistory('search 10');
  expect(readSearchHistory()).toEqual([
    'search 10',
    ...[20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 9, 8, 7, 6].map((index) => `search ${index}`),
  ]);
});

it('leaves out what is blank or nobody types again, and forgets when told to', () => {
  for (const text of ['  ', 'x'.repeat(201), ' visa ']) addToSearchHistory(text);
  expect(readSearchHistory()).toEqual(['visa']);
  forgetSearchHistory();
  expect(readSearchHistory()).toEqual([]);
});

it.each(['not json', '{}', '[1,{"a":2},null]', '"x"'])('a kept value that is none: %s', (value) => {
  kept.set('searchHistory', value);
  expect(readSearchHistory()).toEqual([]);
});

it('a browser without storage can be searched in', () => {
  vi.stubGlobal('window', {
    get localStorage(): never {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  expect(() => addToSearchHistory('visa')).not.toThrow();
  expect(() => readSearchHistory()).not.toThrow();
});
