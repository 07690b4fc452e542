import { expect, it } from 'vitest';
import { badgeText } from './request-counts.ts';

it('shows what there is up to 98 and +99 from there (specification §3, §9)', () => {
  expect([0, 1, 98, 99, 100, 4000].map((value) => badgeText(value, String))).toEqual([
    '0',
    '1',
    '98',
    '+99',
    '+99',
    '+99',
  ]);
});
