import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { getServiceByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { handleError } from './handle-error.ts';
import { SendError } from './send-error.ts';

function shouldRetry(failures: number, error: Error): boolean {
  return error instanceof SendError && (error.status === 0 || error.status === 503) && failures < 2;
}

const serviceLoads: readonly unknown[] = [getServices.name, getServiceByServiceName.name];

// A page shows its own error state for what it could not read, so only this is handled here too:
// what concerns the session, what is missing after it
// was shown, a failure of the server, and services that cannot be had without a connection
// (specification §8).
const queryCache = new QueryCache({
  onError(error, { state, queryKey }) {
    const status = error instanceof SendError ? error.status : undefined;
    const isSaidHere =
      status === 401 ||
      status === 403 ||
      (status !== undefined && status >= 500) ||
      (status === 0 && serviceLoads.includes(queryKey[0]));
    if (isSaidHere || state.data !== undefined) handleError(error);
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
      retryDelay: (attempt) => 500 * 2 ** attempt,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
