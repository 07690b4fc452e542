import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { getServiceIdByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { ApiError } from './api-error.ts';
import { handleError } from './handle-error.ts';

function shouldRetry(failures: number, error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503) && failures < 2;
}

const longestRetryDelaySeconds = 10;

// A busy server says when it accepts calls again. The delay varies, so that not all browsers return at
// the same time.
function retryDelay(attempt: number, error: Error): number {
  const seconds = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  if (seconds === 0) return 500 * 2 ** attempt;
  return Math.min(seconds, longestRetryDelaySeconds) * 1000 * (1 + Math.random() / 2);
}

const serviceLoads: readonly unknown[] = [getServices.name, getServiceIdByServiceName.name];

/** The last failure of a query that was handled, until it succeeds or no component uses it. */
const handledFailures = new WeakMap<object, string>();

/**
 * Whether a failed query is handled here in addition to the error state of the page. Source:
 * specification §8. A refetch repeats a failure every minute or at each focus of the window: it is
 * handled once, except where the user has to leave the page.
 */
function isHandledHere(error: Error, query: Query<unknown, unknown, unknown>): boolean {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 401 || status === 403) return true;
  // The page of the request asks for the reason.
  if (error.name === 'ReasonForReadingRequired' && query.state.data === undefined) return false;
  // The page says that the connection is missing.
  const isShownByPage =
    status === undefined || (status === 0 && !serviceLoads.includes(query.queryKey[0]));
  if (isShownByPage && query.state.data === undefined) return false;
  const failure = `${status} ${error.name} ${error.message}`;
  const isRepeated = handledFailures.get(query) === failure;
  handledFailures.set(query, failure);
  return !isRepeated;
}

const queryCache = new QueryCache({
  onError(error, query) {
    if (isHandledHere(error, query)) handleError(error);
  },
  onSuccess: (_data, query) => void handledFailures.delete(query),
});

queryCache.subscribe(({ type, query }) => {
  if (type === 'observerRemoved' && query.getObserversCount() === 0) handledFailures.delete(query);
});

const mutationCache = new MutationCache({ onError: (error) => handleError(error) });

export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: shouldRetry,
      retryDelay,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
