import type { ComponentType } from 'react';
import {
  createLocation,
  formatPath,
  resolveTo,
  type Location,
  type RouterHistory,
  type To,
} from './location.ts';
import { matchRoute, type Params } from './match-route.ts';
import { savedScroll, saveScroll } from './scroll-positions.ts';

export interface LoaderArguments {
  request: Request;
  params: Params;
}

/** Runs before its page is shown. Returns the data of the page, or where to go instead: `redirect`. */
type Loader = (args: LoaderArguments) => unknown;

/** The component of a page, and what runs before it is shown. */
export interface RoutePage {
  Component: ComponentType;
  loader?: Loader;
}

/** Loads the code of a page. */
export type PageLoader = () => Promise<RoutePage>;

export interface Route extends Partial<RoutePage> {
  /** Without a slash at the beginning; empty for the root: `match-route.ts`. */
  path: string;
  /** Loads the code of the page. */
  lazy?: PageLoader;
}

export type NavigationType = 'POP' | 'PUSH' | 'REPLACE';

export interface RouterState {
  location: Location;
  navigationType: NavigationType;
  params: Params;
  /** What the loader of the page returned. */
  data: unknown;
  /** Undefined until the first page is loaded. */
  Component: ComponentType | undefined;
  /** Why the page cannot be shown. */
  failure: { error: unknown } | undefined;
  /** Whether the code or the loader of the next page is awaited. */
  isLoading: boolean;
  /** Whether the first page is loaded. */
  initialized: boolean;
  /** Where the user left this entry of the history. */
  scroll: number | undefined;
  /** The page stays where it is, if it is long enough for `scroll`. */
  keepsScroll: boolean;
}

export interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
  /** Does not scroll to the beginning of the page. */
  preventScrollReset?: boolean;
  /** Shows the page before the returned promise resolves. */
  flushSync?: boolean;
}

export interface Router {
  readonly state: RouterState;
  /** Resolves when the first page is loaded. */
  readonly ready: Promise<void>;
  /** Resolves when the page has changed. A number is a number of entries of the history. */
  navigate: (to: To | number, options?: NavigateOptions) => Promise<void>;
  subscribe: (onChange: (state: RouterState, flushSync: boolean) => void) => () => void;
}

interface RouterOptions {
  routes: readonly Route[];
  history: RouterHistory;
  /** The server rendered the first page: it keeps the position to which the user has scrolled. */
  isRendered?: boolean;
}

/** What a loader returns, or throws, to open another page instead. */
export function redirect(to: string): Response {
  return new Response(null, { status: 302, headers: { location: to } });
}

const redirectOf = (value: unknown) =>
  value instanceof Response ? value.headers.get('location') : null;

type Result = Pick<RouterState, 'params' | 'data' | 'Component' | 'failure'> | { redirect: string };

const isFragmentChange = (from: Location, to: Location) =>
  from.pathname === to.pathname &&
  from.search === to.search &&
  from.hash !== to.hash &&
  to.hash !== '';

/**
 * Loads the code of a page and runs its loader. Code that was loaded stays in memory. Resolves to
 * what the page needs, or to where to go instead; never rejects.
 */
function createPageLoader(routes: readonly Route[]) {
  const loadedPages = new Map<Route, RoutePage>();

  function match(pathname: string) {
    const found = matchRoute(routes, pathname);
    if (!found) throw new Error(`No page at ${pathname}`);
    return found;
  }

  async function loadPage(route: Route): Promise<RoutePage | undefined> {
    const loaded = loadedPages.get(route) ?? (await route.lazy?.());
    if (loaded) loadedPages.set(route, loaded);
    return loaded;
  }

  return async (location: Location, signal: AbortSignal): Promise<Result> => {
    try {
      const { route, params } = match(location.pathname);
      const url = new URL(formatPath(location), window.location.origin);
      const args = () => ({ request: new Request(url, { signal }), params });
      const loading = loadPage(route);
      // A guard may redirect while the code of the page is loading; its failure is then not shown.
      loading.catch(() => undefined);
      const guarded = await route.loader?.(args());
      const guardedTo = redirectOf(guarded);
      if (guardedTo !== null) return { redirect: guardedTo };
      const page = await loading;
      const data = page?.loader ? await page.loader(args()) : guarded;
      const to = redirectOf(data);
      if (to !== null) return { redirect: to };
      const Component = page?.Component ?? route.Component;
      return { params, data, Component, failure: undefined };
    } catch (error) {
      const to = redirectOf(error);
      if (to !== null) return { redirect: to };
      return { params: {}, data: undefined, Component: undefined, failure: { error } };
    }
  };
}

const stateBefore = (location: Location): RouterState => ({
  location,
  navigationType: 'POP',
  params: {},
  data: undefined,
  Component: undefined,
  failure: undefined,
  isLoading: false,
  initialized: false,
  scroll: undefined,
  keepsScroll: false,
});

/** Shows a page for each address. Loads the code of a page and runs its loader before it changes. */
export function createRouter({ routes, history, isRendered = false }: RouterOptions): Router {
  const load = createPageLoader(routes);
  const listeners = new Set<(state: RouterState, flushSync: boolean) => void>();
  let state = stateBefore(history.read());
  let current = new AbortController();
  let endOfMove: (() => void) | undefined;

  const publish = (changed: Partial<RouterState>, flushSync = false) => {
    state = { ...state, ...changed };
    for (const onChange of listeners) onChange(state, flushSync);
  };

  const commit = (
    type: NavigationType,
    location: Location,
    result: Partial<RouterState>,
    { preventScrollReset = false, flushSync = false }: NavigateOptions,
  ) => {
    const isFirst = isRendered && !state.initialized;
    if (type === 'PUSH') history.push(location);
    if (type === 'REPLACE') history.replace(location);
    publish(
      {
        ...result,
        location,
        navigationType: type,
        isLoading: false,
        initialized: true,
        scroll: savedScroll(location.key),
        keepsScroll: preventScrollReset || isFirst,
      },
      flushSync,
    );
  };

  async function open(
    type: NavigationType,
    location: Location,
    options: NavigateOptions = {},
  ): Promise<void> {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    if (state.initialized) saveScroll(state.location.key);
    if (state.initialized && isFragmentChange(state.location, location))
      return commit(type, location, {}, options);
    const loading = load(location, signal);
    if (state.initialized) publish({ isLoading: true });
    const result = await loading;
    if (signal.aborted) return;
    if (!('redirect' in result)) return commit(type, location, result, options);
    const target = resolveTo(result.redirect, location.pathname);
    // The entry of a move through the history, or of the first page, exists already.
    await open(type === 'POP' ? 'REPLACE' : type, createLocation(target));
  }

  history.listen(() => void open('POP', history.read()).then(() => endOfMove?.()));
  const ready = open('POP', state.location);

  return {
    get state() {
      return state;
    },
    ready,
    navigate: (to, options = {}) => {
      if (typeof to === 'number')
        return new Promise((resolve) => {
          endOfMove = resolve;
          history.go(to);
        });
      const target = resolveTo(to, state.location.pathname);
      const location = createLocation(target, options.state);
      return open(options.replace ? 'REPLACE' : 'PUSH', location, options);
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
