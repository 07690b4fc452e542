import { containsText } from '../../lib/i18n/match-text.ts';
import type { AddressFilters } from '../../lib/browser/use-address-filters.ts';
import { adminPageSize } from './admin-list.tsx';

/** A short list that comes whole, searched and cut into pages here. */
export function localPage<Row>(
  items: readonly Row[] | undefined,
  { keyword, page }: Pick<AddressFilters<never>, 'keyword' | 'page'>,
  textOf: (row: Row) => string,
): { items: Row[]; totalCount: number } | undefined {
  const found = items?.filter((item) => containsText(textOf(item), keyword));
  return (
    found && {
      items: found.slice((page - 1) * adminPageSize, page * adminPageSize),
      totalCount: found.length,
    }
  );
}
