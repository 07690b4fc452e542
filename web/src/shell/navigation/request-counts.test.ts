import { expect, it } from 'vitest';
import { badgeText } from './request-counts.ts';

it('shows numbers up to 98 and then +99 (specification §3, §9)', () => {
  expect([0, 1, 98, 99, 100, 4000].map((value) => badgeText(value, String))).toEqual([
    '0',
    '1',
    '98',
    '+99',
    '+99',
    '+99',
  ]);
});
