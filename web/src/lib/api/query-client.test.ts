import { beforeEach, expect, it, vi } from 'vitest';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getServiceByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { ApiError } from './api-error.ts';

const handled: unknown[] = [];
vi.mock('./handle-error.ts', () => ({ handleError: (error: unknown) => handled.push(error) }));
const { queryClient } = await import('./query-client.ts');
beforeEach(() => void (handled.length = 0));

const fail = (name: string, status: number) =>
  queryClient
    .fetchQuery({
      queryKey: [name, status],
      retry: false,
      staleTime: 0,
      queryFn: () => Promise.reject(new ApiError(status, 'NotFound', 'x')),
    })
    .catch(() => undefined);

// Specification §8. The page shows all other failures.
it.each([
  [getServices.name, [0, 401, 403, 500, 503]],
  [getServiceByServiceName.name, [0, 401, 403, 500, 503]],
  [getRequestsByStatusId.name, [401, 403, 500, 503]],
])('of the failures of %s these are handled globally: %j', async (name, expected) => {
  const statuses = [0, 400, 401, 403, 404, 429, 500, 503];
  for (const status of statuses) await fail(name, status);
  expect(handled.map((error) => (error as ApiError).status)).toEqual(expected);
});

it('a failed refetch is handled globally', async () => {
  queryClient.setQueryData([getRequestsByStatusId.name, 404], 'shown');
  await fail(getRequestsByStatusId.name, 404);
  expect(handled).toHaveLength(1);
});

it('a read is repeated when the server says that it accepts calls again', () => {
  const delayOf = queryClient.getDefaultOptions().queries?.retryDelay as (
    attempt: number,
    error: Error,
  ) => number;
  const busy = new ApiError(503, 'ServerBusy', 'x');
  expect(delayOf(1, busy)).toBe(1000);
  for (const [seconds, least] of [
    [3, 3000],
    [600, 10_000],
  ] as const) {
    busy.retryAfter = seconds;
    expect(delayOf(0, busy)).toBeGreaterThanOrEqual(least);
    expect(delayOf(0, busy)).toBeLessThanOrEqual(least * 1.5);
  }
});
