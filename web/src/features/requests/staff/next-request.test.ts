import { describe, expect, it } from 'vitest';
import { nextIn, previousIn } from './next-request.ts';

describe('nextIn', () => {
  it('is the one below, even when this one has left the list', () => {
    expect(nextIn(['a', 'b', 'c'], 'a', ['a', 'b', 'c'])).toBe('b');
    expect(nextIn(['a', 'b', 'c'], 'a', ['b', 'c'])).toBe('b');
  });
  it('passes over those that somebody else took', () => {
    expect(nextIn(['a', 'b', 'c'], 'a', ['c'])).toBe('c');
  });
  it('goes on with what moved up into the page', () => {
    expect(nextIn(['a', 'b'], 'b', ['a', 'c', 'd'])).toBe('c');
  });
  it('ends', () => {
    expect(nextIn(['a', 'b'], 'b', ['a', 'b'])).toBeUndefined();
    expect(nextIn(['a'], 'a', [])).toBeUndefined();
  });
  it('takes a list that was never seen as it is now', () => {
    expect(nextIn([], 'b', ['a', 'b', 'c'])).toBe('c');
    expect(nextIn([], 'x', ['a', 'b'])).toBe('a');
    expect(nextIn([], 'b', ['a', 'b'])).toBeUndefined();
  });
});

it('previousIn is the one above, whatever has become of it', () => {
  expect([
    previousIn(['a', 'b'], 'b'),
    previousIn(['a', 'b'], 'a'),
    previousIn(['a'], 'x'),
    previousIn([], 'a'),
  ]).toEqual(['a', undefined, undefined, undefined]);
});
