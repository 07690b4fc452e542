import {
  Component,
  createContext,
  startTransition,
  use,
  useCallback,
  useLayoutEffect,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import type { Location } from './location.ts';
import type { Params } from './match-route.ts';
import type { NavigateOptions, NavigationType, Router, RouterState } from './router.ts';

interface Frame {
  /** Shows why a page, or the frame around it, failed. */
  ErrorPage: ComponentType<{ error: unknown }>;
  /** Shown until the first page is loaded. */
  Fallback?: ComponentType;
}

const RouterContext = createContext<Router | undefined>(undefined);
const FrameContext = createContext<Frame | undefined>(undefined);
// A page does not render again because another one starts to load.
const LoadingContext = createContext(false);
const StateContext = createContext<RouterState | undefined>(undefined);

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Use it inside a RouterProvider');
  return value;
}

interface ErrorBoundaryProps {
  location: Location;
  ErrorPage: Frame['ErrorPage'];
  children: ReactNode;
}

interface ErrorBoundaryState {
  failure?: { error: unknown } | undefined;
  location: Location;
}

/** Tries again when the address changes. */
class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { location: this.props.location };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ location }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return location === state.location ? null : { location, failure: undefined };
  }

  override render() {
    const { ErrorPage, children } = this.props;
    return this.state.failure ? <ErrorPage error={this.state.failure.error} /> : children;
  }
}

interface RouterProviderProps extends Frame {
  router: Router;
  /** The frame of every page; contains an `Outlet`. */
  children: ReactNode;
}

export function RouterProvider({ router, ErrorPage, Fallback, children }: RouterProviderProps) {
  const [state, setState] = useState(router.state);
  useLayoutEffect(() => {
    const update = (changed: RouterState, isAtOnce: boolean) =>
      isAtOnce ? flushSync(() => setState(changed)) : startTransition(() => setState(changed));
    // The router may have loaded the page since the render.
    update(router.state, false);
    return router.subscribe(update);
  }, [router]);
  // Keeps the object while the next page loads, so that the page does not render again.
  const [shown, setShown] = useState(state);
  if (shown.location !== state.location || shown.initialized !== state.initialized) setShown(state);
  const frame = useMemo(() => ({ ErrorPage, Fallback }), [ErrorPage, Fallback]);
  return (
    <RouterContext value={router}>
      <FrameContext value={frame}>
        <LoadingContext value={state.isLoading}>
          <StateContext value={shown}>
            <ErrorBoundary location={shown.location} ErrorPage={ErrorPage}>
              {children}
            </ErrorBoundary>
          </StateContext>
        </LoadingContext>
      </FrameContext>
    </RouterContext>
  );
}

/** The page of the address. */
export function Outlet() {
  const { ErrorPage, Fallback } = required(use(FrameContext));
  const { Component: Page, failure, initialized, location } = useRouterState();
  return (
    <ErrorBoundary location={location} ErrorPage={ErrorPage}>
      {failure ? <ErrorPage error={failure.error} /> : null}
      {!failure && Page ? <Page /> : null}
      {!initialized && Fallback ? <Fallback /> : null}
    </ErrorBoundary>
  );
}

/** The page that is shown, without `isLoading`, which `useIsLoading` follows. */
export const useRouterState = (): Omit<RouterState, 'isLoading'> => required(use(StateContext));

/** Whether the next page is loading. */
export const useIsLoading = (): boolean => use(LoadingContext);

export const useLocation = (): Location => useRouterState().location;

export const useNavigationType = (): NavigationType => useRouterState().navigationType;

export const useParams = (): Params => useRouterState().params;

/** What the loader of the page returned. */
export const useLoaderData = <Data,>(): Data => useRouterState().data as Data;

export const useNavigate = (): Router['navigate'] => required(use(RouterContext)).navigate;

type SetSearchParams = (
  params: URLSearchParams | Record<string, string>,
  options?: NavigateOptions,
) => void;

/** The query of the address, and a function that replaces it and leaves the fragment out. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set: SetSearchParams = useCallback(
    (changed, options) =>
      void navigate({ search: new URLSearchParams(changed).toString() }, options),
    [navigate],
  );
  return [params, set];
}
