import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refusalText } from '#platform/core/locale-texts.ts';
import { FailureCounts } from './failure-counts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tooMany = (retryAfter: number) => ({ refusal: 'TooManyRequests', params: { retryAfter } });
const caught = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('failure counts', () => {
  it('count failures until their minute ends, and nothing that succeeds', () => {
    const counts = new FailureCounts();
    for (let call = 0; call < 100; call += 1) counts.begin('a', 2).release();
    counts.begin('a', 2).fail();
    vi.advanceTimersByTime(20_000);
    counts.begin('a', 2).fail();
    expect(caught(() => counts.begin('a', 2))).toMatchObject(tooMany(40));
    expect(caught(() => counts.begin('b', 2))).not.toBeInstanceOf(Error);
    vi.advanceTimersByTime(40_000);
    counts.begin('a', 2).fail();
  });

  it('let no more calls in at the same time than may fail, and end each call once', () => {
    const counts = new FailureCounts();
    const first = counts.begin('a', 2);
    const second = counts.begin('a', 2);
    expect(caught(() => counts.begin('a', 2))).toMatchObject(tooMany(1));
    first.release();
    first.release();
    first.fail();
    const third = counts.begin('a', 2);
    expect(caught(() => counts.begin('a', 2))).toMatchObject(tooMany(1));
    second.fail();
    third.fail();
    expect(caught(() => counts.begin('a', 2))).toMatchObject(tooMany(60));
  });

  it('are not changed by a call that ends in another minute', () => {
    const counts = new FailureCounts();
    const slow = counts.begin('a', 1);
    vi.advanceTimersByTime(60_000);
    const next = counts.begin('a', 1);
    slow.fail();
    next.release();
    expect(caught(() => counts.begin('a', 1))).not.toBeInstanceOf(Error);
  });
});

it.each([
  ['en-US', 1, 'in 1 second.'],
  ['en-US', 55, 'in 55 seconds.'],
  ['ar-EG', 1, 'بعد ثانية واحدة.'],
  ['ar-EG', 2, 'بعد ثانيتين.'],
  ['ar-EG', 5, 'بعد 5 ثوانٍ.'],
  ['ar-EG', 55, 'بعد 55 ثانية.'],
  ['ar-EG', 100, 'بعد 100 ثانية.'],
  ['ur-PK', 1, '1 سیکنڈ بعد'],
  ['ur-PK', 55, '55 سیکنڈ بعد'],
] as const)('a refusal in %s says %i seconds', (language, retryAfter, words) => {
  expect(refusalText('TooManyRequests', language, { retryAfter })).toContain(words);
});
