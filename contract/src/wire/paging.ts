import { z } from 'zod';

/** A paged list. `totalCount` counts the items of all pages. Source: specification §3. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), pageNumber: z.int().min(1), totalCount: z.int().min(0) });
}

/** Page numbers start at 1. */
export const pageNumber = z.coerce.number().int().min(1).max(1_000_000).default(1);
/** The number of items on a page. */
export const take = z.coerce.number().int().min(1).max(100).default(10);
