import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { getServiceByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { handleError } from './handle-error.ts';
import { ApiError } from './api-error.ts';

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

const serviceLoads: readonly unknown[] = [getServices.name, getServiceByServiceName.name];

// A page shows its own error state for a failed query. Handled here as well: errors of the session,
// errors of a refetch, errors of the server, and services without a connection (specification §8).
const queryCache = new QueryCache({
  onError(error, { state, queryKey }) {
    const status = error instanceof ApiError ? error.status : undefined;
    const isHandledHere =
      status === 401 ||
      status === 403 ||
      (status !== undefined && status >= 500) ||
      (status === 0 && serviceLoads.includes(queryKey[0]));
    if (isHandledHere || state.data !== undefined) handleError(error);
  },
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
