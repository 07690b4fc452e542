/** A place of the portal: what the address shows, and what its entry in the history remembers. */
export interface Location {
  pathname: string;
  /** With the question mark; empty when there is none. */
  search: string;
  /** With the number sign; empty when there is none. */
  hash: string;
  state: unknown;
  /** Names the entry of the history. */
  key: string;
}

type Path = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** Where a link leads. Parts that are left out: the current path, no query, no fragment. */
export type To = string | Partial<Path>;

function parseTo(to: string): Partial<Path> {
  const [, pathname, search, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(to) ?? [];
  return { ...(pathname ? { pathname } : {}), search: search ?? '', hash: hash ?? '' };
}

const withSign = (sign: string, text = '') =>
  text === '' || text === sign ? '' : text.startsWith(sign) ? text : sign + text;

/** Paths are those of the portal, so they begin with a slash, and with one only. */
export function resolveTo(to: To, current: string): Path {
  const { pathname = current, search, hash } = typeof to === 'string' ? parseTo(to) : to;
  return {
    pathname: pathname.replace(/^[/\\]*/, '/'),
    search: withSign('?', search),
    hash: withSign('#', hash),
  };
}

export function formatPath({ pathname, search, hash }: Path): string {
  return pathname + search + hash;
}

const newKey = () => Math.random().toString(36).slice(2, 10);

export function createLocation(path: Path, state: unknown = null): Location {
  return { ...path, state, key: newKey() };
}

/** The entries that back and forward visit. */
export interface RouterHistory {
  read: () => Location;
  push: (location: Location) => void;
  replace: (location: Location) => void;
  go: (steps: number) => void;
  /** Calls `onMove` after each move to another entry. */
  listen: (onMove: () => void) => void;
}

/** `history.state`: the state of the page, the key of the entry and its number in this tab. */
interface EntryState {
  usr?: unknown;
  key?: string;
  idx?: number;
}

const readEntry = () => (window.history.state ?? {}) as EntryState;

export function createBrowserHistory(): RouterHistory {
  const entryOf = ({ state, key }: Location, idx: number): EntryState => ({ usr: state, key, idx });
  // An entry that the browser made gets its own key: a reload does not change it, and a typed address
  // does not begin where the page before it was left.
  if (readEntry().idx === undefined)
    window.history.replaceState({ key: newKey(), ...readEntry(), idx: 0 } satisfies EntryState, '');
  return {
    read: () => {
      const { pathname, search, hash } = window.location;
      const { usr = null, key = 'default' } = readEntry();
      return { pathname, search, hash, state: usr, key };
    },
    push: (location) =>
      window.history.pushState(
        entryOf(location, (readEntry().idx ?? 0) + 1),
        '',
        formatPath(location),
      ),
    replace: (location) =>
      window.history.replaceState(
        entryOf(location, readEntry().idx ?? 0),
        '',
        formatPath(location),
      ),
    go: (steps) => window.history.go(steps),
    listen: (onMove) => window.addEventListener('popstate', onMove),
  };
}
