import { describe, expect, it } from 'vitest';
import { pageLinks } from './pager.tsx';

describe('pageLinks', () => {
  it.each([
    [1, 45, [1, 2, 3]],
    [2, 45, [1, 2, 3]],
    [20, 45, [19, 20, 21]],
    [45, 45, [43, 44, 45]],
    [1, 2, [1, 2]],
    [2, 2, [1, 2]],
  ])('for page %i of %i', (page, pages, links) => {
    expect(pageLinks(page, pages)).toEqual(links);
  });
});
