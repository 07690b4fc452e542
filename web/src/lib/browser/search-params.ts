import { useSearchParams } from '../router/router-provider.tsx';

const maximumLength = 200;

export interface SearchFilters<Name extends string> {
  /** The search text, trimmed. */
  keyword: string;
  page: number;
  /** The filters by name; empty where the address has none. */
  values: Readonly<Record<Name, string>>;
  /** Sets filters and goes back to the first page. */
  change: (
    changed: { keyword?: string; page?: number } & Record<string, string | number | undefined>,
  ) => void;
  clear: () => void;
  isFiltered: boolean;
}

function pageOf(text: string | null): number {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 && value <= 1_000_000 ? value : 1;
}

/**
 * Filters in the address, so that a reload, the back button and a shared link preserve them. The
 * user can type any value into an address: the caller must validate it.
 */
export function useSearchFilters<Name extends string = never>(
  ...names: readonly Name[]
): SearchFilters<Name> {
  const [search, setSearch] = useSearchParams();
  const keyword = (search.get('q') ?? '').trim().slice(0, maximumLength);
  const page = pageOf(search.get('page'));
  const values = Object.fromEntries(
    names.map((name) => [name, (search.get(name) ?? '').slice(0, maximumLength)]),
  ) as Record<Name, string>;
  const change: SearchFilters<Name>['change'] = (changed) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    for (const [name, value] of Object.entries(changed)) {
      const key = name === 'keyword' ? 'q' : name;
      if (value === undefined || value === '' || (key === 'page' && value === 1)) next.delete(key);
      else next.set(key, String(value));
    }
    setSearch(next);
  };
  const clear = () => setSearch(new URLSearchParams());
  return {
    keyword,
    page,
    values,
    change,
    clear,
    isFiltered: keyword !== '' || Object.values(values).some((value) => value !== ''),
  };
}
