import { useSearchParams } from 'react-router';

const longest = 200;

export interface AddressFilters<Name extends string> {
  /** What was searched for, without the spaces around it. */
  keyword: string;
  page: number;
  /** The filters by name; empty when not given. */
  values: Readonly<Record<Name, string>>;
  /** A changed filter begins at the first page. */
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
 * Filters live in the address, so that reload, back and a shared link keep them. Anybody can type
 * into an address: whoever reads a value judges it.
 */
export function useAddressFilters<Name extends string = never>(
  ...names: readonly Name[]
): AddressFilters<Name> {
  const [search, setSearch] = useSearchParams();
  const keyword = (search.get('q') ?? '').trim().slice(0, longest);
  const page = pageOf(search.get('page'));
  const values = Object.fromEntries(
    names.map((name) => [name, (search.get(name) ?? '').slice(0, longest)]),
  ) as Record<Name, string>;
  const change: AddressFilters<Name>['change'] = (changed) => {
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
