import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { handleError } from './handle-error.ts';
import { SendError } from './send-error.ts';

function shouldRetry(failures: number, error: Error): boolean {
  return error instanceof SendError && (error.status === 0 || error.status === 503) && failures < 2;
}

// A page shows its own error state for what it could not read, so only what concerns the session is handled here, and what is missing after it was shown.
const queryCache = new QueryCache({
  onError(error, query) {
    const isAboutSession = error instanceof SendError && (error.status === 401 || error.status === 403);
    if (isAboutSession || query.state.data !== undefined) handleError(error);
  },
});

const mutationCache = new MutationCache({ onError: (error) => handleError(error) });

export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: { staleTime: 30_000, retry: shouldRetry, retryDelay: (attempt) => 500 * 2 ** attempt, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
