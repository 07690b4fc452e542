import { useEffect } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { getServiceIdByServiceName, type Service } from '@diwan/contract/catalogue/services';

// Apart from what sends a request: the first screen does not load the checks of a form.

interface ServiceQuery {
  service: Service | undefined;
  error: ApiError | null;
  isFetching: boolean;
  retry: () => void;
}

/** How often a closed service is read again, so that the page shows that it has opened. */
const closedRefetchMs = 30_000;

/** A service by its name in addresses, in the current language; one request. */
export function useServiceByName(serviceName: string): ServiceQuery {
  // No service has a longer name; a longer one is reported as not found instead of invalid.
  const { data, error, isFetching, refetch } = useCall(getServiceIdByServiceName, {
    query: { serviceName: serviceName.slice(0, 300) },
    staleTime: 300_000,
  });
  const isClosed = data?.service.closure !== undefined;
  useEffect(() => {
    if (!isClosed) return undefined;
    const timer = window.setInterval(() => void refetch(), closedRefetchMs);
    return () => window.clearInterval(timer);
  }, [isClosed, refetch]);
  return {
    service: data?.service,
    error: data ? null : error,
    isFetching,
    retry: () => void refetch(),
  };
}
