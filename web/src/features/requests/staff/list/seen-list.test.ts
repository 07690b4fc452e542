import { describe, expect, it } from 'vitest';
import { findNextRequest, findPreviousRequest } from './seen-list.ts';

describe('findNextRequest', () => {
  it('finds the next request, even when the current one has left the list', () => {
    expect(findNextRequest(['a', 'b', 'c'], 'a', ['a', 'b', 'c'])).toBe('b');
    expect(findNextRequest(['a', 'b', 'c'], 'a', ['b', 'c'])).toBe('b');
  });
  it('skips requests that have left the list', () => {
    expect(findNextRequest(['a', 'b', 'c'], 'a', ['c'])).toBe('c');
  });
  it('continues with requests that moved up to this page', () => {
    expect(findNextRequest(['a', 'b'], 'b', ['a', 'c', 'd'])).toBe('c');
  });
  it('is undefined at the end of the list', () => {
    expect(findNextRequest(['a', 'b'], 'b', ['a', 'b'])).toBeUndefined();
    expect(findNextRequest(['a'], 'a', [])).toBeUndefined();
  });
  it('uses the current list when the user has not seen one', () => {
    expect(findNextRequest([], 'b', ['a', 'b', 'c'])).toBe('c');
    expect(findNextRequest([], 'x', ['a', 'b'])).toBe('a');
    expect(findNextRequest([], 'b', ['a', 'b'])).toBeUndefined();
  });
});

it('findPreviousRequest finds the previous request, even when it has left the list', () => {
  expect([
    findPreviousRequest(['a', 'b'], 'b'),
    findPreviousRequest(['a', 'b'], 'a'),
    findPreviousRequest(['a'], 'x'),
    findPreviousRequest([], 'a'),
  ]).toEqual(['a', undefined, undefined, undefined]);
});
