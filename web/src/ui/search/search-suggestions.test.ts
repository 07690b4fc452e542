import { expect, it } from 'vitest';
import { optionByKey } from './search-suggestions.ts';

it.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, -1],
  ['ArrowUp', -1, 2],
  ['ArrowUp', 0, -1],
  ['ArrowUp', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['Home', -1, undefined],
  ['End', -1, undefined],
  ['a', 1, undefined],
])('%s at option %i of three selects %s', (key, active, next) => {
  expect(optionByKey(key, active, 3)).toBe(next);
});
